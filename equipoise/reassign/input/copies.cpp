#include "equipoise/reassign/input/copies.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/reassign/checks/copy_sources.hpp"
#include "equipoise/reassign/checks/value_counts.hpp"
#include "equipoise/reassign/checks/words.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::reassign {

namespace {

[[noreturn]] void refuse_replicas(const std::string& expected, const std::string& found) {
    throw InputError("--replicas: expected " + expected + ", found " + found);
}

std::string in_quotes(std::string_view text) {
    return '"' + printable(text) + '"';
}

/// By thing: how many copies it is to have; 0: as many as it has.
std::vector<std::uint32_t> wanted_by_thing(const AskedCopies& asked, const Problem& problem) {
    std::vector<std::uint32_t> wanted(problem.things.size(), 0);
    const std::optional<std::size_t> topic = find_label(problem.item_labels, "topic");
    for (const AskedCopies::Of& of : asked.all)
        if (of.name.empty()) std::fill(wanted.begin(), wanted.end(), of.copies);
    std::vector<std::uint32_t> of_topic(
        topic ? problem.item_labels[*topic].values.size() : std::size_t{0}, 0);
    for (const AskedCopies::Of& of : asked.all) {
        const auto value = topic ? problem.item_labels[*topic].values.find(of.name) : std::nullopt;
        const bool is_thing = problem.things.find(of.name).has_value();
        if (value && is_thing)
            refuse_replicas("a name of an item or a topic",
                            in_quotes(of.name) + ", which is the name of both");
        if (value) of_topic[*value] = of.copies;
        if (value || is_thing || of.name.empty()) continue;
        const std::string near =
            topic ? near_names(problem.item_labels[*topic].values, of.name) : std::string();
        refuse_replicas(
            topic ? "the name of an item or a topic" : "the name of an item",
            in_quotes(of.name) + (near.empty() ? near_names(problem.things, of.name) : near));
    }
    if (topic)
        for (ItemId item = 0; item < problem.item_count(); ++item) {
            const ValueId value = problem.item_labels[*topic].of[item];
            if (value != no_value && of_topic[value] > 0)
                wanted[problem.thing[item]] = of_topic[value];
        }
    for (const AskedCopies::Of& of : asked.all)
        if (const auto thing = problem.things.find(of.name); thing && !of.name.empty())
            wanted[*thing] = of.copies;
    return wanted;
}

std::vector<std::uint32_t> copies_by_thing(const Problem& problem) {
    std::vector<std::uint32_t> copies(problem.things.size(), 0);
    for (const std::uint32_t thing : problem.thing)
        ++copies[thing];
    return copies;
}

template <class Element>
void gather(std::vector<Element>& list, std::span<const ItemId> from) {
    if (list.empty()) return;
    std::vector<Element> gathered;
    gathered.reserve(from.size());
    for (const ItemId item : from)
        gathered.push_back(list[item]);
    list = std::move(gathered);
}

/// Makes the items those of the list: item i is then like `from[i]` was.
void gather_items(Instance& instance, std::span<const ItemId> from) {
    Problem& problem = instance.problem;
    EQUIPOISE_ASSERT(problem.given_ends.empty() && problem.given_leaders.empty());
    if (instance.as_read.empty()) {
        instance.as_read.resize(problem.item_count());
        std::iota(instance.as_read.begin(), instance.as_read.end(), ItemId{0});
    }
    const std::size_t kinds = problem.resource_count();
    std::vector<Tokens> amounts;
    amounts.reserve(from.size() * kinds);
    for (const ItemId item : from)
        for (std::size_t resource = 0; resource < kinds; ++resource)
            amounts.push_back(problem.amount(item, resource));
    problem.amounts = std::move(amounts);
    for (Label& label : problem.item_labels)
        gather(label.of, from);
    gather(problem.thing, from);
    gather(problem.places, from);
    gather(problem.leads, from);
    gather(problem.stays, from);
    gather(problem.allowed_set, from);
    gather(problem.objective.move_costs, from);
    gather(instance.as_read, from);
}

/// Adds the machine outside.
void open_outside(Problem& problem) {
    EQUIPOISE_ASSERT(problem.outside == no_machine);
    const std::size_t machines = problem.machine_count();
    problem.outside = problem.machines.number_of("");
    EQUIPOISE_ASSERT(problem.outside == machines);
    const std::size_t kinds = problem.resource_count();
    problem.capacities.resize(problem.capacities.size() + kinds, tokens_max);
    problem.thresholds.resize(problem.thresholds.size() + kinds, tokens_max);
    problem.drained.push_back(true);
    problem.pinned.push_back(false);
    problem.speeds.push_back(1);
    if (!problem.least_items.empty()) problem.least_items.push_back(0);
    for (Label& label : problem.machine_labels)
        label.of.push_back(no_value);
    for (std::vector<bool>& set : problem.sets)
        set.push_back(false);
    for (std::vector<Tokens>* rates : {&problem.gives, &problem.takes})
        if (!rates->empty()) rates->push_back(tokens_max);
    for (std::vector<double>* rates : {&problem.gives_a_second, &problem.takes_a_second})
        if (!rates->empty()) rates->push_back(std::numeric_limits<double>::infinity());
    std::vector<std::uint32_t>& costs = problem.objective.pair_costs;
    if (costs.empty()) return;
    // A copy that is made costs nothing here, wherever it goes.
    std::vector<std::uint32_t> larger((machines + 1) * (machines + 1), 0);
    for (std::size_t from = 0; from < machines; ++from)
        std::copy_n(costs.begin() + static_cast<std::ptrdiff_t>(from * machines), machines,
                    larger.begin() + static_cast<std::ptrdiff_t>(from * (machines + 1)));
    costs = std::move(larger);
}

/// Chooses which copies go.
class Dropping {
  public:
    Dropping(const AskedCopies& asked, const Problem& problem)
        : problem_(problem),
          wanted_(wanted_by_thing(asked, problem)),
          copies_(copies_by_thing(problem)),
          goes_(problem.item_count(), false),
          leads_(problem.leads),
          resource_(problem.level.empty() ? problem.copied : problem.level.front().resource),
          used_(problem.machine_count(), 0) {
        for (ItemId item = 0; item < problem.item_count(); ++item)
            used_[problem.places[item]] += problem.amount(item, resource_);
    }

