#include "equipoise/reassign/problem.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::reassign {

namespace {

void expect(bool fits, const char* what) {
    if (!fits) throw InputError(std::string("reassign: expected ") + what);
}

template <class Element>
void expect_empty_or(const std::vector<Element>& list, std::size_t size, const char* what) {
    expect(list.empty() || list.size() == size, what);
}

/// The number times 10^-decimals, without zeros at its end.
std::string decimal_text(Int128 number, int decimals) {
    std::string digits = load::to_decimal(number);
    if (decimals == 0) return digits;
    const std::size_t sign = digits.starts_with('-') ? 1 : 0;
    const auto after = static_cast<std::size_t>(decimals);
    if (digits.size() - sign <= after) digits.insert(sign, after + 1 + sign - digits.size(), '0');
    digits.insert(digits.size() - after, 1, '.');
    digits.erase(digits.find_last_not_of('0') + 1);
    if (digits.back() == '.') digits.pop_back();
    return digits;
}

/// The quotient rounded to the nearest whole number, for 0 or more.
Int128 rounded(Int128 dividend, Int128 divisor) {
    return (dividend + divisor / 2) / divisor;
}

/// To three digits, with a unit: 10^3, 10^6, ... bytes.
std::string bytes_text(Int128 amount, int decimals) {
    constexpr std::array<const char*, 9> units = {"B",  "kB", "MB", "GB", "TB",
                                                  "PB", "EB", "ZB", "YB"};
    if (amount < 0) return '-' + bytes_text(-amount, decimals);
    Int128 unit = ten_to_the(decimals);
    if (amount < 1000 * unit) return decimal_text(amount, decimals) + " B";
    std::size_t at = 0;
    // 999.5 of a unit round up to one of the next.
    while (at + 1 < units.size() && rounded(amount, unit) >= 1000) {
        unit *= 1000;
        ++at;
    }
    int digits_after = 2;
    while (digits_after > 0 && rounded(amount * ten_to_the(digits_after), unit) >= 1000)
        --digits_after;
    std::string digits = load::to_decimal(rounded(amount * ten_to_the(digits_after), unit));
    if (digits_after > 0)
        digits.insert(digits.size() - static_cast<std::size_t>(digits_after), 1, '.');
    return digits + ' ' + units[at];
}

/// Throws InputError unless one item of a thing leads at most, and ends and leaders that are given
/// exist.
void check_leaders(const Problem& problem) {
    std::vector<bool> is_led(problem.things.size(), false);
    for (ItemId item = 0; item < problem.leads.size(); ++item) {
        if (!problem.leads[item]) continue;
        expect(!is_led[problem.thing[item]], "one leading item of a thing at most");
        is_led[problem.thing[item]] = true;
    }
    for (const MachineId end : problem.given_ends)
        expect(end < problem.machine_count(), "ends on machines");
    for (std::uint32_t thing = 0; thing < problem.given_leaders.size(); ++thing) {
        const ItemId item = problem.given_leaders[thing];
        expect(item == no_item || (item < problem.item_count() && problem.thing[item] == thing),
               "leaders that are items of the things that they lead");
    }
}

/// The shares of what machines hold.
Problem::Shares shares_of(const Problem& problem, const std::vector<Tokens>& held) {
    Problem::Shares shares;
    shares.numerators.assign(problem.machine_count(), 0);
    Int128 shared = 0;
    Int128 speed = 0;
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
        if (!problem.pinned[machine]) shared += held[machine];
        if (problem.may_take(machine)) speed += problem.speeds[machine];
    }
    shares.denominator = std::max<Int128>(speed, 1);
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
        if (problem.pinned[machine]) {
            shares.numerators[machine] =
                checked_multiply(Int128{held[machine]}, shares.denominator);
        } else if (problem.may_take(machine)) {
            shares.numerators[machine] = checked_multiply(shared, Int128{problem.speeds[machine]});
        }
    }
    return shares;
}

/// The most with which machines count as level: max(floor((1 + tolerance) share), ceil(share)).
std::vector<Tokens> limits_of(const Problem& problem, const Problem::Shares& all,
                              std::uint64_t tolerance) {
    constexpr Int128 million = 1'000'000;
    std::vector<Tokens> limits(problem.machine_count(), 0);
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
        const Int128 share = all.numerators[machine];
        const Int128 rounded_up = (share + all.denominator - 1) / all.denominator;
        if (!problem.may_take(machine)) {
            limits[machine] = static_cast<Tokens>(rounded_up);
            continue;
        }
        const Int128 most = checked_multiply(share, million + Int128{tolerance}) /
                            checked_multiply(all.denominator, million);
        limits[machine] =
            static_cast<Tokens>(std::min<Int128>(std::max(most, rounded_up), tokens_max));
    }
    return limits;
}

}  // namespace

Int128 ten_to_the(int exponent) {
    Int128 power = 1;
    for (; exponent > 0; --exponent)
        power *= 10;
    return power;
}

std::string exact_text(const Resource& resource, Int128 amount) {
    return decimal_text(amount, resource.decimals);
}

std::string amount_text(const Resource& resource, Int128 amount) {
    if (resource.in_bytes) return bytes_text(amount, resource.decimals);
    return grouped_decimal(decimal_text(amount, resource.decimals));
}

