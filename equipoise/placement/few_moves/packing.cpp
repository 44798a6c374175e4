#include "equipoise/placement/few_moves/packing.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

namespace equipoise::placement {

namespace {

constexpr int nowhere = -1;
// A level has failed after this many items for which no exchange was found.
constexpr std::size_t unplaced_max = 64;
// How many ranks an item without room asks for an exchange.
constexpr std::size_t asked_max = 48;
// A longest-first assignment that scans all ranks for each item costs at most this.
constexpr double scans_max = 3e7;

}  // namespace

Packing::Packing(const Pool& pool, const Capacity& capacity)
    : pool_(&pool),
      capacity_(&capacity),
      ranks_(capacity.ranks()),
      kinds_(pool.kinds),
      home_(at_home(pool, capacity)),
      sizes_(pool.items()),
      sorted_(pool.items()),
      begins_(ranks_ + 1, 0),
      caps_(ranks_ * kinds_),
      rooms_(ranks_),
      places_(ranks_),
      rank_at_(ranks_),
      machine_first_(ranks_, 0),
      machine_last_(ranks_, ranks_) {
    for (std::size_t item = 0; item < pool.items(); ++item) {
        sizes_[item] = capacity.size(pool.weight(item));
        ++begins_[static_cast<std::size_t>(pool.home[item]) + 1];
    }
    std::partial_sum(begins_.begin(), begins_.end(), begins_.begin());
    std::vector<std::size_t> next(begins_.begin(), begins_.end() - 1);
    for (std::size_t item = 0; item < pool.items(); ++item)
        sorted_[next[static_cast<std::size_t>(pool.home[item])]++] =
            static_cast<std::uint32_t>(item);
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        const auto begin = sorted_.begin() + static_cast<std::ptrdiff_t>(begins_[rank]);
        const auto end = sorted_.begin() + static_cast<std::ptrdiff_t>(begins_[rank + 1]);
        std::stable_sort(begin, end,
                         [&](std::uint32_t a, std::uint32_t b) { return sizes_[a] > sizes_[b]; });
    }
}

std::span<const std::uint32_t> Packing::items_of(std::size_t rank) const {
    return std::span(sorted_).subspan(begins_[rank], begins_[rank + 1] - begins_[rank]);
}

Units Packing::room(std::size_t rank, const Assignment& found) const {
    return capacity_->room(std::span(found.loads).subspan(rank * kinds_, kinds_),
                           std::span(caps_).subspan(rank * kinds_, kinds_));
}

void Packing::set_caps(double level) {
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            caps_[rank * kinds_ + kind] = capacity_->cap(rank, kind, level);
    }
}

void Packing::lift(std::size_t item, Assignment& found) {
    const auto from = static_cast<std::size_t>(found.at[item]);
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        found.loads[from * kinds_ + kind] -= pool_->weight(item)[kind];
    found.at[item] = nowhere;
}

void Packing::put(std::size_t item, std::size_t rank, Assignment& found) const {
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        found.loads[rank * kinds_ + kind] += pool_->weight(item)[kind];
    found.at[item] = static_cast<int>(rank);
}

bool Packing::fit(double level, int generosity, Assignment& found) {
    set_caps(level);
    found = home_;
    shed_.clear();
    Units room_max = 0;
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        room_max = std::max(room_max, room(rank, found));
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        bool above = false;
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            above = above || found.loads[rank * kinds_ + kind] > caps_[rank * kinds_ + kind];
        if (!above) continue;
        if (kinds_ == 1 && !pool_->by_bytes)
            shed_fewest(rank, generosity, room_max);
        else
            shed_by_use(rank, generosity, room_max);
    }
    std::sort(shed_.begin(), shed_.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sizes_[a] != sizes_[b] ? sizes_[a] > sizes_[b] : a < b;
    });
    pack(found);
    appraise(*pool_, *capacity_, found);
    return within(found.level, level);
}

