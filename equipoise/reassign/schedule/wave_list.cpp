#include "equipoise/reassign/schedule/wave_list.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::reassign {

namespace {

/// How many moves are looked at to find partners for one.
constexpr int partner_looks = 128;
/// How many moves are looked at to find one to take back.
constexpr std::size_t withdrawals_tried = 16;
/// While there are few waves, items are sorted before each; later when one in so many has arrived.
constexpr Step waves_sorted_each = 64;
constexpr std::size_t sorted_part = 20;

/// Labels by which rules are judged when a wave is over.
std::vector<bool> labels_of_end_rules(const Problem& problem) {
    std::vector<bool> used(problem.item_labels.size(), false);
    for (const Apart& rule : problem.apart)
        if (!rule.on_the_way) used[rule.label] = true;
    for (const Spread& rule : problem.spread)
        used[rule.label] = true;
    for (const Near& rule : problem.near)
        used[rule.label] = true;
    return used;
}

}  // namespace

Routes straight_routes(const Problem& problem, std::span<const MachineId> ends) {
    Routes routes(problem.item_count());
    for (ItemId item = 0; item < problem.item_count(); ++item)
        if (ends[item] != problem.places[item]) routes[item] = {ends[item]};
    return routes;
}

Routes routes_of(const Problem& problem, std::span<const Move> moves) {
    Routes routes(problem.item_count());
    for (const Move& move : moves)
        routes[move.item].push_back(move.to);
    return routes;
}

WaveList::WaveList(const Problem& problem, Routes routes)
    : problem_(problem),
      builder_(problem),
      next_(problem.item_count(), 0),
      bonuses_(problem.item_count(), 0),
      is_waiting_(problem.item_count(), false) {
    needs_partners_ =
        !problem.least_items.empty() || !problem.spread.empty() || !problem.near.empty() ||
        std::any_of(problem.apart.begin(), problem.apart.end(),
                    [](const Apart& rule) { return !rule.on_the_way; }) ||
        std::any_of(problem.resources.begin(), problem.resources.end(),
                    [](const Resource& each) { return each.release == Release::at_once; });
    if (needs_partners_) {
        by_place_.resize(problem.machine_count());
        by_stop_.resize(problem.machine_count());
        by_value_.resize(problem.item_labels.size());
        const std::vector<bool> used = labels_of_end_rules(problem);
        for (std::size_t label = 0; label < used.size(); ++label)
            if (used[label]) by_value_[label].resize(problem.item_labels[label].values.size());
    }
    set_routes(std::move(routes));
}

void WaveList::set_routes(Routes routes) {
    restart();
    routes_ = std::move(routes);
    left_ = 0;
    waiting_.clear();
    is_waiting_.assign(problem_.item_count(), false);
    for (auto* lists : {&by_place_, &by_stop_})
        for (std::vector<ItemId>& list : *lists)
            list.clear();
    for (auto& lists : by_value_)
        for (std::vector<ItemId>& list : lists)
            list.clear();
    for (ItemId item = 0; item < problem_.item_count(); ++item) {
        if (end(item) != problem_.places[item]) ++left_;
        wait_for(item);
        if (routes_[item].empty() || !needs_partners_) continue;
        index(item);
        by_place_[problem_.places[item]].push_back(item);
    }
    sorted_at_ = 0;
}

void WaveList::restart() {
    while (!builder_.wave().empty())
        builder_.take_back();
    while (builder_.waves() > 0)
        take_wave_back();
    sorted_at_ = 0;
}

std::vector<ItemId> WaveList::waiting() const {
    std::vector<ItemId> items;
    for (const ItemId item : waiting_)
        if (next_stop(item) != builder_.place(item)) items.push_back(item);
    return items;
}

void WaveList::wait_for(ItemId item) {
    if (is_waiting_[item] || next_stop(item) == builder_.place(item)) return;
    is_waiting_[item] = true;
    waiting_.push_back(item);
}

