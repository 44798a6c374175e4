#include "equipoise/placement/search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>

#include "equipoise/placement/exchanges.hpp"
#include "equipoise/placement/packing.hpp"

namespace equipoise::placement {

namespace {

constexpr int bisections = 14;
// A level this near to the least is not bisected further, and it is not lowered by exchanges unless
// the longest-first assignment is lower.
constexpr double near_enough = 1e-3;
constexpr std::uint64_t steps_least = 3'000'000;
constexpr std::uint64_t steps_an_item = 300;

// One search.
class Search {
  public:
    Search(const Pool& pool, const Capacity& capacity, double bound, double level_at_least)
        : pool_(&pool),
          capacity_(&capacity),
          bound_(bound),
          at_least_(std::max(bound, level_at_least)),
          packing_(pool, capacity),
          exchanges_(pool, capacity),
          best_(at_home(pool, capacity)) {}

    Assignment find() {
        if (within(best_.level, bound_)) return best_;
        if (!pack_at(bound_)) lower();
        improve_cost();
        return best_;
    }

  private:
    void keep(const Assignment& found) {
        if (better(found, best_, bound_)) best_ = found;
    }

    // Whether packing reaches a level, with as little generosity as it takes.
    bool pack_at(double level) {
        Assignment found;
        bool any = false;
        const auto take = [&](bool reached) {
            if (reached) exchanges_.come_home(found, level);
            keep(found);
            any = any || reached;
            return reached;
        };
        for (int generosity = 0; generosity <= Packing::generosity_max; ++generosity) {
            const bool reached = take(packing_.fit(level, generosity, found));
            if (generosity == 0) {
                if (reached) return true;
                take(packing_.give(level, found));
            } else if (reached) {
                break;
            }
        }
        return any;
    }

    // The lowest level.
    void lower() {
        double low = at_least_;
        double high = best_.level;
        if (!std::isfinite(high)) high = 2 * low;
        for (int i = 0; i < bisections && high > low * (1 + near_enough); ++i) {
            // The first tries are near the bound, where most instances end.
            const double middle =
                i < bisections / 2 ? low + (high - low) / 4 : low + (high - low) / 2;
            if (pack_at(middle))
                high = std::min(middle, best_.level);
            else
                low = middle;
        }
        const std::uint64_t steps = steps_least + steps_an_item * pool_->items();
        Assignment longest = packing_.longest_first();
        const double enough =
            std::max(at_least_, std::min(at_least_ * (1 + near_enough), longest.level));
        Assignment lowered = best_;
        exchanges_.lower(lowered, enough, steps);
        keep(lowered);
        if (within(best_.level, enough)) return;
        exchanges_.lower(longest, enough, steps);
        keep(longest);
    }

    // At the level that was reached.
    void improve_cost() {
        const double level = std::max(bound_, best_.level);
        Assignment home = best_;
        exchanges_.come_home(home, level);
        keep(home);
        pack_at(level);
    }

    const Pool* pool_;
    const Capacity* capacity_;
    double bound_;
    double at_least_;
    Packing packing_;
    Exchanges exchanges_;
    Assignment best_;
};

}  // namespace

Assignment search(const Pool& pool, const Capacity& capacity, double bound, double level_at_least) {
    return Search(pool, capacity, bound, level_at_least).find();
}

}  // namespace equipoise::placement
