#include "equipoise/optimum/steps/static_flow.hpp"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/optimum/flows/flow_forest.hpp"
#include "equipoise/optimum/steps/gate_limits.hpp"

namespace equipoise::optimum {

StaticFlow::StaticFlow(const Problem& problem) : problem_(&problem) {
    const NodeId count = problem.network->node_count();
    const LinkId links = problem.network->link_count();
    hub_ = multi() ? count : 2 * count;
    most_.assign(multi() ? 2 * links : count, 0);
    if (multi()) {
        net_.assign(links, 0);
    } else {
        passed_.assign(count, 0);
        sent_.assign(2 * links, 0);
    }
    excess_.assign(std::size_t{hub_} + 1, 0);
    const FinalLoads& target = problem.target;
    const auto may = std::count(target.may_hold_extra.begin(), target.may_hold_extra.end(), true);
    const bool all_extras = target.extras >= may;  // enough for all
    if (!all_extras && target.extras > 0) {
        extra_.assign(count, 0);
        excess_[hub_] = -target.extras;
    }
    for (NodeId node = 0; node < count; ++node) {
        Tokens above = problem.loads[node] - target.base[node];
        if (target.extra_at(node) && all_extras) --above;
        excess_[keeps(node)] = above;
        if (extra_.empty() || !target.extra_at(node)) continue;
        extra_[node] = 2;
        may_.push_back(node);
    }
}

void StaticFlow::lengthen(Step steps) {
    EQUIPOISE_ASSERT(steps >= steps_);
    const auto more = static_cast<Tokens>(steps - steps_);
    for (Gate gate = 0; gate < most_.size(); ++gate)
        most_[gate] = std::min(
            tokens_max,
            most_[gate] +
                most_passing(multi() ? 1 : problem_->ports_of(static_cast<NodeId>(gate)), more));
    steps_ = steps;
}

void StaticFlow::limit(Gate gate, Tokens most) {
    most_[gate] = std::max<Tokens>(0, most);
    if (multi()) {
        const bool forward = gate % 2 == 0;
        const Ends ends = problem_->network->ends(gate / 2);
        Tokens& net = net_[gate / 2];
        const Tokens above = (forward ? net : -net) - most_[gate];
        if (above <= 0) return;
        net += forward ? -above : above;
        excess_[forward ? ends.tail : ends.head] += above;
        excess_[forward ? ends.head : ends.tail] -= above;
        return;
    }
    const Tokens above = passed_[gate] - most_[gate];
    if (above <= 0) return;
    passed_[gate] -= above;
    excess_[2 * gate] += above;
    excess_[2 * gate + 1] -= above;
}

void StaticFlow::follow(const std::vector<Tokens>& over_links) {
    const network::Network& network = *problem_->network;
    const NodeId count = network.node_count();
    std::vector<Tokens> passing(multi() ? 0 : count, 0);
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const Tokens net = over_links[link];
        if (net == 0) continue;
        const auto [one, other] = network.ends(link);
        const NodeId from = net > 0 ? std::min(one, other) : std::max(one, other);
        const NodeId to = from == one ? other : one;
        const Tokens tokens = std::abs(net);
        excess_[multi() ? from : 2 * from + 1] -= tokens;
        excess_[multi() ? to : 2 * to] += tokens;
        if (multi()) {
            net_[link] += net;
            continue;
        }
        sent_[2 * link + (net > 0 ? 0 : 1)] += tokens;
        if (gives(from)) passing[from] += tokens;
        if (!gives(to)) passing[to] += tokens;
    }
    for (NodeId node = 0; node < passing.size(); ++node) {
        passed_[node] += passing[node];
        const std::size_t spot = 2 * std::size_t{node};
        excess_[spot] -= passing[node];
        excess_[spot + 1] += passing[node];
    }
    for (Gate gate = 0; gate < most_.size(); ++gate)
        limit(gate, most_[gate]);
}

