#include "equipoise/placement/few_moves/own_items.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>
#include <queue>
#include <utility>

#include "equipoise/placement/few_moves/departures.hpp"
#include "equipoise/placement/few_moves/rank_words.hpp"

namespace equipoise::placement {

namespace {

// How many items one room gets before the roomiest one is looked for again.
constexpr int run_max = 16;
// Where items are read out of order, the one so far ahead is fetched.
constexpr std::size_t fetch_ahead = 12;

}  // namespace

std::vector<std::int64_t> OwnItems::words(const SharedPlan& plan) {
    std::vector<std::int64_t> words;
    if (plan.limited() != limited_) forget_choices();
    limited_ = plan.limited();
    switch (plan.step()) {
        case SharedPlan::Step::sums:
            sums(words);
            break;
        case SharedPlan::Step::loads:
            loads(plan, words);
            break;
        case SharedPlan::Step::all_items:
            all_items(plan, words);
            break;
        case SharedPlan::Step::evictions:
            evictions(plan, words);
            break;
        case SharedPlan::Step::bundles:
            bundles(plan, words);
            break;
        case SharedPlan::Step::gifts:
            gifts(plan, words);
            break;
        case SharedPlan::Step::candidates:
            candidates(plan, words);
            break;
        case SharedPlan::Step::outcome:
        case SharedPlan::Step::done:
            break;
    }
    return words;
}

void OwnItems::forget_choices() {
    order_.clear();
    gone_.clear();
    shipped_.clear();
    offered_.clear();
}

void OwnItems::sums(std::vector<std::int64_t>& words) const {
    expect_countable(count());
    put_words(words,
              RankSums{.items = static_cast<Tokens>(count()),
                       .pinned = items_.pinned,
                       .speed = items_.speed,
                       .machine = items_.machine,
                       .most = items_.most,
                       .has_sizes = items_.sizes.empty() ? 0 : 1,
                       .bytes = std::accumulate(items_.sizes.begin(), items_.sizes.end(), 0.0),
                       .bytes_most = items_.bytes_most});
    std::array<KindSums, weights_per_item_max> sums;
    for (std::size_t i = 0; i < count(); ++i) {
        for (std::size_t kind = 0; kind < kinds_; ++kind) {
            sums[kind].weight += items_.weights[i * kinds_ + kind];
            if (i < pinned()) sums[kind].pinned = sums[kind].weight;
        }
    }
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        put_words(words, sums[kind]);
}

void OwnItems::loads(const SharedPlan& plan, std::vector<std::int64_t>& words) {
    const std::size_t items = free_items();
    const std::size_t kinds = kinds_ + plan.limits();
    Tokens largest = 0;  // in the last kind
    std::array<KindLoads, weights_per_item_max + SharedPlan::limits_max> all;
    for (std::size_t i = 0; i < pinned(); ++i) {
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const Units weight = units_of(plan, i, kind);
            all[kind].pinned += weight;
            all[kind].heaviest_pinned = std::max(all[kind].heaviest_pinned, weight);
        }
    }
    for (std::size_t kind = 0; kind < kinds; ++kind)
        all[kind].load = all[kind].pinned;
    for (std::size_t free = 0; free < items; ++free) {
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const Units weight = units(plan, free, kind);
            all[kind].load += weight;
            if (weight <= all[kind].heaviest) continue;
            all[kind].heaviest = weight;
            if (kind + 1 == kinds) largest = static_cast<Tokens>(pinned() + free);
        }
    }
    for (std::size_t kind = 0; kind < kinds; ++kind)
        put_words(words, all[kind]);
    find_weightless(plan);
    WeightlessItems leaving;
    for (std::size_t free = 0; free < items; ++free) {
        if (!leaves_weightless(free)) continue;
        ++leaving.items;
        leaving.bytes += bytes(plan, free);
    }
    put_words(words, leaving);
    if (plan.limits() > 1) words.push_back(largest);
    if (!plan.in_lines()) return;
    cut_ = cut_at(items_.weights, items_.pinned, plan.target(rank_));
    put_words(words, LineCut{cut_.kept_weight, cut_.next_weight});
}

void OwnItems::find_weightless(const SharedPlan& plan) {
    // Where room is limited they have to be placed like others.
    if (items_.speed > 0 || plan.limits() > 0) return;
    weightless_.resize(free_items());
    for (std::size_t free = 0; free < free_items(); ++free) {
        bool weighs = false;
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            weighs = weighs || units(plan, free, kind) > 0;
        weightless_[free] = !weighs;
    }
}

