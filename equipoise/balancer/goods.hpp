#pragma once
// Several vectors that travel by one plan: they move together, or none of them does.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/balancer/columns.hpp"
#include "equipoise/balancer/moving.hpp"
#include "equipoise/balancer/plan.hpp"
#include "equipoise/base/numbers_view.hpp"

namespace equipoise::balancer {

namespace detail {

/// Which way items travel that come home again; others only go there.
enum class Leg : bool { there, back };

/// A vector that travels.
class Good {
  public:
    Good() = default;
    Good(const Good&) = delete;
    Good& operator=(const Good&) = delete;
    virtual ~Good() = default;

    /// Everything that can fail before the ranks agree.
    virtual void prepare(const Plan& plan, Leg leg, engine::LocalFailure& failure) = 0;
    virtual void start(Leg leg) = 0;
    virtual void end(Leg leg) = 0;
    /// Leaves the items where they are, after a failure.
    virtual void cancel() = 0;
    [[nodiscard]] virtual std::string describe() const = 0;
    /// The vector, so that one that is given twice is noticed.
    [[nodiscard]] virtual const void* vector() const = 0;
    /// Whether `start` and `end` can fail, on all ranks: then no other good starts before this one
    /// has ended. Only the first of several goods may.
    [[nodiscard]] virtual bool can_fail() const { return false; }
};

/// A good that travels by a kind of move. `Serialiser` is a reference if the caller's lives long
/// enough.
template <class Move, class Vector, class... Serialiser>
class TravellingGood : public Good {
  public:
    /// `forms_early` as for DirectMove.
    TravellingGood(Vector& items, bool forms_early, const Serialiser&... serialiser)
        : items_(&items), serialiser_(serialiser...), forms_early_(forms_early) {}

    void prepare(const Plan& plan, Leg /*leg*/, engine::LocalFailure& failure) override {
        failure.guard([&] {
            if constexpr (sizeof...(Serialiser) > 0)
                move_.emplace(plan, *items_, std::get<0>(serialiser_));
            else
                move_.emplace(plan, *items_, forms_early_);
        });
        if (move_) move_->prepare(failure);
    }
    void start(Leg /*leg*/) override { move_->start(); }
    void end(Leg /*leg*/) override {
        move_->end();
        move_.reset();
    }
    void cancel() override { move_.reset(); }
    [[nodiscard]] std::string describe() const override { return Move::describe(); }
    [[nodiscard]] const void* vector() const override { return items_; }
    [[nodiscard]] bool can_fail() const override { return sizeof...(Serialiser) > 0; }

  private:
    Vector* items_;
    std::tuple<Serialiser...> serialiser_;
    bool forms_early_;
    std::optional<Move> move_;
};

template <class T, class Allocator>
using DirectGood = TravellingGood<DirectMove<T, Allocator>, std::vector<T, Allocator>>;

/// What weights of a type are called where ranks compare what they carry.
template <class Weight>
[[nodiscard]] std::string weights_in_words() {
    return "their weights (" + number_name<typename equipoise::detail::NumbersIn<Weight>::Type>() +
           ")";
}

/// The weights of the items before them.
template <class Weight, class Allocator>
class WeightsGood final : public DirectGood<Weight, Allocator> {
  public:
    explicit WeightsGood(std::vector<Weight, Allocator>& weights)
        : DirectGood<Weight, Allocator>(weights, false) {}
    [[nodiscard]] std::string describe() const override { return weights_in_words<Weight>(); }
};

/// The same for several weights an item, which stand together.
template <class Weight, class Allocator>
class WeightRowsGood final : public Good {
  public:
    WeightRowsGood(std::vector<Weight, Allocator>& weights, std::size_t per_item)
        : weights_(&weights), fresh_(weights.get_allocator()) {
        rows_.row_bytes = per_item * sizeof(Weight);
    }

    void prepare(const Plan& plan, Leg /*leg*/, engine::LocalFailure& failure) override {
        failure.guard([&] {
            rows_.rows = std::as_bytes(std::span<const Weight>(*weights_));
            move_.emplace(plan, std::span<const Column>(&rows_, 1),
                          [this](std::size_t /*column*/, std::uint64_t bytes) {
                              arrives_ = true;
                              fresh_.resize(bytes / sizeof(Weight));
                              return std::as_writable_bytes(std::span<Weight>(fresh_)).data();
                          });
        });
        if (move_) move_->prepare(failure);
    }
    void start(Leg /*leg*/) override { move_->start(); }
    void end(Leg /*leg*/) override {
        move_->end();
        if (arrives_) weights_->swap(fresh_);
        move_.reset();
    }
    void cancel() override { move_.reset(); }
    [[nodiscard]] std::string describe() const override { return weights_in_words<Weight>(); }
    [[nodiscard]] const void* vector() const override { return weights_; }

  private:
    std::vector<Weight, Allocator>* weights_;
    std::vector<Weight, Allocator> fresh_;
    Column rows_;
    std::optional<ColumnsMove> move_;
    bool arrives_ = false;  // something comes to this rank or leaves it
};

/// Goods that travel together. The first may be serialised, and then arrives before the others
/// leave: if it fails, nothing else has left.
class Goods {
  public:
    /// Throws InputError if its vector travels already: it would be torn apart.
    void add(std::unique_ptr<Good> good);
    [[nodiscard]] std::size_t size() const { return goods_.size(); }
    /// Forgets all but the first goods.
    void keep_first(std::size_t count) { goods_.resize(count); }

