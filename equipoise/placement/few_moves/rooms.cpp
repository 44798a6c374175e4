#include "equipoise/placement/few_moves/rooms.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <tuple>

#include "equipoise/placement/few_moves/exchanges.hpp"
#include "equipoise/placement/few_moves/lower_bounds.hpp"
#include "equipoise/placement/few_moves/search.hpp"
#include "equipoise/placement/few_moves/subsets.hpp"

namespace equipoise::placement {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();
// Pairs of items and ranks that are looked at to place what must leave its rank.
constexpr double looks_max = 3e7;
constexpr std::size_t looks_least = 8;
// Pairs of items that are examined to lower what is too much, for each start.
constexpr std::uint64_t exchanges_max = 2'000'000;
// How many items of a rank are tried in exchanges.
constexpr std::size_t exchanged_max = 96;
// Pairs of items that exchanges examine to lower the level, for each start.
constexpr std::uint64_t steps_to_lower = 1'500'000;

// What all ranks hold of each kind that takes room; at least 1.
std::vector<double> totals_of(const Capacity& capacity, std::span<const Units> loads) {
    std::vector<double> totals(capacity.kinds() - capacity.levelled(), 0);
    for (std::size_t rank = 0; rank < capacity.ranks(); ++rank)
        for (std::size_t kind = 0; kind < totals.size(); ++kind)
            totals[kind] +=
                static_cast<double>(loads[rank * capacity.kinds() + capacity.levelled() + kind]);
    for (double& total : totals)
        total = std::max(total, 1.0);
    return totals;
}

// Rearranges the items of one pool.
class Rearrangement {
  public:
    Rearrangement(const Pool& pool, const Capacity& capacity, double bound)
        : pool_(&pool),
          capacity_(&capacity),
          bound_(bound),
          ranks_(capacity.ranks()),
          kinds_(capacity.kinds()),
          items_kind_(capacity.levelled()),
          totals_(totals_of(capacity, at_home(pool, capacity).loads)),
          load_(kinds_),
          lists_(ranks_) {}

    bool make_room(Assignment& found) {
        take_over(found);
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            send_from(rank);
        place_sent();
        if (settle(found)) return true;
        Assignment least = found;
        for (const bool home_first : {true, false}) {
            take_over(found);
            pack_anew(home_first);
            if (settle(found)) return true;
            if (excess_of_all(found.loads) < excess_of_all(least.loads)) least = found;
        }
        found = least;
        return false;
    }

  private:
    [[nodiscard]] bool bytes_limited() const { return kinds_ > items_kind_ + 1; }
    [[nodiscard]] Units takes(std::size_t item, std::size_t kind) const {
        return pool_->weight(item)[kind];
    }
    // What decides first: bytes if they are limited.
    [[nodiscard]] Units bulk(std::size_t item) const {
        return takes(item, bytes_limited() ? items_kind_ + 1 : 0);
    }
    [[nodiscard]] std::span<Units> load(std::size_t rank) {
        return std::span(loads_).subspan(rank * kinds_, kinds_);
    }
    [[nodiscard]] Units left(std::size_t rank, std::size_t kind) const {
        return capacity_->cap(rank, kind, 0) - loads_[rank * kinds_ + kind];
    }

    void take_over(const Assignment& found) {
        at_ = found.at;
        loads_ = found.loads;
        for (auto& list : lists_)
            list.clear();
        for (std::size_t item = 0; item < at_.size(); ++item)
            lists_[static_cast<std::size_t>(at_[item])].push_back(item);
        sent_.clear();
    }
    void add(std::size_t item, std::size_t rank, Units times) {
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            loads_[rank * kinds_ + kind] += times * takes(item, kind);
    }
    // Out of a list in any order.
    void lift(std::size_t place, std::size_t rank) {
        auto& list = lists_[rank];
        add(list[place], rank, -1);
        sent_.push_back(list[place]);
        list.erase(list.begin() + static_cast<std::ptrdiff_t>(place));
    }
    void put(std::size_t item, std::size_t rank) {
        add(item, rank, 1);
        at_[item] = static_cast<int>(rank);
        lists_[rank].push_back(item);
    }

