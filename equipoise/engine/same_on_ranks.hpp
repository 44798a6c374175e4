#pragma once
// Checks that all ranks hold the same, and agreement after something that each of them tried by
// itself.

#include <cstdint>
#include <exception>
#include <span>
#include <string>

#include "equipoise/engine/fabric.hpp"

namespace equipoise::engine {

/// One thing that a rank holds, known by its digest.
struct Held {
    std::string name;  ///< a plural, "loads"; the same on every rank
    std::uint64_t digest = 0;
};

/// Throws InputError, on every rank, if some rank differs from rank 0 in one of these things; the
/// error names the first such thing and the lowest such rank. Every rank passes the same things in
/// the same order. Collective.
void expect_same(Fabric& fabric, std::span<const Held> held);

/// Council::agree after something that every rank tried by itself: if some ranks failed and others
/// did not, the text begins with the number of the lowest rank that failed. Collective.
void agree_on_tries(Council& council, const std::exception_ptr& mine);

/// Runs on every rank an action that may fail on some of them; if it does, throws on all.
/// Collective; null: this process is alone.
template <class Action>
void try_together(Fabric* fabric, const Action& action) {
    if (fabric == nullptr) return action();
    agree_on_tries(*fabric, failure_of(action));
}

}  // namespace equipoise::engine
