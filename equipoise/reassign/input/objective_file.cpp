#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/reassign/input/aims.hpp"

namespace equipoise::reassign {

namespace {

/// Of weights, targets and costs: so that sums of costs fit into 126 bits.
constexpr Tokens weight_max = 1'000'000'000;
constexpr std::size_t balances_max = 16;
/// Pairs of machines.
constexpr std::uint64_t pairs_max = std::uint64_t{1} << 28U;

class ObjectiveFile {
  public:
    ObjectiveFile(std::string_view text, const std::string& name)
        : json_(parse_json(text, name)), top_(json_, name) {
        asked_.name = name;
    }

    AskedObjective read() {
        top_.expect_keys(
            {"$schema", "over_thresholds", "balances", "moves", "most_moved", "machine_pairs"});
        if (const auto over = top_.find("over_thresholds"))
            over->for_each_member([&](const std::string& resource, const JsonValue& weight) {
                asked_.over_thresholds.emplace_back(resource, weight_of(weight));
            });
        if (const auto balances = top_.find("balances")) {
            if (balances->size() > balances_max)
                balances->refuse("at most " + std::to_string(balances_max) + " balances");
            balances->for_each([&](const JsonValue& balance) {
                balance.expect_keys({"resource", "other", "target", "weight"});
                asked_.balances.push_back(
                    {balance.at("resource").text(), balance.at("other").text(),
                     weight_of(balance.at("target")), weight_of(balance.at("weight"))});
            });
        }
        if (const auto moves = top_.find("moves")) {
            moves->expect_keys({"weight", "cost"});
            asked_.move_weight = weight_of(moves->at("weight"));
            if (const auto cost = moves->find("cost")) asked_.move_cost = cost->text();
        }
        if (const auto most = top_.find("most_moved")) {
            most->expect_keys({"label", "weight"});
            asked_.most_moved_label = most->at("label").text();
            asked_.most_moved_weight = weight_of(most->at("weight"));
        }
        if (const auto pairs = top_.find("machine_pairs")) read_pairs(*pairs);
        return std::move(asked_);
    }

  private:
    static Tokens weight_of(const JsonValue& value) { return value.whole<Tokens>(0, weight_max); }

    void read_pairs(const JsonValue& pairs) {
        pairs.expect_keys({"weight", "label", "costs", "others"});
        const auto cost_of = [](const JsonValue& value) {
            return static_cast<std::uint32_t>(weight_of(value));
        };
        asked_.pair_weight = weight_of(pairs.at("weight"));
        if (const auto label = pairs.find("label")) asked_.pair_label = label->text();
        if (const auto others = pairs.find("others")) asked_.pair_cost_of_others = cost_of(*others);
        const auto costs = pairs.find("costs");
        if (!costs) return;
        costs->for_each([&](const JsonValue& cost) {
            if (!cost.is_list() || cost.size() != 3) cost.refuse("a list [from, to, cost]");
            const JsonValue from = cost.at(std::size_t{0});
            const JsonValue to = cost.at(1);
            asked_.pair_costs.push_back({from.text(), to.text(), cost_of(cost.at(2))});
        });
    }

    nlohmann::json json_;
    JsonValue top_;
    AskedObjective asked_;
};

class ObjectiveSetter {
  public:
    ObjectiveSetter(const AskedObjective& asked, const ReadTables& read, Problem& problem)
        : asked_(asked), read_(read), problem_(problem), objective_(problem.objective) {}

    void set() {
        objective_ = {};
        objective_.given = true;
        raise_all_decimals();
        set_thresholds();
        for (const AskedObjective::Balance& balance : asked_.balances) {
            const std::size_t resource = resource_of(balance.resource, "balances");
            const std::size_t other = resource_of(balance.other, "balances");
            expect_capacities(resource);
            expect_capacities(other);
            if (other == items_resource && objective_.decimals > 0)
                throw InputError(asked_.name +
                                 ": balances: expected amounts without digits after the point "
                                 "beside items as the other resource, found some");
            objective_.balances.push_back(
                {resource, other, in_smallest_digits(resource, balance.target), balance.weight});
        }
        if (asked_.move_weight > 0)
            for (ItemId item = 0; item < problem_.item_count(); ++item)
                objective_.move_costs.push_back(
                    scaled(asked_.move_weight * (asked_.move_cost ? read_.costs[item] : 1)));
        if (asked_.most_moved_label) {
            const auto label = find_label(problem_.item_labels, *asked_.most_moved_label);
            if (!label) fail("most_moved", "a label of items", *asked_.most_moved_label);
            objective_.most_moved_label = *label;
            objective_.most_moved = scaled(asked_.most_moved_weight);
        }
        if (asked_.pair_weight > 0) set_pairs();
    }

  private:
    [[noreturn]] void fail(const char* place, const std::string& expected,
                           const std::string& found) const {
        throw InputError(asked_.name + ": " + place + ": expected " + expected + ", found \"" +
                         printable(found) + '"');
    }

    [[nodiscard]] std::size_t resource_of(const std::string& name, const char* place) const {
        if (const auto resource = find_resource(problem_, name)) return *resource;
        fail(place, "a resource of items", name);
    }

    /// All resources that cost get the most decimals of any, so that their costs can be added;
    /// items are whole, and their weights count them in smaller units.
    void raise_all_decimals() {
        std::vector<std::size_t> costing;
        for (const auto& [name, weight] : asked_.over_thresholds)
            costing.push_back(resource_of(name, "over_thresholds"));
        for (const AskedObjective::Balance& balance : asked_.balances)
            for (const std::string* name : {&balance.resource, &balance.other})
                costing.push_back(resource_of(*name, "balances"));
        for (const std::size_t resource : costing)
            objective_.decimals =
                std::max(objective_.decimals, problem_.resources[resource].decimals);
        for (const std::size_t resource : costing)
            if (resource != items_resource &&
                !raise_decimals(problem_, resource, objective_.decimals))
                throw InputError(asked_.name + ": expected amounts of " +
                                 printable(problem_.resources[resource].name) +
                                 " that fit with the " + std::to_string(objective_.decimals) +
                                 " digits after the point that others have, found larger ones");
    }

