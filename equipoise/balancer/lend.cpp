#include "equipoise/balancer/lend.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/mpi/agreement.hpp"

namespace equipoise::balancer {

LoanPlan plan_loan(MPI_Comm callers, Tokens count, const Options& options,
                   engine::LocalFailure failure) {
    LoanPlan plan;
    plan.there = begin_plan(callers, count, options, failure, "a loan");
    failure.guard([&] { plan.back = plan.there.inverse(); });
    plan.there.agree(failure, "a loan");
    return plan;
}

namespace detail {

void Keepsake::prepare(const Plan& there, std::size_t row_bytes) {
    moves_ = whole_trip(there);
    row_bytes_ = row_bytes;
    copies_ = std::make_unique_for_overwrite<std::byte[]>(static_cast<std::size_t>(moves_.sent()) *
                                                          row_bytes);
}

void Keepsake::keep(const std::byte* rows) {
    pack(moves_, row_bytes_, rows, copies_.get());
    moves_ = placement::inverse(std::move(moves_));
}

void Keepsake::prepare_to_restore() {
    kept_ = placement::kept_runs(moves_);
}

void Keepsake::restore(std::byte* rows) {
    shift(kept_, row_bytes_, rows);
    unpack(moves_, row_bytes_, copies_.get(), rows);
    copies_.reset();
}

Loan begin_loan(MPI_Comm communicator, Packed made, const Options& options,
                engine::LocalFailure& failure) {
    // Ranks compare what they lend before they plan.
    std::string what;
    failure.guard([&] { what = "lending " + made.goods.describe(); });
    Loan loan(communicator, static_cast<Tokens>(made.size), options, failure, what);
    loan.take(std::move(made.goods));
    loan.begin(Leg::there, failure);
    return loan;
}

}  // namespace detail

Loan::Loan(MPI_Comm callers, Tokens count, const Options& options, engine::LocalFailure& failure,
           std::string_view what) {
    plan_.there = begin_plan(callers, count, options, failure, what);
    failure.guard([&] { plan_.back = plan_.there.inverse(); });
}

Loan& Loan::operator=(Loan&& other) noexcept {
    std::swap(plan_, other.plan_);
    std::swap(goods_, other.goods_);
    std::swap(lent_, other.lent_);
    std::swap(state_, other.state_);
    std::swap(started_, other.started_);
    std::swap(seconds_, other.seconds_);
    return *this;
}

Loan::~Loan() {
    if (goods_.size() == 0) return;  // moved from
    try {
        wait();
    } catch (...) {  // NOLINT(bugprone-empty-catch): there is nobody to tell
    }
}

Report Loan::report() const {
    Report report = plan_.there.report();
    report.seconds_moving = seconds_;
    return report;
}

Places Loan::staying() const {
    const RankMoves moves = detail::whole_trip(plan_.there);
    return {moves.kept > 0 ? moves.kept_to : 0, moves.kept};
}

std::vector<Tokens> Loan::lent() const {
    const RankMoves moves = detail::whole_trip(plan_.there);
    std::vector<Tokens> places = moves.leaving;
    if (places.empty())
        for (const Parcel& parcel : moves.sends)
            for (Tokens i = 0; i < parcel.items; ++i)
                places.push_back(parcel.first + i);
    std::sort(places.begin(), places.end());
    return places;
}

void Loan::expect(State state) const {
    if (state_ == state) return;
    const auto text = [](State some) {
        switch (some) {
            case State::home:
                return "items at home";
            case State::leaving:
                return "items on their way to their borrowers";
            case State::lent:
                return "items that are lent";
            case State::returning:
                return "items on their way home";
        }
        return "items";
    };
    throw InputError(std::string("expected ") + text(state) + ", found " + text(state_));
}

void Loan::cancel() {
    goods_.cancel();
    goods_.keep_first(lent_);
}

void Loan::begin(detail::Leg leg, engine::LocalFailure& failure) {
    const bool leaves = leg == detail::Leg::there;
    failure.guard([&] { expect(leaves ? State::home : State::lent); });
    // A caller that calls twice must not disturb the items under way.
    if (state_ == State::leaving || state_ == State::returning) {
        plan_.there.agree_to_move(failure, [] { return std::string("a loan that has begun"); });
        return;
    }
    const double started = MPI_Wtime();
    const Plan& plan = leaves ? plan_.there : plan_.back;
    try {
        goods_.prepare(plan, leg, failure);
        plan.agree_to_move(
            failure, [&] { return (leaves ? "lending " : "giving back ") + goods_.describe(); });
        goods_.start(leg);
    } catch (...) {
        cancel();
        throw;
    }
    state_ = leaves ? State::leaving : State::returning;
    started_ = MPI_Wtime();
    seconds_ = started_ - started;
}

void Loan::wait() {
    if (state_ == State::home || state_ == State::lent) return;
    const bool leaves = state_ == State::leaving;
    try {
        goods_.end(leaves ? detail::Leg::there : detail::Leg::back);
    } catch (...) {
        cancel();
        state_ = leaves ? State::home : State::lent;
        throw;
    }
    goods_.keep_first(lent_);
    state_ = leaves ? State::lent : State::home;
    seconds_ += MPI_Wtime() - started_;
}

}  // namespace equipoise::balancer
