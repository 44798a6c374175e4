#pragma once
// Lends items for one step: ranks with too much work lend items to others, all compute, and every
// item returns to its place with its results.
//
//     auto loan = lend(communicator, columns, {.policy = Policy::weighted, .weights = seconds});
//     for (Column& column : columns) compute(column);      // own ones and borrowed ones
//     loan.give_back();                                    // all are where they were
// docs/how-to/balancer.md says when to lend and when to rebalance.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include <mpi.h>

#include "equipoise/balancer/goods.hpp"
#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan.hpp"
#include "equipoise/balancer/row_buffers.hpp"
#include "equipoise/balancer/weights.hpp"

namespace equipoise::balancer {

/// The plans of a loan, out and back: `there` is as from make_plan, and `back` is its inverse, so
/// that any array of one row for each item can travel either way (Plan::execute, move_columns).
struct LoanPlan {
    Plan there;
    Plan back;
};
/// Plans a loan of `count` items of this rank. Collective; cost and errors as for make_plan.
[[nodiscard]] LoanPlan plan_loan(MPI_Comm callers, Tokens count, const Options& options = {},
                                 engine::LocalFailure failure = {});
/// The same by weights, as for make_plan: one for each item, or `cost(i)`.
template <WeightsOf<std::size_t> Weights>
[[nodiscard]] LoanPlan plan_loan(MPI_Comm callers, Tokens count, Weights&& weights,
                                 const Options& options = {}, engine::LocalFailure failure = {}) {
    Options weighted;
    detail::KnownWeights<std::remove_reference_t<Weights>, std::size_t> known;
    failure.guard([&] { weighted = detail::weighed(options, count, weights, known); });
    return plan_loan(callers, count, weighted, failure);
}

namespace detail {

/// Copies of the rows that a rank has lent, for vectors that do not travel back.
class Keepsake {
  public:
    /// Allocates room for the rows that leave by a plan.
    void prepare(const Plan& there, std::size_t row_bytes);
    void keep(const std::byte* rows);
    /// Allocates what `restore` needs.
    void prepare_to_restore();
    /// Restores an array, which has room for both states, to its state before it was lent.
    void restore(std::byte* rows);

  private:
    RankMoves moves_;
    std::size_t row_bytes_ = 0;
    std::unique_ptr<std::byte[]> copies_;
    std::vector<placement::Run> kept_;
};

/// A good of which borrowers get only copies.
template <class T, class Allocator>
class CopiedGood final : public Good {
  public:
    explicit CopiedGood(std::vector<T, Allocator>& items) : items_(&items) {}

    void prepare(const Plan& plan, Leg leg, engine::LocalFailure& failure) override {
        if (leg == Leg::there) {
            failure.guard([&] {
                keepsake_.prepare(plan, sizeof(T));
                move_.emplace(plan, *items_, true);
            });
            if (move_) move_->prepare(failure);
            return;
        }
        expect_planned_size(plan, items_->size(), failure);
        failure.guard([&] {
            keepsake_.prepare_to_restore();
            size_ = static_cast<std::size_t>(plan.size_after());
            items_->reserve(size_);
        });
    }
    void start(Leg leg) override {
        if (leg == Leg::back) return;
        keepsake_.keep(bytes());
        move_->start();
    }
    void end(Leg leg) override {
        if (leg == Leg::there) {
            move_->end();
            move_.reset();
            return;
        }
        if (items_->size() < size_) items_->resize(size_);
        keepsake_.restore(bytes());
        items_->resize(size_);
    }
    void cancel() override { move_.reset(); }
    [[nodiscard]] std::string describe() const override {
        return "copies of " + items_of(sizeof(T));
    }
    [[nodiscard]] const void* vector() const override { return items_; }

  private:
    std::byte* bytes() { return std::as_writable_bytes(std::span<T>(*items_)).data(); }

