#include "equipoise/placement/few_moves/shared_plan.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/placement/few_moves/lower_bounds.hpp"
#include "equipoise/placement/few_moves/rank_words.hpp"
#include "equipoise/placement/few_moves/rooms.hpp"
#include "equipoise/placement/few_moves/search.hpp"
#include "equipoise/placement/few_moves/subsets.hpp"
#include "equipoise/placement/few_moves/weightless.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::placement {

namespace {

// All items are gathered if there are at most this many, or at most this many for each rank.
constexpr std::size_t few_least = std::size_t{1} << 14U;
constexpr std::size_t few_a_rank = 16;
constexpr std::size_t candidates_of_all = std::size_t{1} << 16U;
constexpr double near_enough_least = 1e-11;
constexpr double near_enough_most = 1e-3;
constexpr double tight_tolerance = 1e-3;
// Levels need not be lowered further than this fraction of a small item's weight above the lowest
// possible.
constexpr double part_of_small = 0.01;
constexpr std::uint64_t steps_of_many = 2'000'000;

std::size_t few_max(std::size_t ranks) {
    return std::max(few_least, few_a_rank * ranks);
}

}  // namespace

SharedPlan::SharedPlan(std::size_t ranks, const PlaceOptions& options, bool machines_known)
    : options_(options),
      ranks_(ranks),
      machines_known_(machines_known),
      items_(ranks),
      free_(ranks),
      speeds_(ranks),
      machine_(ranks),
      scales_(options.weights_per_item),
      begins_(ranks, 0) {}

std::size_t SharedPlan::candidates_max(std::size_t ranks) {
    return std::clamp(candidates_of_all / ranks, std::size_t{16}, std::size_t{256});
}

std::size_t SharedPlan::words_max(std::size_t ranks, std::size_t kinds) {
    const std::size_t all_kinds = kinds + limits_max;
    return std::max(
        {few_max(ranks) * (kinds + 1), ranks * load_words_max(kinds),
         2 * ranks + 4 * ranks * (words_of<GiftWords> + all_kinds) +
             ranks * (candidates_max(ranks) + 2 * last_of_allotment(ranks)) * (all_kinds + 1)});
}

std::size_t SharedPlan::load_words_max(std::size_t kinds) {
    return std::max(words_of<RankSums> + words_of<KindSums> * kinds,
                    words_of<KindLoads> * (kinds + limits_max) + words_of<WeightlessItems> + 1 +
                        words_of<LineCut>);
}

void SharedPlan::take(const Words& words) {
    switch (step_) {
        case Step::sums:
            take_sums(words);
            break;
        case Step::loads:
            take_loads(words);
            break;
        case Step::all_items:
            take_all_items(words);
            break;
        case Step::evictions:
            take_evictions(words);
            break;
        case Step::bundles:
            take_bundles(words);
            break;
        case Step::gifts:
            take_gifts(words);
            break;
        case Step::candidates:
            take_candidates(words);
            break;
        case Step::outcome:
            step_ = Step::done;
            break;
        case Step::done:
            break;
    }
}

