#include "equipoise/reassign/search/cost/cost_annealing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <utility>

namespace equipoise::reassign {

namespace {

/// Tries between two looks at the clock, unless so many looks need fewer.
constexpr std::uint64_t looked_every = 256;
constexpr std::uint64_t looks = 2000;
/// The part of the span in which nothing dearer is accepted, at its beginning and its end.
constexpr double first_descent = 0.03;
constexpr double last_descent = 0.97;
/// The part of the span that looking for typical increases takes at most.
constexpr double sampling = 0.01;
/// The parts of a run after which rules are mended, with prices as high as they get, and with
/// nothing dearer accepted.
constexpr double mending = 0.85;
constexpr double dearest = 0.9;
constexpr double frozen = 0.985;
/// Prices before rules are mended: of a unit above a capacity by weight and of a machine that is
/// too full by typical increase, where it is hottest; and of what is far by temperature, at first
/// and in the end.
constexpr double over_capacity_first = 8;
constexpr double too_full_first = 0.1;
constexpr double far_first = 12;
constexpr double far_last = 24;

/// How many times as high prices of capacities are when it has cooled by this factor.
double risen_prices(double cooled_by) {
    return std::min(std::pow(cooled_by, 0.15), 30.0);
}

}  // namespace

CostAnnealing::CostAnnealing(const CostTables& tables, std::span<const MachineId> places,
                             std::uint64_t seed, unsigned thread, Span span, GoesOn goes_on)
    : tables_(tables),
      state_(tables, places),
      random_(seed, Purpose::sampling, thread, 1),
      number_(thread),
      span_(span),
      goes_on_(std::move(goes_on)),
      looked_every_(std::clamp<std::uint64_t>(span.effort.value_or(looked_every * looks) / looks, 1,
                                              looked_every)),
      best_places_(places.begin(), places.end()),
      best_{state_.energy(), state_.moves()},
      is_touched_(places.size(), false) {}

std::uint64_t CostAnnealing::bytes(const SearchTables& tables) {
    return CostState::bytes(tables) + tables.problem.item_count() * std::uint64_t{10};
}

std::uint32_t CostAnnealing::below(std::size_t bound) {
    // The bias is at most bound / 2^32: nothing to a search.
    return static_cast<std::uint32_t>(((random_() >> 32U) * bound) >> 32U);
}

void CostAnnealing::look_at_the_clock() {
    if (stretch_ > 0)
        spent_ = static_cast<double>(tries_ - first_try_) / static_cast<double>(stretch_);
    else if (span_.effort)
        spent_ = static_cast<double>(tries_) / static_cast<double>(*span_.effort);
    else
        spent_ = std::chrono::duration<double>(Clock::now() - began_) /
                 std::chrono::duration<double>(*span_.deadline - began_);
    if (!goes_on_(*this)) ended_ = true;
}

bool CostAnnealing::tick() {
    if (ended_) return false;
    if (span_.effort && tries_ >= *span_.effort) {
        ended_ = true;
        return false;
    }
    ++tries_;
    if (tries_ % looked_every_ == 0) look_at_the_clock();
    return true;
}

void CostAnnealing::note_best() {
    if (!state_.is_allowed()) return;
    const Worth worth{state_.energy(), state_.moves()};
    if (worth >= best_) return;
    best_ = worth;
    for (const ItemId item : touched_) {
        best_places_[item] = state_.place(item);
        is_touched_[item] = false;
    }
    touched_.clear();
    if (best_ <= good_enough_) ended_ = true;
}

void CostAnnealing::back_to_best() {
    state_.go_to(best_places_);
    for (const ItemId item : touched_)
        is_touched_[item] = false;
    touched_.clear();
}

Tokens CostAnnealing::drawn_limit() {
    if (temperature_ <= 0) return 0;
    constexpr double most = 0x1.0p60;
    return static_cast<Tokens>(std::min(-temperature_ * std::log(1 - random_.unit()), most));
}

void CostAnnealing::touch(ItemId item) {
    if (is_touched_[item]) return;
    is_touched_[item] = true;
    touched_.push_back(item);
}

void CostAnnealing::consider(std::span<const Hop> hops) {
    for (const Hop& hop : hops)
        if (!tables_.may_go(hop.item, hop.to)) return;
    if (state_.move(hops, drawn_limit())) note_move(hops);
}

void CostAnnealing::note_move(std::span<const Hop> hops) {
    ++accepted_;
    for (const Hop& hop : hops)
        touch(hop.item);
    note_best();
}

void CostAnnealing::shift(ItemId item, MachineId to) {
    if (to == state_.place(item)) return;
    const std::array<Hop, 1> hops{{{item, to}}};
    consider(hops);
}

void CostAnnealing::swap(ItemId item, ItemId other) {
    const MachineId from = state_.place(item);
    const MachineId to = state_.place(other);
    if (to == from) return;
    const std::array<Hop, 2> hops{{{item, to}, {other, from}}};
    consider(hops);
}

void CostAnnealing::chain(ItemId item, ItemId other, MachineId to) {
    const MachineId from = state_.place(item);
    const MachineId between = state_.place(other);
    if (from == between || to == between) return;
    if (to == from) {
        swap(item, other);
        return;
    }
    const std::array<Hop, 2> hops{{{item, between}, {other, to}}};
    consider(hops);
}

ItemId CostAnnealing::item_to_move() {
    constexpr double from_too_full = 0.3;
    constexpr double to_mend = 0.3;
    if (!that_mend_.empty() && random_.unit() < to_mend) {
        const ItemId item = that_mend_[below(that_mend_.size())];
        if (tables_.tables.movable[item]) return item;
    }
    if (!too_full_.empty() && random_.unit() < from_too_full) {
        const std::span<const ItemId> on = state_.items_on(too_full_[below(too_full_.size())]);
        if (!on.empty()) {
            const ItemId item = on[below(on.size())];
            if (tables_.tables.movable[item]) return item;
        }
    }
    return any_item();
}

ItemId CostAnnealing::partner_of(ItemId item) {
    // Items that are apart may take each other's places.
    constexpr double peer = 0.3;
    const std::span<const ItemId> peers = tables_.peers_of(item);
    return peers.size() > 1 && random_.unit() < peer ? peers[below(peers.size())] : any_item();
}

void CostAnnealing::step() {
    // Chains make way where room is released late. Elsewhere most of their tries are in vain.
    const bool is_late = tables_.first_late < tables_.kinds;
    const double chains = is_late ? 0.3 : 0.1;
    const double swaps = is_late ? 0.2 : 0.4;
    const double homes = is_late ? 0.3 : 0.05;
    constexpr double exchanges = 0.05;
    constexpr double chains_home = 0.8;
    constexpr double shifts_home = 0.1;
    if (random_.unit() < exchanges) {
        step_exchange();
        return;
    }
    const double kind = random_.unit();
    if (kind < homes) {
        step_home();
        return;
    }
    const ItemId item = item_to_move();
    if (kind < homes + chains)
        chain(partner_of(item), item,
              random_.unit() < chains_home ? state_.home(item) : any_machine());
    else if (kind < homes + chains + swaps)
        swap(item, partner_of(item));
    else
        shift(item, random_.unit() < shifts_home ? state_.home(item) : any_machine());
}

/// An item goes home, and one that is there makes room for it.
void CostAnnealing::step_home() {
    constexpr double to_its_place = 0.4;
    constexpr double home_too = 0.3;
    const ItemId item = any_item();
    const MachineId home = state_.home(item);
    if (state_.place(item) == home) return;
    const std::span<const ItemId> on = state_.items_on(home);
    if (on.empty()) return;
    const ItemId other = on[below(on.size())];
    if (!tables_.tables.movable[other]) return;
    if (random_.unit() < to_its_place)
        swap(item, other);
    else
        chain(item, other, random_.unit() < home_too ? state_.home(other) : any_machine());
}

/// A large item cannot move alone where machines are full: those in its way take its place.
void CostAnnealing::step_exchange() {
    constexpr double any = 0.5;
    const std::vector<ItemId>& items = tables_.by_size;
    const double cube = std::pow(random_.unit(), 3.0);
    const ItemId item =
        random_.unit() < any
            ? any_item()
            : items[static_cast<std::size_t>(cube * static_cast<double>(items.size()))];
    const MachineId to = any_machine();
    if (to == state_.place(item) || !tables_.may_go(item, to)) return;
    if (!state_.draw_exchange({item, to}, random_, exchanged_)) return;
    if (state_.exchange(exchanged_, drawn_limit())) note_move(exchanged_);
}

void CostAnnealing::descend(double to) {
    temperature_ = 0;
    too_full_.clear();
    that_mend_.clear();
    // No gain is worth a rule.
    constexpr double dear = std::numeric_limits<double>::max();
    state_.set_prices({.over_capacity = 1, .too_full = dear, .far = dear});
    while (!ended_ && spent_ < to && tick())
        step();
}

double CostAnnealing::typical_increase() {
    constexpr int samples = 50'000;
    const double until = spent_ + sampling;
    state_.set_prices({});
    std::vector<Tokens> increases;
    std::vector<Tokens> move_costs;
    for (int sample = 0; sample < samples && spent_ < until && tick(); ++sample) {
        const ItemId item = any_item();
        const MachineId to = any_machine();
        if (to == state_.place(item) || !tables_.may_go(item, to)) continue;
        const Tokens load = state_.load_change({item, to});
        if (load > 0) increases.push_back(load);
        if (tables_.move_cost(item, to) > 0) move_costs.push_back(tables_.move_cost(item, to));
    }
    // Where loads cost nothing, costs of moves are all there is.
    if (increases.empty()) increases = std::move(move_costs);
    if (increases.empty()) return 1;
    const auto middle = increases.begin() + static_cast<std::ptrdiff_t>(increases.size() / 2);
    std::nth_element(increases.begin(), middle, increases.end());
    return static_cast<double>(*middle);
}

double CostAnnealing::Cooling::temperature(double bin) const {
    return hottest * std::pow(coldest / hottest, bin / static_cast<double>(bins));
}

void CostAnnealing::Cooling::note(std::size_t bin, Tokens energy) {
    Sums& at = sums[bin];
    if (at.count == 0) at.first = energy;
    const double more = static_cast<double>(energy - at.first);
    ++at.count;
    at.energy += more;
    at.squares += more * more;
}

void CostAnnealing::Cooling::adapt(double next_hottest) {
    constexpr double few = 8;
    constexpr double floor = 0.1;
    constexpr double frozen_at = 0.003;
    std::size_t last_used = 0;
    std::array<double, bins> wanted{};
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const Sums& at = sums[bin];
        if (at.count <= few) continue;
        const double mean = at.energy / at.count;
        const double variance = std::max(at.squares / at.count - mean * mean, 0.0);
        wanted[bin] = std::sqrt(variance) / temperature(static_cast<double>(bin) + 0.5);
        if (static_cast<double>(at.accepted) >= frozen_at * static_cast<double>(at.tries))
            last_used = bin;
    }
    // Medians of neighbours: a rare event in one bin says little of its temperature.
    std::array<double, bins> smooth{};
    constexpr std::size_t reach = 3;
    for (std::size_t bin = 0; bin < bins; ++bin) {
        const std::size_t first = bin < reach ? 0 : bin - reach;
        const std::size_t last = std::min(bin + reach, bins - 1);
        std::array<double, 2 * reach + 1> near{};
        const auto count = static_cast<std::ptrdiff_t>(last - first + 1);
        std::copy_n(wanted.begin() + static_cast<std::ptrdiff_t>(first), count, near.begin());
        std::nth_element(near.begin(), near.begin() + count / 2, near.begin() + count);
        smooth[bin] = near[static_cast<std::size_t>(count / 2)];
    }
    Cooling next{next_hottest, coldest, {}, {}};
    double sum = 0;
    std::size_t used = 0;
    for (; used < bins; ++used) {
        const double cooled =
            std::log(hottest / next.temperature(static_cast<double>(used) + 0.5)) /
            std::log(hottest / coldest);
        const auto measured = static_cast<std::size_t>(std::clamp(cooled * bins, 0.0, bins - 1.0));
        if (measured > last_used && used > 0) break;
        next.times[used] = smooth[measured];
        sum += next.times[used];
    }
    for (double& time : std::span(next.times).first(used)) {
        const double even = 1 / static_cast<double>(used);
        time = ((sum > 0 ? time / sum : even) + floor * even) / (1 + floor);
    }
    *this = next;
}