    std::vector<T, Allocator>* items_;
    Keepsake keepsake_;
    std::optional<DirectMove<T, Allocator>> move_;
    std::size_t size_ = 0;
};

}  // namespace detail

/// Consecutive places of a vector.
struct Places {
    Tokens first = 0;
    Tokens count = 0;
};

/// Items that are lent, made by `lend` and its variants. The vectors must live as long and keep the
/// number of items that they have once lent; the contents of the items may change.
///
/// If a function throws CollectiveError it does so on every rank; all items are then where they
/// were before the call. If a call that only begins a move fails on the way, `wait` throws, and all
/// items are where they were before that move.
class Loan {
  public:
    Loan(Loan&&) noexcept = default;
    Loan& operator=(Loan&& other) noexcept;
    /// Waits for what is under way. Items that are lent stay where they are: giving them back is
    /// collective.
    ~Loan();

    /// The report of the plan; its seconds of moving are those of the last way.
    [[nodiscard]] Report report() const;
    [[nodiscard]] const Plan& there() const { return plan_.there; }
    [[nodiscard]] const Plan& back() const { return plan_.back; }

    /// How many items this rank has at home, and how many while they are lent.
    [[nodiscard]] Tokens size_at_home() const { return plan_.there.size_before(); }
    [[nodiscard]] Tokens size_lent() const { return plan_.there.size_after(); }
    /// The places of this rank's own items that it has not lent, valid as long as the others are
    /// lent and already while they leave (with serialised items only from `wait` on). All other
    /// items are borrowed.
    [[nodiscard]] Places staying() const;
    /// The places at home of the items that this rank lends, ascending. All other items may be used
    /// again, at their places at home, as soon as giving back has begun (serialised items: once it
    /// has ended).
    [[nodiscard]] std::vector<Tokens> lent() const;

    /// Brings every item home to its place. `results` are vectors that have a value for each item
    /// that this rank holds now; they come home with the items: afterwards they have a value for
    /// each item of this rank, in its order. Collective; no planning, one reduction, and for every
    /// vector that travels the same number of messages as on the way out.
    template <class... T, class... Allocator>
    void give_back(std::vector<T, Allocator>&... results) {
        begin_give_back(results...);
        wait();
    }
    /// Lends the same items again, while loads are as they were. Collective; no planning: one
    /// reduction, in which the ranks also agree that each has the same number of items as when they
    /// planned.
    void lend_again() {
        begin_lend_again();
        wait();
    }

    /// The same in two calls: begin, use the items that stay, and `wait`.
    template <class... T, class... Allocator>
    void begin_give_back(std::vector<T, Allocator>&... results) {
        engine::LocalFailure failure;
        failure.guard([&] {
            expect(State::lent);
            (goods_.add(std::make_unique<detail::DirectGood<T, Allocator>>(results, true)), ...);
        });
        begin(detail::Leg::back, failure);
    }
    void begin_lend_again() {
        engine::LocalFailure failure;
        begin(detail::Leg::there, failure);
    }
    void wait();

    // For the functions that lend.
    Loan(MPI_Comm callers, Tokens count, const Options& options, engine::LocalFailure& failure,
         std::string_view what);
    void take(detail::Goods goods) {
        goods_ = std::move(goods);
        lent_ = goods_.size();
    }
    void begin(detail::Leg leg, engine::LocalFailure& failure);

  private:
    enum class State { home, leaving, lent, returning };

    void expect(State state) const;
    void cancel();