    /// Everything that can fail before the ranks agree.
    void prepare(const Plan& plan, Leg leg, engine::LocalFailure& failure);
    void start(Leg leg);
    void end(Leg leg);
    void cancel();
    /// "items of 8 bytes and items of 4 bytes"; the same on all ranks.
    [[nodiscard]] std::string describe() const;

  private:
    [[nodiscard]] bool first_alone() const { return goods_.front()->can_fail(); }

    std::vector<std::unique_ptr<Good>> goods_;
};

/// Goods that go one way, as Moving plays them.
class GoodsMove {
  public:
    GoodsMove(Plan plan, Goods goods) : plan_(std::move(plan)), goods_(std::move(goods)) {}

    [[nodiscard]] const Plan& plan() const { return plan_; }
    void begin(engine::LocalFailure& failure);
    void end() { goods_.end(Leg::there); }

  private:
    Plan plan_;
    Goods goods_;
};

/// The length of vectors that travel together. Throws InputError if they differ.
template <class First, class... Others>
[[nodiscard]] std::size_t common_size(const std::tuple<First&, Others&...>& vectors) {
    const std::size_t size = std::get<0>(vectors).size();
    const auto check = [&](std::size_t found) {
        if (found != size)
            throw InputError("expected vectors of one length, found " + std::to_string(size) +
                             " and " + std::to_string(found) + " items");
    };
    std::apply([&](const auto&... items) { (check(items.size()), ...); }, vectors);
    return size;
}

/// The first by the serialiser, if there is one, all others as bytes. With `Kept = Serialiser` the
/// goods have a copy of it, with `const Serialiser&` they refer to it.
template <class... Kept, class T, class Allocator, class... Others>
[[nodiscard]] Goods goods_of(const std::tuple<std::vector<T, Allocator>&, Others&...>& vectors,
                             bool forms_early, const std::remove_reference_t<Kept>&... serialiser) {
    Goods goods;
    const auto direct = [&]<class Item, class Its>(std::vector<Item, Its>& items) {
        goods.add(std::make_unique<DirectGood<Item, Its>>(items, forms_early));
    };
    const auto first = [&](std::vector<T, Allocator>& items) {
        if constexpr (sizeof...(Kept) == 0) {
            direct(items);
        } else {
            using Move = SerialisedMove<T, Allocator, std::remove_cvref_t<Kept>...>;
            using Serialised = TravellingGood<Move, std::vector<T, Allocator>, Kept...>;
            goods.add(std::make_unique<Serialised>(items, forms_early, serialiser...));
        }
    };
    std::apply([&](auto& items, auto&... others) { first(items), (direct(others), ...); }, vectors);
    return goods;
}

/// The goods and the weights of their items, `per_item` numbers for each. Throws InputError if
/// these are one of the vectors.
template <class... Vectors, class Weight, class Allocator>
[[nodiscard]] Goods with_weights(Goods goods, const std::tuple<Vectors&...>& vectors,
                                 std::vector<Weight, Allocator>& weights, std::size_t per_item) {
    const auto check = [&](const void* items) {
        if (items == &weights)
            throw InputError(
                "expected the weights in a vector of their own, found the vector of the "
                "items (if items are their own weights, give these in the options)");
    };
    std::apply([&](const auto&... items) { (check(&items), ...); }, vectors);
    if (per_item == 1 || equipoise::detail::NumbersIn<Weight>::count > 1)
        goods.add(std::make_unique<WeightsGood<Weight, Allocator>>(weights));
    else
        goods.add(std::make_unique<WeightRowsGood<Weight, Allocator>>(weights, per_item));
    return goods;
}

/// Plans for goods of this length, and moves them. Collective; `failure` is any earlier one.
Report level(MPI_Comm communicator, std::size_t size, const Options& options, Goods goods,
             engine::LocalFailure& failure);

/// Goods, and the length that they have in common.
struct Packed {
    std::size_t size = 0;
    Goods goods;
};
/// What `pack` makes of vectors: no goods if it fails, or if their lengths differ.
template <class Vectors, class Pack>
[[nodiscard]] Packed packed(const Vectors& vectors, const Pack& pack,
                            engine::LocalFailure& failure) {
    Packed made;
    failure.guard([&] {
        made.size = common_size(vectors);
        made.goods = pack();
    });
    return made;
}

/// Plans for the goods that `pack` makes of vectors, and moves them.
template <class Vectors, class Pack>
Report level(MPI_Comm communicator, const Vectors& vectors, const Options& options,
             const Pack& pack) {
    engine::LocalFailure failure;
    Packed made = packed(vectors, pack, failure);
    return level(communicator, made.size, options, std::move(made.goods), failure);
}

}  // namespace detail

template <class... T, class... Allocator>
auto Plan::begin(const std::tuple<std::vector<T, Allocator>&...>& vectors) const {
    engine::LocalFailure failure;
    detail::Goods goods;
    failure.guard([&] { goods = detail::goods_of<>(vectors, false); });
    return Moving<detail::GoodsMove>(failure, *this, std::move(goods));
}

template <class... T, class... Allocator, class Serialiser>
auto Plan::begin(const std::tuple<std::vector<T, Allocator>&...>& vectors,
                 const Serialiser& serialiser) const {
    engine::LocalFailure failure;
    detail::Goods goods;
    failure.guard([&] { goods = detail::goods_of<const Serialiser&>(vectors, false, serialiser); });
    return Moving<detail::GoodsMove>(failure, *this, std::move(goods));
}

template <class... T, class... Allocator, class... Serialiser>
Report Plan::execute(const std::tuple<std::vector<T, Allocator>&...>& vectors,
                     const Serialiser&... serialiser) const {
    return begin(vectors, serialiser...).end();
}

}  // namespace equipoise::balancer
