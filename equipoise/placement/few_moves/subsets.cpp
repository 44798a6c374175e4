#include "equipoise/placement/few_moves/subsets.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "equipoise/base/assert.hpp"

namespace equipoise::placement {

namespace {

constexpr std::size_t items_max = 12;
constexpr std::size_t ranks_of_items_max = 4;

using Subset = std::size_t;

// Tables over all subsets of the items.
class Subsets {
  public:
    Subsets(const Pool& pool, const Capacity& capacity)
        : pool_(&pool),
          capacity_(&capacity),
          ranks_(capacity.ranks()),
          sets_(std::size_t{1} << pool.items()),
          weights_(sets_ * pool.kinds, 0),
          load_(pool.kinds) {
        for (Subset set = 1; set < sets_; ++set) {
            const auto item = static_cast<std::size_t>(std::countr_zero(set));
            const Subset rest = set & (set - 1);
            for (std::size_t kind = 0; kind < pool.kinds; ++kind)
                weights_[set * pool.kinds + kind] =
                    weights_[rest * pool.kinds + kind] + pool.weight(item)[kind];
        }
    }

    // The lowest level of all items on all ranks.
    double lowest_level() {
        std::vector<double> least = levels(0);
        for (std::size_t rank = 1; rank < ranks_; ++rank) {
            const std::vector<double> here = levels(rank);
            std::vector<double> next(sets_);
            for (Subset set = first_needed(rank); set < sets_; ++set) {
                double best = std::max(here[0], least[set]);
                for (Subset part = set; part != 0; part = (part - 1) & set)
                    best = std::min(best, std::max(here[part], least[set ^ part]));
                next[set] = best;
            }
            least = std::move(next);
        }
        return least.back();
    }

    // The ranks of the cheapest assignment with no rank above the level.
    std::vector<int> cheapest(double level) {
        std::vector<std::vector<Subset>> taken(ranks_);
        std::vector<Cost> least = costs(0, level);
        taken[0].resize(sets_);
        for (Subset set = 0; set < sets_; ++set)
            taken[0][set] = set;
        for (std::size_t rank = 1; rank < ranks_; ++rank) {
            const std::vector<Cost> here = costs(rank, level);
            std::vector<Cost> next(sets_, impossible);
            taken[rank].resize(sets_);
            for (Subset set = first_needed(rank); set < sets_; ++set) {
                Cost best = here[0] + least[set];
                Subset choice = 0;
                for (Subset part = set; part != 0; part = (part - 1) & set) {
                    const Cost cost = here[part] + least[set ^ part];
                    if (cost < best) {
                        best = cost;
                        choice = part;
                    }
                }
                next[set] = std::min(best, impossible);
                taken[rank][set] = choice;
            }
            least = std::move(next);
        }
        EQUIPOISE_ASSERT(least.back() < impossible);
        std::vector<int> at(pool_->items());
        Subset left = sets_ - 1;
        for (std::size_t rank = ranks_; rank-- > 0;) {
            const Subset part = taken[rank][left];
            for (Subset rest = part; rest != 0; rest &= rest - 1)
                at[static_cast<std::size_t>(std::countr_zero(rest))] = static_cast<int>(rank);
            left ^= part;
        }
        return at;
    }

  private:
    static constexpr Cost impossible = Cost{1} << 120U;

    // For the last rank only the set of all items is needed.
    [[nodiscard]] Subset first_needed(std::size_t rank) const {
        return rank + 1 == ranks_ ? sets_ - 1 : 0;
    }

    // By subset: the level of a rank that holds it.
    std::vector<double> levels(std::size_t rank) {
        const std::size_t kinds = pool_->kinds;
        std::vector<double> level(sets_);
        for (Subset set = 0; set < sets_; ++set) {
            for (std::size_t kind = 0; kind < kinds; ++kind)
                load_[kind] = pool_->stays[rank * kinds + kind] + weights_[set * kinds + kind];
            level[set] = capacity_->level(rank, load_);
        }
        return level;
    }

    // By subset: the cost of bringing it to a rank; impossible above the level.
    std::vector<Cost> costs(std::size_t rank, double level) {
        std::vector<Cost> cost(sets_, 0);
        for (Subset set = 1; set < sets_; ++set) {
            const auto item = static_cast<std::size_t>(std::countr_zero(set));
            cost[set] = cost[set & (set - 1)] + pool_->cost(item, static_cast<int>(rank));
        }
        const std::vector<double> level_of = levels(rank);
        for (Subset set = 0; set < sets_; ++set) {
            if (!within(level_of[set], level)) cost[set] = impossible;
        }
        return cost;
    }

    const Pool* pool_;
    const Capacity* capacity_;
    std::size_t ranks_;
    std::size_t sets_;
    std::vector<Units> weights_;  // subset by subset, kind by kind
    std::vector<Units> load_;
};

}  // namespace

bool few_enough(std::size_t items, std::size_t ranks) {
    return std::pow(3.0, static_cast<double>(items)) * static_cast<double>(ranks) <=
           std::pow(3.0, static_cast<double>(items_max)) * static_cast<double>(ranks_of_items_max) *
               (1 + 1e-9);
}

Assignment best_over_subsets(const Pool& pool, const Capacity& capacity, double bound) {
    Subsets subsets(pool, capacity);
    Assignment best;
    best.at = subsets.cheapest(std::max(bound, subsets.lowest_level()));
    appraise(pool, capacity, best);
    return best;
}

}  // namespace equipoise::placement