/// Prices of capacities rise a little as temperatures fall.
void CostAnnealing::set_prices_as_it_cools(double hottest) {
    constexpr double close = 0.9;
    if (temperature_ >= priced_at_ * close && temperature_ <= priced_at_ / close) return;
    priced_at_ = temperature_;
    const double times = risen_prices(hottest / temperature_);
    const Tokens before = state_.energy();
    // In proportion to the temperature, so that what is apart can come together at any of them.
    const double cooled = std::min(std::log(hottest / temperature_) / std::log(1000.0), 1.0);
    state_.set_prices({.over_capacity = over_capacity_first * times,
                       .too_full = too_full_first * typical_ * times,
                       .far = temperature_ * (far_first + (far_last - far_first) * cooled)});
    repriced_ += state_.energy() - before;
}

/// What is too full for more of the time than it may be gets dearer: for all of it at first, for
/// hardly any in the end.
void CostAnnealing::adapt_prices(double part) {
    constexpr double rate = 80;
    constexpr double least = 0.05;
    if (tries_ < adapt_next_at_) return;
    adapt_next_at_ = tries_ + std::max<std::uint64_t>(2000, tables_.capacities.size());
    const double allowed = std::max(1 - part / mending, least);
    const double passed = rate * (part - adapted_at_);
    adapted_at_ = part;
    const Tokens before = state_.energy();
    state_.adapt_prices(std::exp(passed * (1 - allowed)), std::exp(passed * allowed));
    repriced_ += state_.energy() - before;
}

