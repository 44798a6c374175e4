#pragma once
// Errors that all ranks agree on before anything irrevocable happens.
//
//     LocalFailure failure;
//     failure.guard(Failure::user_code, [&] { buffer = pack(items); });   // may throw here alone
//     agree(communicator, failure);   // throws the same CollectiveError on every rank, or nowhere

#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "equipoise/base/error.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/mpi/error.hpp"

namespace equipoise::mpi {

/// What went wrong on this rank so far; the first failure stays. Needs no memory of its own.
class LocalFailure {
  public:
    /// Runs `action` and keeps what it throws: memory shortage and InputError as such, any other
    /// exception as `otherwise`. Does nothing once something failed.
    template <class Action>
    void guard(Failure otherwise, Action&& action) noexcept {
        if (failed()) return;
        try {
            action();
        } catch (const MpiError& error) {
            note(Failure::user_code, error.what());
        } catch (const InputError& error) {
            note(Failure::input, error.what());
        } catch (const std::bad_alloc&) {
            note(Failure::memory, "an allocation failed");
        } catch (const std::length_error&) {
            note(Failure::memory, "more was asked for than a container can hold");
        } catch (const std::exception& error) {
            note(otherwise, error.what());
        } catch (...) {
            note(otherwise, "an exception that is no std::exception");
        }
    }
    /// Keeps a failure, unless there is one already.
    void note(Failure failure, std::string_view text) noexcept {
        if (failed()) return;
        failure_ = failure;
        text_.fill('\0');
        const std::size_t length = std::min(text.size(), text_.size() - 1);
        std::copy_n(text.begin(), length, text_.begin());
    }
    [[nodiscard]] bool failed() const { return failure_ != Failure::none; }
    [[nodiscard]] Failure failure() const { return failure_; }
    [[nodiscard]] std::string_view text() const { return text_.data(); }

  private:
    Failure failure_ = Failure::none;
    std::array<char, 480> text_ = {};
};

/// What a rank brings to an agreement besides its failure.
struct Ballot {
    std::uint64_t must_be_equal = 0;       ///< a digest of what all ranks must have in common
    std::array<std::int64_t, 4> maxima{};  ///< answered: the largest of every word
    std::int64_t sum = 0;                  ///< answered: the sum
    /// Says what `must_be_equal` is a digest of; called where ranks differ.
    std::function<std::string()> describe = {};
};

/// Collective: one reduction to all. Throws the same CollectiveError on every rank where a rank
/// failed (the lowest such rank's) or where `must_be_equal` differs; answers maxima and sum.
Ballot agree(const Communicator& communicator, const LocalFailure& failure,
             const Ballot& mine = {});

}  // namespace equipoise::mpi
