#pragma once
// Mistyped keys of a spec, found before anything is made of the others.

#include <span>
#include <string_view>

#include "equipoise/base/spec.hpp"

namespace equipoise {

/// Throws InputError naming the first key that is not `known`, or a value without a key unless one
/// is `positional`. Call it before values are read, so that the error names the mistyped key rather
/// than the key that is missing because of it, and nothing is computed for a bad spec.
inline void expect_only(const Spec& spec, std::span<const std::string_view> known,
                        bool positional = false) {
    for (const std::string_view key : known)
        static_cast<void>(spec.word(key, ""));
    if (positional) static_cast<void>(spec.positional());
    spec.expect_done();
}

}  // namespace equipoise