    // Takes from a rank what it has no room for: bytes, then items, heavy ones as long as the rank
    // is high.
    void send_from(std::size_t rank) {
        auto& list = lists_[rank];
        const auto rising = [&](std::size_t kind) {
            std::sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
                return takes(a, kind) != takes(b, kind) ? takes(a, kind) < takes(b, kind) : a < b;
            });
        };
        if (bytes_limited() && left(rank, items_kind_ + 1) < 0) {
            const std::size_t kind = items_kind_ + 1;
            rising(kind);
            while (left(rank, kind) < 0 && !list.empty()) {
                auto enough = std::lower_bound(
                    list.begin(), list.end(), -left(rank, kind),
                    [&](std::size_t item, Units lacks) { return takes(item, kind) < lacks; });
                if (enough == list.end()) --enough;
                lift(static_cast<std::size_t>(enough - list.begin()), rank);
            }
        }
        if (left(rank, items_kind_) >= 0) return;
        std::sort(list.begin(), list.end(), [&](std::size_t a, std::size_t b) {
            const Units left_size = capacity_->size(pool_->weight(a));
            const Units right_size = capacity_->size(pool_->weight(b));
            return left_size != right_size ? left_size < right_size : a < b;
        });
        std::size_t light = 0;
        std::size_t heavy = list.size();
        while (left(rank, items_kind_) < 0 && light < heavy) {
            const std::size_t item = is_high(rank) ? list[--heavy] : list[light++];
            add(item, rank, -1);
            sent_.push_back(item);
        }
        list.assign(list.begin() + static_cast<std::ptrdiff_t>(light),
                    list.begin() + static_cast<std::ptrdiff_t>(heavy));
    }
    [[nodiscard]] bool is_high(std::size_t rank) const {
        for (std::size_t kind = 0; kind < capacity_->levelled(); ++kind)
            if (loads_[rank * kinds_ + kind] > capacity_->cap(rank, kind, bound_)) return true;
        return false;
    }

    // The largest first, each to the best of some ranks with room; of all, if these have none.
    void place_sent() {
        std::sort(sent_.begin(), sent_.end(), [&](std::size_t a, std::size_t b) {
            return bulk(a) != bulk(b) ? bulk(a) > bulk(b) : a < b;
        });
        const auto asks =
            std::max(looks_least,
                     static_cast<std::size_t>(looks_max / static_cast<double>(sent_.size() + 1)));
        std::vector<std::size_t> open;
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            if (left(rank, items_kind_) > 0) open.push_back(rank);
        std::size_t next = 0;
        for (const std::size_t item : sent_) {
            std::tuple<double, Cost, std::size_t> best = {infinite, 0, 0};  // level, cost, place
            for (std::size_t step = 0; step < open.size(); ++step) {
                if (step >= asks && std::get<0>(best) < infinite) break;
                const std::size_t place = (next + step) % open.size();
                const auto found =
                    std::tuple(level_with(item, open[place]),
                               pool_->cost(item, static_cast<int>(open[place])), place);
                best = std::min(best, found);
            }
            const auto [level, cost, place] = best;
            if (level == infinite) {
                put(item, static_cast<std::size_t>(at_[item]));
                continue;
            }
            const std::size_t rank = open[place];
            put(item, rank);
            next = place + 1;
            if (left(rank, items_kind_) > 0) continue;
            open[place] = open.back();
            open.pop_back();
        }
        sent_.clear();
    }
    double level_with(std::size_t item, std::size_t rank) {
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            load_[kind] = loads_[rank * kinds_ + kind] + takes(item, kind);
        return std::max(bound_, capacity_->level(rank, load_));
    }

    // All items by falling bytes, each into the smallest room, perhaps that at home first.
    void pack_anew(bool home_first) {
        std::vector<std::size_t> order(at_.size());
        for (std::size_t item = 0; item < order.size(); ++item)
            order[item] = item;
        std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return bulk(a) != bulk(b) ? bulk(a) > bulk(b) : a < b;
        });
        for (auto& list : lists_)
            list.clear();
        loads_ = pool_->stays;
        const std::size_t kind = bytes_limited() ? items_kind_ + 1 : items_kind_;
        const auto asks =
            std::max(looks_least,
                     static_cast<std::size_t>(looks_max / static_cast<double>(order.size() + 1)));
        std::size_t next = 0;
        for (const std::size_t item : order) {
            const auto home = static_cast<std::size_t>(pool_->home[item]);
            std::optional<std::size_t> best;
            if (home_first && fits(item, home)) best = home;
            for (std::size_t step = 0; step < ranks_ && !(home_first && best == home); ++step) {
                if (step >= asks && best) break;
                const std::size_t rank = (next + step) % ranks_;
                if (fits(item, rank) && (!best || left(rank, kind) < left(*best, kind)))
                    best = rank;
            }
            if (ranks_ > asks) next = (next + asks) % ranks_;
            put(item, best.value_or(home));
        }
    }
    [[nodiscard]] bool fits(std::size_t item, std::size_t rank) const {
        for (std::size_t kind = items_kind_; kind < kinds_; ++kind)
            if (takes(item, kind) > left(rank, kind)) return false;
        return true;
    }

    // By how much a rank would exceed its room, in parts of all that ranks hold, if it also had one
    // item and lacked another (nothing: -1).
    [[nodiscard]] double excess(std::size_t rank, std::ptrdiff_t comes, std::ptrdiff_t goes) const {
        double sum = 0;
        for (std::size_t kind = items_kind_; kind < kinds_; ++kind) {
            Units lacks = -left(rank, kind);
            if (comes >= 0) lacks += takes(static_cast<std::size_t>(comes), kind);
            if (goes >= 0) lacks -= takes(static_cast<std::size_t>(goes), kind);
            if (lacks > 0) sum += static_cast<double>(lacks) / totals_[kind - items_kind_];
        }
        return sum;
    }
    [[nodiscard]] double excess_of_all(std::span<const Units> loads) {
        loads_.assign(loads.begin(), loads.end());
        double sum = 0;
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            sum += excess(rank, -1, -1);
        return sum;
    }

    // The move or exchange that lowers what two ranks have too much.
    struct Step {
        double gain = 0;
        std::size_t place = 0;
        std::size_t to = 0;
        std::ptrdiff_t other = -1;  // its place
    };
    Step best_step(std::size_t from, std::uint64_t& looks) {
        Step best;
        const auto every = [](const std::vector<std::size_t>& list) {
            return std::max(std::size_t{1}, (list.size() + exchanged_max - 1) / exchanged_max);
        };
        const auto& mine = lists_[from];
        const double here = excess(from, -1, -1);
        for (std::size_t to = 0; to < ranks_ && looks < exchanges_max; ++to) {
            if (to == from) continue;
            const auto& theirs = lists_[to];
            const double before = here + excess(to, -1, -1);
            const auto consider = [&](std::size_t place, std::ptrdiff_t other) {
                ++looks;
                const auto gives = static_cast<std::ptrdiff_t>(mine[place]);
                const auto takes_back =
                    other < 0
                        ? other
                        : static_cast<std::ptrdiff_t>(theirs[static_cast<std::size_t>(other)]);
                const double gain =
                    before - excess(from, takes_back, gives) - excess(to, gives, takes_back);
                if (gain > best.gain) best = {gain, place, to, other};
            };
            for (std::size_t i = 0; i < mine.size(); i += every(mine)) {
                consider(i, -1);
                for (std::size_t j = 0; j < theirs.size(); j += every(theirs))
                    consider(i, static_cast<std::ptrdiff_t>(j));
            }
        }
        return best;
    }
    void lower_excess() {
        std::vector<bool> stuck(ranks_, false);
        for (std::uint64_t looks = 0; looks < exchanges_max;) {
            std::size_t from = ranks_;
            double most = 0;
            for (std::size_t rank = 0; rank < ranks_; ++rank) {
                const double here = excess(rank, -1, -1);
                if (stuck[rank] || here <= most) continue;
                most = here;
                from = rank;
            }
            if (from == ranks_) return;
            const Step step = best_step(from, looks);
            constexpr double gain_least = 1e-15;
            if (step.gain <= gain_least) {
                stuck[from] = true;
                continue;
            }
            std::fill(stuck.begin(), stuck.end(), false);
            const std::size_t gives = lists_[from][step.place];
            remove(step.place, from);
            if (step.other >= 0) {
                const auto place = static_cast<std::size_t>(step.other);
                const std::size_t takes_back = lists_[step.to][place];
                remove(place, step.to);
                put(takes_back, from);
            }
            put(gives, step.to);
        }
    }
    void remove(std::size_t place, std::size_t rank) {
        auto& list = lists_[rank];
        add(list[place], rank, -1);
        list[place] = list.back();
        list.pop_back();
    }

    bool settle(Assignment& found) {
        if (!capacity_->has_room(loads_)) lower_excess();
        found.at = at_;
        appraise(*pool_, *capacity_, found);
        return capacity_->has_room(found.loads);
    }

    const Pool* pool_;
    const Capacity* capacity_;
    double bound_;
    std::size_t ranks_;
    std::size_t kinds_;
    std::size_t items_kind_;
    std::vector<double> totals_;
    std::vector<Units> load_;
    std::vector<Units> loads_;
    std::vector<int> at_;
    std::vector<std::vector<std::size_t>> lists_;  // by rank
    std::vector<std::size_t> sent_;                // items that are on no rank
};

}  // namespace

