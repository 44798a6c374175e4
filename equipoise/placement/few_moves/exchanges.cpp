#include "equipoise/placement/few_moves/exchanges.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>

namespace equipoise::placement {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
constexpr int elsewhere = -1;  // no item's home
// This number of ranks, the lowest first, is always asked; others only as long as nothing was
// found.
constexpr std::size_t asked_always = 8;
// With several kinds of weights, how many items of a rank are tried.
constexpr std::size_t tried_max = 96;
constexpr int rounds_home_max = 4;
// A rank with more items than this is not searched for an item that could leave in exchange.
constexpr std::size_t asked_at_home_max = 1000;
// A step must lower a rank by more than rounding.
constexpr double gain_least = 1e-12;

}  // namespace

Exchanges::Exchanges(const Pool& pool, const Capacity& capacity)
    : pool_(&pool),
      capacity_(&capacity),
      ranks_(capacity.ranks()),
      kinds_(pool.kinds),
      sizes_(pool.items()),
      lists_(ranks_),
      foreigners_(ranks_),
      caps_(ranks_ * kinds_),
      load_here_(kinds_),
      load_there_(kinds_),
      crosses_(kinds_) {
    for (std::size_t item = 0; item < pool.items(); ++item)
        sizes_[item] = capacity.size(pool.weight(item));
    if (!pool.machine.empty()) return;
    away_.reserve(pool.items());
    for (std::size_t item = 0; item < pool.items(); ++item)
        away_.push_back(pool.cost(item, elsewhere));
}

Cost Exchanges::cost(std::uint32_t item, int rank) const {
    if (away_.empty()) return pool_->cost(item, rank);
    return rank == pool_->home[item] ? 0 : away_[item];
}

void Exchanges::list(const Assignment& assignment) {
    for (auto& items : lists_)
        items.clear();
    std::fill(foreigners_.begin(), foreigners_.end(), 0);
    for (std::size_t item = 0; item < pool_->items(); ++item) {
        const auto rank = static_cast<std::size_t>(assignment.at[item]);
        lists_[rank].push_back(static_cast<std::uint32_t>(item));
        if (assignment.at[item] != pool_->home[item]) ++foreigners_[rank];
    }
    for (auto& items : lists_)
        std::sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) {
            return sizes_[a] != sizes_[b] ? sizes_[a] > sizes_[b] : a < b;
        });
}

void Exchanges::insert(std::uint32_t item, std::size_t rank) {
    auto& items = lists_[rank];
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return sizes_[a] != sizes_[b] ? sizes_[a] > sizes_[b] : a < b;
    };
    items.insert(std::lower_bound(items.begin(), items.end(), item, before), item);
}

void Exchanges::erase(std::uint32_t item, std::size_t rank) {
    auto& items = lists_[rank];
    const auto before = [&](std::uint32_t a, std::uint32_t b) {
        return sizes_[a] != sizes_[b] ? sizes_[a] > sizes_[b] : a < b;
    };
    items.erase(std::lower_bound(items.begin(), items.end(), item, before));
}

void Exchanges::move(std::uint32_t item, std::size_t to, Assignment& assignment) {
    const auto from = static_cast<std::size_t>(assignment.at[item]);
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
        assignment.loads[from * kinds_ + kind] -= pool_->weight(item)[kind];
        assignment.loads[to * kinds_ + kind] += pool_->weight(item)[kind];
    }
    assignment.cost += cost(item, static_cast<int>(to)) - cost(item, static_cast<int>(from));
    const auto home = static_cast<std::size_t>(pool_->home[item]);
    if (from != home) --foreigners_[from];
    if (to != home) ++foreigners_[to];
    assignment.at[item] = static_cast<int>(to);
    erase(item, from);
    insert(item, to);
}