void OwnItems::all_items(const SharedPlan& plan, std::vector<std::int64_t>& words) const {
    words.reserve(free_items() * (kinds_ + 1));
    for (std::size_t free = 0; free < free_items(); ++free) {
        if (leaves_weightless(free)) continue;
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            put_words(words, items_.weights[(pinned() + free) * kinds_ + kind]);
        if (plan.by_bytes()) put_words(words, items_.sizes[pinned() + free]);
    }
}

// How many words are those of the rule of weighted.hpp, and how many those of the allotments; these
// words; the candidates.
void OwnItems::gifts(const SharedPlan& plan, std::vector<std::int64_t>& words) {
    words.resize(2, 0);
    if (plan.in_lines()) lines(plan, words);
    words[0] = static_cast<std::int64_t>(words.size()) - 2;
    bulk(plan, words);
    words[1] = static_cast<std::int64_t>(words.size()) - 2 - words[0];
    candidates(plan, words);
}

void OwnItems::lines(const SharedPlan& plan, std::vector<std::int64_t>& words) {
    kept_ = cut_.kept + (plan.lines().keeps_next[rank_] ? 1 : 0);
    parcels_ = weighted_parcels(plan.lines(), static_cast<int>(rank_), items_.weights, kept_);
    std::size_t free = static_cast<std::size_t>(kept_ - items_.pinned);
    for (const WeightedParcel& parcel : parcels_) {
        GiftWords gift = {.to = parcel.to};
        Units weight = 0;
        for (Tokens i = 0; i < parcel.items; ++i, ++free) {
            if (leaves_weightless(free)) continue;
            ++gift.items;
            gift.bytes += bytes(plan, free);
            gift.room += room(plan, free);
            weight += units(plan, free, 0);
        }
        if (gift.items == 0) continue;
        put_words(words, gift);
        put_words(words, weight);
    }
}

Units OwnItems::size(const SharedPlan& plan, std::size_t free) const {
    const std::size_t kinds = this->kinds(plan);
    if (kinds == 1) return units(plan, free, 0);
    std::array<Units, weights_per_item_max + SharedPlan::limits_max> weight = {};
    for (std::size_t kind = 0; kind < kinds; ++kind)
        weight[kind] = units(plan, free, kind);
    return plan.capacity().size(std::span(weight).first(kinds));
}

void OwnItems::sort(const SharedPlan& plan) {
    if (!order_.empty()) return;
    std::vector<float> keys(free_items());
    for (std::size_t free = 0; free < keys.size(); ++free)
        keys[free] = static_cast<float>(size(plan, free));
    order_ = falling(keys);
    have_size_ = static_cast<std::size_t>(
        std::count_if(keys.begin(), keys.end(), [](float key) { return key > 0; }));
    gone_.resize(free_items(), false);
    gifts_.assign(plan.capacity().ranks(), {});
    gift_weights_.assign(gifts_.size() * kinds(plan), 0);
}

// How much of another rank's room this rank may fill in each kind: the part that it was allotted.
std::vector<Units> OwnItems::allotted(const SharedPlan& plan, const Allotment& allotment) const {
    if (kinds_ == 1) return {allotment.room};
    const auto to = static_cast<std::size_t>(allotment.to);
    const auto load = plan.loads().subspan(to * kinds_, kinds_);
    std::vector<Units> caps(kinds_);
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        caps[kind] = plan.capacity().cap(to, kind, plan.bound());
    const double part = static_cast<double>(allotment.room) /
                        static_cast<double>(plan.capacity().room(load, caps)) * (1 - 1e-12);
    std::vector<Units> room(kinds_);
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        room[kind] = static_cast<Units>(part * static_cast<double>(caps[kind] - load[kind]));
    return room;
}

// The items by falling size per byte.
std::vector<std::uint32_t> OwnItems::by_use(const SharedPlan& plan) const {
    std::vector<float> keys(free_items());
    for (std::size_t free = 0; free < keys.size(); ++free)
        keys[free] = static_cast<float>(static_cast<double>(size(plan, free)) /
                                        (static_cast<double>(bytes(plan, free)) + 1));
    return falling(keys);
}