bool Packing::give(double level, Assignment& found) {
    set_caps(level);
    found = home_;
    arrange_rooms(found);
    using Giver = std::pair<Units, std::size_t>;  // excess, rank
    std::priority_queue<Giver> givers;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        const Units left = room(rank, found);
        if (left < 0) givers.emplace(-left, rank);
    }
    const auto larger = [&](std::uint32_t item, Units size) { return sizes_[item] > size; };
    while (!givers.empty()) {
        const auto [excess, rank] = givers.top();
        givers.pop();
        const std::span<const std::uint32_t> mine = items_of(rank);
        auto item = std::lower_bound(mine.begin(), mine.end(), rooms_.largest(), larger);
        // The smallest that is enough, if there is one with room.
        const auto beyond = std::lower_bound(item, mine.end(), excess - 1, larger);
        const auto away = [&](std::uint32_t one) { return found.at[one] != pool_->home[one]; };
        auto last = beyond;
        while (last != item && away(*(last - 1)))
            --last;
        if (last != item)
            item = last - 1;
        else
            item = std::find_if_not(beyond, mine.end(), away);
        if (item == mine.end() || sizes_[*item] == 0) continue;
        lift(*item, found);
        if (!place(*item, 0, ranks_, found)) {
            put(*item, rank, found);
            continue;
        }
        rooms_.set(places_[rank], room(rank, found));
        if (room(rank, found) < 0) givers.emplace(-room(rank, found), rank);
    }
    appraise(*pool_, *capacity_, found);
    return within(found.level, level);
}

// Sheds the fewest items that are enough: of all runs of that length in the falling order, the one
// with the smallest items. Smaller ones are packed more easily.
void Packing::shed_fewest(std::size_t rank, int generosity, Units room_max) {
    const std::span<const std::uint32_t> mine = items_of(rank);
    const Units excess = home_.loads[rank] - caps_[rank];
    const auto fits = [&](std::uint32_t item, Units room) { return sizes_[item] > room; };
    std::size_t first = static_cast<std::size_t>(
        std::lower_bound(mine.begin(), mine.end(), room_max, fits) - mine.begin());
    std::size_t last = first;
    Units sum = 0;
    while (last < mine.size() && sum < excess && sizes_[mine[last]] > 0)
        sum += sizes_[mine[last++]];
    const std::size_t needed = last - first;
    constexpr std::size_t portions[] = {0, 4, 2, 1};
    std::size_t more = 0;
    if (generosity == generosity_max)
        more = mine.size();
    else if (generosity > 0)
        more = static_cast<std::size_t>(generosity) +
               needed / portions[static_cast<std::size_t>(generosity)];
    for (; more > 0 && last < mine.size() && sizes_[mine[last]] > 0; --more)
        sum += sizes_[mine[last++]];
    while (last < mine.size() && sizes_[mine[last]] > 0) {
        const Units next = sum - sizes_[mine[first]] + sizes_[mine[last]];
        if (next < excess) break;
        sum = next;
        ++first;
        ++last;
    }
    shed_.insert(shed_.end(), mine.begin() + static_cast<std::ptrdiff_t>(first),
                 mine.begin() + static_cast<std::ptrdiff_t>(last));
}

// How much of the excess an item removes for each item or byte that it costs.
double Packing::use_of(std::size_t item, std::span<const Units> excess) const {
    const std::span<const Units> weight = pool_->weight(item);
    double use = 0;
    for (std::size_t kind = 0; kind < kinds_; ++kind) {
        if (excess[kind] > 0)
            use += static_cast<double>(std::min(weight[kind], excess[kind])) /
                   static_cast<double>(excess[kind]);
    }
    return pool_->by_bytes ? use / (static_cast<double>(pool_->bytes[item]) + 1) : use;
}

