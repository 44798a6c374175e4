#include "equipoise/placement/in_order/cut_choice.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "equipoise/base/assert.hpp"

namespace equipoise::placement {

namespace {

constexpr MoveCost unreachable = {std::numeric_limits<Tokens>::max() / 2, 0};

/// Where a cut may be: at a position, or anywhere between two that follow each other.
struct Spot {
    std::size_t left = 0;
    std::size_t right = 0;
};

class Choice {
  public:
    Choice(const CutPlaces& places, const Owners& owners, const PartLimits& limits)
        : places_(places), owners_(owners), limits_(limits) {
        owner_of_position_.reserve(places.positions.size());
        std::size_t owner = 0;
        for (const Tokens position : places.positions) {
            while (owner + 1 < ranks() && owners.firsts[owner + 1] <= position)
                ++owner;
            owner_of_position_.push_back(owner);
        }
    }

    ChosenCuts choose() {
        ChosenCuts chosen;
        std::vector<std::vector<std::uint32_t>> before(ranks() + 1);
        chosen.cost = pass(false, &before);
        chosen.at_least = places_.complete ? chosen.cost : pass(true, nullptr);
        chosen.cuts.resize(ranks() + 1);
        chosen.loads.resize(ranks() * kinds());
        std::uint32_t at = 0;
        std::size_t right = 0;
        for (std::size_t cut = ranks() + 1; cut-- > 0;) {
            const std::size_t position = places_.of_cut[cut].first + at;
            chosen.cuts[cut] = places_.positions[position];
            if (cut < ranks())
                for (std::size_t kind = 0; kind < kinds(); ++kind)
                    chosen.loads[cut * kinds() + kind] = sum(right, kind) - sum(position, kind);
            right = position;
            if (cut > 0) at = before[cut][at];
        }
        return chosen;
    }

  private:
    [[nodiscard]] std::size_t ranks() const { return owners_.firsts.size() - 1; }
    [[nodiscard]] std::size_t kinds() const { return places_.kinds; }
    [[nodiscard]] Units sum(std::size_t position, std::size_t kind) const {
        return places_.sums[position * kinds() + kind];
    }

    /// The least cost of all cuts. With `between`, cuts lie anywhere between places, which can only
    /// cost less. `before`: by cut and place, the place of the cut before.
    MoveCost pass(bool between, std::vector<std::vector<std::uint32_t>>* before) {
        std::vector<MoveCost> cheapest = {cost_of_last_part()};
        std::vector<MoveCost> next;
        for (std::size_t cut = 1; cut <= ranks(); ++cut) {
            measure_from(cut);
            next.clear();
            window_.clear();
            std::size_t first = 0;  // of the window
            std::size_t entered = 0;
            const std::size_t spots_before = spots(cut - 1, between);
            for (std::size_t at = 0; at < spots(cut, between); ++at) {
                const Spot here = spot(cut, at, between);
                for (; entered < spots_before && spot(cut - 1, entered, between).left <= here.right;
                     ++entered) {
                    while (window_.size() > first && cheapest[entered] < cheapest[window_.back()])
                        window_.pop_back();
                    window_.push_back(static_cast<std::uint32_t>(entered));
                }
                while (first < window_.size() &&
                       !fits(cut - 1, spot(cut - 1, window_[first], between).right, here.left))
                    ++first;
                const bool reached = first < window_.size() &&
                                     cheapest[window_[first]].between < unreachable.between;
                next.push_back(reached ? cheapest[window_[first]] +
                                             std::min(cost(cut, here.left), cost(cut, here.right))
                                       : unreachable);
                if (before != nullptr) (*before)[cut].push_back(reached ? window_[first] : 0);
            }
            cheapest.swap(next);
        }
        EQUIPOISE_ASSERT(cheapest.front().between < unreachable.between);
        return cheapest.front();
    }