/// Makes rules dear, while it is warm enough for machines that are too full to find other ways.
void CostAnnealing::mend(double part, const Cooling& cooling) {
    too_full_.clear();
    for (const MachineId machine : tables_.takers)
        if (state_.is_too_full(machine)) too_full_.push_back(machine);
    const auto [hottest, coldest] = std::pair(cooling.hottest, cooling.coldest);
    const double warm = std::max(std::min(0.01 * typical_, hottest / 50), coldest);
    const double risen = std::clamp((part - mending) / (dearest - mending), 0.0, 1.0);
    const double cooled = std::clamp((part - dearest) / (frozen - dearest), 0.0, 1.0);
    const bool is_frozen = part >= frozen;
    temperature_ = is_frozen ? 0 : warm * std::pow(coldest / warm, cooled);
    if (tries_ >= look_for_them_at_) {
        that_mend_ = state_.items_that_mend();
        look_for_them_at_ = tries_ + tables_.movable.size() + 10'000;
    }
    // Ten steps of prices.
    const double step = 1 + std::floor(10 * risen);
    if (priced_at_ == -step) return;
    priced_at_ = -step;
    const double times = risen_prices(hottest / coldest);
    const double over_capacity = over_capacity_first * times;
    const double too_full = too_full_first * typical_ * times;
    const double far = far_last * warm;
    const double share = (step - 1) / 10;
    state_.set_prices({.over_capacity = over_capacity * std::pow(500 / over_capacity, share),
                       .too_full = too_full * std::pow(10 / times, share),
                       .far = far * std::pow(100 * typical_ / far, share)});
}

