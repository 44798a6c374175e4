#pragma once
// What every rank must hold alike, and what every rank tries for itself.

#include <cstdint>
#include <exception>
#include <span>
#include <string>

#include "equipoise/engine/fabric.hpp"

namespace equipoise::engine {

/// One thing that a rank holds, by its digest.
struct Held {
    std::string name;  ///< a plural, "loads"; the same on every rank
    std::uint64_t digest = 0;
};

/// Throws InputError, on every rank, where a rank holds something else than rank 0; it names the
/// first such thing and the lowest such rank. Every rank hands in the same things in the same
/// order. Collective.
void expect_same(Fabric& fabric, std::span<const Held> held);

/// Council::agree after what every rank tried for itself: where the lowest rank that failed did so
/// while others did not, the text begins with its number. Collective.
void agree_on_tries(Council& council, const std::exception_ptr& mine);

/// Does on every rank what may fail on some alone, and throws on all where it does. Collective;
/// null: this process is alone.
template <class Action>
void try_together(Fabric* fabric, const Action& action) {
    if (fabric == nullptr) return action();
    agree_on_tries(*fabric, failure_of(action));
}

}  // namespace equipoise::engine