// Sheds items by falling use, which is computed anew whenever half of the excess is gone; items
// that turn out not to be needed stay after all. More generosity sheds smaller items.
void Packing::shed_by_use(std::size_t rank, int generosity, Units room_max) {
    const std::size_t begin = shed_.size();
    std::vector<Units> excess(kinds_);
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        excess[kind] = home_.loads[rank * kinds_ + kind] - caps_[rank * kinds_ + kind];
    const auto over = [&] {
        return std::any_of(excess.begin(), excess.end(), [](Units one) { return one > 0; });
    };
    uses_.clear();
    for (const std::uint32_t item : items_of(rank)) {
        if (sizes_[item] <= room_max >> generosity) uses_.push_back({0, item});
    }
    while (over() && !uses_.empty()) {
        for (Shed& one : uses_)
            one.use = use_of(one.item, excess);
        std::stable_sort(uses_.begin(), uses_.end(),
                         [](const Shed& a, const Shed& b) { return a.use > b.use; });
        if (uses_.front().use <= 0) break;
        const std::vector<Units> at_first = excess;
        std::size_t taken = 0;
        bool half = false;
        while (taken < uses_.size() && !half && uses_[taken].use > 0) {
            const std::uint32_t item = uses_[taken++].item;
            shed_.push_back(item);
            half = true;
            for (std::size_t kind = 0; kind < kinds_; ++kind) {
                excess[kind] -= pool_->weight(item)[kind];
                half = half && (at_first[kind] <= 0 || excess[kind] <= at_first[kind] / 2);
            }
        }
        uses_.erase(uses_.begin(), uses_.begin() + static_cast<std::ptrdiff_t>(taken));
    }
    for (std::size_t i = shed_.size(); i-- > begin;) {
        const std::span<const Units> weight = pool_->weight(shed_[i]);
        bool needed = false;
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            needed = needed || excess[kind] + weight[kind] > 0;
        if (needed) continue;
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            excess[kind] += weight[kind];
        shed_.erase(shed_.begin() + static_cast<std::ptrdiff_t>(i));
    }
}

// Rooms in a row: those of a machine side by side if machines matter, from the smallest up.
void Packing::arrange_rooms(const Assignment& found) {
    std::vector<Units> left(ranks_);
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        left[rank] = room(rank, found);
    std::iota(rank_at_.begin(), rank_at_.end(), std::size_t{0});
    const auto machine = [&](std::size_t rank) {
        return pool_->machine.empty() ? 0 : pool_->machine[rank];
    };
    std::sort(rank_at_.begin(), rank_at_.end(), [&](std::size_t a, std::size_t b) {
        if (machine(a) != machine(b)) return machine(a) < machine(b);
        return left[a] != left[b] ? left[a] < left[b] : a < b;
    });
    std::size_t first = 0;
    for (std::size_t place = 0; place < ranks_; ++place) {
        const std::size_t rank = rank_at_[place];
        places_[rank] = place;
        rooms_.set(place, left[rank]);
        if (machine(rank) != machine(rank_at_[first])) first = place;
        machine_first_[rank] = first;
    }
    std::size_t last = ranks_;
    for (std::size_t place = ranks_; place-- > 0;) {
        const std::size_t rank = rank_at_[place];
        machine_last_[rank] = last;
        if (machine_first_[rank] == place) last = place;
    }
}

// Puts an item into a room at one of these places.
bool Packing::place(std::size_t item, std::size_t first, std::size_t last, Assignment& found) {
    const std::size_t at = rooms_.first_with(sizes_[item], first, last);
    if (at == RoomTree::nowhere) return false;
    const std::size_t rank = rank_at_[at];
    put(item, rank, found);
    rooms_.set(at, room(rank, found));
    return true;
}

