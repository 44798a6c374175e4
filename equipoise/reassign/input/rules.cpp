#include "equipoise/reassign/input/rules.hpp"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::reassign {

namespace {

/// Of sets of machines, in bits.
constexpr std::uint64_t set_bits_max = std::uint64_t{1} << 33U;

[[noreturn]] void fail(const std::string& by, const std::string& what) {
    throw InputError(by + ": " + what);
}

std::string quoted_name(std::string_view name) {
    return '"' + printable(name) + '"';
}

bool is_among(const std::vector<NamedColumn>& list, const std::string& name) {
    return std::any_of(list.begin(), list.end(), [&](const NamedColumn& each) {
        return lower_case(each.name) == lower_case(name);
    });
}

/// Adds a name that is not there yet.
void add(std::vector<NamedColumn>& list, const std::string& name, const std::string& by) {
    if (!is_among(list, name)) list.push_back({name, by});
}

/// Adds the labels that a selection names. A word for machines that is no label means the machine.
void name_machine_labels(Selection& selection, const std::string& by, Columns& columns) {
    for (Selection::Of& each : selection.labels) {
        const std::vector<std::string>& words = machine_words();
        const bool is_word =
            std::find(words.begin(), words.end(), lower_case(each.label)) != words.end();
        if (is_word && !is_among(columns.machine_labels, each.label) &&
            !is_among(columns.labels, each.label)) {
            each.label = "machine";
        } else {
            add(columns.machine_labels, each.label, by);
        }
    }
}

void name_item_labels(const Selection& selection, const std::string& by, Columns& columns) {
    for (const Selection::Of& each : selection.labels)
        add(columns.item_labels, each.label, by);
}

/// Selections in numbers.
struct Chosen {
    struct Of {
        std::size_t label = 0;
        std::vector<ValueId> values;  ///< sorted
    };
    std::vector<Of> labels;

    [[nodiscard]] bool has(const std::vector<Label>& all, std::size_t number) const {
        return std::all_of(labels.begin(), labels.end(), [&](const Of& each) {
            return std::binary_search(each.values.begin(), each.values.end(),
                                      all[each.label].of[number]);
        });
    }
};

class RulesSetter {
  public:
    RulesSetter(const Rules& rules, ReadTables& read, Problem& problem)
        : rules_(rules), read_(read), problem_(problem) {}

    void set() {
        set_limits();
        for (const auto& [resource, release] : rules_.releases)
            problem_.resources[resource_of(resource)].release = release;
        set_drained_and_pinned();
        expect_no_contradictions();
        set_apart();
        set_spread();
        set_near();
        set_places();
    }

  private:
    [[nodiscard]] std::size_t item_label(const std::string& name, const std::string& by) const {
        if (const auto label = find_label(problem_.item_labels, name)) return *label;
        fail(by,
             "items have no label " + quoted_name(name) + words_for(problem_.item_labels, name));
    }

    /// The label of machines; `machine` itself becomes one when it is named.
    [[nodiscard]] std::size_t machine_label(const std::string& name, const std::string& by) {
        if (const auto label = find_label(problem_.machine_labels, name)) return *label;
        if (lower_case(name) == "machine") {
            Label label{"machine", problem_.machines, {}};
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                label.of.push_back(machine);
            problem_.machine_labels.push_back(std::move(label));
            return problem_.machine_labels.size() - 1;
        }
        fail(by, "machines have no label " + quoted_name(name) +
                     words_for(problem_.machine_labels, name) +
                     "; a column of --machines gives it");
    }

    static std::string words_for(const std::vector<Label>& labels, const std::string& name) {
        std::vector<std::string> names;
        names.reserve(labels.size());
        for (const Label& label : labels)
            names.push_back(label.name);
        return printable(did_you_mean(name, names));
    }

    [[nodiscard]] std::size_t resource_of(const NamedColumn& named) const {
        if (const auto resource = find_resource(problem_, named.name)) return *resource;
        fail(named.by, "items have no resource " + quoted_name(named.name));
    }

    [[nodiscard]] ValueId value_of(const Label& label, std::string_view owner,
                                   const Selection::Value& value, const std::string& by) const {
        if (const auto number = label.values.find(value.text)) return *number;
        fail(value.line > 0 ? by + ':' + std::to_string(value.line) : by,
             "expected " + words_of(label, owner) + ", found " + quoted_name(value.text) +
                 near_names(label.values, value.text));
    }

    static std::string words_of(const Label& label, std::string_view owner) {
        const std::string name = lower_case(label.name);
        if (name == "item" || name == "machine") return "the name of a known " + name;
        return "a value of " + printable(label.name) + " that " + std::string(owner) + " have";
    }