    /// By item: who leads when they have gone.
    [[nodiscard]] const std::vector<bool>& leads() const { return leads_; }

    /// By item: whether it goes.
    [[nodiscard]] const std::vector<bool>& run(std::span<const load::ItemDrop> given) {
        std::vector<std::uint32_t> things;
        for (std::uint32_t thing = 0; thing < wanted_.size(); ++thing)
            if (too_many(thing) > 0) things.push_back(thing);
        if (things.empty()) return goes_;
        list_copies(things);
        for (std::size_t rule = 0; rule < problem_.spread.size(); ++rule) {
            SpreadCounts& counts = spread_.emplace_back(problem_, rule);
            counts.counts().add_all(problem_.places);
        }
        for (const load::ItemDrop& each : given)
            drop_given(each);
        const auto largest = [&](std::uint32_t thing) {
            Tokens most = 0;
            for (const ItemId item : of_thing_[thing])
                most = std::max(most, problem_.amount(item, resource_));
            return most;
        };
        std::stable_sort(things.begin(), things.end(),
                         [&](std::uint32_t a, std::uint32_t b) { return largest(a) > largest(b); });
        for (const std::uint32_t thing : things)
            while (too_many(thing) > 0)
                drop(best_of(thing));
        for (const std::uint32_t thing : leaderless_)
            leads_[successor(thing)] = true;
        return goes_;
    }

  private:
    [[nodiscard]] std::uint32_t too_many(std::uint32_t thing) const {
        return wanted_[thing] == 0 || copies_[thing] <= wanted_[thing]
                   ? 0
                   : copies_[thing] - wanted_[thing];
    }
    [[nodiscard]] bool leads(ItemId item) const {
        return !problem_.leads.empty() && problem_.leads[item];
    }
    [[nodiscard]] bool may_remain(ItemId item) const {
        return problem_.may_be_on(item, problem_.places[item]);
    }
    [[nodiscard]] bool may_go(ItemId item) const {
        if (goes_[item]) return false;
        if (!leads(item)) return true;
        if (problem_.must_stay(item) || may_remain(item)) return false;
        const std::vector<ItemId>& copies = of_thing_[problem_.thing[item]];
        return std::any_of(copies.begin(), copies.end(), [&](ItemId other) {
            return other != item && !goes_[other] && may_remain(other);
        });
    }
    [[nodiscard]] ItemId successor(std::uint32_t thing) const {
        std::optional<ItemId> first;
        for (const ItemId item : of_thing_[thing]) {
            if (goes_[item]) continue;
            if (may_remain(item)) return item;
            if (!first) first = item;
        }
        EQUIPOISE_ASSERT(first.has_value());
        return *first;
    }