bool make_room(const Pool& pool, const Capacity& capacity, double bound, Assignment& found) {
    if (capacity.has_room(found.loads)) return true;
    return Rearrangement(pool, capacity, bound).make_room(found);
}

Assignment place_in_rooms(const Gathered& items, const Capacity& plain, const Pool& pool,
                          const Capacity& capacity, double bound) {
    Assignment home = at_home(pool, capacity);
    if (within(home.level, bound)) return home;
    const std::vector<double> levels = levels_in_rooms(pool, capacity);
    const double at_least = *std::max_element(levels.begin(), levels.end());
    if (few_enough(pool.items(), capacity.ranks())) {
        Assignment best = best_over_subsets(pool, capacity, std::max(bound, at_least));
        if (!capacity.has_room(best.loads)) make_room(pool, capacity, bound, best);
        return best;
    }
    Assignment relaxed = place_gathered(items, plain, bound);
    appraise(pool, capacity, relaxed);
    if (capacity.has_room(relaxed.loads)) return relaxed;
    Assignment best = home;
    Assignment least;  // exceeds rooms
    Exchanges exchanges(pool, capacity);
    for (Assignment start : {relaxed, home}) {
        if (!make_room(pool, capacity, bound, start)) {
            least = start;
            continue;
        }
        exchanges.lower(start, std::max(bound, at_least), steps_to_lower);
        exchanges.come_home(start, std::max(bound, start.level));
        if (better(start, best, bound)) best = start;
    }
    if (!capacity.has_room(best.loads)) return least;
    return search(pool, capacity, {.bound = bound, .level_at_least = at_least}, &best);
}