    [[nodiscard]] Chosen items_of(const Selection& selection, const std::string& by) const {
        Chosen chosen;
        for (const Selection::Of& each : selection.labels) {
            const std::size_t label = item_label(each.label, by);
            chosen.labels.push_back(
                {label, values_of(problem_.item_labels[label], "items", each, by)});
        }
        return chosen;
    }

    [[nodiscard]] Chosen machines_of(const Selection& selection, const std::string& by) {
        Chosen chosen;
        for (const Selection::Of& each : selection.labels) {
            const std::size_t label = machine_label(each.label, by);
            chosen.labels.push_back(
                {label, values_of(problem_.machine_labels[label], "machines", each, by)});
        }
        return chosen;
    }

    [[nodiscard]] std::vector<ValueId> values_of(const Label& label, std::string_view owner,
                                                 const Selection::Of& each,
                                                 const std::string& by) const {
        std::vector<ValueId> values;
        values.reserve(each.values.size());
        for (const Selection::Value& value : each.values)
            values.push_back(value_of(label, owner, value, by));
        std::sort(values.begin(), values.end());
        return values;
    }

    template <class Visit>
    void for_machines(const Selection& selection, const std::string& by, const Visit& visit) {
        const Chosen chosen = machines_of(selection, by);
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (chosen.has(problem_.machine_labels, machine)) visit(machine);
    }

    [[nodiscard]] Tokens amount_of(const NamedAmount& named, const std::string& by) {
        const std::size_t resource = resource_of({named.resource, by});
        const std::optional<Quantity> found = quantity(named.text);
        const bool fits =
            found && (resource != items_resource || (found->decimals == 0 && !found->has_unit));
        if (!fits) fail(by, "expected a whole number of items, found " + quoted_name(named.text));
        if (!found->has_unit && found->number != 0) read_.without_unit[resource] = true;
        const std::optional<Int128> amount = in_units(problem_, resource, *found);
        if (!amount)
            fail(by, "expected fewer digits after the point, found " + quoted_name(named.text));
        return static_cast<Tokens>(std::min<Int128>(*amount, tokens_max));
    }

    void set_limits() {
        for (const LimitRule& rule : rules_.limits) {
            const auto set = [&](const std::vector<NamedAmount>& list,
                                 std::vector<Tokens>& limits) {
                for (const NamedAmount& named : list) {
                    const Tokens amount = amount_of(named, rule.by);
                    const std::size_t resource = resource_of({named.resource, rule.by});
                    for_machines(rule.machines, rule.by, [&](MachineId machine) {
                        Tokens& limit = limits[machine * problem_.resource_count() + resource];
                        limit = std::min(limit, amount);
                    });
                }
            };
            set(rule.capacities, problem_.capacities);
            set(rule.targets, problem_.thresholds);
            if (!rule.least_items) continue;
            problem_.least_items.resize(problem_.machine_count(), 0);
            for_machines(rule.machines, rule.by, [&](MachineId machine) {
                Tokens& least = problem_.least_items[machine];
                least = std::max(least, *rule.least_items);
            });
        }
    }

    void pin_items(const Selection& selection, const std::string& by) {
        const Chosen chosen = items_of(selection, by);
        problem_.stays.resize(problem_.item_count(), false);
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (chosen.has(problem_.item_labels, item)) problem_.stays[item] = true;
    }

    void set_drained_and_pinned() {
        for (const auto& [selection, by] : rules_.drained)
            for_machines(selection, by,
                         [&](MachineId machine) { problem_.drained[machine] = true; });
        for (const auto& [selection, by] : rules_.pinned_machines)
            for_machines(selection, by,
                         [&](MachineId machine) { problem_.pinned[machine] = true; });
        for (const auto& [selection, by] : rules_.pinned_items)
            pin_items(selection, by);
        for (const std::string& name : rules_.pinned) {
            const auto machine = problem_.machines.find(name);
            const auto thing = problem_.things.find(name);
            if (machine && thing)
                fail("--pinned", quoted_name(name) +
                                     " is both a machine and an item; say which in --rules: "
                                     "pinned.machines or pinned.items");
            if (machine) {
                problem_.pinned[*machine] = true;
            } else if (thing) {
                pin_items({{{"item", {{name, 0}}}}}, "--pinned");
            } else {
                std::string near = near_names(problem_.machines, name);
                if (near.empty()) near = near_names(problem_.things, name);
                fail("--pinned", "expected the name of a machine or an item, found " +
                                     quoted_name(name) + near);
            }
        }
    }