std::uint32_t StaticFlow::arcs_of(Spot spot) const {
    if (spot == hub_) return static_cast<std::uint32_t>(may_.size());
    const NodeId node = node_of(spot);
    const bool extra = !extra_.empty() && extra_[node] != 0 && keeps(node) == spot;
    return problem_->network->degree(node) + (multi() ? 0 : 1) + (extra ? 1 : 0);
}

PushRelabel<StaticFlow>::Arc StaticFlow::arc(Spot spot, std::uint32_t i) const {
    if (spot == hub_) return {keeps(may_[i]), extra_[may_[i]] == 3 ? 1 : 0};
    const NodeId node = node_of(spot);
    const bool sends = multi() || spot % 2 == 1;
    if (!multi()) {
        if (i == 0)
            return sends ? Arc{spot - 1, passed_[node]}
                         : Arc{spot + 1, most_[node] - passed_[node]};
        --i;
    }
    const network::Network& network = *problem_->network;
    if (i == network.degree(node)) return {hub_, extra_[node] == 2 ? 1 : 0};
    const NodeId other = network.neighbour(node, i);
    const auto [link, forward] = flow_of(node, i);
    const bool shut = closed(node) || closed(other);
    if (multi()) {
        const Tokens net = forward ? net_[link] : -net_[link];
        return {other, shut ? 0 : most_[2 * link + (forward ? 0 : 1)] - net};
    }
    if (sends) return {2 * other, shut ? 0 : tokens_max};
    return {2 * other + 1, sent_[2 * link + (forward ? 1 : 0)]};
}

PushRelabel<StaticFlow>::Arc StaticFlow::back(Spot spot, std::uint32_t i) const {
    if (spot == hub_) return {keeps(may_[i]), extra_[may_[i]] == 2 ? 1 : 0};
    const NodeId node = node_of(spot);
    const bool sends = multi() || spot % 2 == 1;
    if (!multi()) {
        if (i == 0)
            return sends ? Arc{spot - 1, most_[node] - passed_[node]}
                         : Arc{spot + 1, passed_[node]};
        --i;
    }
    const network::Network& network = *problem_->network;
    if (i == network.degree(node)) return {hub_, extra_[node] == 3 ? 1 : 0};
    const NodeId other = network.neighbour(node, i);
    const auto [link, forward] = flow_of(node, i);
    const bool shut = closed(node) || closed(other);
    if (multi()) {
        const Tokens net = forward ? net_[link] : -net_[link];
        return {other, shut ? 0 : most_[2 * link + (forward ? 1 : 0)] + net};
    }
    if (sends) return {2 * other, sent_[2 * link + (forward ? 0 : 1)]};
    return {2 * other + 1, shut ? 0 : tokens_max};
}

void StaticFlow::push(Spot spot, std::uint32_t i, Tokens tokens) {
    if (spot == hub_) {
        extra_[may_[i]] = 2;
        return;
    }
    const NodeId node = node_of(spot);
    const bool sends = multi() || spot % 2 == 1;
    if (!multi()) {
        if (i == 0) {
            passed_[node] += sends ? -tokens : tokens;
            return;
        }
        --i;
    }
    if (i == problem_->network->degree(node)) {
        extra_[node] = 3;
        return;
    }
    const auto [link, forward] = flow_of(node, i);
    if (multi()) {
        net_[link] += forward ? tokens : -tokens;
    } else if (sends) {
        sent_[2 * link + (forward ? 0 : 1)] += tokens;
    } else {
        sent_[2 * link + (forward ? 1 : 0)] -= tokens;
    }
}

FlowOutcome StaticFlow::carry(const std::stop_token& stop) {
    return push_all(problem_->network->link_count(), stop);
}

