// The part of SharedPlan that keeps ranks from getting more than they have room for.

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/joint_error.hpp"
#include "equipoise/placement/byte_rooms.hpp"
#include "equipoise/placement/few_moves/rank_words.hpp"
#include "equipoise/placement/few_moves/rooms.hpp"
#include "equipoise/placement/few_moves/search.hpp"
#include "equipoise/placement/few_moves/shared_plan.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::placement {

namespace {

constexpr double bundles_near_enough = 1e-3;
constexpr std::uint64_t steps_of_bundles = 1'000'000;

}  // namespace

// Which limits there are, and whether ranks have room for all items. Room for all items, or for all
// bytes, is no limit.
void SharedPlan::read_limits(std::span<const RankSums> sums, double bytes) {
    const Tokens items = std::accumulate(items_.begin(), items_.end(), Tokens{0});
    Tokens left = items;
    bool any_speed = false;
    for (const RankSums& own : sums) {
        const Tokens most = own.speed > 0 ? std::max(own.most, own.pinned) : own.pinned;
        left -= std::min(left, most);
        any_speed = any_speed || own.speed > 0;
        if (own.most < items) limits_ = std::max<std::size_t>(limits_, 1);
        if (own.bytes_most < bytes) limits_ = limits_max;
        most_.push_back(std::min(most, items));
        bytes_most_.push_back(own.bytes_most);
    }
    // That no rank has a speed is said elsewhere.
    if (limits_ > 0 && any_speed) expect_room(items, items - left);
    if (limits_ > 1) room_scale_ = UnitScale(bytes, weight_bits);
}

void SharedPlan::make_rooms() {
    const std::size_t bytes_kind = kinds() + 1;
    const std::size_t stride = kinds() + limits_;
    Units bytes = 0;
    for (std::size_t rank = 0; limits_ > 1 && rank < ranks_; ++rank)
        bytes += all_loads_[rank * stride + bytes_kind];
    rooms_.kinds = limits_;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        rooms_.most.push_back(most_[rank]);
        if (limits_ < limits_max) continue;
        const Units pinned = all_pinned_[rank * stride + bytes_kind];
        const double most = bytes_most_[rank];
        const bool any = most >= room_scale_.real(static_cast<double>(bytes));
        const Units room = any ? bytes : std::max(pinned, room_scale_.units(most));
        rooms_.most.push_back(speeds_[rank] > 0 ? room : pinned);
    }
}

void SharedPlan::expect_room_for_bytes(std::span<const Units> largest,
                                       std::span<const Tokens> place) const {
    ByteRooms all;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        const std::size_t at = rank * (kinds() + limits_) + kinds() + 1;
        const Units most = rooms_.most[rank * limits_ + 1];
        all.add({.bytes = all_loads_[at],
                 .most = most,
                 .free = most - all_pinned_[at],
                 .largest = largest[rank],
                 .rank = static_cast<int>(rank),
                 .place = place[rank]});
    }
    all.expect_room(room_scale_);
}

std::vector<Units> SharedPlan::weights_of(std::span<const Units> loads) const {
    std::vector<Units> weights;
    weights.reserve(ranks_ * kinds());
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        const auto own = loads.subspan(rank * (kinds() + limits_), kinds());
        weights.insert(weights.end(), own.begin(), own.end());
    }
    return weights;
}

bool SharedPlan::breaks_limits() const {
    std::vector<Units> loads = all_loads_;
    const auto add = [&](int rank, const Gift& gift, Units times) {
        const std::size_t first = static_cast<std::size_t>(rank) * (kinds() + limits_) + kinds();
        loads[first] += times * gift.items;
        if (limits_ > 1) loads[first + 1] += times * gift.room;
    };
    for (const Gift& gift : gifts_) {
        add(gift.from, gift, -1);
        add(gift.to, gift, 1);
    }
    return !capacity_.back().has_room(loads);
}