    void list_copies(const std::vector<std::uint32_t>& things) {
        of_thing_.resize(problem_.things.size());
        std::vector<bool> wanted(of_thing_.size(), false);
        for (const std::uint32_t thing : things)
            wanted[thing] = true;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (wanted[problem_.thing[item]]) of_thing_[problem_.thing[item]].push_back(item);
    }

    void drop_given(const load::ItemDrop& given) {
        if (too_many(given.thing) == 0) return;
        for (const ItemId item : of_thing_[given.thing])
            if (problem_.places[item] == given.from && may_go(item)) return drop(item);
    }

    /// How far rules of spread are broken for items of the values that this one has.
    [[nodiscard]] Tokens broken_by_spread(ItemId item) {
        Tokens sum = 0;
        for (std::size_t rule = 0; rule < spread_.size(); ++rule) {
            const ValueId value = problem_.item_labels[problem_.spread[rule].label].of[item];
            if (value != no_value) sum += broken_by(spread_[rule], value);
        }
        return sum;
    }
    [[nodiscard]] Tokens broken_without(ItemId item) {
        for (SpreadCounts& counts : spread_)
            counts.counts().remove(item, problem_.places[item]);
        const Tokens broken = broken_by_spread(item);
        for (SpreadCounts& counts : spread_)
            counts.counts().add(item, problem_.places[item]);
        return broken;
    }

    [[nodiscard]] ItemId best_of(std::uint32_t thing) {
        // The last in the order goes first, where nothing else decides.
        using Key = std::tuple<bool, Tokens, bool, bool>;
        std::optional<std::pair<Key, ItemId>> best;
        for (const ItemId item : of_thing_[thing]) {
            if (!may_go(item)) continue;
            const MachineId place = problem_.places[item];
            const Key key(problem_.must_stay(item), broken_without(item), may_remain(item),
                          leads(item));
            if (!best || key < best->first ||
                (key == best->first && is_as_full(place, problem_.places[best->second])))
                best.emplace(key, item);
        }
        EQUIPOISE_ASSERT(best.has_value());
        return best->second;
    }
    [[nodiscard]] bool is_as_full(MachineId machine, MachineId other) const {
        return Int128{used_[machine]} * problem_.speeds[other] >=
               Int128{used_[other]} * problem_.speeds[machine];
    }

    void drop(ItemId item) {
        goes_[item] = true;
        if (leads(item)) {
            leads_[item] = false;
            leaderless_.push_back(problem_.thing[item]);
        }
        --copies_[problem_.thing[item]];
        used_[problem_.places[item]] -= problem_.amount(item, resource_);
        for (SpreadCounts& counts : spread_)
            counts.counts().remove(item, problem_.places[item]);
    }

    const Problem& problem_;
    std::vector<std::uint32_t> wanted_;      ///< by thing
    std::vector<std::uint32_t> copies_;      ///< by thing, that are left
    std::vector<bool> goes_;                 ///< by item
    std::vector<bool> leads_;                ///< by item, in the end
    std::vector<std::uint32_t> leaderless_;  ///< things whose leading copy goes
    std::size_t resource_;
    std::vector<Tokens> used_;                   ///< by machine
    std::vector<std::vector<ItemId>> of_thing_;  ///< those of which some go
    std::vector<SpreadCounts> spread_;           ///< by rule
};

}  // namespace

AskedCopies asked_copies(const std::vector<std::string>& texts) {
    constexpr const char* words =
        "a number of copies (3), or one for an item or a topic (NAME=3), from 1 to 1000000";
    AskedCopies asked;
    for (const std::string& text : texts) {
        const std::size_t sign = text.rfind('=');
        AskedCopies::Of of;
        if (sign != std::string::npos) of.name = text.substr(0, sign);
        const auto copies =
            whole_number(sign == std::string::npos ? text : text.substr(sign + 1), machines_max);
        if (!copies || *copies == 0 || (sign != std::string::npos && of.name.empty()))
            refuse_replicas(words, in_quotes(text));
        of.copies = static_cast<std::uint32_t>(*copies);
        const bool is_known =
            std::any_of(asked.all.begin(), asked.all.end(),
                        [&](const AskedCopies::Of& other) { return other.name == of.name; });
        if (is_known)
            refuse_replicas(of.name.empty() ? "one number of copies of all" : "each name once",
                            in_quotes(text));
        asked.all.push_back(std::move(of));
    }
    return asked;
}