bool Problem::may_be_on(ItemId item, MachineId machine) const {
    if (drained[machine]) return false;
    if (!allowed_set.empty() && allowed_set[item] != any_machine &&
        !sets[allowed_set[item]][machine])
        return false;
    if (machine == places[item]) return true;
    return !pinned[machine] && !must_stay(item);
}

std::vector<Tokens> Problem::totals() const {
    std::vector<Tokens> sums(resources.size(), 0);
    for (ItemId item = 0; item < item_count(); ++item)
        for (std::size_t resource = 0; resource < resources.size(); ++resource)
            sums[resource] = checked_add(sums[resource], amount(item, resource));
    return sums;
}

Problem::Shares Problem::shares(std::size_t resource) const {
    std::vector<Tokens> held(machine_count(), 0);
    for (ItemId item = 0; item < item_count(); ++item)
        held[places[item]] += amount(item, resource);
    return shares_of(*this, held);
}

Problem::Shares Problem::leader_shares() const {
    std::vector<Tokens> led(machine_count(), 0);
    for (ItemId item = 0; item < leads.size(); ++item)
        if (leads[item]) ++led[places[item]];
    return shares_of(*this, led);
}

std::vector<Tokens> Problem::level_limits(const LevelAim& aim) const {
    return limits_of(*this, shares(aim.resource), aim.tolerance);
}

bool Problem::has_given_leaders() const {
    return std::any_of(given_leaders.begin(), given_leaders.end(),
                       [](ItemId item) { return item != no_item; });
}

std::vector<Tokens> Problem::leader_limits() const {
    if (!leaders_tolerance) return {};
    return limits_of(*this, leader_shares(), *leaders_tolerance);
}

std::vector<Tokens> Problem::weights() const {
    std::vector<Tokens> weights = totals();
    const Tokens largest = std::max<Tokens>(*std::max_element(weights.begin(), weights.end()), 1);
    for (Tokens& total : weights) {
        const Tokens divisor = std::max<Tokens>(total, 1);
        total = std::max<Tokens>((largest + divisor / 2) / divisor, 1);
    }
    return weights;
}

void Problem::check() const {
    const std::size_t items = places.size();
    const std::size_t machine_total = machines.size();
    const std::size_t kinds = resources.size();
    expect(kinds > 0, "the number of items among the resources");
    expect(thing.size() == items && amounts.size() == items * kinds, "amounts for every item");
    expect(capacities.size() == machine_total * kinds && thresholds.size() == machine_total * kinds,
           "capacities and thresholds for every machine");
    expect(drained.size() == machine_total && pinned.size() == machine_total &&
               speeds.size() == machine_total,
           "a speed, and whether it is drained and pinned, for every machine");
    expect_empty_or(leads, items, "for every item whether it leads");
    expect_empty_or(given_ends, items, "an end for every item");
    expect_empty_or(given_leaders, things.size(), "a leader for every thing");
    check_leaders(*this);
    expect_empty_or(stays, items, "for every item whether it stays");
    expect(outside == no_machine || (outside + std::size_t{1} == machine_total && drained[outside]),
           "the machine outside last, and drained");
    expect_empty_or(least_items, machine_total, "a least number of items for every machine");
    expect_empty_or(allowed_set, items, "a set of machines for every item");
    expect_empty_or(gives, machine_total, "a rate for every machine");
    expect_empty_or(takes, machine_total, "a rate for every machine");
    expect(!half_duplex || (takes.empty() && takes_a_second.empty()),
           "one rate for giving and taking where these count together");
    expect_empty_or(gives_a_second, machine_total, "a rate for every machine");
    expect_empty_or(takes_a_second, machine_total, "a rate for every machine");
    for (const std::vector<bool>& set : sets)
        expect(set.size() == machine_total, "sets of machines as large as their number");
    for (const std::uint32_t set : allowed_set)
        expect(set == any_machine || set < sets.size(), "sets that exist");
    for (const MachineId place : places)
        expect(place < machine_total, "items on machines");
    for (ItemId item = 0; item < item_count(); ++item)
        expect(amount(item, items_resource) == 1, "1 item for every item");
    if (outside != no_machine) {
        std::vector<bool> is_somewhere(things.size(), false);
        for (ItemId item = 0; item < item_count(); ++item)
            if (places[item] != outside) is_somewhere[thing[item]] = true;
        for (const std::uint32_t of : thing)
            expect(is_somewhere[of], "outside only more copies of things that are somewhere");
    }
    expect(std::all_of(amounts.begin(), amounts.end(), [](Tokens each) { return each >= 0; }),
           "amounts of 0 or more");
    for (const Label& label : item_labels)
        expect(label.of.size() == items, "a value of every label for every item");
    for (const Label& label : machine_labels)
        expect(label.of.size() == machine_total, "a value of every label for every machine");
    for (const Apart& rule : apart)
        expect(rule.label < item_labels.size(), "labels that exist");
    for (const Spread& rule : spread)
        expect(rule.label < item_labels.size() && rule.machine_label < machine_labels.size(),
               "labels that exist");
    for (const Near& rule : near)
        expect(rule.label < item_labels.size() && rule.machine_label < machine_labels.size(),
               "labels that exist");
    for (const LevelAim& aim : level)
        expect(aim.resource < kinds, "resources that exist");
    expect(fewest < kinds && copied < kinds, "resources that exist");
    expect_empty_or(budget.amounts, kinds, "a budget of every resource");
    for (const Tokens total : totals())
        expect(total <= tokens_max, "amounts that add up to at most 2^61");
}

}  // namespace equipoise::reassign