void WaveList::drop_arrived() {
    std::erase_if(waiting_, [&](ItemId item) {
        if (next_stop(item) != builder_.place(item)) return false;
        is_waiting_[item] = false;
        return true;
    });
}

double WaveList::waves_for(const Work& work, const std::vector<Tokens>& rates,
                           MachineId machine) const {
    double waves = problem_.at_once == 0 ? 0 : work.items / static_cast<double>(problem_.at_once);
    if (!rates.empty())
        waves =
            std::max(waves, work.copied / static_cast<double>(std::max<Tokens>(rates[machine], 1)));
    return waves;
}

void WaveList::sort_by_urgency() {
    std::vector<Work> gives(problem_.machine_count());
    std::vector<Work> takes(problem_.machine_count());
    for (const ItemId item : waiting_) {
        const auto copied = static_cast<double>(problem_.amount(item, problem_.copied));
        Work& give = gives[builder_.giver(item)];
        give.items += 1;
        give.copied += copied;
        Work& take = (problem_.half_duplex ? gives : takes)[next_stop(item)];
        take.items += 1;
        take.copied += copied;
    }
    using Key = std::tuple<double, double, Tokens, ItemId>;
    std::vector<Key> keys;
    keys.reserve(waiting_.size());
    for (const ItemId item : waiting_) {
        const MachineId giver = builder_.giver(item);
        const MachineId to = next_stop(item);
        const double give =
            giver == problem_.outside ? 0 : waves_for(gives[giver], problem_.gives, giver);
        const double take =
            waves_for((problem_.half_duplex ? gives : takes)[to], problem_.take_rates(), to);
        keys.emplace_back(-bonuses_[item] - std::max(give, take), -std::min(give, take),
                          -problem_.amount(item, problem_.copied), item);
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < keys.size(); ++i)
        waiting_[i] = std::get<ItemId>(keys[i]);
    sorted_at_ = waiting_.size();
}

/// Notes an item that has stops, or gets one by making room for others.
void WaveList::index(ItemId item) {
    if (!needs_partners_) return;
    if (routes_[item].empty()) {
        by_stop_[problem_.places[item]].push_back(item);
    } else {
        for (const MachineId stop : routes_[item])
            by_stop_[stop].push_back(item);
    }
    for (std::size_t label = 0; label < by_value_.size(); ++label) {
        const ValueId value = problem_.item_labels[label].of[item];
        if (!by_value_[label].empty() && value != no_value) by_value_[label][value].push_back(item);
    }
}

/// Takes `index` back for the item that was noted last of those without stops.
void WaveList::forget_last(ItemId item) {
    if (!needs_partners_) return;
    by_stop_[problem_.places[item]].pop_back();
    for (std::size_t label = 0; label < by_value_.size(); ++label) {
        const ValueId value = problem_.item_labels[label].of[item];
        if (!by_value_[label].empty() && value != no_value) by_value_[label][value].pop_back();
    }
}

std::vector<const std::vector<ItemId>*> WaveList::partners(const Debt& debt) const {
    switch (debt.kind) {
        case Debt::Kind::room:
            return {&by_place_[debt.machine]};
        case Debt::Kind::apart:
            return {&by_value_[problem_.apart[debt.rule].label][debt.value]};
        case Debt::Kind::least_items:
            return {&by_stop_[debt.machine]};
        case Debt::Kind::spread:
            return {&by_value_[problem_.spread[debt.rule].label][debt.value]};
        case Debt::Kind::near: {
            const Near& rule = problem_.near[debt.rule];
            const auto& [service, other] = rule.depends[debt.pair];
            return {&by_value_[rule.label][other], &by_value_[rule.label][service]};
        }
    }
    return {};
}

bool WaveList::settle_with(ItemId item, std::size_t first_debt, int& looks) {
    ++steps_;
    --looks;
    if (builder_.add(item, next_stop(item)) != Refusal::none) return false;
    const std::size_t debts = debts_.size();
    builder_.append_debts(builder_.wave().back(), debts_);
    if (settle(first_debt, looks)) return true;
    debts_.resize(debts);
    builder_.take_back();
    return false;
}