    LoanPlan plan_;
    detail::Goods goods_;   // what is lent, and results that come home with it
    std::size_t lent_ = 0;  // how many of them are not results
    State state_ = State::home;
    double started_ = 0;
    double seconds_ = 0;
};

/// Lends items, so that the ranks hold what `options` ask for: as `rebalance` does, except that
/// `give_back` of the returned loan brings each of them home to its place. Several vectors of the
/// same length travel together: `lend(communicator, std::tie(temperatures, pressures), options)`.
/// Items with memory of their own need a serialiser, of which the loan keeps a copy; with several
/// vectors it is for the first.
///
/// Collective; cost of planning as for make_plan. Memory: while they travel, the items that leave
/// or arrive; between, the plan: a word for each item that was chosen one by one. Throws as
/// `rebalance` does.
///
/// `begin_lend` returns while items travel: until `wait`, only the items that stay can be used
/// (Loan::staying).
template <class... T, class... Allocator>
[[nodiscard]] Loan begin_lend(MPI_Comm communicator,
                              const std::tuple<std::vector<T, Allocator>&...>& vectors,
                              const Options& options = {});
template <class T, class Allocator>
[[nodiscard]] Loan begin_lend(MPI_Comm communicator, std::vector<T, Allocator>& items,
                              const Options& options = {}) {
    return begin_lend(communicator, std::tie(items), options);
}
template <class... T, class... Allocator, class Serialiser>
[[nodiscard]] Loan begin_lend(MPI_Comm communicator,
                              const std::tuple<std::vector<T, Allocator>&...>& vectors,
                              const Options& options, const Serialiser& serialiser);
template <class T, class Allocator, class Serialiser>
[[nodiscard]] Loan begin_lend(MPI_Comm communicator, std::vector<T, Allocator>& items,
                              const Options& options, const Serialiser& serialiser) {
    return begin_lend(communicator, std::tie(items), options, serialiser);
}

/// The same for vectors that only their owners need afterwards: borrowers get copies, and only
/// results come home. `give_back(results...)` restores the vectors themselves to their state when
/// they were lent, without messages. Memory: in addition, copies of the items that leave, from
/// lending until giving back.
template <class... T, class... Allocator>
[[nodiscard]] Loan begin_lend_copies(MPI_Comm communicator,
                                     const std::tuple<std::vector<T, Allocator>&...>& vectors,
                                     const Options& options = {});
template <class T, class Allocator>
[[nodiscard]] Loan begin_lend_copies(MPI_Comm communicator, std::vector<T, Allocator>& items,
                                     const Options& options = {}) {
    return begin_lend_copies(communicator, std::tie(items), options);
}

/// The same by weights: a range of numbers, one for each item, or a function `cost(item)` (of an
/// item of each vector), as for `rebalance`. They are only read: borrowers do not need them, and
/// owners find them as they were when the items are back. A vector of weights that is to travel is
/// one of the vectors as well.
template <class... T, class... Allocator, WeightsOf<T...> Weights, class... Serialiser>
[[nodiscard]] Loan begin_lend(MPI_Comm communicator,
                              const std::tuple<std::vector<T, Allocator>&...>& vectors,
                              Weights&& weights, const Options& options = {},
                              const Serialiser&... serialiser);
template <class T, class Allocator, WeightsOf<T> Weights, class... Serialiser>
[[nodiscard]] Loan begin_lend(MPI_Comm communicator, std::vector<T, Allocator>& items,
                              Weights&& weights, const Options& options = {},
                              const Serialiser&... serialiser) {
    return begin_lend(communicator, std::tie(items), std::forward<Weights>(weights), options,
                      serialiser...);
}
template <class... T, class... Allocator, WeightsOf<T...> Weights>
[[nodiscard]] Loan begin_lend_copies(MPI_Comm communicator,
                                     const std::tuple<std::vector<T, Allocator>&...>& vectors,
                                     Weights&& weights, const Options& options = {});
template <class T, class Allocator, WeightsOf<T> Weights>
[[nodiscard]] Loan begin_lend_copies(MPI_Comm communicator, std::vector<T, Allocator>& items,
                                     Weights&& weights, const Options& options = {}) {
    return begin_lend_copies(communicator, std::tie(items), std::forward<Weights>(weights),
                             options);
}

namespace detail {

/// Whether something tells the weights of the items of a vector, or of several.
template <class Items, class Weights>
inline constexpr bool weighs = false;
template <class T, class Allocator, class Weights>
inline constexpr bool weighs<std::vector<T, Allocator>, Weights> = WeightsOf<Weights, T>;
template <class... T, class... Allocator, class Weights>
inline constexpr bool weighs<std::tuple<std::vector<T, Allocator>&...>, Weights> =
    WeightsOf<Weights, T...>;

}  // namespace detail

/// Lends, and waits until all items have arrived.
template <class Items, class... Serialiser>
[[nodiscard]] Loan lend(MPI_Comm communicator, Items&& items, const Options& options = {},
                        const Serialiser&... serialiser) {
    Loan loan = begin_lend(communicator, std::forward<Items>(items), options, serialiser...);
    loan.wait();
    return loan;
}
template <class Items>
[[nodiscard]] Loan lend_copies(MPI_Comm communicator, Items&& items, const Options& options = {}) {
    Loan loan = begin_lend_copies(communicator, std::forward<Items>(items), options);
    loan.wait();
    return loan;
}

template <class Items, class Weights, class... Serialiser>
    requires detail::weighs<std::remove_cvref_t<Items>, Weights>
[[nodiscard]] Loan lend(MPI_Comm communicator, Items&& items, Weights&& weights,
                        const Options& options = {}, const Serialiser&... serialiser) {
    Loan loan = begin_lend(communicator, std::forward<Items>(items), std::forward<Weights>(weights),
                           options, serialiser...);
    loan.wait();
    return loan;
}
template <class Items, class Weights>
    requires detail::weighs<std::remove_cvref_t<Items>, Weights>
[[nodiscard]] Loan lend_copies(MPI_Comm communicator, Items&& items, Weights&& weights,
                               const Options& options = {}) {
    Loan loan = begin_lend_copies(communicator, std::forward<Items>(items),
                                  std::forward<Weights>(weights), options);
    loan.wait();
    return loan;
}

namespace detail {

/// Goods of which borrowers get copies.
template <class... T, class... Allocator>
[[nodiscard]] Goods copies_of(const std::tuple<std::vector<T, Allocator>&...>& vectors) {
    Goods goods;
    const auto add = [&]<class Item, class Its>(std::vector<Item, Its>& items) {
        goods.add(std::make_unique<CopiedGood<Item, Its>>(items));
    };
    std::apply([&](auto&... items) { (add(items), ...); }, vectors);
    return goods;
}

/// Lends goods that have been made. `failure` is any earlier one.
[[nodiscard]] Loan begin_loan(MPI_Comm communicator, Packed made, const Options& options,
                              engine::LocalFailure& failure);
/// Lends the goods that `pack` makes of the vectors.
template <class Vectors, class Pack>
Loan begin_loan(MPI_Comm communicator, const Vectors& vectors, const Options& options,
                const Pack& pack) {
    engine::LocalFailure failure;
    Packed made = packed(vectors, pack, failure);
    return begin_loan(communicator, std::move(made), options, failure);
}
/// The same by weights.
template <class Vectors, class Weights, class Pack>
Loan begin_loan_by(MPI_Comm communicator, const Vectors& vectors, Weights& weights,
                   const Options& options, const Pack& pack) {
    engine::LocalFailure failure;
    auto made = packed_by(vectors, weights, options, pack, failure);
    return begin_loan(communicator, std::move(made.packed), made.options, failure);
}

}  // namespace detail

template <class... T, class... Allocator>
Loan begin_lend(MPI_Comm communicator, const std::tuple<std::vector<T, Allocator>&...>& vectors,
                const Options& options) {
    return detail::begin_loan(communicator, vectors, options,
                              [&] { return detail::goods_of<>(vectors, true); });
}
template <class... T, class... Allocator, class Serialiser>
Loan begin_lend(MPI_Comm communicator, const std::tuple<std::vector<T, Allocator>&...>& vectors,
                const Options& options, const Serialiser& serialiser) {
    return detail::begin_loan(communicator, vectors, options, [&] {
        return detail::goods_of<Serialiser>(vectors, true, serialiser);
    });
}
template <class... T, class... Allocator, WeightsOf<T...> Weights, class... Serialiser>
Loan begin_lend(MPI_Comm communicator, const std::tuple<std::vector<T, Allocator>&...>& vectors,
                Weights&& weights, const Options& options, const Serialiser&... serialiser) {
    return detail::begin_loan_by(communicator, vectors, weights, options, [&] {
        return detail::goods_of<Serialiser...>(vectors, true, serialiser...);
    });
}
template <class... T, class... Allocator>
Loan begin_lend_copies(MPI_Comm communicator,
                       const std::tuple<std::vector<T, Allocator>&...>& vectors,
                       const Options& options) {
    return detail::begin_loan(communicator, vectors, options,
                              [&] { return detail::copies_of(vectors); });
}
template <class... T, class... Allocator, WeightsOf<T...> Weights>
Loan begin_lend_copies(MPI_Comm communicator,
                       const std::tuple<std::vector<T, Allocator>&...>& vectors, Weights&& weights,
                       const Options& options) {
    return detail::begin_loan_by(communicator, vectors, weights, options,
                                 [&] { return detail::copies_of(vectors); });
}

}  // namespace equipoise::balancer