std::optional<Step> StaticFlow::missing() const {
    Tokens above = 0;
    Tokens a_step = 0;
    for (Spot spot = 0; spot < hub_; ++spot) {
        if (level_[spot] != unreached) continue;
        above = checked_add(above, excess_[spot]);
        const NodeId node = node_of(spot);
        if (!multi()) {
            if (spot % 2 == 0 && level_[spot + 1] != unreached)
                a_step = checked_add(a_step, problem_->ports_of(node));
            continue;
        }
        if (closed(node)) continue;
        for (const NodeId other : problem_->network->neighbours(node))
            if (level_[other] != unreached && !closed(other)) ++a_step;
    }
    if (level_[hub_] == unreached) above += excess_[hub_];
    EQUIPOISE_ASSERT(above > 0);
    if (a_step == 0) return std::nullopt;
    return static_cast<Step>(ceil_divide(above, a_step));
}

std::vector<StaticFlow::Side> StaticFlow::sides() const {
    const NodeId count = problem_->network->node_count();
    std::vector<Side> sides(count, Side::outside);
    for (NodeId node = 0; node < count; ++node) {
        if (multi()) {
            if (level_[node] == unreached) sides[node] = Side::inside;
            continue;
        }
        const std::size_t spot = 2 * std::size_t{node};
        if (level_[spot] != unreached) continue;
        const bool through = level_[spot + 1] == unreached;
        sides[node] = through ? Side::inside : gives(node) ? Side::sends : Side::receives;
    }
    return sides;
}

void StaticFlow::take_back(NodeId node, Port port, Tokens tokens) {
    const auto [link, forward] = flow_of(node, port);
    if (multi()) {
        net_[link] -= forward ? tokens : -tokens;
    } else {
        sent_[2 * link + (forward ? 0 : 1)] -= tokens;
        passed_[node] -= tokens;
    }
}

std::vector<Tokens> StaticFlow::over_links() const {
    if (multi()) return net_;
    std::vector<Tokens> tokens;
    tokens.reserve(sent_.size() / 2);
    for (std::size_t i = 0; i < sent_.size(); i += 2)
        tokens.push_back(sent_[i] - sent_[i + 1]);
    return tokens;
}

/// Tokens that go back and forth over one link.
void StaticFlow::cancel_opposites() {
    const network::Network& network = *problem_->network;
    for (LinkId link = 0; link < network.link_count(); ++link) {
        const Tokens both = std::min(sent_[2 * link], sent_[2 * link + 1]);
        if (both == 0) continue;
        sent_[2 * link] -= both;
        sent_[2 * link + 1] -= both;
        passed_[network.ends(link).tail] -= both;
        passed_[network.ends(link).head] -= both;
    }
}

/// Where removing circles has come to.
struct StaticFlow::Straightening {
    enum class Mark : std::uint8_t { open, on_path, done };

    explicit Straightening(NodeId count) : mark(count, Mark::open), next(count, 0) {
        order.reserve(count);
    }

    std::vector<Mark> mark;
    std::vector<Port> next;     ///< by node: the ports before have been followed to the end
    std::vector<NodeId> order;  ///< those that are done, the last first
};