void add_copies(const AskedCopies& asked, Instance& instance) {
    Problem& problem = instance.problem;
    const std::vector<std::uint32_t> wanted = wanted_by_thing(asked, problem);
    const std::vector<std::uint32_t> copies = copies_by_thing(problem);
    const auto machines = static_cast<std::uint64_t>(
        std::count(problem.drained.begin(), problem.drained.end(), false));
    std::uint64_t added = 0;
    for (std::uint32_t thing = 0; thing < wanted.size(); ++thing) {
        if (wanted[thing] <= copies[thing]) continue;
        if (wanted[thing] > machines)
            refuse_replicas("at most " + std::to_string(machines) +
                                (machines == 1 ? " copy of " : " copies of ") +
                                printable(problem.things.name(thing)) +
                                ", one for each machine that is not drained",
                            std::to_string(wanted[thing]));
        added += wanted[thing] - copies[thing];
    }
    if (added == 0) return;
    const std::uint64_t items = problem.item_count() + added;
    if (items > items_max || items * problem.resource_count() > amounts_max)
        refuse_replicas(
            "at most " +
                std::to_string(std::min(items_max, amounts_max / problem.resource_count())) +
                " items in all, copies included",
            std::to_string(items));
    const CopySources sources(problem);
    open_outside(problem);
    std::vector<ItemId> from(problem.item_count());
    std::iota(from.begin(), from.end(), ItemId{0});
    const std::size_t first = from.size();
    for (std::uint32_t thing = 0; thing < wanted.size(); ++thing)
        if (wanted[thing] > copies[thing])
            from.insert(from.end(), wanted[thing] - copies[thing], sources.to_make(thing));
    gather_items(instance, from);
    for (std::size_t item = first; item < from.size(); ++item) {
        problem.places[item] = problem.outside;
        if (!problem.leads.empty()) problem.leads[item] = false;
        if (!problem.stays.empty()) problem.stays[item] = false;
        instance.as_read[item] = no_item;
    }
}

void drop_copies(const AskedCopies& asked, std::span<const load::ItemDrop> given,
                 Instance& instance) {
    Problem& problem = instance.problem;
    Dropping dropping(asked, problem);
    const std::vector<bool>& goes = dropping.run(given);
    std::vector<ItemId> from;
    for (ItemId item = 0; item < problem.item_count(); ++item) {
        if (!goes[item]) {
            from.push_back(item);
            continue;
        }
        DroppedCopy& copy = instance.dropped.emplace_back(
            DroppedCopy{instance.as_read.empty() ? item : instance.as_read[item],
                        problem.thing[item], problem.places[item]});
        for (std::size_t resource = 0; resource < problem.resource_count(); ++resource)
            copy.amounts.push_back(problem.amount(item, resource));
        copy.led = !problem.leads.empty() && problem.leads[item];
    }
    if (instance.dropped.empty()) return;
    problem.leads = dropping.leads();
    gather_items(instance, from);
    const std::uint64_t led = successors(instance).size();
    if (led > 0 && given.empty())
        instance.notes.push_back(counted(led, "item") +
                                 (led == 1 ? " loses its leading copy, whose machine is to be "
                                             "emptied; another copy leads then"
                                           : " lose their leading copies, whose machines are to be "
                                             "emptied; other copies lead then"));
}

std::vector<ItemId> successors(const Instance& instance) {
    std::vector<bool> lost(instance.problem.things.size(), false);
    for (const DroppedCopy& copy : instance.dropped)
        if (copy.led) lost[copy.thing] = true;
    std::vector<ItemId> items;
    for (ItemId item = 0; item < instance.problem.leads.size(); ++item)
        if (instance.problem.leads[item] && lost[instance.problem.thing[item]])
            items.push_back(item);
    return items;
}

std::vector<DroppedCopy>::iterator find_dropped(std::vector<DroppedCopy>& dropped,
                                                const load::ItemDrop& line) {
    return std::find_if(dropped.begin(), dropped.end(), [&](const DroppedCopy& copy) {
        return copy.thing == line.thing && copy.machine == line.from;
    });
}

std::string words_of_wrong_drop(const Problem& problem, const load::ItemDrop& line) {
    return std::string(problem.things.name(line.thing)) + " is not to lose a copy on " +
           machine_words(problem, line.from);
}

}  // namespace equipoise::reassign