// If the ranks of a machine shed more than they have room for, the largest items go elsewhere: the
// fewest that are enough.
void Packing::send_between_machines(Assignment& found) {
    std::map<std::size_t, Units> surplus;  // by the first place of a machine
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        surplus[machine_first_[rank]] -= std::max(Units{0}, room(rank, found));
    for (const std::uint32_t item : shed_)
        surplus[machine_first_[static_cast<std::size_t>(pool_->home[item])]] += sizes_[item];
    std::vector<std::uint32_t> stay;
    for (const std::uint32_t item : shed_) {
        const auto home = static_cast<std::size_t>(pool_->home[item]);
        Units& left = surplus[machine_first_[home]];
        if (left > 0 && (place(item, 0, machine_first_[home], found) ||
                         place(item, machine_last_[home], ranks_, found)))
            left -= sizes_[item];
        else
            stay.push_back(item);
    }
    shed_ = std::move(stay);
}

void Packing::pack(Assignment& found) {
    for (const std::uint32_t item : shed_)
        lift(item, found);
    arrange_rooms(found);
    if (!pool_->machine.empty()) {
        send_between_machines(found);
        std::erase_if(shed_, [&](std::uint32_t item) {
            const auto home = static_cast<std::size_t>(pool_->home[item]);
            return place(item, machine_first_[home], machine_last_[home], found);
        });
    }
    std::erase_if(shed_, [&](std::uint32_t item) { return place(item, 0, ranks_, found); });
    if (!shed_.empty() && shed_.size() <= unplaced_max) {
        list_items(found);
        std::erase_if(shed_, [&](std::uint32_t item) { return exchange_in(item, found); });
    }
    for (const std::uint32_t item : shed_)
        put(item, static_cast<std::size_t>(pool_->home[item]), found);
}

// The items of each rank, by rising size.
void Packing::list_items(const Assignment& found) {
    lists_.assign(ranks_, {});
    for (std::size_t item = 0; item < pool_->items(); ++item) {
        if (found.at[item] != nowhere)
            lists_[static_cast<std::size_t>(found.at[item])].push_back(
                static_cast<std::uint32_t>(item));
    }
    for (auto& list : lists_)
        std::sort(list.begin(), list.end(), [&](std::uint32_t a, std::uint32_t b) {
            return sizes_[a] != sizes_[b] ? sizes_[a] < sizes_[b] : a < b;
        });
}

// Puts an item where it almost fits, if a smaller item there finds room elsewhere.
bool Packing::exchange_in(std::size_t item, Assignment& found) {
    std::vector<std::pair<Units, std::size_t>> asked(ranks_);
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        asked[rank] = {-room(rank, found), rank};
    const std::size_t asks = std::min(asked_max, ranks_);
    std::partial_sort(asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(asks),
                      asked.end());
    for (const auto& [full, rank] : std::span(asked).first(asks)) {
        auto& list = lists_[rank];
        const Units lacking = sizes_[item] + full;
        auto other =
            std::lower_bound(list.begin(), list.end(), lacking,
                             [&](std::uint32_t one, Units size) { return sizes_[one] < size; });
        if (other == list.end() || sizes_[*other] >= sizes_[item]) continue;
        const std::uint32_t leaves = *other;
        lift(leaves, found);
        put(item, rank, found);
        rooms_.set(places_[rank], room(rank, found));
        if (room(rank, found) >= 0 && place(leaves, 0, ranks_, found)) {
            list.erase(other);
            const auto insert = [&](std::size_t which, std::size_t at) {
                const auto before = [&](std::uint32_t one, Units size) {
                    return sizes_[one] < size;
                };
                auto& into = lists_[at];
                into.insert(std::lower_bound(into.begin(), into.end(), sizes_[which], before),
                            static_cast<std::uint32_t>(which));
            };
            insert(item, rank);
            insert(leaves, static_cast<std::size_t>(found.at[leaves]));
            return true;
        }
        lift(item, found);
        put(leaves, rank, found);
        rooms_.set(places_[rank], room(rank, found));
    }
    return false;
}

std::vector<std::uint32_t> Packing::all_by_size() const {
    std::vector<std::uint32_t> order(pool_->items());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
        return sizes_[a] != sizes_[b] ? sizes_[a] > sizes_[b] : a < b;
    });
    return order;
}