    [[nodiscard]] std::size_t spots(std::size_t cut, bool between) const {
        const auto [first, last] = places_.of_cut[cut];
        return between ? std::max<std::size_t>(1, last - first) : last - first + 1;
    }
    [[nodiscard]] Spot spot(std::size_t cut, std::size_t at, bool between) const {
        const auto [first, last] = places_.of_cut[cut];
        return {first + at, std::min(first + at + (between ? 1 : 0), last)};
    }

    [[nodiscard]] bool fits(std::size_t part, std::size_t from, std::size_t to) const {
        return part_may_hold(places_, limits_, part, from, to);
    }

    /// If all items were the last part's.
    [[nodiscard]] MoveCost cost_of_last_part() const {
        const Tokens items = owners_.firsts.back();
        MoveCost all = {0, items - owned_before(ranks() - 1, items)};
        if (owners_.machine.empty()) return all;
        all.between = items;
        for (std::size_t rank = 0; rank < ranks(); ++rank)
            if (owners_.machine[rank] == owners_.machine[ranks() - 1])
                all.between -= owners_.firsts[rank + 1] - owners_.firsts[rank];
        return all;
    }
    /// How many items of a rank are before a number.
    [[nodiscard]] Tokens owned_before(std::size_t rank, Tokens number) const {
        return std::clamp(number, owners_.firsts[rank], owners_.firsts[rank + 1]) -
               owners_.firsts[rank];
    }

    /// Counts, at the first item of each rank, what the machines of the parts beside a cut own
    /// before it: those of the right one less those of the left one.
    void measure_from(std::size_t cut) {
        measured_.clear();
        if (owners_.machine.empty() || cut == ranks() ||
            owners_.machine[cut] == owners_.machine[cut - 1])
            return;
        Tokens right_less_left = 0;
        for (std::size_t rank = 0; rank < ranks(); ++rank) {
            measured_.push_back(right_less_left);
            right_less_left += side(cut, rank) * (owners_.firsts[rank + 1] - owners_.firsts[rank]);
        }
    }
    /// Whether a rank's machine is that of the part right of a cut (1) or left of it (-1).
    [[nodiscard]] Tokens side(std::size_t cut, std::size_t rank) const {
        const int machine = owners_.machine[rank];
        return (machine == owners_.machine[cut] ? 1 : 0) -
               (machine == owners_.machine[cut - 1] ? 1 : 0);
    }
    /// What the items before a position cost on the left of a cut, less what they cost on its
    /// right.
    [[nodiscard]] MoveCost cost(std::size_t cut, std::size_t position) const {
        if (cut == ranks()) return {};
        const Tokens number = places_.positions[position];
        MoveCost cost = {0, owned_before(cut, number) - owned_before(cut - 1, number)};
        if (measured_.empty()) return cost;
        const std::size_t owner = owner_of_position_[position];
        cost.between = measured_[owner] + side(cut, owner) * (number - owners_.firsts[owner]);
        return cost;
    }

    const CutPlaces& places_;
    const Owners& owners_;
    PartLimits limits_;
    std::vector<std::size_t> owner_of_position_;
    std::vector<Tokens> measured_;
    std::vector<std::uint32_t> window_;  // places of the cut before, of rising cost
};

}  // namespace

bool part_may_hold(const CutPlaces& places, const PartLimits& limits, std::size_t part,
                   std::size_t from, std::size_t to) {
    const Tokens items = places.positions[to] - places.positions[from];
    if (items <= 0) return true;
    if (items > limits.most[part]) return false;
    const std::size_t kinds = places.kinds;
    for (std::size_t kind = 0; kind < kinds; ++kind)
        if (places.sums[to * kinds + kind] - places.sums[from * kinds + kind] >
            limits.caps[part * kinds + kind])
            return false;
    return true;
}

ChosenCuts choose_cuts(const CutPlaces& places, const Owners& owners, const PartLimits& limits) {
    return Choice(places, owners, limits).choose();
}

}  // namespace equipoise::placement