/// Mends all of `debts_` from this one on by further moves of the wave; or changes nothing.
bool WaveList::settle(std::size_t first_debt, int& looks) {
    while (first_debt < debts_.size() && builder_.settled(debts_[first_debt]))
        ++first_debt;
    if (first_debt == debts_.size()) {
        // A later move may have brought an earlier one back.
        const auto open = std::find_if(debts_.begin(), debts_.end(),
                                       [&](const Debt& debt) { return !builder_.settled(debt); });
        if (open == debts_.end()) return true;
        first_debt = static_cast<std::size_t>(open - debts_.begin());
    }
    const Debt debt = debts_[first_debt];
    for (const std::vector<ItemId>* list : partners(debt))
        for (const ItemId item : *list) {
            if (looks <= 0) return false;
            if (builder_.moves_now(item) || next_stop(item) == builder_.place(item)) continue;
            const bool must_leave = debt.kind == Debt::Kind::room || debt.kind == Debt::Kind::apart;
            if (must_leave && builder_.place(item) != debt.machine) continue;
            if (settle_with(item, first_debt, looks)) return true;
        }
    return false;
}

bool WaveList::add(ItemId item, MachineId to) {
    ++steps_;
    if (builder_.add(item, to) != Refusal::none) return false;
    if (!needs_partners_) return true;
    debts_.clear();
    builder_.append_debts(builder_.wave().back(), debts_);
    if (debts_.empty()) return true;
    int looks = partner_looks;
    if (settle(0, looks)) return true;
    builder_.take_back();
    return false;
}

