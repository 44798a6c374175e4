#include "equipoise/reassign/waits/partial_order.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>

#include "equipoise/reassign/checks/machine_ends.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/waits/list_order.hpp"
#include "equipoise/reassign/waits/reduce.hpp"
#include "equipoise/reassign/waits/waits_builder.hpp"

namespace equipoise::reassign {

namespace {

/// How many other orders are tried.
constexpr std::uint64_t lists_tried = 60;
/// How far sums of seconds may be apart that are the same.
constexpr double rounding = 1e-9;

/// The moves of the wave that begins at `first`.
std::span<const Move> wave_at(std::span<const Move> moves, std::size_t first) {
    std::size_t size = 1;
    while (first + size < moves.size() && moves[first + size].wave == moves[first].wave)
        ++size;
    return moves.subspan(first, size);
}

/// Begins every wave's moves as soon as what they wait for is done; in the order of the waves.
void append_times(const Problem& problem, std::span<const Move> wave, const WaitsBuilder& builder,
                  PartialOrder& order) {
    std::vector<MachineId> givers;
    for (const Move& move : wave)
        givers.push_back(builder.giver(move));
    const std::vector<double> seconds = seconds_of_moves(problem, wave, givers);
    for (std::size_t at = 0; at < wave.size(); ++at) {
        double start = 0;
        for (const std::uint32_t first : order.waits_for[order.starts.size()])
            start = std::max(start, order.ends[first]);
        order.starts.push_back(start);
        order.ends.push_back(start + seconds[at]);
    }
}

/// Without lists if they would be too long.
PartialOrder order_of_waves(const Problem& problem, std::span<const Move> moves) {
    WaitsBuilder builder(problem, moves);
    PartialOrder order;
    std::size_t waits = 0;
    for (std::size_t first = 0; first < moves.size();) {
        const std::span<const Move> wave = wave_at(moves, first);
        for (std::vector<std::uint32_t>& list : builder.next_waits(wave)) {
            waits += list.size();
            order.waits_for.push_back(std::move(list));
        }
        if (waits > waits_most) return {};
        if (knows_seconds(problem)) append_times(problem, wave, builder, order);
        builder.add(wave);
        first += wave.size();
    }
    reduce(order.waits_for);
    return order;
}

/// The order of the same moves that are given in another one: each item's moves follow each other
/// in both.
PartialOrder renumbered(const PartialOrder& order, std::span<const Move> in_order,
                        std::span<const Move> moves, ItemId items) {
    std::vector<std::vector<std::uint32_t>> numbers(items);
    for (std::size_t at = 0; at < moves.size(); ++at)
        numbers[moves[at].item].push_back(static_cast<std::uint32_t>(at));
    for (std::vector<std::uint32_t>& of_item : numbers)
        std::stable_sort(of_item.begin(), of_item.end(), [&](std::uint32_t a, std::uint32_t b) {
            return moves[a].wave > moves[b].wave;
        });
    std::vector<std::uint32_t> number;
    number.reserve(moves.size());
    for (const Move& move : in_order) {
        number.push_back(numbers[move.item].back());
        numbers[move.item].pop_back();
    }
    PartialOrder made;
    made.waits_for.resize(order.waits_for.size());
    made.starts.resize(order.starts.size());
    made.ends.resize(order.ends.size());
    if (order.waits_for.empty()) return made;
    for (std::size_t at = 0; at < in_order.size(); ++at) {
        for (const std::uint32_t first : order.waits_for[at])
            made.waits_for[number[at]].push_back(number[first]);
        std::sort(made.waits_for[number[at]].begin(), made.waits_for[number[at]].end());
        if (order.ends.empty()) continue;
        made.starts[number[at]] = order.starts[at];
        made.ends[number[at]] = order.ends[at];
    }
    return made;
}

}  // namespace

double PartialOrder::seconds() const {
    return ends.empty() ? 0 : *std::max_element(ends.begin(), ends.end());
}

std::vector<double> seconds_of_moves(const Problem& problem, std::span<const Move> wave,
                                     std::span<const MachineId> givers) {
    const MachineEnds ends(problem);
    // What each end carries.
    std::vector<std::pair<std::size_t, Tokens>> carried;
    for (std::size_t at = 0; at < wave.size(); ++at) {
        const Tokens amount = problem.amount(wave[at].item, problem.copied);
        if (givers[at] != problem.outside) carried.emplace_back(ends.giving(givers[at]), amount);
        carried.emplace_back(ends.taking(wave[at].to), amount);
    }
    std::sort(carried.begin(), carried.end());
    std::size_t kept = 0;
    for (const auto& [end, amount] : carried) {
        if (kept > 0 && carried[kept - 1].first == end) {
            carried[kept - 1].second += amount;
        } else {
            carried[kept++] = {end, amount};
        }
    }
    carried.resize(kept);
    const auto seconds = [&](std::size_t end) {
        const auto at = std::lower_bound(carried.begin(), carried.end(), std::pair(end, Tokens{0}));
        return ends.seconds(end, at->second);
    };
    std::vector<double> longest(wave.size(), 0);
    for (std::size_t at = 0; at < wave.size(); ++at) {
        if (problem.amount(wave[at].item, problem.copied) == 0) continue;
        if (givers[at] != problem.outside) longest[at] = seconds(ends.giving(givers[at]));
        longest[at] = std::max(longest[at], seconds(ends.taking(wave[at].to)));
    }
    return longest;
}

PartialOrder partial_order(const Problem& problem, std::span<const Move> moves,
                           const PartialOrderOptions& options) {
    std::vector<Move> in_order(moves.begin(), moves.end());
    const auto by_wave = [](const Move& a, const Move& b) { return a.wave < b.wave; };
    std::stable_sort(in_order.begin(), in_order.end(), by_wave);
    PartialOrder best = order_of_waves(problem, in_order);
    if (knows_seconds(problem) && !moves.empty()) {
        const double least =
            seconds_at_least(problem, places_after(problem, in_order)).at_least * (1 + rounding);
        const std::vector<Move> waves = in_order;
        ListOptions list{options.effort, 0, options.stop};
        for (; list.number < lists_tried && list.effort > 0 && best.seconds() > least;
             ++list.number) {
            auto listed = list_order(problem, waves, list);
            if (!listed) continue;
            PartialOrder other = order_of_waves(problem, *listed);
            if (other.waits_for.empty() || other.seconds() >= best.seconds()) continue;
            best = std::move(other);
            in_order = *std::move(listed);
        }
    }
    return renumbered(best, in_order, moves, problem.item_count());
}

}  // namespace equipoise::reassign