std::vector<double> levels_in_rooms(const Pool& pool, const Capacity& capacity) {
    std::vector<double> levels = levels_at_least(pool, capacity);
    std::vector<Units> weights(pool.items());
    std::vector<Units> taken(pool.items());
    std::vector<Units> rooms(capacity.ranks());
    const auto column = [&](std::size_t kind, std::vector<Units>& values) {
        for (std::size_t item = 0; item < pool.items(); ++item)
            values[item] = pool.weight(item)[kind];
    };
    for (std::size_t taker = capacity.levelled(); taker < capacity.kinds(); ++taker) {
        column(taker, taken);
        for (std::size_t rank = 0; rank < capacity.ranks(); ++rank)
            rooms[rank] =
                capacity.cap(rank, taker, 0) - pool.stays[rank * capacity.kinds() + taker];
        for (std::size_t kind = 0; kind < levels.size(); ++kind) {
            column(kind, weights);
            levels[kind] =
                std::max(levels[kind], level_in_rooms(capacity, kind, weights, taken, rooms));
        }
    }
    return levels;
}

Shortfall largest_shortfall(const Capacity& capacity, std::span<const Units> loads) {
    const std::vector<double> totals = totals_of(capacity, loads);
    Shortfall most;
    double part = 0;
    for (std::size_t rank = 0; rank < capacity.ranks(); ++rank) {
        for (std::size_t kind = capacity.levelled(); kind < capacity.kinds(); ++kind) {
            const Units lacks = loads[rank * capacity.kinds() + kind] - capacity.cap(rank, kind, 0);
            const double here = static_cast<double>(lacks) / totals[kind - capacity.levelled()];
            if (lacks <= 0 || here <= part) continue;
            part = here;
            most = {rank, kind, lacks};
        }
    }
    return most;
}

}  // namespace equipoise::placement
