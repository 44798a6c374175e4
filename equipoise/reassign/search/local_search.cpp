#include "equipoise/reassign/search/local_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <utility>

namespace equipoise::reassign {

namespace {

/// Iterations between two questions whether to go on.
constexpr std::uint64_t asked_every = 256;

}  // namespace

LocalSearch::LocalSearch(const SearchTables& tables, std::uint64_t seed, std::uint64_t thread,
                         std::optional<std::uint64_t> effort, GoesOn goes_on)
    : tables_(tables),
      problem_(tables.problem),
      items_(problem_.item_count()),
      machines_(problem_.machine_count()),
      random_(seed, Purpose::sampling, thread),
      effort_(effort),
      goes_on_(std::move(goes_on)),
      placement_(tables),
      best_places_(problem_.places),
      best_(placement_.score()),
      is_touched_(items_, false) {
    for (ItemId item = 0; item < items_; ++item)
        if (tables.movable[item]) movable_.push_back(item);
    for (MachineId machine = 0; machine < machines_; ++machine)
        if (tables.takes[machine]) takers_.push_back(machine);
}

std::uint64_t LocalSearch::bytes(const SearchTables& tables) {
    return tables.placement_bytes() + tables.problem.item_count() * std::uint64_t{14} +
           tables.problem.machine_count() * std::uint64_t{16};
}

bool LocalSearch::tick() {
    if (ended_) return false;
    if (effort_ && iterations_ >= *effort_) {
        ended_ = true;
        return false;
    }
    ++iterations_;
    if (iterations_ % asked_every == 0 && !goes_on_(*this)) ended_ = true;
    return true;
}

void LocalSearch::note_best() {
    if (placement_.score() >= best_) return;
    best_ = placement_.score();
    for (const ItemId item : touched_) {
        best_places_[item] = placement_.place(item);
        is_touched_[item] = false;
    }
    touched_.clear();
    if (good_enough()) ended_ = true;
}

void LocalSearch::back_to_best() {
    for (const ItemId item : touched_) {
        is_touched_[item] = false;
        if (placement_.place(item) != best_places_[item]) placement_.move(item, best_places_[item]);
    }
    touched_.clear();
}

void LocalSearch::back_home() {
    while (!placement_.moved_items().empty()) {
        const ItemId item = placement_.moved_items().back();
        const MachineId home = problem_.places[item];
        do_move({item, home}, placement_.change(item, home));
    }
}

void LocalSearch::do_move(Hop hop, const FullScore& change) {
    placement_.move(hop.item, hop.to, change);
    if (is_touched_[hop.item]) return;
    is_touched_[hop.item] = true;
    touched_.push_back(hop.item);
}

bool LocalSearch::good_enough() const {
    return best_.score == Score{} || (good_enough_ && best_.score <= *good_enough_);
}

MachineId LocalSearch::any_machine_to(ItemId item) {
    const std::vector<MachineId>& among = !roomy_.empty() && random_.coin() ? roomy_ : takers_;
    const MachineId machine = among[random_.below(among.size())];
    return tables_.may_be_on(item, machine) ? machine : placement_.place(item);
}

void LocalSearch::look_around() {
    bad_.clear();
    for (MachineId machine = 0; machine < machines_; ++machine)
        if (is_bad(machine)) bad_.push_back(machine);
    bad_items_.clear();
    const bool broken_rules = placement_.score().score.broken > 0;
    if (broken_rules)
        for (const ItemId item : movable_)
            if (placement_.breaks_a_rule(item)) bad_items_.push_back(item);
    std::vector<std::pair<double, MachineId>> by_fill;
    by_fill.reserve(takers_.size());
    for (const MachineId machine : takers_)
        by_fill.emplace_back(fill(machine), machine);
    const std::size_t lower = (by_fill.size() + 2) / 3;
    std::nth_element(by_fill.begin(), by_fill.begin() + static_cast<std::ptrdiff_t>(lower) - 1,
                     by_fill.end());
    roomy_.clear();
    for (std::size_t place = 0; place < lower; ++place)
        roomy_.push_back(by_fill[place].second);
    look_around_at_ = iterations_ + 256 + machines_ + (broken_rules ? 4 * items_ : 0);
}

void LocalSearch::run(const std::optional<Score>& good_enough) {
    good_enough_ = good_enough;
    if (this->good_enough() || movable_.empty() || takers_.empty()) return;
    repair();
    go_home();
    polish();
    const std::uint64_t first_round = 2000 + 10 * movable_.size() + 2 * machines_;
    unsigned in_vain = 0;
    for (std::uint64_t round = 0; !ended_; ++round) {
        // What is worst first, but where it stays as it is, the parts after it, too.
        const Score& best = best_.score;
        Part part = best.broken > 0            ? broken
                    : best.over_thresholds > 0 ? thresholds
                    : best.over_levels > 0     ? levels
                                               : fewest;
        if (part != fewest && in_vain % 4 >= 2) part = fewest;
        if (part == fewest && problem_.objective.given) part = cost;
        // Every other round goes through placements that are worse in any part.
        if (round % 2 == 1) part = excluded;
        // Some begin where all items are at home: another way of repair may move less.
        constexpr std::size_t moved_most = 1000;
        if (round % 4 == 3 && placement_.moved_items().size() <= moved_most) back_home();
        const FullScore before = best_;
        chains_ = round > 0;
        // Short and long rounds take turns: 1, 2, 1, 4, 1, 2, 1, 8, ...
        constexpr std::array<double, 5> heats{0.1, 0.05, 0.2, 0.02, 0.4};
        const std::uint64_t pair = round / 2;
        anneal(part, first_round << static_cast<unsigned>(std::countr_zero(pair + 1)),
               heats[pair % heats.size()] * (part == excluded ? 10 : 1));
        if (ended_) break;
        repair();
        go_home();
        polish();
        back_to_best();
        in_vain = best_ < before ? 0 : in_vain + 1;
    }
}

}  // namespace equipoise::reassign
