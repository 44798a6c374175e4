#pragma once
// Items that the caller keeps in a form of its own, known by their places: those that stay and
// those that arrive form a new list beside the old one.

#include <vector>

#include "equipoise/balancer/bytes.hpp"
#include "equipoise/balancer/moving.hpp"
#include "equipoise/balancer/plan.hpp"

namespace equipoise::balancer {

/// The caller's old list and its new one. The new list must have room for all its items before
/// anything moves.
class PlacedItems {
  public:
    PlacedItems() = default;
    PlacedItems(const PlacedItems&) = delete;
    PlacedItems& operator=(const PlacedItems&) = delete;
    virtual ~PlacedItems() = default;

    /// Appends the bytes of the item at a place of the old list. May throw.
    virtual void pack(Tokens place, ByteWriter& out) = 0;
    /// Makes the item at a place of the new list. May throw.
    virtual void unpack(Tokens place, ByteReader& in) = 0;
    /// Undoes `unpack`, because another item could not be unpacked on some rank.
    virtual void discard(Tokens place) noexcept = 0;
    /// Brings an item that stays to its place in the new list.
    virtual void keep(Tokens from, Tokens to) noexcept = 0;
    /// The item at a place of the old list has arrived elsewhere.
    virtual void leave(Tokens place) noexcept = 0;
};

/// Placed items on their way. The old list stays as it is until all ranks have unpacked; if a rank
/// fails, it remains in use. Memory: the packed items that leave and those that arrive, and a few
/// words for each of them.
class PlacedMove {
  public:
    /// `items` must outlive it.
    PlacedMove(const Plan& plan, PlacedItems& items) : plan_(plan), items_(&items), packed_(plan) {}

    [[nodiscard]] const Plan& plan() const { return plan_; }
    void begin(engine::LocalFailure& failure);
    void end();

  private:
    void unpack(engine::LocalFailure& failure);
    void put_together() const noexcept;

    Plan plan_;
    PlacedItems* items_;
    PackedItems packed_;
    std::vector<placement::Run> kept_;
    std::vector<Tokens> places_;  // of arrived items, in their order
    std::size_t unpacked_ = 0;
};

}  // namespace equipoise::balancer
