#pragma once
// How ranks agree, before anything irrevocable happens, on what went wrong and on whether they hold
// the same input. Only here are failures encoded as words of a reduction.
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

/// A failure that all ranks know about.
struct RankFailure {
    LocalFailure failure;
    int rank = 0;            ///< where it happened: the lowest rank that failed
    int failed = 0;          ///< how many ranks failed
    std::exception_ptr own;  ///< the exception of this rank, if it had one
};

/// Processes ("ranks") 0 .. ranks()-1 that can come to agreements. `reduce` and `broadcast` are
/// collective: every rank makes the same calls in the same order.
class Council {
  public:
    /// The contribution of each rank to a reduction: `sums` are added and of `maxima` the largest
    /// is taken, word by word.
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
    /// Sends the bytes of one rank to all others; every rank knows how many there are.
    virtual void broadcast(std::span<std::byte> bytes, int from) = 0;

    /// Throws, on every rank, the failure that the ranks have agreed on. Unless the council raises
    /// errors of its own kind, the library's errors keep their type and text; if a rank ran out of
    /// memory, all throw std::bad_alloc; any other error becomes a std::runtime_error that names
    /// the rank.
    [[noreturn]] virtual void raise(const RankFailure& found) const;

    /// Throws, on every rank, the error of the lowest rank that has one; returns if none has.
    /// Collective.
    void agree(const std::exception_ptr& mine);
};

/// What a rank contributes to an agreement, besides its failure if it has one.
struct Ballot {
    std::uint64_t must_be_equal = 0;          ///< a digest of what all ranks must have in common
    std::array<std::int64_t, 4> maxima = {};  ///< after an agreement: the largest of every word
    std::int64_t sum = 0;                     ///< after an agreement: the sum
    /// Says what `must_be_equal` is a digest of; called if ranks differ.
    std::function<std::string()> describe = {};
    std::array<std::int64_t, 4> sums = {};  ///< after an agreement: the sum of every word
};

/// Agrees in one reduction. If a rank failed or `must_be_equal` differs, raises the same error on
/// every rank (that of the lowest rank that failed); otherwise returns the maxima and the sum.
/// Collective.
Ballot agree(Council& council, const LocalFailure& mine, const Ballot& ballot = {});

/// The same for callers that handle the failure themselves: nothing is thrown.
[[nodiscard]] std::optional<RankFailure> find_failure(Council& council, const LocalFailure& mine,
                                                      const Ballot& ballot, Ballot& answer);

/// The exception that `action` throws; null if it returns.
template <class Action>
[[nodiscard]] std::exception_ptr failure_of(const Action& action) noexcept {
    try {
        action();
    } catch (...) {
        return std::current_exception();
    }
    return nullptr;
}

/// Runs an action that may fail on a single rank; if it does, throws on all. Collective.
template <class Action>
void together(Council& council, const Action& action) {
    council.agree(failure_of(action));
}

}  // namespace equipoise::engine
