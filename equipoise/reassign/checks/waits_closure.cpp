#include "equipoise/reassign/checks/waits_closure.hpp"

#include <algorithm>
#include <map>
#include <numeric>

#include "equipoise/optimum/flows/flow_network.hpp"

namespace equipoise::reassign {

namespace {

/// What is in a closed set if one of its elements is: starts, then moves that are done.
class Needs {
  public:
    Needs(std::size_t starts, const WaitsFor& waits_for, const std::vector<std::size_t>& start_of,
          const std::vector<std::size_t>& lists)
        : starts_(starts), waits_for_(waits_for), start_of_(start_of), lists_(lists) {}

    [[nodiscard]] std::size_t done(std::size_t move) const { return starts_ + move; }

    template <class See>
    void each(std::size_t element, const See& see) const {
        if (element >= starts_) return see(start_of_[element - starts_]);
        for (const std::uint32_t move : waits_for_[lists_[element]])
            see(done(move));
    }

  private:
    std::size_t starts_;
    const WaitsFor& waits_for_;
    const std::vector<std::size_t>& start_of_;
    const std::vector<std::size_t>& lists_;
};

}  // namespace

Executions::Executions(const WaitsFor& waits_for)
    : waits_for_(waits_for), start_of_(waits_for.size()) {
    std::vector<std::size_t> order(waits_for.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return waits_for[a] < waits_for[b]; });
    for (std::size_t i = 0; i < order.size(); ++i) {
        if (i == 0 || waits_for[order[i]] != waits_for[order[i - 1]]) lists_.push_back(order[i]);
        start_of_[order[i]] = lists_.size() - 1;
    }
}

Int128 Executions::most(std::span<const Weight> weights, std::size_t after_start_of) const {
    std::map<std::size_t, std::int64_t> gains;
    const Needs needs(starts(), waits_for_, start_of_, lists_);
    std::int64_t all = 0;
    for (const Weight& weight : weights) {
        gains[start_of_[weight.move]] += weight.started;
        gains[needs.done(weight.move)] += weight.done;
        for (const Tokens part : {weight.started, weight.done})
            all = checked_add(all, part < 0 ? -part : part);
    }
    const std::int64_t forced = checked_add(all, std::int64_t{1});
    if (after_start_of != no_move)
        gains[start_of_[after_start_of]] = checked_add(gains[start_of_[after_start_of]], forced);
    // Only what elements with gains need can be in a closed set with a sum above 0.
    std::map<std::size_t, optimum::FlowNode> nodes;
    std::vector<std::size_t> elements;
    const auto node_of = [&](std::size_t element) {
        const auto [at, is_new] =
            nodes.try_emplace(element, static_cast<optimum::FlowNode>(elements.size() + 2));
        if (is_new) elements.push_back(element);
        return at->second;
    };
    for (const auto& [element, gain] : gains)
        if (gain > 0) node_of(element);
    optimum::FlowNetwork network;
    network.source = 0;
    network.sink = 1;
    Int128 above = 0;
    // NOLINTNEXTLINE(modernize-loop-convert): what they need is appended meanwhile
    for (std::size_t i = 0; i < elements.size(); ++i) {
        const optimum::FlowNode node = node_of(elements[i]);
        needs.each(elements[i], [&](std::size_t other) {
            network.add_arc(node, node_of(other), optimum::unlimited_flow);
        });
        const auto gain = gains.find(elements[i]);
        if (gain == gains.end() || gain->second == 0) continue;
        if (gain->second > 0) {
            network.add_arc(network.source, node, gain->second);
            above += gain->second;
        } else {
            network.add_arc(node, network.sink, -gain->second);
        }
    }
    network.nodes = static_cast<optimum::FlowNode>(elements.size() + 2);
    const Int128 most = above - optimum::maximum_flow(network).value;
    return after_start_of == no_move ? most : most - forced;
}

}  // namespace equipoise::reassign