// Fills the largest room first, each time with the first item in the order of use that fits.
void OwnItems::ship(const SharedPlan& plan, bool between, std::span<Units> excess) {
    const std::vector<Units> empty(kinds_, 0);
    std::vector<std::vector<Units>> rooms;
    std::vector<int> ranks;
    std::priority_queue<std::pair<Units, std::size_t>> roomiest;
    for (const Allotment& allotment : plan.allotments()) {
        if (allotment.from != static_cast<int>(rank_) || allotment.between_machines != between)
            continue;
        roomiest.emplace(allotment.room, rooms.size());
        rooms.push_back(allotted(plan, allotment));
        ranks.push_back(allotment.to);
    }
    if (rooms.empty()) return;
    std::size_t bin = roomiest.top().second;  // taken out of the queue while it is filled
    roomiest.pop();
    std::vector<Units> weight(kinds_);
    const auto fits = [&] {
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            if (weight[kind] > rooms[bin][kind]) return false;
        return true;
    };
    int run = 0;
    const std::vector<std::uint32_t> of_bytes =
        plan.by_bytes() ? by_use(plan) : std::vector<std::uint32_t>();
    const std::vector<std::uint32_t>& by_falling_use = plan.by_bytes() ? of_bytes : order_;
    for (std::size_t next = 0; next < by_falling_use.size(); ++next) {
        if (next + fetch_ahead < by_falling_use.size()) fetch(by_falling_use[next + fetch_ahead]);
        const std::uint32_t free = by_falling_use[next];
        bool over = false;
        bool weightless = true;
        for (std::size_t kind = 0; kind < kinds_; ++kind) {
            weight[kind] = units(plan, free, kind);
            over = over || excess[kind] > 0;
            weightless = weightless && weight[kind] == 0;
        }
        if (!over) return;
        if (weightless || gone_[free]) continue;
        const bool here = fits();
        if (!here && run == 0) continue;  // it is the roomiest
        if (run == run_max || !here) {
            roomiest.emplace(plan.capacity().room(empty, rooms[bin]), bin);
            bin = roomiest.top().second;
            roomiest.pop();
            run = 0;
            if (!fits()) continue;
        }
        ++run;
        ship_item(plan, free, ranks[bin]);
        for (std::size_t kind = 0; kind < kinds_; ++kind) {
            rooms[bin][kind] -= weight[kind];
            excess[kind] -= weight[kind];
        }
    }
}

// A rank of speed 0 also ships items that fit nowhere, to the ranks with the most room left: all
// but the largest and the smallest, which it offers as candidates.
void OwnItems::empty(const SharedPlan& plan) {
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t free : std::span(order_).first(have_size_)) {
        if (!gone_[free]) rest.push_back(free);
    }
    const std::size_t kept = SharedPlan::candidates_max(plan.capacity().ranks()) / 2;
    if (rest.size() <= 2 * kept) return;
    const std::span<const std::uint32_t> middle =
        std::span(rest).subspan(kept, rest.size() - 2 * kept);
    std::map<int, Units> room;
    for (const Allotment& allotment : plan.allotments()) {
        if (allotment.from == static_cast<int>(rank_)) room[allotment.to] += allotment.room;
    }
    // The allotment is so small that rounding left it no room.
    if (room.empty()) room[plan.fastest()] = 0;
    for (const Shipped& shipped : shipped_)
        room[shipped.to] -= size(plan, shipped.item);
    std::priority_queue<std::pair<Units, int>> roomiest;
    for (const auto& [to, left] : room)
        roomiest.emplace(left, to);
    for (const std::uint32_t free : middle) {
        const auto [left, to] = roomiest.top();
        roomiest.pop();
        ship_item(plan, free, to);
        roomiest.emplace(left - size(plan, free), to);
    }
}

void OwnItems::bulk(const SharedPlan& plan, std::vector<std::int64_t>& words) {
    std::vector<Units> excess(kinds_);
    for (std::size_t kind = 0; kind < kinds_; ++kind)
        excess[kind] =
            plan.loads()[rank_ * kinds_ + kind] - plan.capacity().cap(rank_, kind, plan.bound());
    sort(plan);
    ship(plan, true, excess);
    ship(plan, false, excess);
    if (items_.speed <= 0) empty(plan);
    if (plan.tight()) keep_last(plan);
    put_shipped(plan, words);
}

// What leaves because there is no room for it.
void OwnItems::evictions(const SharedPlan& plan, std::vector<std::int64_t>& words) {
    sort(plan);
    const std::vector<Evicted> evicted = choose_evicted(
        plan.capacity(), plan.loads(), plan.bound(), rank_, plan.evictions(), free_items(),
        [&](std::size_t free, std::size_t kind) { return units(plan, free, kind); });
    for (const Evicted& one : evicted)
        ship_item(plan, one.item, one.to);
    put_shipped(plan, words);
}