void SharedPlan::take_sums(const Words& words) {
    const std::size_t kinds = options_.weights_per_item;
    double bytes = 0;
    Tokens free = 0;
    std::size_t without = ranks_;  // a rank that has items and no sizes
    std::vector<double> totals(kinds, 0);
    std::vector<RankSums> sums_of_ranks;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        WordReader reader(words.of(rank));
        const auto own = sums_of_ranks.emplace_back(reader.take<RankSums>());
        items_[rank] = own.items;
        free_[rank] = own.items - own.pinned;
        free += free_[rank];
        speeds_[rank] = own.speed;
        machine_[rank] = static_cast<int>(own.machine);
        if (own.has_sizes != 0)
            by_bytes_ = true;
        else if (own.items > 0 && without == ranks_)
            without = rank;
        bytes += own.bytes;
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const auto sums = reader.take<KindSums>();
            weight_real_.push_back(sums.weight);
            pinned_real_.push_back(sums.pinned);
            totals[kind] += sums.weight;
        }
    }
    const bool needed =
        by_bytes_ || std::any_of(sums_of_ranks.begin(), sums_of_ranks.end(),
                                 [](const RankSums& own) { return std::isfinite(own.bytes_most); });
    if (needed && without < ranks_)
        throw InputError(
            "expected sizes of the items of all ranks or of none, found none on rank " +
            std::to_string(without));
    for (const double sum : totals) {
        if (!std::isfinite(sum)) throw InputError("expected weights whose sum is finite");
    }
    if (!std::isfinite(bytes)) throw InputError("expected sizes whose sum is finite");
    bytes_scale_ = UnitScale(bytes, bytes_bits);
    read_limits(sums_of_ranks, bytes);
    for (std::size_t kind = 0; kind < kinds; ++kind)
        scales_[kind] = UnitScale(totals[kind], weight_bits);
    few_ = free <= static_cast<Tokens>(few_max(ranks_));
    if (in_lines()) targets_ = weight_targets(weight_real_, pinned_real_, speeds_);
    step_ = Step::loads;
}

void SharedPlan::take_loads(const Words& words) {
    const std::size_t kinds = options_.weights_per_item;
    std::vector<WeightedRank> parts(in_lines() ? ranks_ : 0);
    std::vector<Tokens> weightless(ranks_);
    std::vector<Units> largest(ranks_, 0);  // bytes of an item that is not pinned
    std::vector<Tokens> place(ranks_, 0);   // of that item
    Units heaviest = 0;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        WordReader reader(words.of(rank));
        for (std::size_t kind = 0; kind < kinds + limits_; ++kind) {
            const auto own = reader.take<KindLoads>();
            all_loads_.push_back(own.load);
            all_pinned_.push_back(own.pinned);
            largest[rank] = own.heaviest;
            if (kind >= kinds) continue;
            loads_before_.push_back(own.load);
            pinned_.push_back(own.pinned);
            heaviest_.push_back(own.heaviest);
            heaviest = std::max({heaviest, own.heaviest, own.heaviest_pinned});
        }
        const auto leaving = reader.take<WeightlessItems>();
        weightless[rank] = leaving.items;
        weightless_bytes_ += leaving.bytes;
        if (limits_ > 1) place[rank] = reader.take<Tokens>();
        if (!in_lines()) continue;
        const auto cut = reader.take<LineCut>();
        parts[rank] = {weight_real_[rank], targets_[rank], cut.kept_weight, cut.next_weight};
    }
    capacity_.emplace_back(kinds, speeds_, loads_before_, pinned_);
    if (limits_ > 0) {
        make_rooms();
        capacity_.emplace_back(kinds, speeds_, all_loads_, all_pinned_, rooms_);
        if (limits_ > 1) expect_room_for_bytes(largest, place);
    }
    if (in_lines()) lines_ = weighted_lines(parts);
    weightless_ = send_weightless(weightless, speeds_, machines());
    loads_ = loads_before_;
    least_levels_.resize(kinds);
    bound_ = bound_with_pinned(heaviest);
    std::vector<Units> heaviest_of_rank(ranks_);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        for (std::size_t rank = 0; rank < ranks_; ++rank)
            heaviest_of_rank[rank] = heaviest_[rank * kinds + kind];
        least_levels_[kind] = level_at_least(capacity(), kind, heaviest_of_rank);
    }
    settle(Choice::nothing, loads_before_, {});
    const bool has_room = limits_ == 0 || capacity_.back().has_room(all_loads_);
    if (has_room && within(capacity().level(loads_before_), bound())) {
        step_ = Step::outcome;
    } else if (few_) {
        step_ = Step::all_items;
    } else if (has_room) {
        begin_bulk();
    } else {
        limit();
        evictions_ = allot_evictions(capacity(), loads_, machines());
        step_ = Step::evictions;
    }
}

