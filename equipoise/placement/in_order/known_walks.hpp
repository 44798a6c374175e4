#pragma once
// Walks through items of which only some running sums are known: between which known places each
// cut lies.

#include <cstddef>
#include <span>
#include <vector>

#include "equipoise/placement/in_order/cut_choice.hpp"

namespace equipoise::placement {

/// Where a cut is: at one of two known places, or anywhere between them. Indices of
/// CutPlaces::positions.
struct KnownCut {
    std::size_t first = 0;
    std::size_t last = 0;

    [[nodiscard]] bool is_exact() const { return first == last; }
};

/// Walks whose parts take no less than some limits allow, and no more than others. Every walk at
/// limits between the two has its cuts where these say. Borrows what it is given.
class KnownWalks {
  public:
    KnownWalks(const CutPlaces& places, const PartLimits& least, const PartLimits& most)
        : places_(&places), least_(least), most_(most) {}

    /// From the first item on each part takes as many items as it may, but no cut passes its stop
    /// (by cut; none if empty). Fills `cuts`, of all parts and the end: where the last one is not
    /// the last place, items are left. Cost O(P log places).
    void forwards(std::span<const KnownCut> stops, std::vector<KnownCut>& cuts) const;
    /// The same from the end, where the last cut is.
    void backwards(std::span<const KnownCut> stops, std::vector<KnownCut>& cuts) const;

    /// The last known place to which a part from a place may reach.
    [[nodiscard]] std::size_t furthest(const PartLimits& limits, std::size_t part,
                                       std::size_t from) const;

  private:
    [[nodiscard]] std::size_t earliest(const PartLimits& limits, std::size_t part,
                                       std::size_t to) const;
    [[nodiscard]] std::size_t last_place() const { return places_->positions.size() - 1; }
    [[nodiscard]] bool are_neighbours(std::size_t place) const {
        return places_->positions[place] + 1 == places_->positions[place + 1];
    }

    const CutPlaces* places_;
    PartLimits least_;
    PartLimits most_;
};

}  // namespace equipoise::placement
