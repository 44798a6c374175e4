#pragma once
// Ranks that agree: on what went wrong, before anything irrevocable happens, and on what they must
// have in common. The one place where failures become words of a reduction.
//
//     LocalFailure failure;
//     failure.guard([&] { buffer = pack(items); });   // may throw here alone
//     agree(council, failure);                        // throws on every rank, or nowhere

#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include "equipoise/engine/local_failure.hpp"

namespace equipoise::engine {

/// A failure that every rank knows of.
struct RankFailure {
    LocalFailure failure;
    int rank = 0;            ///< where it happened: the lowest rank that failed
    int failed = 0;          ///< how many ranks failed
    std::exception_ptr own;  ///< what this rank brought, where it brought an exception
};

/// Processes ("ranks") 0 .. ranks()-1 that can agree. `reduce` and `broadcast` are collective:
/// every rank calls the same ones in the same order.
class Council {
  public:
    /// What every rank brings to a reduction: `sums` are added up and `maxima` taken, word by word.
    struct Tally {
        std::array<std::int64_t, 6> sums = {};
        std::array<std::int64_t, 8> maxima = {};

        void operator+=(const Tally& other);
    };

    virtual ~Council() = default;
    Council() = default;
    Council(const Council&) = delete;
    Council& operator=(const Council&) = delete;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int ranks() const = 0;
    [[nodiscard]] virtual Tally reduce(const Tally& mine) = 0;
    /// The bytes of one rank on every rank; all know how many there are.
    virtual void broadcast(std::span<std::byte> bytes, int from) = 0;

    /// Throws what the ranks have agreed on, on each of them. Unless a council has errors of its
    /// own, kinds and texts of the library's errors are kept; a rank short of memory throws
    /// std::bad_alloc on all; any other error arrives as std::runtime_error that names the rank.
    [[noreturn]] virtual void raise(const RankFailure& found) const;

    /// Throws, on every rank, the error of the lowest rank that brings one; returns where none
    /// does. Collective.
    void agree(const std::exception_ptr& mine);
};

/// What a rank brings to an agreement besides its failure.
struct Ballot {
    std::uint64_t must_be_equal = 0;          ///< a digest of what all ranks must have in common
    std::array<std::int64_t, 4> maxima = {};  ///< answered: the largest of every word
    std::int64_t sum = 0;                     ///< answered: the sum
    /// Says what `must_be_equal` is a digest of; called where ranks differ.
    std::function<std::string()> describe = {};
};

/// One reduction. Raises the same on every rank where a rank failed (what the lowest such rank
/// brings) or where `must_be_equal` differs; answers maxima and sum. Collective.
Ballot agree(Council& council, const LocalFailure& mine, const Ballot& ballot = {});

/// The same for those who go on with what is found: nothing is thrown.
[[nodiscard]] std::optional<RankFailure> find_failure(Council& council, const LocalFailure& mine,
                                                      const Ballot& ballot, Ballot& answer);

/// What `action` throws, or nothing.
template <class Action>
[[nodiscard]] std::exception_ptr failure_of(const Action& action) noexcept {
    try {
        action();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

/// Does what may fail on one rank alone, and throws on all where it does. Collective.
template <class Action>
void together(Council& council, const Action& action) {
    council.agree(failure_of(action));
}

}  // namespace equipoise::engine