void SharedPlan::begin_bulk() {
    allotments_ = allot(capacity(), loads_, bound(), machines());
    tight_ = bound() < 1 + tight_tolerance;
    step_ = Step::gifts;
}

// If pinned items lift one rank above the tolerance, lower loads of other ranks gain nothing;
// still, no rank gets more than its share plus the heaviest item.
double SharedPlan::bound_with_pinned(Units heaviest) const {
    const double bound = 1 + options_.tolerance;
    const double share = capacity().share(0);
    if (options_.weights_per_item > 1 || share <= 0) return bound;
    return std::max(bound, std::min(capacity().largest(pinned_) / share,
                                    1 + static_cast<double>(heaviest) / share));
}

int SharedPlan::fastest() const {
    return static_cast<int>(std::max_element(speeds_.begin(), speeds_.end()) - speeds_.begin());
}

void SharedPlan::read_pool(const Words& words, Pool& pool) {
    const std::size_t kinds = kinds_of_loads();
    const std::size_t each = words_of_item();
    room_of_item_.clear();
    pool.kinds = kinds;
    pool.by_bytes = by_bytes_;
    if (options_.machines_first) pool.machine = machine_;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        begins_[rank] = pool.items();
        const auto own = words.of(rank);
        for (std::size_t item = 0; item < own.size() / each; ++item) {
            pool.home.push_back(static_cast<int>(rank));
            if (!by_bytes_) continue;
            const auto bytes = std::bit_cast<double>(own[item * each + kinds]);
            pool.bytes.push_back(bytes_scale_.units(bytes));
            if (limits_ > 1) room_of_item_.push_back(room_scale_.units(bytes));
        }
    }
}

void SharedPlan::take_all_items(const Words& words) {
    const std::size_t kinds = options_.weights_per_item;
    const std::size_t each = words_of_item();
    Gathered items;
    read_pool(words, items.pool);
    items.pool.stays = pinned_;
    items.pinned = pinned_real_;
    for (std::size_t item = 0; item < items.pool.items(); ++item) {
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            items.weights.push_back(std::bit_cast<double>(words.all[item * each + kind]));
            items.pool.weights.push_back(scales_[kind].units(items.weights.back()));
        }
    }
    if (limits_ == 0) {
        found_ = place_gathered(items, capacity(), bound());
        least_levels_ = levels_at_least(items.pool, capacity());
        settle(Choice::items, found_.loads, gifts_of(items.pool, found_));
        least_ = departures_at_least(items.pool, capacity(), level_);
    } else {
        const Pool pool = with_rooms(items.pool);
        const Capacity& limited = capacity_.back();
        found_ = place_in_rooms(items, capacity(), pool, limited, bound());
        expect_limits_kept(found_.loads, few_enough(pool.items(), ranks_));
        least_levels_ = levels_in_rooms(pool, limited);
        settle(Choice::items, weights_of(found_.loads), gifts_of(pool, found_));
        least_ = departures_at_least(pool, limited, level_);
    }
    step_ = Step::done;
}

void SharedPlan::read_gifts(std::size_t from, std::span<const std::int64_t> words,
                            std::vector<Gift>& gifts, std::vector<Units>& loads) const {
    const std::size_t kinds = kinds_of_loads();
    WordReader reader(words);
    while (!reader.at_end()) {
        const auto gift = reader.take<GiftWords>();
        const auto to = static_cast<std::size_t>(gift.to);
        gifts.push_back(
            {static_cast<int>(from), static_cast<int>(to), gift.items, gift.bytes, gift.room});
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            const auto weight = reader.take<Units>();
            loads[from * kinds + kind] -= weight;
            loads[to * kinds + kind] += weight;
        }
    }
}

