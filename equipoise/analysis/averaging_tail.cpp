#include "equipoise/analysis/averaging_tail.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>

#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

namespace {

constexpr std::size_t tail_loads_max = std::size_t{1} << 22;

/// Three orders of the quarters of all digits, lowest first: any two digits of different quarters,
/// or of the same, are not in the lowest quarter of at least one of them.
constexpr std::array<std::array<std::size_t, 4>, 3> quarters = {
    {{0, 1, 2, 3}, {2, 3, 0, 1}, {1, 3, 0, 2}}};

std::vector<NodeId> digits_in(const std::array<std::size_t, 4>& order, NodeId nodes) {
    std::vector<NodeId> digits;
    for (const std::size_t quarter : order)
        for (std::size_t node = quarter * nodes / 4; node < (quarter + 1) * nodes / 4; ++node)
            digits.push_back(static_cast<NodeId>(node));
    return digits;
}

}  // namespace

AveragingTail::AveragingTail(const network::Network& network, Tokens most, Tokens goal)
    : base_(static_cast<std::size_t>(most) + 1),
      weights_(network.node_count()),
      links_(static_cast<double>(network.link_count())) {
    if (network.link_count() == 0)
        throw UnsuitableError("expected a network with links for averages, found none");
    std::size_t count = 1;
    for (std::size_t& weight : weights_) {
        weight = count;
        if (count > tail_loads_max / base_)
            throw UnsuitableError("expected at most 2^22 loads of 0 to " + std::to_string(most) +
                                  " tokens a node, found " + std::to_string(weights_.size()) +
                                  " nodes");
        count *= base_;
    }
    chances_.resize(count);
    for (std::size_t index = 0; index < count; ++index)
        chances_[index] = load::discrepancy(loads_of(index)) > goal ? 1.0 : 0.0;
    means_.resize(count / base_);
    choose_layouts(network);
}

/// Every link goes to the layout in which most values lie in a row: long rows are fast.
void AveragingTail::choose_layouts(const network::Network& network) {
    const NodeId nodes = network.node_count();
    std::array<std::vector<std::size_t>, quarters.size()> weights;
    for (std::size_t i = 0; i < quarters.size(); ++i) {
        weights[i].resize(nodes);
        std::size_t weight = 1;
        for (const NodeId node : digits_in(quarters[i], nodes)) {
            weights[i][node] = weight;
            weight *= base_;
        }
    }
    std::array<std::vector<Pair>, quarters.size()> pairs;
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const Ends ends = network.ends(link);
        const auto in = [&](std::size_t i) {
            const auto [low, high] = std::minmax(weights[i][ends.tail], weights[i][ends.head]);
            return Pair{low, high};
        };
        std::size_t best = 0;
        for (std::size_t i = 1; i < quarters.size(); ++i)
            if (in(i).low > in(best).low) best = i;
        pairs[best].push_back(in(best));
    }
    for (std::size_t i = 0; i < quarters.size(); ++i) {
        if (pairs[i].empty()) continue;
        Layout& layout = layouts_.emplace_back();
        layout.pairs = std::move(pairs[i]);
        layout.places.resize(chances_.size());
        layout.chances.resize(chances_.size());
        layout.sums.resize(chances_.size());
        for (std::size_t index = 0; index < chances_.size(); ++index) {
            std::size_t place = 0;
            for (NodeId node = 0; node < nodes; ++node)
                place += index / weights_[node] % base_ * weights[i][node];
            layout.places[index] = static_cast<std::uint32_t>(place);
        }
    }
}

load::Loads AveragingTail::loads_of(std::size_t index) const {
    load::Loads loads(weights_.size());
    for (NodeId node = 0; node < loads.size(); ++node)
        loads[node] = static_cast<Tokens>(index / weights_[node] % base_);
    return loads;
}

void AveragingTail::step() {
    for (Layout& layout : layouts_) {
        for (std::size_t index = 0; index < chances_.size(); ++index)
            layout.chances[layout.places[index]] = chances_[index];
        std::fill(layout.sums.begin(), layout.sums.end(), 0.0);
        for (const Pair pair : layout.pairs)
            average(layout, pair);
    }
    for (std::size_t index = 0; index < chances_.size(); ++index) {
        double sum = 0;
        for (const Layout& layout : layouts_)
            sum += layout.sums[layout.places[index]];
        chances_[index] = sum / links_;
    }
}

/// Adds, for all loads, the mean of the two ways to place the odd token of one link. It depends on
/// the sum of the two ends only, so it is computed once for each sum.
void AveragingTail::average(Layout& layout, Pair pair) {
    const std::size_t row = pair.low;
    const std::size_t between = pair.high / (pair.low * base_);
    const std::size_t outer = chances_.size() / (pair.high * base_);
    double* const mean = means_.data();
    for (std::size_t out = 0; out < outer; ++out)
        for (std::size_t mid = 0; mid < between; ++mid) {
            const std::size_t start = out * pair.high * base_ + mid * pair.low * base_;
            for (std::size_t sum = 0; sum < 2 * base_ - 1; ++sum) {
                const std::size_t less = sum / 2;
                const std::size_t more = sum - less;
                const double* one = &layout.chances[start + less * pair.low + more * pair.high];
                const double* other = &layout.chances[start + more * pair.low + less * pair.high];
                for (std::size_t i = 0; i < row; ++i)
                    mean[i] = 0.5 * (one[i] + other[i]);
                const std::size_t first = sum < base_ ? 0 : sum - (base_ - 1);
                for (std::size_t low = first; low <= std::min(sum, base_ - 1); ++low) {
                    double* into = &layout.sums[start + low * pair.low + (sum - low) * pair.high];
                    for (std::size_t i = 0; i < row; ++i)
                        into[i] += mean[i];
                }
            }
        }
}

double AveragingTail::from(const load::Loads& loads) const {
    std::size_t index = 0;
    for (NodeId node = 0; node < loads.size(); ++node)
        index += static_cast<std::size_t>(loads[node]) * weights_[node];
    return chances_.at(index);
}

AveragingTail::Worst AveragingTail::worst() const {
    const auto most = std::max_element(chances_.begin(), chances_.end());
    return {*most, loads_of(static_cast<std::size_t>(most - chances_.begin()))};
}

}  // namespace equipoise::analysis
