#include "equipoise/optimum/waves/problem.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise::optimum {

namespace {

void expect_by_node(std::span<const Tokens> list, NodeId nodes, const char* name) {
    if (!list.empty() && list.size() != nodes)
        throw InputError(std::string("expected one number of ") + name + " for each node, found " +
                         std::to_string(list.size()));
    for (const Tokens number : list)
        if (number < 0)
            throw InputError(std::string("expected ") + name + " of 0 or more, found " +
                             std::to_string(number));
}

/// Whether two copies of one thing share a node.
bool copies_meet(std::span<const NodeId> places, std::span<const std::uint32_t> copies_of) {
    std::vector<std::pair<std::uint32_t, NodeId>> seen;
    seen.reserve(copies_of.size());
    for (std::size_t item = 0; item < copies_of.size(); ++item)
        seen.emplace_back(copies_of[item], places[item]);
    std::sort(seen.begin(), seen.end());
    return std::adjacent_find(seen.begin(), seen.end()) != seen.end();
}

}  // namespace

Tokens ItemsProblem::one_size() const {
    if (sizes.empty()) return 1;
    const bool same =
        std::all_of(sizes.begin(), sizes.end(), [&](Tokens size) { return size == sizes.front(); });
    return same ? sizes.front() : 0;
}

std::vector<Tokens> ItemsProblem::smallest_copies() const {
    std::vector<Tokens> smallest;
    for (ItemId item = 0; item < items(); ++item)
        smallest.push_back(size_of(item));
    if (copies_of.empty() || sizes.empty()) return smallest;
    std::unordered_map<std::uint32_t, Tokens> of_thing;
    for (ItemId item = 0; item < items(); ++item) {
        Tokens& least = of_thing.try_emplace(copies_of[item], size_of(item)).first->second;
        least = std::min(least, size_of(item));
    }
    for (ItemId item = 0; item < items(); ++item)
        smallest[item] = of_thing.at(copies_of[item]);
    return smallest;
}

std::vector<Tokens> ItemsProblem::takeable_sizes() const {
    std::vector<Tokens> takeable;
    for (NodeId node = 0; node < nodes; ++node) {
        const bool none = takes_of(node) == 0 || ends_empty_at(node);
        const Tokens keeps = may_hold_one_at(node) ? capacity_of(node) : target.base[node];
        takeable.push_back(none ? -1 : std::min(takes_of(node), keeps));
    }
    return takeable;
}

std::vector<Tokens> ItemsProblem::movable_sizes() const {
    // The largest and the second largest item that nodes take, since a node does not take its own.
    NodeId largest = no_node;
    Tokens most = -1;
    Tokens second = -1;
    const std::vector<Tokens> takeable = takeable_sizes();
    for (NodeId node = 0; node < nodes; ++node) {
        const Tokens takes_in = takeable[node];
        if (takes_in > most) {
            second = std::exchange(most, takes_in);
            largest = node;
        } else {
            second = std::max(second, takes_in);
        }
    }
    std::vector<Tokens> movable;
    for (NodeId node = 0; node < nodes; ++node)
        movable.push_back(
            gives_of(node) == 0 ? -1 : std::min(gives_of(node), node == largest ? second : most));
    return movable;
}

std::vector<Tokens> ItemsProblem::counts() const {
    std::vector<Tokens> counted(nodes, 0);
    for (const NodeId place : places)
        ++counted[place];
    return counted;
}

load::Loads ItemsProblem::loads() const {
    load::Loads held(nodes, 0);
    for (ItemId item = 0; item < items(); ++item)
        held[places[item]] += size_of(item);
    return held;
}

void ItemsProblem::keep_target_within_capacities() {
    if (capacities.empty() || !final_places.empty()) return;
    const Tokens extra = one_size();
    for (NodeId node = 0; node < nodes; ++node) {
        target.base[node] = std::min(target.base[node], capacities[node]);
        if (target.extra_at(node) && target.base[node] + extra > capacities[node])
            target.may_hold_extra[node] = false;
    }
}

void ItemsProblem::check() const {
    const auto expect_by_item = [&](std::size_t size, const char* name) {
        if (size != 0 && size != places.size())
            throw InputError(std::string("expected one ") + name + " for each item, found " +
                             std::to_string(size));
    };
    expect_by_item(sizes.size(), "size");
    expect_by_item(copies_of.size(), "number of what it is a copy of");
    expect_by_item(final_places.size(), "final place");
    Tokens total = 0;
    for (ItemId item = 0; item < items(); ++item) {
        if (places[item] >= nodes || (!final_places.empty() && final_places[item] >= nodes))
            throw InputError("expected items on nodes 0 to " + std::to_string(nodes - 1));
        if (size_of(item) < 0 || size_of(item) > tokens_max - total)
            throw InputError("expected sizes of 0 or more and at most " +
                             std::to_string(tokens_max) + " in all");
        total += size_of(item);
    }
    expect_by_node(gives, nodes, "what nodes give");
    expect_by_node(takes, nodes, "what nodes take");
    expect_by_node(capacities, nodes, "what nodes can hold");
    if (at_once < 0) throw InputError("expected a number of items at once of 0 or more");
    if (copies_meet(places, copies_of) ||
        (!final_places.empty() && copies_meet(final_places, copies_of)))
        throw InputError("expected copies of one item on different nodes");
    if (!final_places.empty()) return;
    if (half_duplex && !places.empty())
        throw InputError("expected final places where giving and taking count together");
    if (target.base.size() != nodes)
        throw InputError("expected a final load for each node, found " +
                         std::to_string(target.base.size()));
    for (const std::vector<bool>* list : {&may_hold_one, &ends_empty})
        if (!list->empty() && list->size() != nodes)
            throw InputError("expected a truth value for each node, found " +
                             std::to_string(list->size()));
    for (NodeId node = 0; node < nodes; ++node)
        if (target.base[node] + (target.extra_at(node) ? one_size() : 0) > capacity_of(node))
            throw InputError("expected final loads within capacities");
    if (target.extras > 0 && one_size() == 0)
        throw InputError("expected no extras with items of several sizes");
    if (!may_hold_one.empty() && one_size() != 0)
        throw InputError("expected no nodes that may hold one item with items of one size");
}

}  // namespace equipoise::optimum