void SharedPlan::take_gifts(const Words& words) {
    if (in_lines()) line_loads_ = loads_before_;
    std::vector<std::int64_t> candidates;
    std::vector<int> begins;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        const std::span<const std::int64_t> own = words.of(rank);
        const auto of_lines = static_cast<std::size_t>(own[0]);
        const auto of_bulk = static_cast<std::size_t>(own[1]);
        read_gifts(rank, own.subspan(2, of_lines), line_gifts_, line_loads_);
        read_gifts(rank, own.subspan(2 + of_lines, of_bulk), bulk_gifts_, loads_);
        begins.push_back(static_cast<int>(candidates.size()));
        const auto offered = own.subspan(2 + of_lines + of_bulk);
        candidates.insert(candidates.end(), offered.begin(), offered.end());
    }
    take_candidates({candidates, begins});
}

void SharedPlan::take_candidates(const Words& words) {
    const std::size_t kinds = kinds_of_loads();
    const std::size_t each = words_of_item();
    Pool pool;
    read_pool(words, pool);
    pool.stays = loads_;
    for (std::size_t item = 0; item < pool.items(); ++item) {
        const auto home = static_cast<std::size_t>(pool.home[item]);
        for (std::size_t kind = 0; kind < kinds; ++kind) {
            pool.weights.push_back(words.all[item * each + kind]);
            pool.stays[home * kinds + kind] -= pool.weights.back();
        }
    }
    const std::vector<double> levels = levels_at_least(pool, capacity());
    double at_least = 1;
    for (std::size_t kind = 0; kind < levels.size(); ++kind) {
        least_levels_[kind] = std::max(least_levels_[kind], levels[kind]);
        at_least = std::max(at_least, least_levels_[kind]);
    }
    Assignment start = at_home(pool, capacity());
    if (limited_ && !make_room(pool, capacity(), bound(), start))
        expect_limits_kept(start.loads, false);
    found_ = search(pool, capacity(),
                    {.bound = bound(),
                     .level_at_least = at_least,
                     .near_enough = near_enough(pool),
                     .steps = steps_of_many,
                     .repairs = 0},
                    &start);
    std::vector<Gift> gifts = gifts_of(pool, found_);
    gifts.insert(gifts.end(), bulk_gifts_.begin(), bulk_gifts_.end());

    Assignment best;
    best.level = capacity().level(loads_before());
    const auto beats = [&](double level, Cost cost) {
        Assignment candidate;
        candidate.level = level;
        candidate.cost = cost;
        if (!better(candidate, best, bound())) return false;
        best = candidate;
        return true;
    };
    if (!line_loads_.empty() && beats(capacity().level(line_loads_), cost_of(line_gifts_)))
        settle(Choice::lines, line_loads_, line_gifts_);
    if (beats(found_.level, cost_of(gifts))) settle(Choice::bulk, found_.loads, std::move(gifts));
    step_ = keeps_limits() ? Step::done : Step::outcome;
    if (keeps_limits() || !breaks_limits()) return;
    limit();
    step_ = Step::bundles;
}

// If all items were known, not only the candidates, longest first would end above the lowest level
// by about the weight of the smallest items, those that it places last: one for each rank.
double SharedPlan::near_enough(const Pool& pool) const {
    std::vector<Units> sizes(pool.items());
    for (std::size_t item = 0; item < sizes.size(); ++item)
        sizes[item] = capacity().size(pool.weight(item));
    if (sizes.size() <= ranks_) return near_enough_most;
    const auto small = sizes.begin() + static_cast<std::ptrdiff_t>(ranks_);
    std::nth_element(sizes.begin(), small, sizes.end());
    const double share = static_cast<double>(capacity().has_one_size() ? Units(capacity().share(0))
                                                                       : Units{1} << 40U);
    return std::clamp(part_of_small * static_cast<double>(*small) / share, near_enough_least,
                      near_enough_most);
}