void Exchanges::consider(std::uint32_t gives, std::uint32_t takes, std::size_t from, std::size_t to,
                         double enough, const Assignment& assignment, Step& best) {
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
        Units crosses = pool_->weight(gives)[kind];
        if (takes != none) crosses -= pool_->weight(takes)[kind];
        load_here_[kind] = assignment.loads[from * kinds_ + kind] - crosses;
        load_there_[kind] = assignment.loads[to * kinds_ + kind] + crosses;
    }
    const double level =
        std::max({capacity_->level(from, load_here_), capacity_->level(to, load_there_), enough});
    if (best.found && level > best.level) return;
    Cost added = cost(gives, static_cast<int>(to)) - cost(gives, static_cast<int>(from));
    if (takes != none)
        added += cost(takes, static_cast<int>(from)) - cost(takes, static_cast<int>(to));
    if (best.found && level == best.level && added >= best.cost) return;
    best = {level, added, gives, takes, to, true};
}

// The best exchange of two ranks: the items whose difference is nearest to what levels them. Both
// lists are walked through once.
void Exchanges::look(std::size_t from, std::size_t to, double enough, const Assignment& assignment,
                     Step& best) {
    if (!capacity_->has_one_size()) {
        look_everywhere(from, to, enough, assignment, best);
        return;
    }
    const double speed_here = capacity_->speed(from);
    const double speed_there = capacity_->speed(to);
    if (speed_there <= 0) return;
    const auto ideal =
        static_cast<Units>((static_cast<double>(assignment.loads[from * kinds_]) * speed_there -
                            static_cast<double>(assignment.loads[to * kinds_]) * speed_here) /
                           (speed_here + speed_there));
    if (ideal <= 0) return;
    const auto& theirs = lists_[to];
    std::size_t place = 0;
    for (const std::uint32_t gives : lists_[from]) {
        const Units size = sizes_[gives];
        if (size == 0) break;
        const Units wanted = size - ideal;
        while (place < theirs.size() && sizes_[theirs[place]] > wanted) {
            ++place;
            ++looked_at_;
        }
        const auto look_at = [&](std::uint32_t takes) {
            ++looked_at_;
            consider(gives, takes, from, to, enough, assignment, best);
        };
        if (place > 0 && sizes_[theirs[place - 1]] < size) look_at(theirs[place - 1]);
        look_at(place < theirs.size() ? theirs[place] : none);
    }
}

// How much of each kind may cross, at most a ceiling above which no step is of use.
void Exchanges::limit_crossing(std::size_t from, std::size_t to, const Assignment& assignment,
                               const Step& best) {
    const double level = best.found ? std::min(best.level, ceiling_) : ceiling_;
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        crosses_[kind] = {
            assignment.loads[from * kinds_ + kind] - capacity_->cap(from, kind, level),
            capacity_->cap(to, kind, level) - assignment.loads[to * kinds_ + kind]};
}

// Nearly all pairs are too much for one of the ranks: a look at what crosses shows that.
void Exchanges::look_everywhere(std::size_t from, std::size_t to, double enough,
                                const Assignment& assignment, Step& best) {
    const auto every = [](const std::vector<std::uint32_t>& items) {
        return std::max(std::size_t{1}, (items.size() + tried_max - 1) / tried_max);
    };
    const auto& mine = lists_[from];
    const auto& theirs = lists_[to];
    const Units* const weights = pool_->weights.data();
    limit_crossing(from, to, assignment, best);
    const auto look_at = [&](std::uint32_t gives, std::uint32_t takes) {
        ++looked_at_;
        for (std::size_t kind = 0; kind < kinds_; ++kind) {
            Units crosses = weights[gives * kinds_ + kind];
            if (takes != none) crosses -= weights[takes * kinds_ + kind];
            if (crosses < crosses_[kind].least || crosses > crosses_[kind].most) return;
        }
        consider(gives, takes, from, to, enough, assignment, best);
        limit_crossing(from, to, assignment, best);
    };
    const std::size_t stride = every(theirs);
    for (std::size_t i = 0, of_mine = every(mine); i < mine.size(); i += of_mine) {
        look_at(mine[i], none);
        for (std::size_t j = 0; j < theirs.size(); j += stride)
            look_at(mine[i], theirs[j]);
    }
}