/// A depth-first search; a circle that closes loses the least flow on any of its links, and the
/// search goes back to where the circle is broken. Ends early when circles have cost as many looks
/// as there are links, or when asked to stop.
void StaticFlow::straighten_along_paths(const std::stop_token& stop, Straightening& state) {
    const network::Network& network = *problem_->network;
    const NodeId count = network.node_count();
    const std::uint64_t looks_max = 4 * (network.link_count() + std::uint64_t{count});
    constexpr std::uint64_t ask_after = 1U << 16U;
    using Mark = Straightening::Mark;
    std::vector<Mark>& mark = state.mark;
    std::vector<Port>& next = state.next;
    std::vector<NodeId>& order = state.order;
    std::vector<NodeId> place(count, 0);  // on the path
    std::vector<NodeId> path;
    std::uint64_t looks = 0;
    std::uint64_t visits = 0;
    const auto enter = [&](NodeId node) {
        mark[node] = Mark::on_path;
        place[node] = static_cast<NodeId>(path.size());
        path.push_back(node);
    };
    const auto break_circle = [&](std::size_t first) {
        Tokens least = tokens_max;
        for (std::size_t i = first; i < path.size(); ++i)
            least = std::min(least, sent(path[i], next[path[i]]));
        std::size_t broken = path.size();
        for (std::size_t i = path.size(); i-- > first;) {
            take_back(path[i], next[path[i]], least);
            if (sent(path[i], next[path[i]]) == 0) broken = i;
        }
        looks += path.size() - first;
        while (path.size() > broken + 1) {
            mark[path.back()] = Mark::open;
            path.pop_back();
        }
    };
    for (NodeId root = 0; root < count; ++root) {
        if (mark[root] == Mark::open) enter(root);
        while (!path.empty()) {
            if (looks > looks_max || (++visits % ask_after == 0 && stop.stop_requested())) {
                for (const NodeId node : path)
                    mark[node] = Mark::open;
                return;
            }
            const NodeId node = path.back();
            if (next[node] == network.degree(node)) {
                mark[node] = Mark::done;
                order.push_back(node);
                path.pop_back();
                continue;
            }
            const NodeId other = network.neighbour(node, next[node]);
            if (mark[other] == Mark::done || sent(node, next[node]) <= 0) {
                ++next[node];
            } else if (mark[other] == Mark::open) {
                enter(other);
            } else {
                break_circle(place[other]);
            }
        }
    }
}

/// The same where circles are long: every node keeps one of the ways that it sends, and these ways
/// are trees. The flow is a flow again when all nodes are done.
void StaticFlow::straighten_in_trees(const std::stop_token& stop, Straightening& state) {
    const network::Network& network = *problem_->network;
    const NodeId count = network.node_count();
    constexpr std::uint64_t ask_after = 1U << 12U;
    using Mark = Straightening::Mark;
    std::vector<Mark>& mark = state.mark;
    std::vector<Port>& next = state.next;
    std::vector<NodeId>& order = state.order;
    FlowForest forest(count);
    std::vector<bool> linked(count, false);
    const auto unlink = [&](NodeId node) {
        const Tokens left = forest.cut(node);
        take_back(node, next[node], sent(node, next[node]) - left);
        linked[node] = false;
    };
    const auto finish = [&](NodeId node) {
        mark[node] = Mark::done;
        order.push_back(node);
        for (const NodeId from : network.neighbours(node))
            if (linked[from] && network.neighbour(from, next[from]) == node) unlink(from);
    };
    std::uint64_t visits = 0;
    for (NodeId first = 0; first < count; ++first)
        while (mark[first] != Mark::done) {
            if (++visits % ask_after == 0 && stop.stop_requested()) return;
            const NodeId node = forest.root(first);
            if (next[node] == network.degree(node)) {
                finish(node);
                continue;
            }
            const NodeId other = network.neighbour(node, next[node]);
            const Tokens tokens = sent(node, next[node]);
            if (mark[other] == Mark::done || tokens <= 0) {
                ++next[node];
            } else if (forest.root(other) != node) {
                forest.link(node, other, tokens);
                linked[node] = true;
            } else {
                const Tokens least = std::min(tokens, forest.least(other));
                take_back(node, next[node], least);
                forest.take(other, least);
                while (forest.least(other) == 0)
                    unlink(forest.first_empty(other));
            }
        }
}

std::vector<NodeId> StaticFlow::straighten(const std::stop_token& stop) {
    if (!multi()) cancel_opposites();
    const NodeId count = problem_->network->node_count();
    Straightening state(count);
    straighten_along_paths(stop, state);
    if (state.order.size() < count && !stop.stop_requested()) straighten_in_trees(stop, state);
    if (state.order.size() < count) return {};
    std::reverse(state.order.begin(), state.order.end());
    return std::move(state.order);
}

}  // namespace equipoise::optimum