// Begins anew, with what takes room as further kinds of loads.
void SharedPlan::limit() {
    limited_ = true;
    loads_ = all_loads_;
    line_gifts_.clear();
    line_loads_.clear();
    bulk_gifts_.clear();
    settle(Choice::nothing, all_loads_, {});
}

void SharedPlan::take_evictions(const Words& words) {
    for (std::size_t rank = 0; rank < ranks_; ++rank)
        read_gifts(rank, words.of(rank), bulk_gifts_, loads_);
    step_ = Step::bundles;
}

// A search over bundles decides about the bulk of the items: it exchanges them where ranks have no
// room for more.
void SharedPlan::take_bundles(const Words& words) {
    const std::size_t kinds = kinds_of_loads();
    Pool pool;
    pool.kinds = kinds;
    pool.by_bytes = by_bytes_;
    pool.machine.assign(machines().begin(), machines().end());
    pool.stays = loads_;
    for (std::size_t rank = 0; rank < ranks_; ++rank) {
        begins_[rank] = pool.items();
        WordReader reader(words.of(rank));
        while (!reader.at_end()) {
            pool.home.push_back(static_cast<int>(rank));
            for (std::size_t kind = 0; kind < kinds; ++kind) {
                pool.weights.push_back(reader.take<Units>());
                pool.stays[rank * kinds + kind] -= pool.weights.back();
            }
            pool.counts.push_back(pool.weight(pool.items() - 1)[this->kinds()]);
            const auto bytes = reader.take<Units>();
            if (by_bytes_) pool.bytes.push_back(bytes);
        }
    }
    Rooms rooms = rooms_;
    rooms.for_bundles = true;
    const Capacity capacity(this->kinds(), speeds_, all_loads_, all_pinned_, std::move(rooms));
    Assignment found = at_home(pool, capacity);
    if (make_room(pool, capacity, bound(), found))
        found = search(pool, capacity,
                       {.bound = bound(),
                        .level_at_least = std::max(
                            1.0, *std::max_element(least_levels_.begin(), least_levels_.end())),
                        .near_enough = bundles_near_enough,
                        .steps = steps_of_bundles,
                        .repairs = 0},
                       &found);
    for (std::size_t bundle = 0; bundle < pool.items(); ++bundle) {
        if (found.at[bundle] == pool.home[bundle]) continue;
        bulk_gifts_.push_back({pool.home[bundle], found.at[bundle], pool.counts[bundle],
                               by_bytes_ ? pool.bytes[bundle] : 0,
                               limits_ > 1 ? pool.weight(bundle)[kinds - 1] : 0});
    }
    loads_ = found.loads;
    bundle_ends_ = std::move(found.at);
    step_ = Step::candidates;
}

// The same items, with what takes room.
Pool SharedPlan::with_rooms(const Pool& pool) const {
    Pool all = pool;
    all.kinds = kinds() + limits_;
    all.stays = all_pinned_;
    all.weights.clear();
    for (std::size_t item = 0; item < pool.items(); ++item) {
        const std::span<const Units> weight = pool.weight(item);
        all.weights.insert(all.weights.end(), weight.begin(), weight.end());
        all.weights.push_back(1);
        if (limits_ > 1) all.weights.push_back(room_of_item_[item]);
    }
    return all;
}

void SharedPlan::expect_limits_kept(std::span<const Units> loads, bool proved) const {
    const Shortfall most = largest_shortfall(capacity_.back(), loads);
    if (most.lacks <= 0) return;
    std::string lacks = counted(most.lacks, "item");
    if (most.kind > kinds()) lacks = bytes_text(room_scale_, most.lacks);
    throw JointError(std::string(proved ? "expected limits that some placement keeps, found that "
                                          "none does"
                                        : "expected a placement that keeps all limits, found none, "
                                          "though there may be one") +
                     ": rank " + std::to_string(most.rank) + " would hold " + lacks +
                     " more than it has room for");
}

}  // namespace equipoise::placement
