#pragma once
// Weights of any type of numbers, given as ranges or told by functions.

#include <concepts>
#include <cstddef>
#include <functional>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/balancer/goods.hpp"
#include "equipoise/balancer/options.hpp"
#include "equipoise/balancer/plan.hpp"
#include "equipoise/base/numbers_view.hpp"

namespace equipoise::balancer {

/// Functions that tell what an item costs: a number, or a std::array of several.
template <class Cost, class... Item>
concept CostFunction =
    std::invocable<Cost&, const Item&...> &&
    NumberOrNumbers<std::remove_cvref_t<std::invoke_result_t<Cost&, const Item&...>>>;

/// The weights of items: a range of numbers or of arrays of numbers, one for each item, or a
/// function that tells them.
template <class Weights, class... Item>
concept WeightsOf = RangeOfNumbers<Weights> || CostFunction<Weights, Item...>;

namespace detail {

/// Weights as a view, for as long as this object and the caller's range live.
template <class Weights, class... Item>
class KnownWeights {
  public:
    /// `cost_of(cost, i)` is what the caller's function says of item i of `count`, each asked once.
    template <class CostOf>
    NumbersView take(Weights& weights, std::size_t count, const CostOf& cost_of) {
        if constexpr (RangeOfNumbers<Weights&>) {
            return weights;
        } else {
            told_.reserve(count);
            for (std::size_t i = 0; i < count; ++i)
                told_.push_back(cost_of(weights, i));
            return told_;
        }
    }

  private:
    template <class W>
    struct Told {
        using Type = std::remove_cvref_t<std::invoke_result_t<W&, const Item&...>>;
    };
    template <RangeOfNumbers Range>
    struct Told<Range> {
        using Type = double;  // unused
    };

    std::vector<typename Told<Weights>::Type> told_;
};

/// Whether weights move with their items: those of a vector of the caller that can change.
template <class Weights>
inline constexpr bool weights_move = false;
template <class Weight, class Allocator>
inline constexpr bool weights_move<std::vector<Weight, Allocator>&> = true;

/// Goods, and options with the weights of their items, for as long as this object and the caller's
/// range live.
template <class Weights, class... Item>
struct PackedByWeight {
    Packed packed;
    Options options;
    KnownWeights<Weights, Item...> known;
};
/// Options with the weights of `count` items of this rank. A number of items that is refused has no
/// items to be asked for.
template <class Weights, class... Item, class CostOf>
[[nodiscard]] Options weighed_by(const Options& options, Tokens count, Weights& weights,
                                 KnownWeights<Weights, Item...>& known, const CostOf& cost_of) {
    Options chosen = by_weight(options, {});
    expect_count(count, chosen.policy);
    return by_weight(std::move(chosen),
                     known.take(weights, static_cast<std::size_t>(count), cost_of));
}

/// As `packed`, by weights.
template <class... T, class... Allocator, class Weights, class Pack>
[[nodiscard]] PackedByWeight<Weights, T...> packed_by(
    const std::tuple<std::vector<T, Allocator>&...>& vectors, Weights& weights,
    const Options& options, const Pack& pack, engine::LocalFailure& failure) {
    PackedByWeight<Weights, T...> made;
    const auto weigh = [&](auto& cost, std::size_t i) {
        return std::apply([&](const auto&... items) { return std::invoke(cost, items[i]...); },
                          vectors);
    };
    made.packed = packed(
        vectors,
        [&] {
            const auto count = static_cast<Tokens>(std::get<0>(vectors).size());
            made.options = weighed_by(options, count, weights, made.known, weigh);
            return pack();
        },
        failure);
    return made;
}

/// Levels vectors by weights; `pack` makes the goods that travel.
template <class Vectors, class Weights, class Pack>
Report level_by(MPI_Comm communicator, const Vectors& vectors, Weights& weights,
                const Options& options, const Pack& pack) {
    engine::LocalFailure failure;
    auto made = packed_by(vectors, weights, options, pack, failure);
    return level(communicator, made.packed.size, made.options, std::move(made.packed.goods),
                 failure);
}

/// The same; the weights are asked for by the places of the items.
template <class Weights>
[[nodiscard]] Options weighed(const Options& options, Tokens count, Weights& weights,
                              KnownWeights<Weights, std::size_t>& known) {
    return weighed_by(options, count, weights, known,
                      [](auto& cost, std::size_t i) { return std::invoke(cost, i); });
}

}  // namespace detail

/// Plans by weights, one for each item: a range of numbers, or `cost(i)` for the items i = 0, 1,
/// ... of this rank, each asked once. The policy is Policy::weighted unless `options` name
/// keep_order. Otherwise as `make_plan` above. What `cost` throws becomes the same CollectiveError
/// on all ranks.
template <WeightsOf<std::size_t> Weights>
[[nodiscard]] Plan make_plan(MPI_Comm callers, Tokens count, Weights&& weights,
                             const Options& options = {}, engine::LocalFailure failure = {},
                             std::string_view what = "a plan") {
    using Given = std::remove_reference_t<Weights>;
    Options weighted;
    detail::KnownWeights<Given, std::size_t> known;
    failure.guard([&] { weighted = detail::weighed(options, count, weights, known); });
    return make_plan(callers, count, weighted, failure, what);
}

}  // namespace equipoise::balancer
