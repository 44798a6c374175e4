#include "equipoise/placement/few_moves/search.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "equipoise/placement/few_moves/exchanges.hpp"
#include "equipoise/placement/few_moves/packing.hpp"

namespace equipoise::placement {

namespace {

constexpr int bisections = 14;
// Bisection ends this near to the lowest level: exchanges are better from there on.
constexpr double bisected_enough = 1e-3;

// One search.
class Search {
  public:
    Search(const Pool& pool, const Capacity& capacity, const SearchOptions& options,
           const Assignment* start)
        : bound_(options.bound),
          at_least_possible_(options.level_at_least),
          at_least_(std::max(options.bound, options.level_at_least)),
          near_enough_(options.near_enough),
          steps_left_(options.steps),
          repairs_left_(options.repairs),
          packing_(pool, capacity),
          exchanges_(pool, capacity),
          best_(at_home(pool, capacity)),
          cheap_(best_) {
        if (start != nullptr) keep(*start);
    }

    Assignment find() {
        if (within(best_.level, bound_) && best_.cost == 0) return best_;
        if (pack_at(bound_) == Packed::cheaply) return best_;
        // Without room to spare, exchanges would go on for a long time.
        if (bound_ > at_least_possible_ * (1 + near_enough_)) repair(bound_);
        if (!within(best_.level, bound_)) lower();
        improve_cost();
        return best_;
    }

  private:
    void keep(const Assignment& found) {
        if (better(found, best_, bound_)) best_ = found;
        if (better(found, cheap_, at_least_ * (1 + bisected_enough))) cheap_ = found;
    }

    enum class Packed : std::uint8_t { not_at_all, somehow, cheaply };

    bool take(Assignment& found, bool reached, double level) {
        if (reached) exchanges_.come_home(found, level);
        keep(found);
        return reached;
    }

    // Whether packing reaches a level, with as little generosity as possible.
    Packed pack_at(double level) {
        Assignment found;
        if (take(found, packing_.fit(level, 0, found), level)) return Packed::cheaply;
        bool any = take(found, packing_.give(level, found), level);
        any = take(found, packing_.home_first(level, found), level) || any;
        simplest_ = std::min(simplest_, found.level);
        for (int generosity = 1; generosity <= Packing::generosity_max; ++generosity) {
            if (!take(found, packing_.fit(level, generosity, found), level)) continue;
            any = true;
            break;
        }
        return any ? Packed::somehow : Packed::not_at_all;
    }

    // From cheap packings that are slightly above a level, exchanges may reach it.
    void repair(double level) {
        if (repairs_left_ == 0) return;
        for (const double above : {0.0, 5e-4, 2e-3, 8e-3, 0.03, 0.1, 0.3}) {
            for (int way = 0; way < 4; ++way) {
                Assignment found;
                const double start = level * (1 + above);
                if (way == 0)
                    packing_.give(start, found);
                else
                    packing_.fit(start, way - 1, found);
                repairs_left_ -= exchanges_.lower(found, level, repairs_left_ / 4);
                take(found, within(found.level, level), level);
            }
        }
    }

    // Finds the lowest level.
    void lower() {
        double low = at_least_;
        double high = best_.level;
        if (!std::isfinite(high)) high = 2 * low;
        for (int i = 0; i < bisections && high > low * (1 + bisected_enough); ++i) {
            // The first tries are near the bound, where most instances end.
            const double middle =
                i < bisections / 2 ? low + (high - low) / 4 : low + (high - low) / 2;
            if (pack_at(middle) != Packed::not_at_all)
                high = std::min(middle, best_.level);
            else
                low = middle;
        }
        Assignment longest = packing_.longest_first();
        const double enough = std::max(
            at_least_, std::min({at_least_ * (1 + near_enough_), longest.level, simplest_}));
        for (const Assignment& start : {cheap_, best_, longest}) {
            Assignment lowered = start;
            steps_left_ -= exchanges_.lower(lowered, enough, steps_left_ / 2);
            if (within(lowered.level, enough)) {
                best_ = lowered;
                return;
            }
            keep(lowered);
        }
    }

    // Lowers the cost at the level that was reached.
    void improve_cost() {
        const double level = std::max(bound_, best_.level);
        Assignment home = best_;
        exchanges_.come_home(home, level);
        keep(home);
        if (level == bound_) return;  // tried before
        if (pack_at(level) != Packed::cheaply) repair(level);
    }

    double bound_;
    double at_least_possible_;
    double at_least_;
    double near_enough_;
    std::uint64_t steps_left_;
    std::uint64_t repairs_left_;
    Packing packing_;
    Exchanges exchanges_;
    double simplest_ = std::numeric_limits<double>::infinity();  // the lowest of home_first
    Assignment best_;
    Assignment cheap_;  // the cheapest of those that are nearly as low as possible
};

}  // namespace

Assignment search(const Pool& pool, const Capacity& capacity, const SearchOptions& options,
                  const Assignment* start) {
    return Search(pool, capacity, options, start).find();
}

}  // namespace equipoise::placement
