#pragma once
// Moving items between machines in waves: where items are, where they may end, and what a wave
// allows.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::optimum {

using ItemId = std::uint32_t;

/// A problem. Every node reaches every other. In a wave a node gives items of a total size of at
/// most `gives[v]` and takes at most `takes[v]`, and both gives and takes at most `at_once` items;
/// if `gives[v]` or `takes[v]` is 0, not even items of size 0. With `half_duplex` what it gives and
/// takes together is at most `gives[v]` and `at_once`, too. An item counts at both ends until
/// its wave is over: what a node held when the wave began plus everything that arrives in it never
/// exceeds `capacities[v]`, unless nothing arrives.
struct ItemsProblem {
    NodeId nodes = 0;
    std::vector<NodeId> places;  ///< by item: where it is
    std::vector<Tokens> sizes;   ///< by item, 0 or more; empty: 1 each
    /// By item: copies of one thing have the same number here and are never on one node, not
    /// even on the way; empty: no copies.
    std::vector<std::uint32_t> copies_of;
    /// What nodes may hold in the end, as sizes. Extras are used only if all items have one size,
    /// and each is then room for one item. Unused with `final_places`.
    FinalLoads target;
    /// By node: whether it may end with a single item that is larger than `target` allows; empty:
    /// none may. Only with several sizes.
    std::vector<bool> may_hold_one;
    /// By node: whether it is to end without any item, even of size 0; empty: none is.
    std::vector<bool> ends_empty;
    std::vector<NodeId> final_places;  ///< by item: where it ends; empty: as the target allows
    std::vector<Tokens> gives;         ///< by node, sizes a wave; empty: no limit
    std::vector<Tokens> takes;
    Tokens at_once = 0;              ///< items a node gives, and takes, in a wave; 0: no limit
    bool half_duplex = false;        ///< only with `final_places`
    std::vector<Tokens> capacities;  ///< by node, sizes; empty: no limit

    [[nodiscard]] ItemId items() const { return static_cast<ItemId>(places.size()); }
    [[nodiscard]] Tokens size_of(ItemId item) const { return sizes.empty() ? 1 : sizes[item]; }
    [[nodiscard]] Tokens gives_of(NodeId node) const {
        return gives.empty() ? tokens_max : gives[node];
    }
    [[nodiscard]] Tokens takes_of(NodeId node) const {
        const Tokens most = takes.empty() ? tokens_max : takes[node];
        return half_duplex ? std::min(most, gives_of(node)) : most;
    }
    [[nodiscard]] Tokens at_once_max() const { return at_once == 0 ? tokens_max : at_once; }
    /// What counts against a node's limit for one direction.
    [[nodiscard]] Tokens counted(Tokens one_way, Tokens other_way) const {
        return half_duplex ? one_way + other_way : one_way;
    }
    /// How many items of size `unit` a node may give in a wave; of any size where `unit` is 0.
    [[nodiscard]] Tokens items_a_wave(NodeId node, Tokens unit) const {
        return unit == 0 ? at_once_max() : std::min(gives_of(node) / unit, at_once_max());
    }
    [[nodiscard]] Tokens capacity_of(NodeId node) const {
        return capacities.empty() ? tokens_max : capacities[node];
    }
    [[nodiscard]] bool may_hold_one_at(NodeId node) const {
        return !may_hold_one.empty() && may_hold_one[node];
    }
    [[nodiscard]] bool ends_empty_at(NodeId node) const {
        return !ends_empty.empty() && ends_empty[node];
    }
    /// Whether a node may end with `count` items of size `load` in all, extras left aside.
    [[nodiscard]] bool may_end_with(NodeId node, Tokens load, Tokens count) const {
        if (ends_empty_at(node)) return count == 0;
        return load <= target.base[node] ||
               (count == 1 && may_hold_one_at(node) && load <= capacity_of(node));
    }
    /// The size of all items if it is the same for all and not 0; otherwise 0. Without items 1.
    [[nodiscard]] Tokens one_size() const;
    /// By item, the size of the smallest copy of the same thing: any copy may end where one is to.
    [[nodiscard]] std::vector<Tokens> smallest_copies() const;
    /// By node, the size of the largest item that the node may take and keep; -1: none.
    [[nodiscard]] std::vector<Tokens> takeable_sizes() const;
    /// By node, the size of the largest item that it may give and another node may take and keep;
    /// -1: none.
    [[nodiscard]] std::vector<Tokens> movable_sizes() const;
    /// The number of items on each node.
    [[nodiscard]] std::vector<Tokens> counts() const;
    /// The size that every node holds.
    [[nodiscard]] load::Loads loads() const;

    /// Lowers the target where it is above capacities.
    void keep_target_within_capacities();

    /// Throws InputError when a list does not fit, a number is out of range, copies share a node at
    /// the start or in the end, the target is above a capacity, or the sizes add up to more than
    /// `tokens_max`.
    void check() const;
};

/// An item goes from one node to another in a wave (counted from 0).
struct WaveMove {
    Step wave = 0;
    ItemId item = 0;
    NodeId from = no_node;
    NodeId to = no_node;
    friend bool operator==(const WaveMove&, const WaveMove&) = default;
};

/// Moves in the order of their waves.
using WaveSchedule = std::vector<WaveMove>;

}  // namespace equipoise::optimum