    /// A machine that is drained needs no items, whatever the least number of all is.
    void expect_no_contradictions() {
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (problem_.pinned[machine] && problem_.drained[machine])
                throw InputError(
                    "machine " + quoted_name(problem_.machines.name(machine)) +
                    " is to be emptied (drain) and to stay as it is (pinned); expected "
                    "one of the two");
        for (MachineId machine = 0; machine < problem_.least_items.size(); ++machine)
            if (problem_.drained[machine]) problem_.least_items[machine] = 0;
        for (ItemId item = 0; item < problem_.stays.size(); ++item)
            if (problem_.stays[item] && problem_.drained[problem_.places[item]])
                throw InputError("item " + quoted_name(problem_.item_name(item)) +
                                 " is to stay (pinned) on machine " +
                                 quoted_name(problem_.machine_name(problem_.places[item])) +
                                 ", which is to be emptied (drain); expected one of the two");
    }

    void set_apart() {
        problem_.apart.assign(1, Apart{0});
        for (const ApartRule& named : rules_.apart) {
            const std::size_t label = item_label(named.label, named.by);
            const auto same = std::find_if(problem_.apart.begin(), problem_.apart.end(),
                                           [&](const Apart& rule) { return rule.label == label; });
            if (same == problem_.apart.end()) {
                problem_.apart.push_back({label, named.on_the_way});
            } else {
                same->on_the_way = same->on_the_way || named.on_the_way;
            }
        }
    }

    /// Rules about racks or zones are about all machines.
    void expect_values(std::size_t label, const std::string& by) const {
        const Label& values = problem_.machine_labels[label];
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
            if (values.of[machine] == no_value && !problem_.drained[machine])
                fail(by, "expected a value of " + printable(values.name) +
                             " for every machine that is not drained, found none for " +
                             quoted_name(problem_.machines.name(machine)));
    }

    void set_spread() {
        for (const SpreadRule& rule : rules_.spread) {
            const Spread spread{item_label(rule.label, rule.by),
                                machine_label(rule.machine_label, rule.by), rule.least};
            expect_values(spread.machine_label, rule.by);
            const auto is_same = [&](const Spread& other) {
                return other.label == spread.label && other.machine_label == spread.machine_label &&
                       other.least == spread.least;
            };
            if (std::none_of(problem_.spread.begin(), problem_.spread.end(), is_same))
                problem_.spread.push_back(spread);
        }
    }

    void set_near() {
        for (const NearRule& rule : rules_.near) {
            Near near{
                item_label(rule.label, rule.by), machine_label(rule.machine_label, rule.by), {}};
            expect_values(near.machine_label, rule.by);
            const Label& label = problem_.item_labels[near.label];
            if (rule.depends) {
                for (const auto& [service, other] : *rule.depends)
                    near.depends.emplace_back(value_of(label, "items", {service, 0}, rule.by),
                                              value_of(label, "items", {other, 0}, rule.by));
            } else {
                add_depends(label, near.depends);
            }
            std::erase_if(near.depends, [](const auto& pair) { return pair.first == pair.second; });
            std::sort(near.depends.begin(), near.depends.end());
            near.depends.erase(std::unique(near.depends.begin(), near.depends.end()),
                               near.depends.end());
            problem_.near.push_back(std::move(near));
        }
    }

    /// What the column `depends` says: names between blanks, commas or semicolons.
    void add_depends(const Label& label, std::vector<std::pair<ValueId, ValueId>>& depends) const {
        std::vector<std::vector<ValueId>> others(read_.depends.values.size());
        for (std::uint32_t text = 0; text < others.size(); ++text) {
            std::string name;
            const auto take = [&] {
                if (!name.empty())
                    others[text].push_back(value_of(
                        label, "items", {name, read_.depends_lines[text]}, read_.items_file));
                name.clear();
            };
            for (const char c : read_.depends.values.name(text)) {
                if (c == ' ' || c == '\t' || c == ',' || c == ';') {
                    take();
                } else {
                    name += c;
                }
            }
            take();
        }
        // Items of one service often repeat the text.
        std::vector<std::pair<ValueId, std::uint32_t>> said;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (label.of[item] != no_value && read_.depends.of[item] != no_value)
                said.emplace_back(label.of[item], read_.depends.of[item]);
        std::sort(said.begin(), said.end());
        said.erase(std::unique(said.begin(), said.end()), said.end());
        for (const auto& [service, text] : said)
            for (const ValueId other : others[text])
                depends.emplace_back(service, other);
    }