bool Packing::home_first(double level, Assignment& found) {
    if (falling_.empty()) falling_ = all_by_size();
    set_caps(level);
    found = home_;
    found.loads = pool_->stays;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        places_[rank] = rank;
        rooms_.set(rank, room(rank, found));
    }
    for (const std::uint32_t item : falling_) {
        auto rank = static_cast<std::size_t>(pool_->home[item]);
        if (room(rank, found) < sizes_[item]) rank = rooms_.first_with(rooms_.largest(), 0, ranks_);
        put(item, rank, found);
        rooms_.set(rank, room(rank, found));
    }
    appraise(*pool_, *capacity_, found);
    return within(found.level, level);
}

Assignment Packing::longest_first() const {
    Assignment found = home_;
    found.loads = pool_->stays;
    const std::vector<std::uint32_t> order = all_by_size();
    bool alike = kinds_ == 1;
    bool untouched = !capacity_->limited();
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        alike = alike && capacity_->speed(rank) == 1;
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            untouched =
                untouched && found.loads[rank * kinds_ + kind] == 0 && capacity_->speed(rank) == 1;
    }
    const double scans = static_cast<double>(order.size()) * static_cast<double>(ranks_);
    if (!alike && scans > scans_max) return home_;
    if (alike) {
        using Entry = std::pair<Units, int>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> lowest;
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            lowest.emplace(found.loads[rank], static_cast<int>(rank));
        for (const std::uint32_t item : order) {
            auto [load, rank] = lowest.top();
            lowest.pop();
            found.at[item] = rank;
            lowest.emplace(load + sizes_[item], rank);
        }
    } else {
        for (const std::uint32_t item : order)
            put(item, lowest_with(item, found.loads), found);
    }
    if (untouched) relabel(found);
    appraise(*pool_, *capacity_, found);
    return found;
}

// The rank that is lowest once it has the item; the item's home on a tie.
std::size_t Packing::lowest_with(std::size_t item, std::span<const Units> loads) const {
    std::vector<Units> load(kinds_);
    std::size_t best = static_cast<std::size_t>(pool_->home[item]);
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t step = 0; step <= ranks_; ++step) {
        const std::size_t rank = step == 0 ? best : step - 1;
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            load[kind] = loads[rank * kinds_ + kind] + pool_->weight(item)[kind];
        const double level = capacity_->level(rank, load);
        if (level >= least) continue;
        least = level;
        best = rank;
    }
    return best;
}

// Ranks are alike, so parts can exchange their numbers: pairs of part and rank with the most items
// in common come first.
void Packing::relabel(Assignment& found) const {
    std::map<std::pair<int, int>, std::size_t> common;
    for (std::size_t item = 0; item < pool_->items(); ++item)
        ++common[{found.at[item], pool_->home[item]}];
    std::vector<std::pair<std::size_t, std::pair<int, int>>> pairs;
    pairs.reserve(common.size());
    for (const auto& [pair, count] : common)
        pairs.emplace_back(count, pair);
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const auto& a, const auto& b) { return a.first > b.first; });
    std::vector<int> rank_of(ranks_, nowhere);
    std::vector<bool> taken(ranks_, false);
    for (const auto& [count, pair] : pairs) {
        const auto part = static_cast<std::size_t>(pair.first);
        const auto rank = static_cast<std::size_t>(pair.second);
        if (rank_of[part] != nowhere || taken[rank]) continue;
        rank_of[part] = pair.second;
        taken[rank] = true;
    }
    std::size_t next = 0;
    for (int& rank : rank_of) {
        if (rank != nowhere) continue;
        while (taken[next])
            ++next;
        rank = static_cast<int>(next);
        taken[next] = true;
    }
    for (int& at : found.at)
        at = rank_of[static_cast<std::size_t>(at)];
}

}  // namespace equipoise::placement
