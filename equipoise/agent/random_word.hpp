#pragma once
// A word that no neighbour can guess.

#include <cstdint>

#include <sys/random.h>

#include "equipoise/base/error.hpp"

namespace equipoise::agent {

inline std::uint64_t random_word() {
    std::uint64_t word = 0;
    if (getrandom(&word, sizeof(word), 0) != static_cast<ssize_t>(sizeof(word)))
        throw InputError("expected random words from the system, found none");
    return word;
}

}  // namespace equipoise::agent