    void set_places() {
        if (rules_.places.empty()) return;
        std::vector<Chosen> items;
        items.reserve(rules_.places.size());
        for (const PlaceRule& rule : rules_.places)
            items.push_back(items_of(rule.items, rule.by));
        // Rules by the first label that they ask for.
        std::vector<std::unordered_map<ValueId, std::vector<std::uint32_t>>> rules_of(
            problem_.item_labels.size());
        for (std::uint32_t rule = 0; rule < items.size(); ++rule)
            for (const ValueId value : items[rule].labels.front().values)
                rules_of[items[rule].labels.front().label][value].push_back(rule);
        std::map<std::vector<std::uint32_t>, std::uint32_t> set_of;
        problem_.allowed_set.assign(problem_.item_count(), any_machine);
        std::vector<std::uint32_t> holding;
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            holding.clear();
            for (std::size_t label = 0; label < rules_of.size(); ++label) {
                const auto found = rules_of[label].find(problem_.item_labels[label].of[item]);
                if (found == rules_of[label].end()) continue;
                for (const std::uint32_t rule : found->second)
                    if (items[rule].has(problem_.item_labels, item)) holding.push_back(rule);
            }
            if (holding.empty()) continue;
            std::sort(holding.begin(), holding.end());
            holding.erase(std::unique(holding.begin(), holding.end()), holding.end());
            const auto [set, is_new] =
                set_of.try_emplace(holding, static_cast<std::uint32_t>(problem_.sets.size()));
            if (is_new) problem_.sets.push_back(set_for(holding));
            problem_.allowed_set[item] = set->second;
        }
    }

    [[nodiscard]] std::vector<bool> set_for(const std::vector<std::uint32_t>& rules) {
        const MachineId machines = problem_.machine_count();
        if ((problem_.sets.size() + 1) * std::uint64_t{machines} > set_bits_max)
            throw InputError("--allowed and --forbidden: expected at most " +
                             std::to_string(set_bits_max / machines) +
                             " different sets of machines, found more");
        std::optional<std::vector<bool>> set;
        for (const std::uint32_t number : rules) {
            const PlaceRule& rule = rules_.places[number];
            if (rule.forbidden) continue;
            std::vector<bool> allowed(machines, false);
            for (const MachineId machine : listed_machines(rule))
                allowed[machine] = !set || (*set)[machine];
            set = std::move(allowed);
        }
        if (!set) set.emplace(machines, true);
        for (const std::uint32_t number : rules)
            if (rules_.places[number].forbidden)
                for (const MachineId machine : listed_machines(rules_.places[number]))
                    (*set)[machine] = false;
        return *set;
    }

    /// The machines that a rule names. Tables have many rules, each with few values of one label.
    [[nodiscard]] std::vector<MachineId> listed_machines(const PlaceRule& rule) {
        const Chosen chosen = machines_of(rule.machines, rule.by);
        const Chosen::Of& first = chosen.labels.front();
        const Label& label = problem_.machine_labels[first.label];
        with_value_.resize(problem_.machine_labels.size());
        auto& by_value = with_value_[first.label];
        if (by_value.empty()) {
            by_value.resize(label.values.size());
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                if (label.of[machine] != no_value) by_value[label.of[machine]].push_back(machine);
        }
        std::vector<MachineId> machines;
        for (const ValueId value : first.values)
            for (const MachineId machine : by_value[value])
                if (chosen.has(problem_.machine_labels, machine)) machines.push_back(machine);
        return machines;
    }

    const Rules& rules_;
    ReadTables& read_;
    Problem& problem_;
    /// By label of machines, then value.
    std::vector<std::vector<std::vector<MachineId>>> with_value_;
};

}  // namespace

void name_columns(Rules& rules, Columns& columns) {
    for (const ApartRule& rule : rules.apart)
        add(columns.item_labels, rule.label, rule.by);
    for (const SpreadRule& rule : rules.spread) {
        add(columns.item_labels, rule.label, rule.by);
        add(columns.machine_labels, rule.machine_label, rule.by);
    }
    for (const NearRule& rule : rules.near) {
        add(columns.item_labels, rule.label, rule.by);
        add(columns.machine_labels, rule.machine_label, rule.by);
        columns.depends = columns.depends || !rule.depends;
    }
    for (PlaceRule& rule : rules.places) {
        name_item_labels(rule.items, rule.by, columns);
        name_machine_labels(rule.machines, rule.by, columns);
    }
    for (LimitRule& rule : rules.limits) {
        name_machine_labels(rule.machines, rule.by, columns);
        for (const auto* list : {&rule.capacities, &rule.targets})
            for (const NamedAmount& named : *list)
                add(columns.resources, named.resource, rule.by);
    }
    for (const auto& [resource, release] : rules.releases)
        add(columns.resources, resource.name, resource.by);
    for (auto& [selection, by] : rules.pinned_machines)
        name_machine_labels(selection, by, columns);
    for (auto& [selection, by] : rules.drained)
        name_machine_labels(selection, by, columns);
    for (const auto& [selection, by] : rules.pinned_items)
        name_item_labels(selection, by, columns);
}

void set_rules(const Rules& rules, ReadTables& read, Problem& problem) {
    RulesSetter(rules, read, problem).set();
}

}  // namespace equipoise::reassign