void CostAnnealing::anneal(Cooling& cooling, double from, double to) {
    std::size_t bin = 0;
    double before = 0;
    priced_at_ = 0;
    repriced_ = 0;
    adapted_at_ = 0;
    adapt_next_at_ = 0;
    state_.forget_what_is_dearer();
    too_full_.clear();
    that_mend_.clear();
    look_for_them_at_ = 0;
    while (!ended_ && spent_ < to) {
        const double part = (spent_ - from) / (to - from);
        if (part < mending) {
            const double cooled = part / mending;
            while (bin + 1 < Cooling::bins && cooled >= before + cooling.times[bin])
                before += cooling.times[bin++];
            const double in_bin =
                cooling.times[bin] > 0 ? std::min((cooled - before) / cooling.times[bin], 1.0) : 0;
            temperature_ = cooling.temperature(static_cast<double>(bin) + in_bin);
            set_prices_as_it_cools(cooling.hottest);
            adapt_prices(part);
            cooling.note(bin, state_.energy() - repriced_);
        } else {
            mend(part, cooling);
        }
        const auto [tries, accepted] = std::pair(tries_, accepted_);
        for (std::uint64_t tried = 0; tried < looked_every_ && tick(); ++tried)
            step();
        cooling.sums[bin].tries += part < mending ? tries_ - tries : 0;
        cooling.sums[bin].accepted += part < mending ? accepted_ - accepted : 0;
    }
}