void SharedPlan::settle(Choice choice, std::span<const Units> loads, std::vector<Gift> gifts) {
    choice_ = choice;
    if (limited_)
        loads_after_ = weights_of(loads);
    else
        loads_after_.assign(loads.begin(), loads.end());
    level_ = std::max(bound(), capacity().level(loads));
    gifts_ = std::move(gifts);
}

std::vector<SharedPlan::Gift> SharedPlan::gifts_of(const Pool& pool,
                                                   const Assignment& found) const {
    std::vector<Gift> gifts;
    for (std::size_t item = 0; item < pool.items(); ++item) {
        if (found.at[item] != pool.home[item])
            gifts.push_back({pool.home[item], found.at[item], 1, by_bytes_ ? pool.bytes[item] : 0,
                             limits_ > 1 ? room_of_item_[item] : 0});
    }
    return gifts;
}

Cost SharedPlan::cost_of(std::span<const Gift> gifts) const {
    Cost cost = 0;
    for (const Gift& gift : gifts) {
        const bool between =
            options_.machines_first && machine_[static_cast<std::size_t>(gift.from)] !=
                                           machine_[static_cast<std::size_t>(gift.to)];
        cost += placement::cost_of(gift.items, by_bytes_, gift.bytes, between);
    }
    return cost;
}

std::vector<Transfer> SharedPlan::transfers() const {
    std::vector<Transfer> all = weightless_;
    for (const Gift& gift : gifts_)
        all.push_back({gift.from, gift.to, gift.items});
    std::sort(all.begin(), all.end(), [](const Transfer& a, const Transfer& b) {
        return a.from != b.from ? a.from < b.from : a.to < b.to;
    });
    std::vector<Transfer> merged;
    for (const Transfer& transfer : all) {
        if (!merged.empty() && merged.back().from == transfer.from &&
            merged.back().to == transfer.to)
            merged.back().items += transfer.items;
        else
            merged.push_back(transfer);
    }
    return merged;
}

std::vector<double> SharedPlan::real_loads(std::span<const Units> loads) const {
    std::vector<double> real(loads.size());
    for (std::size_t i = 0; i < loads.size(); ++i)
        real[i] = scales_[i % scales_.size()].real(static_cast<double>(loads[i]));
    return real;
}

double SharedPlan::real_largest(double largest) const {
    if (scales_.size() == 1) largest = scales_.front().real(largest);
    return largest / capacity_.front().largest_speed();
}

PlacementFigures SharedPlan::figures() const {
    const Capacity& all = capacity_.front();
    PlacementFigures figures;
    // With several kinds the largest load is measured in averages, which include the speeds.
    const auto real = [&](double largest) {
        return scales_.size() == 1 ? real_largest(largest) : largest;
    };
    figures.largest_before = real(all.largest(loads_before_));
    figures.largest = real(all.largest(loads_after_));
    double at_least = all.largest(pinned_);
    double share = 0;
    for (std::size_t kind = 0; kind < scales_.size(); ++kind) {
        const double measured = all.share(kind) / all.yardstick(kind);
        share = std::max(share, measured);
        at_least = std::max(at_least, least_levels_[kind] * measured);
    }
    figures.share = real(share);
    figures.largest_at_least = std::min(real(at_least), figures.largest);
    Units bytes = weightless_bytes_;
    for (const Gift& gift : gifts_)
        bytes += gift.bytes;
    const std::vector<Transfer> moved = transfers();
    figures.moved = items_moved(moved);
    if (machines_known_) figures.between_machines = items_between(moved, machine_);
    figures.moved_at_least = least_.items + items_moved(weightless_);
    figures.bytes_moved = bytes_scale_.real(static_cast<double>(bytes));
    figures.bytes_at_least =
        std::min(bytes_scale_.real(least_.bytes + static_cast<double>(weightless_bytes_)),
                 figures.bytes_moved);
    return figures;
}

}  // namespace equipoise::placement
