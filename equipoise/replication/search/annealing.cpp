#include "equipoise/replication/search/annealing.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace equipoise::replication {

namespace {

/// A whole number in 0 .. bound - 1 from 32 random bits.
std::uint32_t below(std::uint32_t bound, std::uint64_t bits) {
    return static_cast<std::uint32_t>((bits & 0xffffffffU) * bound >> 32U);
}

/// -log2 of a number drawn from (0, 1) in 1024ths, within 9 percent of a unit: leading zeros say
/// which power of two it is below, the bits after them how far, as a straight line.
std::uint64_t minus_log2(std::uint64_t bits) {
    const auto zeros = static_cast<std::uint64_t>(std::countl_zero(bits | 1U));
    const std::uint64_t rest = zeros >= 53 ? 0 : (bits << (zeros + 1) >> 54U);
    return zeros * 1024 + 1023 - rest;
}

}  // namespace

Annealing::Annealing(const Problem& problem, std::span<const Pool> pools,
                     std::span<const ItemId> start, const SearchOptions& options)
    : problem_(problem),
      pools_(pools),
      most_copied_(std::numeric_limits<std::int64_t>::max()),
      stop_(options.stop),
      random_(options.seed, Purpose::sampling),
      state_(problem, pools, start, options.limit),
      pool_slots_(pools.front().machines * problem.slots),
      hottest_permille_(std::clamp(std::uint64_t{20'000} / problem.all_slots(), std::uint64_t{100},
                                   std::uint64_t{500})),
      pool_of_item_(problem.items(), 0) {
    for (std::uint32_t slot = 0; slot < problem.all_slots(); ++slot)
        pool_of_slot_.push_back(slot / pool_slots_);
    for (std::uint32_t pool = 0; pool < pools.size(); ++pool)
        for (const ItemId item : pools[pool].items)
            pool_of_item_[item] = pool;
    if (options.most_copied && *options.most_copied < problem.all_slots())
        most_copied_ = static_cast<std::int64_t>(*options.most_copied);
    if (problem.all_slots() == problem.items())
        std::replace(tries_.begin(), tries_.end(), replacement, rotation);
    if (problem.placement.empty()) std::replace(tries_.begin(), tries_.end(), revert, exchange);
    // Shares are rounded up: all machines together hold less than a unit more for each slot.
    const Tokens most =
        std::accumulate(problem.loads.begin(), problem.loads.end(), Tokens{problem.all_slots()});
    while ((most << shift_) <= (Tokens{1} << 58))
        ++shift_;
    unit_ = std::max<Tokens>(1, (most << shift_) / problem.machines);
    offer(start);
}

void Annealing::begin_again(std::span<const ItemId> placement, Tokens limit) {
    state_.set_placement(placement);
    state_.set_limit(limit);
    changed_.assign(problem_.all_slots(), 0);
    price_ = std::max<Tokens>(1, unit_ / 20);
}

void Annealing::offer(std::span<const ItemId> placement) {
    begin_again(placement, tokens_max);
    keep_if_lower();
}

void Annealing::save_copies(std::span<const ItemId> start, Tokens limit, std::uint64_t steps) {
    begin_again(start, limit);
    keep_if_better();
    // The temperature falls to a twentieth of a copy's price, from a tenth where slots are many.
    // Where they are few, it begins higher: a cold search is soon caught, and there is time enough
    // to cool a hot one.
    constexpr std::uint64_t coldest_permille = 50;
    const std::uint64_t range = hottest_permille_ - coldest_permille;
    for (std::uint64_t done = 0; done < steps && !is_done(); done += block)
        if (!run_block(hottest_permille_ - range * done / steps)) return;
    if (best_.largest > limit) keep_if_lower();
}

void Annealing::lower_largest(Tokens floor, std::uint64_t steps) {
    if (best_.placement.empty()) return;
    begin_again(best_.placement, floor);
    constexpr std::uint64_t attempts = 16;  // at least
    std::uint64_t left = steps;
    Tokens first_price = price_;
    // A limit halfway between the best level and the floor, and halfway again after each failure.
    // The price falls as long as the limit is not kept, and with it the temperature.
    Tokens stride = best_.largest - floor;
    while (stride > 0 && left > 0) {
        state_.set_limit(best_.largest - stride);
        price_ = first_price;
        const Tokens before = best_.largest;
        keep_if_better();
        const std::uint64_t most =
            most_copied_ < std::int64_t{problem_.all_slots()} ? steps / attempts + 1 : steps;
        std::uint64_t done = 0;
        while (best_.largest == before && done < std::min(most, left) &&
               price_ > first_price / 200) {
            if (!run_block(100)) return;
            done += block;
        }
        left -= std::min(left, done);
        if (best_.largest == before) {
            keep_if_lower();
            stride /= 2;
        }
        stride = std::min(stride, best_.largest - floor);
        first_price = std::min(unit_ / 20, stride * (Tokens{1} << shift_));
    }
}

bool Annealing::is_done() const {
    return best_.largest <= state_.limit() && (best_.copied == 0 || problem_.placement.empty());
}

bool Annealing::run_block(std::uint64_t temperature_permille) {
    if (stop_.stop_requested()) return false;
    temperature_ = price_ / 1000 * static_cast<Tokens>(temperature_permille);
    std::uint32_t within = 0;
    std::uint32_t too_many = 0;
    for (std::uint64_t i = 0; i < block; ++i) {
        step();
        within += state_.excess() == 0 ? 1 : 0;
        too_many += state_.copied() > most_copied_ ? 1 : 0;
    }
    choose_price(within, too_many);
    return true;
}

void Annealing::choose_price(std::uint32_t within, std::uint32_t too_many) {
    // The search stays where the limit is kept now and then: there are the placements that keep it
    // with few copies.
    if (within > block / 4 || too_many > block / 2)
        price_ = std::min(unit_, price_ + price_ / 50 + 1);
    else if (within == 0)
        price_ = std::max<Tokens>(1, price_ - price_ / 50 - 1);
}

void Annealing::step() {
    const std::uint64_t draw = random_();
    const Try kind = tries_[++steps_ % tries_.size()];
    if (kind == replacement) {
        const std::span<const std::uint32_t> spare = state_.spare_slots();
        if (!spare.empty())
            try_replace_in(spare[below(static_cast<std::uint32_t>(spare.size()), draw)],
                           draw >> 32U);
        return;
    }
    const std::uint32_t slot = below(problem_.all_slots(), draw);
    if (kind == revert) return try_revert(slot, static_cast<std::uint32_t>(draw >> 32U));
    if (kind == rotation)
        return try_rotation(slot, any_slot_beside(slot, draw >> 32U),
                            any_slot_beside(slot, random_()));
    try_swap(slot, any_slot_beside(slot, draw >> 32U));
}

std::uint32_t Annealing::any_slot_beside(std::uint32_t slot, std::uint64_t bits) const {
    return pool_of_slot_[slot] * pool_slots_ + below(pool_slots_, bits);
}

/// Gives up a copy for one of an item that is on a machine with much: there it takes some away.
void Annealing::try_replace_in(std::uint32_t slot, std::uint64_t bits) {
    const std::uint32_t a = any_slot_beside(slot, bits);
    const std::uint32_t b = any_slot_beside(slot, random_());
    const bool a_has_more = state_.held(state_.machine(a)) > state_.held(state_.machine(b));
    try_replace(slot, state_.item(a_has_more ? a : b));
}

/// Brings back an item that the machine has at present, in place of one that it has not.
void Annealing::try_revert(std::uint32_t slot, std::uint32_t draw) {
    const MachineId machine = state_.machine(slot);
    const ItemId item = state_.item(slot);
    if (state_.had(machine, item)) return;
    const ItemId back = problem_.placement[machine * problem_.slots + below(problem_.slots, draw)];
    if (state_.has(machine, back) || pool_of_item_[back] != pool_of_slot_[slot]) return;
    if (state_.copies(item) > 1) return try_replace(slot, back);
    try_swap(slot, state_.slot_of(back, draw % state_.copies(back)));
}

void Annealing::try_replace(std::uint32_t slot, ItemId by) {
    if (!state_.may_replace(slot, by)) return;
    const Change change = state_.judge_replace(slot, by);
    if (!accepts(change)) return;
    state_.replace(slot, by, change);
    changed(slot);
    keep_if_better();
}

void Annealing::try_swap(std::uint32_t a, std::uint32_t b) {
    if (!state_.may_swap(a, b)) return;
    const Change change = state_.judge_swap(a, b);
    if (!accepts(change)) return;
    state_.swap(a, b, change);
    changed(a);
    changed(b);
    keep_if_better();
}

/// Three items change places in a circle: two swaps that cost three copies rather than four.
void Annealing::try_rotation(std::uint32_t a, std::uint32_t b, std::uint32_t c) {
    if (!state_.may_swap(a, b)) return;
    const Change first = state_.judge_swap(a, b);
    state_.swap(a, b, first);
    if (state_.may_swap(b, c)) {
        const Change second = state_.judge_swap(b, c);
        if (accepts({first.excess + second.excess, first.copied + second.copied})) {
            state_.swap(b, c, second);
            for (const std::uint32_t slot : {a, b, c})
                changed(slot);
            keep_if_better();
            return;
        }
    }
    state_.swap(a, b, {-first.excess, -first.copied});
}

bool Annealing::accepts(const Change& change) {
    const Tokens rise = change.excess * (Tokens{1} << shift_) + change.copied * price_;
    if (rise <= 0) return true;
    // Metropolis' rule: what the energy may rise is distributed exponentially. 710 / 1024 is the
    // logarithm of 2.
    return rise <=
           static_cast<Int128>(temperature_) * static_cast<Int128>(minus_log2(random_()) * 710) >>
           20U;
}

void Annealing::changed(std::uint32_t slot) {
    if (changed_.size() < problem_.all_slots()) changed_.push_back(slot);
}

/// The limit becomes the level of the placement.
void Annealing::keep_if_lower() {
    state_.set_limit(state_.largest());
    if (state_.limit() <= best_.largest) keep_if_better();
}

void Annealing::keep_if_better() {
    if (state_.excess() > 0 || state_.copied() > most_copied_) return;
    if (best_.largest <= state_.limit() && best_.copied <= state_.copied()) return;
    best_.copied = state_.copied();
    best_.largest = state_.largest();
    if (changed_.size() >= problem_.all_slots()) {
        best_.placement.assign(state_.placement().begin(), state_.placement().end());
    } else {
        for (const std::uint32_t slot : changed_)
            best_.placement[slot] = state_.item(slot);
    }
    changed_.clear();
}

}  // namespace equipoise::replication
