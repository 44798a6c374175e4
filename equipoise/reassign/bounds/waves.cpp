#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/figures.hpp"
#include "equipoise/optimum/waves/bound.hpp"
#include "equipoise/reassign/bounds/bounds.hpp"
#include "equipoise/reassign/bounds/phrases.hpp"
#include "equipoise/reassign/checks/words.hpp"
#include "equipoise/reassign/search/pair_counts.hpp"
#include "equipoise/reassign/waves/plain.hpp"

namespace equipoise::reassign {

namespace {

std::string machines_words(const Problem& problem, const std::vector<NodeId>& machines) {
    return (machines.size() == 1 ? "machine " : "machines ") + some_machines(problem, machines);
}

/// "must take", "takes".
struct Verb {
    std::string infinitive;
    std::string of_one;
};

Verb verb_of(optimum::WaveBoundKind kind) {
    using Kind = optimum::WaveBoundKind;
    switch (kind) {
        case Kind::takes:
        case Kind::takes_items:
        case Kind::large_takes:
            return {"take", "takes"};
        case Kind::both:
        case Kind::both_items:
        case Kind::large_both:
            return {"give and take", "gives and takes"};
        default:
            return {"give", "gives"};
    }
}

/// Items that go between all machines that take part, each of which counts at both ends.
std::string words_of_exchange(const Problem& problem, const optimum::WaveBound& bound) {
    const bool are_known = std::all_of(bound.nodes.begin(), bound.nodes.end(),
                                       [&](NodeId node) { return node < problem.machine_count(); });
    return (are_known ? machines_words(problem, bound.nodes) : "machines") +
           " must give each other " + amount_words(problem, items_resource, bound.amount) +
           ", and can give at most " + grouped(bound.a_wave) + " in a wave";
}

/// "machine b must take 12 items, and takes at most 1 in a wave".
std::string words_of(const Problem& problem, const PlainProblem& plain,
                     const optimum::WaveBound& bound) {
    using Kind = optimum::WaveBoundKind;
    const Verb verb = verb_of(bound.kind);
    const bool is_one = bound.nodes.size() == 1;
    const bool amounts =
        bound.kind == Kind::gives || bound.kind == Kind::takes || bound.kind == Kind::both;
    if (bound.kind == Kind::within) return words_of_exchange(problem, bound);
    const std::size_t resource = amounts ? problem.copied : items_resource;
    const bool of_source = is_one && bound.nodes.front() >= problem.machine_count();
    std::string text =
        (of_source
             ? "the machine from which " +
                   problem.item_name(plain.sources[bound.nodes.front() - problem.machine_count()]) +
                   " is copied"
             : machines_words(problem, bound.nodes)) +
        " must " + verb.infinitive + ' ' + amount_words(problem, resource, bound.amount);
    if (bound.kind == Kind::large_gives || bound.kind == Kind::large_takes ||
        bound.kind == Kind::large_both)
        text +=
            " of more than " + amount_words(problem, problem.copied, bound.size_above) + " each";
    const std::string most = resource == items_resource
                                 ? grouped(bound.a_wave)
                                 : amount_words(problem, resource, bound.a_wave);
    return text + ", and " + (is_one ? verb.of_one : verb.infinitive) + " at most " + most +
           " in a wave";
}

Bound bound_of_rates(const Problem& problem, const PlainProblem& plain) {
    const optimum::WaveBound rates = optimum::waves_at_least(plain.problem);
    if (rates.waves() == 0 || rates.a_wave == tokens_max) return {};
    return {Int128{static_cast<Tokens>(rates.waves())}, words_of(problem, plain, rates)};
}

/// Items that arrive at one machine, of which some must wait for the second wave.
struct Arrivals {
    Tokens items = 0;
    Tokens waiting = 0;         ///< that cannot arrive in the first wave, whatever else moves
    Tokens waiting_copied = 0;  ///< of the resource of which waves are limited
    ItemId first_waiting = 0;
    bool for_room = false;  ///< whether this one waits for room
    std::size_t resource = 0;
};

/// By machine: items that find no room in the first wave, or one from which they must be apart on
/// the way.
std::vector<Arrivals> arrivals_of(const Problem& problem, std::span<const MachineId> ends) {
    const std::size_t kinds = problem.resource_count();
    std::vector<Tokens> held(problem.capacities.size(), 0);
    for (ItemId item = 0; item < problem.item_count(); ++item)
        for (std::size_t resource = 0; resource < kinds; ++resource)
            held[problem.places[item] * kinds + resource] += problem.amount(item, resource);
    std::vector<PairCounts> present;
    for (const Apart& rule : problem.apart) {
        const Label& label = problem.item_labels[rule.label];
        PairCounts& counts = present.emplace_back(label.values.size(), problem.machine_count(),
                                                  problem.item_count());
        for (ItemId item = 0; item < problem.item_count(); ++item)
            if (label.of[item] != no_value) counts.add(label.of[item], problem.places[item]);
    }
    std::vector<Arrivals> arrivals(problem.machine_count());
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        if (ends[item] == problem.places[item]) continue;
        Arrivals& there = arrivals[ends[item]];
        ++there.items;
        bool no_room = false;
        std::size_t resource = 0;
        for (; resource < kinds && !no_room; ++resource)
            no_room = problem.resources[resource].release == Release::after_wave &&
                      problem.amount(item, resource) > 0 &&
                      held[ends[item] * kinds + resource] + problem.amount(item, resource) >
                          problem.capacity(ends[item], resource);
        bool meets = false;
        for (std::size_t rule = 0; rule < present.size() && !meets; ++rule) {
            if (!problem.apart[rule].on_the_way) continue;
            const ValueId value = problem.item_labels[problem.apart[rule].label].of[item];
            meets = value != no_value && present[rule].at(value, ends[item]) > 0;
        }
        if (!no_room && !meets) continue;
        if (there.waiting == 0) {
            there.first_waiting = item;
            there.for_room = no_room;
            there.resource = no_room ? resource - 1 : 0;
        }
        ++there.waiting;
        there.waiting_copied += problem.amount(item, problem.copied);
    }
    return arrivals;
}

/// One wave for something to leave, and as many as machines then need to take what waits.
Bound bound_of_waiting(const Problem& problem, std::span<const MachineId> ends) {
    Bound best;
    const std::vector<Arrivals> arrivals = arrivals_of(problem, ends);
    for (MachineId machine = 0; machine < problem.machine_count(); ++machine) {
        const Arrivals& there = arrivals[machine];
        if (there.waiting == 0) continue;
        Tokens waves = problem.at_once > 0 ? ceil_divide(there.waiting, problem.at_once) : 1;
        const std::vector<Tokens>& rates = problem.take_rates();
        if (!rates.empty() && rates[machine] > 0)
            waves = std::max(waves, ceil_divide(there.waiting_copied, rates[machine]));
        if (Int128{waves} + 1 <= best.at_least) continue;
        best.at_least = Int128{waves} + 1;
        best.reason =
            machine_words(problem, machine) +
            (there.for_room ? " has no room of " + problem.resources[there.resource].name +
                                  " for " + problem.item_name(there.first_waiting)
                            : " has an item from which " + problem.item_name(there.first_waiting) +
                                  " must be apart,") +
            " until a first wave is over";
        if (there.waiting > 1)
            best.reason +=
                ", and must take " + counted(there.waiting, "item") + " for which this holds";
    }
    return best;
}

}  // namespace

Bound waves_at_least(const Problem& problem, std::span<const MachineId> ends) {
    Bound best;
    const PlainProblem plain = rates_alone(problem, ends, GiversAs::sources);
    if (plain.items.empty()) return best;
    best = bound_of_rates(problem, plain);
    if (!plain.sources.empty()) {
        Bound other = bound_of_rates(problem, rates_alone(problem, ends, GiversAs::machines));
        if (other.at_least > best.at_least) best = std::move(other);
    }
    Bound waiting = bound_of_waiting(problem, ends);
    if (waiting.at_least > best.at_least) best = std::move(waiting);
    if (best.at_least > 0) return best;
    for (ItemId item = 0; item < problem.item_count(); ++item)
        if (ends[item] != problem.places[item]) return {1, problem.item_name(item) + " must move"};
    return best;
}

}  // namespace equipoise::reassign