// Items that are alike, as one. They are sorted by size, and those of nearly the same size by what
// they take of the last kind for that.
void OwnItems::bundles(const SharedPlan& plan, std::vector<std::int64_t>& words) {
    constexpr std::size_t portions = 16;
    sort(plan);
    bundled_.clear();
    for (const std::uint32_t free : order_)
        if (!gone_[free]) bundled_.push_back(free);
    const std::size_t kinds = this->kinds(plan);
    const std::size_t most = SharedPlan::candidates_max(plan.capacity().ranks());
    const std::size_t count = std::min(most, bundled_.size());
    const auto begin_of = [&](std::size_t which, std::size_t of) {
        return bundled_.begin() +
               static_cast<std::ptrdiff_t>(bundled_.size() * which / std::max<std::size_t>(of, 1));
    };
    if (kinds > 2) {
        const auto taken = [&](std::uint32_t free) {
            return static_cast<double>(units(plan, free, kinds > kinds_ + 1 ? kinds - 1 : 0)) /
                   static_cast<double>(size(plan, free));
        };
        for (std::size_t portion = 0; portion < portions; ++portion)
            std::sort(begin_of(portion, portions), begin_of(portion + 1, portions),
                      [&](std::uint32_t a, std::uint32_t b) {
                          const double left = taken(a);
                          const double right = taken(b);
                          return left != right ? left < right : a < b;
                      });
    }
    bundle_ends_.clear();
    for (std::size_t which = 0; which < count; ++which) {
        const auto first = words.size();
        words.resize(first + kinds + 1, 0);
        for (auto free = begin_of(which, count); free != begin_of(which + 1, count); ++free) {
            for (std::size_t kind = 0; kind < kinds; ++kind)
                words[first + kind] += units(plan, *free, kind);
            words.back() += bytes(plan, *free);
        }
        bundle_ends_.push_back(
            static_cast<std::size_t>(begin_of(which + 1, count) - bundled_.begin()));
    }
}

void OwnItems::ship_bundles(const SharedPlan& plan) {
    std::size_t place = 0;
    for (std::size_t which = 0; which < bundle_ends_.size(); ++which) {
        const int to = plan.bundle_ends()[plan.first_gathered(rank_) + which];
        for (; place < bundle_ends_[which]; ++place) {
            if (to == static_cast<int>(rank_)) continue;
            ship_item(plan, bundled_[place], to);
        }
    }
    bundle_ends_.clear();
}

void OwnItems::ship_item(const SharedPlan& plan, std::uint32_t free, int to) {
    gone_[free] = true;
    shipped_.push_back({free, to});
    count_in(plan, free, to, 1);
}

void OwnItems::count_in(const SharedPlan& plan, std::uint32_t free, int to, Units times) {
    const std::size_t kinds = this->kinds(plan);
    GiftWords& gift = gifts_[static_cast<std::size_t>(to)];
    gift.items += times;
    gift.bytes += times * bytes(plan, free);
    gift.room += times * room(plan, free);
    Units* const weights = gift_weights_.data() + static_cast<std::size_t>(to) * kinds;
    for (std::size_t kind = 0; kind < kinds; ++kind)
        weights[kind] += times * units(plan, free, kind);
}

void OwnItems::put_shipped(const SharedPlan& plan, std::vector<std::int64_t>& words) const {
    const std::size_t kinds = this->kinds(plan);
    for (std::size_t to = 0; to < gifts_.size(); ++to) {
        GiftWords gift = gifts_[to];
        if (gift.items == 0) continue;
        gift.to = static_cast<std::int64_t>(to);
        put_words(words, gift);
        const auto weights = std::span(gift_weights_).subspan(to * kinds, kinds);
        words.insert(words.end(), weights.begin(), weights.end());
    }
}

// The last items of each allotment stay for now, as candidates: they decide how closely it is
// filled.
void OwnItems::keep_last(const SharedPlan& plan) {
    const std::size_t most = SharedPlan::last_of_allotment(plan.capacity().ranks());
    std::vector<std::size_t> kept(plan.capacity().ranks(), most);
    std::size_t left = 0;  // to be kept
    for (const Allotment& allotment : plan.allotments()) {
        if (allotment.from != static_cast<int>(rank_)) continue;
        kept[static_cast<std::size_t>(allotment.to)] = 0;
        left += most;
    }
    std::size_t i = shipped_.size();
    for (; i > 0 && left > 0; --i) {
        const Shipped& shipped = shipped_[i - 1];
        std::size_t& of_rank = kept[static_cast<std::size_t>(shipped.to)];
        if (of_rank == most) continue;
        ++of_rank;
        --left;
        gone_[shipped.item] = false;
        count_in(plan, shipped.item, shipped.to, -1);
        offered_.push_back(shipped.item);
    }
    const auto stays = [&](const Shipped& shipped) { return !gone_[shipped.item]; };
    const auto changed = shipped_.begin() + static_cast<std::ptrdiff_t>(i);
    shipped_.erase(std::remove_if(changed, shipped_.end(), stays), shipped_.end());
}

