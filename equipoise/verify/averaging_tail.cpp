#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/verify/certificate_parts.hpp"

namespace equipoise::verify {

namespace {

/// Probabilities are whole multiples of 2^-100, so that 2^27 of them still fit.
constexpr int binary_places = 100;
constexpr Int128 certain = Int128{1} << binary_places;

/// Of states that follow states: seconds.
constexpr std::uint64_t transitions_max = 30'000'000;
/// Of states at a time, in numbers that they hold: memory.
constexpr std::size_t numbers_max = 3'000'000;

/// Loads by node or, where all pairs are linked, numbers of nodes by load.
using TailState = std::vector<std::uint32_t>;

constexpr std::uint64_t tail_nodes_max = 5'000;
constexpr Tokens tail_load_max = 1'000;

/// Lists the states that may follow, each with its share of `total()`.
class AveragingOfLinks {
  public:
    AveragingOfLinks(std::vector<Ends> links, const std::vector<Tokens>& loads)
        : links_(std::move(links)), start_(loads.begin(), loads.end()) {}
    [[nodiscard]] const TailState& start() const { return start_; }
    [[nodiscard]] Int128 total() const { return 2 * static_cast<Int128>(links_.size()); }
    [[nodiscard]] static std::uint32_t discrepancy(const TailState& state) {
        const auto [least, most] = std::minmax_element(state.begin(), state.end());
        return *most - *least;
    }
    template <class Visit>
    void for_each_next(const TailState& state, const Visit& visit) const {
        TailState next = state;
        for (const Ends& link : links_) {
            const std::uint32_t sum = state[link.tail] + state[link.head];
            for (const std::uint32_t at_tail : {sum / 2, sum - sum / 2}) {
                next[link.tail] = at_tail;
                next[link.head] = sum - at_tail;
                visit(next, Int128{1});
            }
            next[link.tail] = state[link.tail];
            next[link.head] = state[link.head];
        }
    }

  private:
    std::vector<Ends> links_;
    TailState start_;
};

/// Nodes with equal loads are alike where all are linked.
class AveragingOfPairs {
  public:
    explicit AveragingOfPairs(const std::vector<Tokens>& loads)
        : nodes_(loads.size()),
          start_(static_cast<std::size_t>(*std::max_element(loads.begin(), loads.end())) + 1, 0) {
        for (const Tokens load : loads)
            ++start_[static_cast<std::size_t>(load)];
    }
    [[nodiscard]] const TailState& start() const { return start_; }
    [[nodiscard]] Int128 total() const {
        return static_cast<Int128>(nodes_) * static_cast<Int128>(nodes_ - 1) / 2;
    }
    [[nodiscard]] static std::uint32_t discrepancy(const TailState& state) {
        std::size_t least = 0;
        std::size_t most = state.size() - 1;
        while (state[least] == 0)
            ++least;
        while (state[most] == 0)
            --most;
        return static_cast<std::uint32_t>(most - least);
    }
    template <class Visit>
    void for_each_next(const TailState& state, const Visit& visit) const {
        TailState next = state;
        for (std::size_t low = 0; low < state.size(); ++low)
            for (std::size_t high = low; high < state.size(); ++high) {
                const Int128 here = state[low];
                const Int128 pairs =
                    low == high ? here * (here - 1) / 2 : here * static_cast<Int128>(state[high]);
                if (pairs == 0) continue;
                --next[low];
                --next[high];
                ++next[(low + high) / 2];
                ++next[low + high - (low + high) / 2];
                visit(next, pairs);
                next = state;
            }
    }

  private:
    std::size_t nodes_;
    TailState start_;
};

/// What is certainly left, and that with all that was rounded away.
struct TailMass {
    Int128 least = 0;
    Int128 most = 0;
};

/// The probability that the discrepancy is above `above` after `steps` steps; nothing if that takes
/// too long.
template <class Averaging>
std::optional<TailMass> tail_of(const Averaging& averaging, std::uint32_t above, Step steps) {
    // A discrepancy that is not above the limit stays so: such states need not be told apart.
    std::map<TailState, Int128> now;
    Int128 below = 0;
    if (Averaging::discrepancy(averaging.start()) > above)
        now[averaging.start()] = certain;
    else
        below = certain;
    std::uint64_t transitions = 0;
    for (Step step = 0; step < steps && !now.empty(); ++step) {
        std::map<TailState, Int128> after;
        for (const auto& each : now) {
            const TailState& state = each.first;
            const Int128 chance = each.second;
            if (transitions > transitions_max || after.size() * state.size() > numbers_max)
                return std::nullopt;
            averaging.for_each_next(state, [&](const TailState& next, Int128 weight) {
                ++transitions;
                const Int128 share = chance * weight / averaging.total();
                if (share == 0) return;
                if (Averaging::discrepancy(next) > above)
                    after[next] += share;
                else
                    below += share;
            });
        }
        now = std::move(after);
    }
    TailMass mass;
    for (const auto& [state, chance] : now)
        mass.least += chance;
    mass.most = certain - below;
    return mass;
}

/// A probability as a number that is not below, or not above it.
double outwards(Int128 chance, double direction) {
    return std::ldexp(std::nextafter(static_cast<double>(chance), direction), -binary_places);
}

}  // namespace

void examine_averaging_tail(const JsonValue& claim, const std::string& which, Report& report) {
    claim.expect_keys(
        {"claim", "network", "nodes", "links", "loads", "steps", "above", "least", "most"});
    const auto nodes = claim.at("nodes").whole<NodeId>(2, tail_nodes_max);
    const auto loads = by_node<Tokens>(claim.at("loads"), nodes, 0, tail_load_max);
    const auto steps = claim.at("steps").whole<Step>();
    const auto above = claim.at("above").whole<std::uint32_t>();
    const double least = claim.at("least").real();
    const double most = claim.at("most").real();
    std::optional<TailMass> found;
    if (const auto listed = claim.find("links")) {
        std::vector<Ends> links = links_of(*listed, nodes);
        if (links.empty()) listed->refuse("one or more links");
        found = tail_of(AveragingOfLinks(std::move(links), loads), above, steps);
    } else {
        found = tail_of(AveragingOfPairs(loads), above, steps);
    }
    if (!found) {
        report.unchecked.push_back(which + ": the probability after " + std::to_string(steps) +
                                   " steps (too many loads to play)");
        return;
    }
    const double infinity = std::numeric_limits<double>::infinity();
    const double at_least = std::max(0.0, outwards(found->least, -infinity));
    const double at_most = outwards(found->most, infinity);
    report.checks.push_back({which + ", probability", least <= at_least && at_most <= most,
                             "above " + std::to_string(above) + " after " + std::to_string(steps) +
                                 " steps with " + real_text(at_least) + ", claimed " +
                                 real_text(least) + " to " + real_text(most)});
}

}  // namespace equipoise::verify