void CostAnnealing::go_home() {
    for (const ItemId item : tables_.movable)
        if (state_.place(item) != state_.home(item) && tick()) shift(item, state_.home(item));
}

/// The tries of the whole span for each item, as far as can be told.
double CostAnnealing::tries_for_each() const {
    return static_cast<double>(tries_ - first_try_) / std::max(spent_, 1e-9) /
           static_cast<double>(tables_.movable.size());
}

/// The temperature at which a run begins: the hotter, the more tries there are, as what is mixed up
/// has to be sorted out again.
double CostAnnealing::hottest(double most) const {
    constexpr double tries = 2'000;
    const double least = tables_.is_small() ? 0.5 : 0.05;
    const double factor = std::clamp(tries_for_each() / tries, std::min(least, most), most);
    return std::max(factor * typical_ / (number_ % 2 == 1 ? 4 : 1), 1.0);
}

void CostAnnealing::search() {
    typical_ = typical_increase();
    descend(first_descent);
    // The first run is short, so that something good is there early. A small problem is then
    // annealed several times.
    const std::size_t runs = tables_.is_small() ? 6 : 2;
    Cooling cooling;
    constexpr double plenty = 200'000;
    constexpr double most = 5;
    cooling.hottest = hottest(tries_for_each() < plenty ? 0.5 : most);
    cooling.coldest = std::min(std::max(1e-6 * typical_, 1.0), cooling.hottest / 2);
    cooling.times.fill(1.0 / Cooling::bins);
    const double first = spent_;
    const double second = first + 0.15 * (last_descent - first);
    anneal(cooling, first, second);
    const double each = (last_descent - second) / static_cast<double>(runs - 1);
    for (std::size_t run = 1; run < runs && !ended_; ++run) {
        cooling.adapt(hottest(most));
        const double from = second + each * static_cast<double>(run - 1);
        anneal(cooling, from, from + each);
    }
    if (ended_) return;
    back_to_best();
    descend(spent_);
    go_home();
    descend(1);
}

void CostAnnealing::run(Worth good_enough) {
    good_enough_ = good_enough;
    if (best_ <= good_enough || tables_.movable.empty() || tables_.takers.empty()) return;
    if (span_.effort || span_.deadline) {
        look_at_the_clock();
        search();
        return;
    }
    const std::uint64_t first = 100'000 + 100 * tables_.movable.size();
    for (unsigned round = 0; !ended_; ++round) {
        stretch_ = first << std::min(round, 30U);
        first_try_ = tries_;
        spent_ = 0;
        search();
    }
}

}  // namespace equipoise::reassign