/// The moves of the wave without which the debt may be less, by their numbers.
std::vector<std::size_t> WaveList::withdrawable(const Debt& debt) const {
    std::vector<std::size_t> numbers;
    const auto look_at = [&](const std::vector<ItemId>& items, auto&& counts) {
        for (const ItemId item : items) {
            if (!builder_.moves_now(item)) continue;
            const std::size_t number = in_wave_[item];
            if (counts(builder_.wave()[number])) numbers.push_back(number);
        }
    };
    switch (debt.kind) {
        case Debt::Kind::room:
            look_at(by_stop_[debt.machine], [&](const Move& move) {
                return move.to == debt.machine && problem_.amount(move.item, debt.resource) > 0;
            });
            break;
        case Debt::Kind::apart:
            look_at(by_value_[problem_.apart[debt.rule].label][debt.value],
                    [&](const Move& move) { return move.to == debt.machine; });
            break;
        case Debt::Kind::least_items:
            look_at(by_place_[debt.machine],
                    [&](const Move& move) { return move.from == debt.machine; });
            break;
        case Debt::Kind::spread:
        case Debt::Kind::near:
            for (const std::vector<ItemId>* items : partners(debt))
                look_at(*items, [](const Move&) { return true; });
            break;
    }
    // The least urgent ones first; an item may have been noted more than once.
    std::sort(numbers.rbegin(), numbers.rend());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

void WaveList::withdraw(std::size_t number) {
    const Move move = builder_.wave()[number];
    builder_.withdraw(number);
    if (number < builder_.wave().size()) in_wave_[builder_.wave()[number].item] = number;
    // What is owed as if the item had moved back.
    builder_.append_debts({move.wave, move.item, move.to, move.from}, debts_);
}

/// Takes a move back so that less is owed, if possible without new debts.
void WaveList::withdraw_for(const Debt& debt) {
    std::vector<std::size_t> numbers = withdrawable(debt);
    EQUIPOISE_ASSERT(!numbers.empty());
    numbers.resize(std::min(numbers.size(), withdrawals_tried));
    const std::size_t debts = debts_.size();
    std::pair<bool, std::size_t> best(true, ~std::size_t{0});
    ItemId chosen = builder_.wave()[numbers.front()].item;
    for (const std::size_t number : numbers) {
        ++steps_;
        // A move that is made again gets the last number: all smaller ones stay as they are.
        const Move move = builder_.wave()[number];
        withdraw(number);
        const std::pair now(!builder_.settled(debt), debts_.size() - debts);
        debts_.resize(debts);
        if (now < best) {
            best = now;
            chosen = move.item;
        }
        const bool is_best = now == std::pair(false, std::size_t{0});
        in_wave_[move.item] = builder_.wave().size();
        const Refusal refusal = builder_.add(move.item, move.to);
        EQUIPOISE_ASSERT(refusal == Refusal::none);
        if (is_best) break;
    }
    withdraw(in_wave_[chosen]);
}

void WaveList::fill_together() {
    in_wave_.resize(problem_.item_count());
    std::vector<ItemId> refused;
    for (const ItemId item : waiting_) {
        ++steps_;
        const std::size_t number = builder_.wave().size();
        const Refusal refusal = builder_.add(item, next_stop(item));
        if (refusal == Refusal::none) in_wave_[item] = number;
        if (refusal == Refusal::limit) refused.push_back(item);
    }
    debts_.clear();
    for (const Move& move : builder_.wave())
        builder_.append_debts(move, debts_);
    // NOLINTNEXTLINE(modernize-loop-convert): those that come to be owed meanwhile are appended
    for (std::size_t at = 0; at < debts_.size(); ++at) {
        const Debt debt = debts_[at];
        while (!builder_.settled(debt))
            withdraw_for(debt);
    }
    for (const ItemId item : refused)
        add(item, next_stop(item));
}

void WaveList::fill_wave() {
    if (builder_.waves() < waves_sorted_each ||
        waiting_.size() < sorted_at_ - sorted_at_ / sorted_part || sorted_at_ == 0)
        sort_by_urgency();
    if (begin_ == Begin::together && needs_partners_) {
        fill_together();
        if (!builder_.wave().empty()) return;
    }
    for (const ItemId item : waiting_) {
        if (stop_.stop_requested()) return;
        if (builder_.moves_now(item)) continue;
        const MachineId to = next_stop(item);
        if (!builder_.gives_more(builder_.giver(item)) || !builder_.takes_more(to)) {
            ++steps_;
            continue;
        }
        add(item, to);
    }
}

void WaveList::end_wave() {
    for (const Move& move : builder_.wave()) {
        const bool on = next_[move.item] < routes_[move.item].size() &&
                        routes_[move.item][next_[move.item]] == move.to;
        on_route_.push_back(on);
        if (on) ++next_[move.item];
        if (move.from == end(move.item)) ++left_;
        if (move.to == end(move.item)) --left_;
    }
    const std::size_t first = builder_.moves().size() - builder_.wave().size();
    builder_.end_wave();
    for (std::size_t i = first; i < builder_.moves().size(); ++i) {
        const Move& move = builder_.moves()[i];
        wait_for(move.item);
        if (!needs_partners_) continue;
        by_place_[move.to].push_back(move.item);
        if (routes_[move.item].empty() && move.from == problem_.places[move.item]) index(move.item);
    }
}

void WaveList::take_wave_back() {
    builder_.reopen_wave();
    while (!builder_.wave().empty()) {
        const Move move = builder_.wave().back();
        if (on_route_.back()) --next_[move.item];
        on_route_.pop_back();
        if (move.from == end(move.item)) --left_;
        if (move.to == end(move.item)) ++left_;
        builder_.take_back();
        wait_for(move.item);
        if (!needs_partners_) continue;
        by_place_[move.to].pop_back();
        if (routes_[move.item].empty() && move.from == problem_.places[move.item])
            forget_last(move.item);
    }
}

bool WaveList::run(Step waves_most) {
    while (left_ > 0 && builder_.waves() < waves_most && !stop_.stop_requested()) {
        drop_arrived();
        fill_wave();
        if (builder_.wave().empty()) return false;
        end_wave();
    }
    return left_ == 0;
}

}  // namespace equipoise::reassign
