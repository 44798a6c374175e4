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
// A level this near to the least is not bisected further: exchanges are better at that.
constexpr double bisected_enough = 1e-3;
constexpr std::uint64_t steps_least = 3'000'000;
constexpr std::uint64_t steps_an_item = 300;

// One search.
class Search {
  public:
    Search(const Pool& pool, const Capacity& capacity, const SearchOptions& options)
        : pool_(&pool),
          bound_(options.bound),
          at_least_(std::max(options.bound, options.level_at_least)),
          near_enough_(options.near_enough),
          packing_(pool, capacity),
          exchanges_(pool, capacity),
          best_(at_home(pool, capacity)),
          cheap_(best_) {}

    Assignment find() {
        if (within(best_.level, bound_)) return best_;
        if (!pack_at(bound_)) lower();
        improve_cost();
        return best_;
    }

  private:
    void keep(const Assignment& found) {
        if (better(found, best_, bound_)) best_ = found;
        if (better(found, cheap_, at_least_ * (1 + bisected_enough))) cheap_ = found;
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
        for (int i = 0; i < bisections && high > low * (1 + bisected_enough); ++i) {
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
            std::max(at_least_, std::min(at_least_ * (1 + near_enough_), longest.level));
        for (const Assignment& start : {cheap_, best_, longest}) {
            Assignment lowered = start;
            exchanges_.lower(lowered, enough, steps);
            if (within(lowered.level, enough)) {
                best_ = lowered;
                return;
            }
            keep(lowered);
        }
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
    double bound_;
    double at_least_;
    double near_enough_;
    Packing packing_;
    Exchanges exchanges_;
    Assignment best_;
    Assignment cheap_;  // the cheapest of those that are nearly as low as possible
};

}  // namespace

Assignment search(const Pool& pool, const Capacity& capacity, const SearchOptions& options) {
    return Search(pool, capacity, options).find();
}

}  // namespace equipoise::placement