    /// A cost in units of the objective.
    [[nodiscard]] Tokens scaled(Tokens cost) const {
        const Int128 factor = ten_to_the(objective_.decimals);
        if (cost > tokens_max / factor)
            throw InputError(asked_.name + ": expected costs of at most " +
                             std::to_string(static_cast<Tokens>(tokens_max / factor)) +
                             ", as amounts have " + std::to_string(objective_.decimals) +
                             " digits after the point, found " + std::to_string(cost));
        return static_cast<Tokens>(cost * factor);
    }

    [[nodiscard]] Tokens in_smallest_digits(std::size_t resource, Tokens weight) const {
        return resource == items_resource ? scaled(weight) : weight;
    }

    void set_thresholds() {
        const std::size_t kinds = problem_.resource_count();
        objective_.over_threshold.assign(kinds, 0);
        std::vector<bool> weighed(kinds, false);
        for (const auto& [name, weight] : asked_.over_thresholds) {
            const std::size_t resource = resource_of(name, "over_thresholds");
            objective_.over_threshold[resource] = in_smallest_digits(resource, weight);
            weighed[resource] = true;
        }
        for (std::size_t at = 0; at < problem_.thresholds.size(); ++at)
            if (problem_.thresholds[at] != tokens_max && !weighed[at % kinds])
                throw InputError(asked_.name + ": over_thresholds: expected a weight of " +
                                 printable(problem_.resources[at % kinds].name) +
                                 ", as machines have targets of it, found none");
    }

    void expect_capacities(std::size_t resource) const {
        Int128 total = 0;
        for (MachineId machine = 0; machine < problem_.machine_count(); ++machine) {
            const Tokens capacity = problem_.capacity(machine, resource);
            if (capacity == tokens_max)
                throw InputError(asked_.name + ": balances: expected a capacity of " +
                                 printable(problem_.resources[resource].name) +
                                 " for every machine, found none for \"" +
                                 printable(problem_.machines.name(machine)) + '"');
            total += capacity;
        }
        if (total > tokens_max)
            throw InputError(asked_.name + ": balances: expected capacities of " +
                             printable(problem_.resources[resource].name) + " of at most " +
                             exact_text(problem_.resources[resource], tokens_max) +
                             " in all, found more");
    }

    void set_pairs() {
        const std::uint64_t machines = problem_.machine_count();
        if (machines * machines > pairs_max)
            throw InputError(asked_.name + ": machine_pairs: expected at most " +
                             std::to_string(pairs_max) + " pairs of machines, found more");
        Label machine{"machine", problem_.machines, {}};
        for (MachineId each = 0; each < machines; ++each)
            machine.of.push_back(each);
        const auto known = find_label(problem_.machine_labels, asked_.pair_label);
        if (!known && lower_case(asked_.pair_label) != machine.name)
            fail("machine_pairs", "a label of machines", asked_.pair_label);
        const Label& label = known ? problem_.machine_labels[*known] : machine;
        const std::uint64_t values = label.values.size();
        // The last row and column are for machines without a value.
        std::vector<std::uint32_t> costs((values + 1) * (values + 1), asked_.pair_cost_of_others);
        for (std::uint64_t value = 0; value < values; ++value)
            costs[value * (values + 1) + value] = 0;
        for (const AskedObjective::PairCost& pair : asked_.pair_costs) {
            const auto from = label.values.find(pair.from);
            const auto to = label.values.find(pair.to);
            if (!from || !to)
                fail("machine_pairs", "values of " + label.name + " that machines have",
                     from ? pair.to : pair.from);
            costs[*from * (values + 1) + *to] = pair.cost;
        }
        const auto row = [&](MachineId each) {
            return label.of[each] == no_value ? values : std::uint64_t{label.of[each]};
        };
        objective_.pair_weight = scaled(asked_.pair_weight);
        objective_.pair_costs.reserve(machines * machines);
        for (MachineId from = 0; from < machines; ++from)
            for (MachineId to = 0; to < machines; ++to)
                objective_.pair_costs.push_back(
                    from == to ? 0 : costs[row(from) * (values + 1) + row(to)]);
    }

    const AskedObjective& asked_;
    const ReadTables& read_;
    Problem& problem_;
    Objective& objective_;
};

}  // namespace

AskedObjective read_objective(std::string_view text, const std::string& name) {
    return ObjectiveFile(text, name).read();
}

void name_columns(const AskedObjective& asked, Columns& columns) {
    for (const auto& [resource, weight] : asked.over_thresholds)
        columns.resources.push_back({resource, asked.name + ": over_thresholds"});
    for (const AskedObjective::Balance& balance : asked.balances)
        for (const std::string* resource : {&balance.resource, &balance.other})
            columns.resources.push_back({*resource, asked.name + ": balances"});
    if (asked.move_cost) columns.cost = NamedColumn{*asked.move_cost, asked.name + ": moves"};
    if (asked.most_moved_label)
        columns.item_labels.push_back({*asked.most_moved_label, asked.name + ": most_moved"});
    columns.machine_labels.push_back({asked.pair_label, asked.name + ": machine_pairs"});
}

void set_objective(const AskedObjective& asked, const ReadTables& read, Problem& problem) {
    ObjectiveSetter(asked, read, problem).set();
}

}  // namespace equipoise::reassign