// Offers the largest, the smallest, and some of all sizes.
void OwnItems::candidates(const SharedPlan& plan, std::vector<std::int64_t>& words) {
    sort(plan);
    ship_bundles(plan);
    for (const std::uint32_t free : offered_)
        gone_[free] = true;
    std::vector<std::uint32_t> rest;
    for (const std::uint32_t free : std::span(order_).first(have_size_)) {
        if (!gone_[free]) rest.push_back(free);
    }
    const std::size_t most = SharedPlan::candidates_max(plan.capacity().ranks());
    const std::size_t ends = most / 4;
    if (rest.size() <= most) {
        offered_.insert(offered_.end(), rest.begin(), rest.end());
    } else {
        const auto middle = std::span(rest).subspan(ends, rest.size() - 3 * ends);
        offered_.insert(offered_.end(), rest.begin(),
                        rest.begin() + static_cast<std::ptrdiff_t>(ends));
        for (std::size_t i = 0; i < ends; ++i)
            offered_.push_back(middle[i * middle.size() / ends]);
        offered_.insert(offered_.end(), rest.end() - static_cast<std::ptrdiff_t>(2 * ends),
                        rest.end());
    }
    for (const std::uint32_t free : offered_) {
        for (std::size_t kind = 0; kind < kinds(plan); ++kind)
            words.push_back(units(plan, free, kind));
        if (plan.by_bytes()) put_words(words, items_.sizes[pinned() + free]);
    }
}

Departures OwnItems::least_departures(const SharedPlan& plan) const {
    const std::size_t kinds = this->kinds(plan);
    std::vector<Units> excess(kinds);
    bool any = false;
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        excess[kind] = plan.loads_before()[rank_ * kinds + kind] -
                       plan.capacity().cap(rank_, kind, plan.level());
        any = any || excess[kind] > 0;
    }
    if (!any) return {};
    std::vector<Units> sizes(plan.by_bytes() ? free_items() : 0);
    for (std::size_t free = 0; free < sizes.size(); ++free)
        sizes[free] = bytes(plan, free);
    const auto weight = [&](std::size_t free, std::size_t kind) { return units(plan, free, kind); };
    const Departures least =
        departures_at_least(excess, free_items(), weight, sizes, plan.limited());
    return {least.items, std::floor(least.bytes)};
}

std::vector<Departure> OwnItems::departures(const SharedPlan& plan) const {
    constexpr int stays = -1;
    std::vector<int> to_of(free_items(), stays);
    const auto leaves = [&](std::size_t free, int to) {
        if (to != static_cast<int>(rank_)) to_of[free] = to;
    };
    switch (plan.choice()) {
        case SharedPlan::Choice::nothing:
            break;
        case SharedPlan::Choice::items:
            for (std::size_t free = 0, gathered = plan.first_gathered(rank_); free < free_items();
                 ++free) {
                if (!leaves_weightless(free)) leaves(free, plan.ends()[gathered++]);
            }
            break;
        case SharedPlan::Choice::lines: {
            std::size_t free = static_cast<std::size_t>(kept_ - items_.pinned);
            for (const WeightedParcel& parcel : parcels_) {
                for (Tokens i = 0; i < parcel.items; ++i)
                    leaves(free++, parcel.to);
            }
            break;
        }
        case SharedPlan::Choice::bulk:
            for (const Shipped& shipped : shipped_)
                leaves(shipped.item, shipped.to);
            for (std::size_t i = 0; i < offered_.size(); ++i)
                leaves(offered_[i], plan.ends()[plan.first_gathered(rank_) + i]);
            break;
    }
    std::size_t next = 0;
    for (const Transfer& transfer : plan.weightless()) {
        if (transfer.from != static_cast<int>(rank_)) continue;
        for (Tokens i = 0; i < transfer.items; ++next) {
            if (!weightless_[next]) continue;
            to_of[next] = transfer.to;
            ++i;
        }
    }
    std::vector<Departure> leaving;
    leaving.reserve(shipped_.size() + offered_.size());
    for (std::size_t free = 0; free < to_of.size(); ++free) {
        if (to_of[free] != stays)
            leaving.push_back({static_cast<Tokens>(pinned() + free), to_of[free]});
    }
    return leaving;
}

}  // namespace equipoise::placement