std::uint64_t Exchanges::lower(Assignment& assignment, double enough, std::uint64_t steps) {
    list(assignment);
    looked_at_ = 0;
    const auto level_of = [&](std::size_t rank) {
        return capacity_->level(rank, std::span(assignment.loads).subspan(rank * kinds_, kinds_));
    };
    std::set<std::pair<double, std::size_t>> by_level;
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        by_level.emplace(level_of(rank), rank);
    while (looked_at_ < steps) {
        const auto [level, from] = *by_level.rbegin();
        if (within(level, enough)) break;
        ceiling_ = level;
        Step best;
        std::size_t asked = 0;
        for (const auto& [lower, to] : by_level) {
            const bool helps = best.found && best.level < level * (1 - gain_least);
            if (asked >= asked_always && helps) break;
            if (best.found && best.level <= enough) break;
            if (looked_at_ >= steps || to == from) break;
            look(from, to, enough, assignment, best);
            ++asked;
        }
        if (!best.found || best.level >= level * (1 - gain_least)) break;
        by_level.erase({level_of(from), from});
        by_level.erase({level_of(best.to), best.to});
        move(best.gives, best.to, assignment);
        if (best.takes != none) move(best.takes, from, assignment);
        by_level.emplace(level_of(from), from);
        by_level.emplace(level_of(best.to), best.to);
    }
    assignment.level = capacity_->level(assignment.loads);
    return looked_at_;
}

bool Exchanges::fits(std::size_t rank, const Assignment& assignment, std::uint32_t added,
                     std::uint32_t removed) const {
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
        Units load = assignment.loads[rank * kinds_ + kind] + pool_->weight(added)[kind];
        if (removed != none) load -= pool_->weight(removed)[kind];
        if (load > caps_[rank * kinds_ + kind]) return false;
    }
    return true;
}

// Brings an item home, if necessary in exchange for another one that is not at home there or is
// cheaper.
bool Exchanges::return_one(std::uint32_t item, Assignment& assignment) {
    const auto home = static_cast<std::size_t>(pool_->home[item]);
    const auto away = static_cast<std::size_t>(assignment.at[item]);
    if (fits(home, assignment, item, none)) {
        move(item, home, assignment);
        return true;
    }
    // Without bytes and machines, all items that are at home cost the same.
    if (foreigners_[home] == 0 && !pool_->by_bytes && pool_->machine.empty()) return false;
    if (lists_[home].size() > asked_at_home_max) return false;
    const Cost saved = cost(item, static_cast<int>(away));
    for (const std::uint32_t other : lists_[home]) {
        const Cost added =
            cost(other, static_cast<int>(away)) - cost(other, static_cast<int>(home));
        if (added >= saved || !fits(home, assignment, item, other) ||
            !fits(away, assignment, other, item))
            continue;
        move(item, home, assignment);
        move(other, away, assignment);
        return true;
    }
    return false;
}

void Exchanges::come_home(Assignment& assignment, double level) {
    list(assignment);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            caps_[rank * kinds_ + kind] = capacity_->cap(rank, kind, level);
    }
    std::vector<std::uint32_t> away;
    for (int round = 0; round < rounds_home_max; ++round) {
        away.clear();
        for (std::uint32_t item = 0; item < pool_->items(); ++item) {
            if (assignment.at[item] != pool_->home[item]) away.push_back(item);
        }
        const auto paid = [&](std::uint32_t item) { return cost(item, assignment.at[item]); };
        std::sort(away.begin(), away.end(), [&](std::uint32_t a, std::uint32_t b) {
            const Cost left = paid(a);
            const Cost right = paid(b);
            if (left != right) return left > right;
            return sizes_[a] != sizes_[b] ? sizes_[a] < sizes_[b] : a < b;
        });
        bool changed = false;
        for (const std::uint32_t item : away) {
            if (assignment.at[item] != pool_->home[item])
                changed = return_one(item, assignment) || changed;
        }
        if (!changed) break;
    }
    assignment.level = capacity_->level(assignment.loads);
}

}  // namespace equipoise::placement
