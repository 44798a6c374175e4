#include "equipoise/balancer/advisor.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/mpi/agreement.hpp"

namespace equipoise::balancer {

namespace {

constexpr double nanosecond = 1e-9;

// Whole nanoseconds, whose sum is the same on all ranks and, because of the bound, does not
// overflow.
std::int64_t nanoseconds(const char* what, double seconds, int ranks) {
    const double most = 0x1p61 * nanosecond / ranks;
    if (!(seconds >= 0 && seconds <= most)) {
        std::string text = "expected seconds of a ";
        text += what;
        text += " between 0 and ";
        text += std::to_string(most);
        text += ", found ";
        text += std::to_string(seconds);
        throw InputError(text);
    }
    return std::llround(seconds / nanosecond);
}

// Stays at the largest possible number, after 146 years.
std::int64_t total_since(std::int64_t before, std::int64_t step) {
    constexpr std::int64_t most = std::int64_t{1} << 62U;
    return before > most - step ? most : before + step;
}

}  // namespace

Advisor::Advisor(MPI_Comm callers) : communicator_(callers) {}

void Advisor::step(double seconds, engine::LocalFailure failure) {
    const int ranks = communicator_.size();
    const std::optional<double> balanced = balanced_;
    engine::Ballot ballot;
    failure.guard([&] {
        if (balanced) {
            balanced_ = 0;  // if the seconds are refused, the balance stays
            ballot.maxima[1] = nanoseconds("balance", *balanced, ranks);
            balanced_ = balanced;
        }
        ballot.maxima[0] = nanoseconds("step", seconds, ranks);
        ballot.sum = ballot.maxima[0];
        ballot.maxima[2] = total_since(balanced ? 0 : total_, ballot.sum);
    });
    Digest digest;
    digest.add(static_cast<std::uint64_t>(steps()));
    digest.add(static_cast<std::uint64_t>(balances_));
    ballot.must_be_equal = digest.value();
    ballot.describe = [&] {
        return "a step of an advisor after " + counted(steps(), "step") + " and " +
               counted(balances_, "balance");
    };
    const engine::Ballot all = mpi::agree(communicator_, failure, ballot);
    if (balanced_) rule_.balanced(static_cast<double>(all.maxima[1]) * nanosecond);
    balanced_.reset();
    total_ = ballot.maxima[2];
    const double largest = static_cast<double>(all.maxima[0]) * nanosecond;
    const double average = static_cast<double>(all.sum) * nanosecond / ranks;
    rule_.step(largest, std::min(average, largest),
               static_cast<double>(all.maxima[2]) * nanosecond);
}

void Advisor::balanced(double seconds) {
    balanced_ = balanced_.value_or(0) + seconds;
    ++balances_;
}

Advice Advisor::worth_it() const {
    if (!balanced_) return rule_.worth_it();
    // Nothing is known yet about its effect.
    Advice advice;
    advice.cost = rule_.worth_it().cost;
    return advice;
}

}  // namespace equipoise::balancer
