#pragma once
// Waves under construction, which say of every move whether it is allowed before it is made.

#include <cstdint>
#include <span>
#include <unordered_set>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/waves/problem.hpp"

namespace equipoise::optimum {

/// Which nodes hold a copy of which thing, including copies that leave or arrive in the current
/// wave. Costs nothing if a problem has no copies.
class CopyPlaces {
  public:
    explicit CopyPlaces(const ItemsProblem& problem);
    /// No node holds anything yet.
    explicit CopyPlaces(std::span<const std::uint32_t> copies_of) : copies_of_(copies_of) {}
    /// Whether the node holds a copy of the same thing.
    [[nodiscard]] bool holds(ItemId item, NodeId node) const {
        return !copies_of_.empty() && held_.contains(key(item, node));
    }
    void add(ItemId item, NodeId node) {
        if (!copies_of_.empty()) held_.insert(key(item, node));
    }
    void remove(ItemId item, NodeId node) {
        if (!copies_of_.empty()) held_.erase(key(item, node));
    }

  private:
    [[nodiscard]] std::uint64_t key(ItemId item, NodeId node) const {
        return (std::uint64_t{copies_of_[item]} << 32U) | node;
    }
    std::span<const std::uint32_t> copies_of_;
    std::unordered_set<std::uint64_t> held_;
};

/// Builds a schedule wave by wave. The problem outlives it.
class WaveBuilder {
  public:
    explicit WaveBuilder(const ItemsProblem& problem);

    /// How much the node may still give, and take, in this wave: 0 when it has given `at_once`
    /// items.
    [[nodiscard]] Tokens can_give(NodeId node) const;
    [[nodiscard]] Tokens can_take(NodeId node) const;
    [[nodiscard]] bool gives_more(NodeId node) const {
        return problem_.gives_of(node) > 0 &&
               problem_.counted(given_items_[node], taken_items_[node]) < problem_.at_once_max();
    }
    [[nodiscard]] bool takes_more(NodeId node) const {
        return problem_.takes_of(node) > 0 &&
               problem_.counted(taken_items_[node], given_items_[node]) < problem_.at_once_max();
    }
    /// Whether the item may go there in this wave.
    [[nodiscard]] bool allows(ItemId item, NodeId to) const;
    void move(ItemId item, NodeId to);
    /// Ends the wave; an empty one is not counted.
    void end_wave();

    [[nodiscard]] NodeId place(ItemId item) const { return places_[item]; }
    /// The size that a node holds, without items that arrive in this wave and with those that leave
    /// in it.
    [[nodiscard]] Tokens held(NodeId node) const { return held_[node]; }
    /// The size that a node will hold when the wave is over.
    [[nodiscard]] Tokens will_hold(NodeId node) const {
        return held_[node] + taken_[node] - given_[node];
    }
    [[nodiscard]] bool wave_is_empty() const { return first_of_wave_ == schedule_.size(); }
    [[nodiscard]] Step waves() const { return wave_; }
    [[nodiscard]] WaveSchedule& schedule() { return schedule_; }

  private:
    const ItemsProblem& problem_;
    std::vector<NodeId> places_;
    std::vector<bool> moves_now_;  ///< by item
    load::Loads held_;
    load::Loads given_;
    load::Loads taken_;
    std::vector<Tokens> given_items_;
    std::vector<Tokens> taken_items_;
    CopyPlaces copies_;
    WaveSchedule schedule_;
    std::size_t first_of_wave_ = 0;
    Step wave_ = 0;
};

}  // namespace equipoise::optimum
