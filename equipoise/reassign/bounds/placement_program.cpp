#include "equipoise/reassign/bounds/placement_program.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "equipoise/reassign/bounds/value_groups.hpp"

namespace equipoise::reassign {

namespace {

class ProgramBuilder {
  public:
    ProgramBuilder(const Problem& problem, const Reach& reach, const RuleCounts& rules,
                   const PlacementAsked& asked, std::size_t size_most)
        : problem_(problem),
          reach_(reach),
          rules_(rules),
          asked_(asked),
          size_most_(size_most),
          machines_(problem.machine_count()),
          are_certain_(!asked.rule_cost) {
        entries_of_item_.resize(problem.item_count());
    }

    std::optional<ChoiceProgram> build() {
        if (!is_small()) return std::nullopt;
        add_limits();
        add_moved();
        add_least_items();
        for (std::size_t rule = 0; rule < problem_.apart.size(); ++rule)
            if (!are_certain_ || rules_.apart[rule]) add_apart(problem_.apart[rule].label);
        for (std::size_t rule = 0; rule < problem_.spread.size(); ++rule)
            if (!are_certain_ || rules_.spread[rule]) add_spread(problem_.spread[rule]);
        for (std::size_t rule = 0; rule < problem_.near.size(); ++rule)
            if (!are_certain_ || rules_.near[rule]) add_near(problem_.near[rule]);
        add_columns();
        if (entries_ > size_most_) return std::nullopt;
        return std::move(program_);
    }

  private:
    /// An amount besides the options.
    struct Amount {
        Int128 cost = 0;
        Int128 most = 0;
        std::vector<ChoiceProgram::Entry> entries;
    };

    [[nodiscard]] bool is_small() const {
        std::vector<std::size_t> takers;
        for (const std::vector<bool>& kind : reach_.takers)
            takers.push_back(static_cast<std::size_t>(std::count(kind.begin(), kind.end(), true)));
        std::size_t columns = 0;
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            columns += 1 + (reach_.leaves[item] ? takers[reach_.kinds[item]] : 0);
        std::size_t values = 0;  // each may have a row for every machine
        for (const Apart& rule : problem_.apart)
            values += problem_.item_labels[rule.label].values.size();
        return columns <= size_most_ && values * machines_ <= size_most_;
    }

    /// Adds to the sum of the row if the item is on the machine, or on those with the value.
    void on_machines(std::uint32_t row, ItemId item, MachineId machine, Tokens coefficient) {
        if (coefficient == 0 || ++entries_ > size_most_) return;
        entries_of_item_[item][machine].push_back({row, coefficient});
    }
    void on_machines(std::uint32_t row, ItemId item, const Label& label, ValueId value,
                     Tokens coefficient) {
        for (MachineId machine = 0; machine < machines_; ++machine)
            if (label.of[machine] == value && reach_.may_end_on(problem_, item, machine))
                on_machines(row, item, machine, coefficient);
    }
    /// Lets the sum of the row exceed its limit at a cost, where rules are not certain.
    void may_be_broken(std::uint32_t row, Int128 most) {
        if (!are_certain_) amounts_.push_back({*asked_.rule_cost, most, {{row, -1}}});
    }

    void add_limits() {
        for (std::size_t at = 0; at < asked_.parts.size(); ++at) {
            const LimitsAllowed& part = asked_.parts[at];
            const bool is_least = asked_.least_over && at + 1 == asked_.parts.size();
            std::optional<std::uint32_t> row_of_over;
            if (!is_least && part.over > 0) row_of_over = program_.add_row(part.over);
            for (const WeightedLimits& limits : part.limits)
                for (MachineId machine = 0; machine < machines_; ++machine)
                    add_limit(limits, machine, is_least, row_of_over);
        }
    }

    void add_limit(const WeightedLimits& limits, MachineId machine, bool is_least,
                   const std::optional<std::uint32_t>& row_of_over) {
        const Int128 most = limits.limits.most[machine];
        const std::size_t resource = limits.limits.resource;
        if (most >= total(resource)) return;
        // A single item may be larger than the limit: the rest of it does not count.
        const bool may_be_single = limits.limits.except_single && !problem_.drained[machine];
        const std::uint32_t row = program_.add_row(most);
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            if (!reach_.may_end_on(problem_, item, machine)) continue;
            const Int128 amount = problem_.amount(item, resource);
            on_machines(row, item, machine,
                        static_cast<Tokens>(may_be_single ? std::min(amount, most) : amount));
        }
        Amount over{is_least ? Int128{limits.weight} : Int128{0}, total(resource), {{row, -1}}};
        if (row_of_over) over.entries.push_back({*row_of_over, limits.weight});
        if (is_least || row_of_over) amounts_.push_back(std::move(over));
    }

    [[nodiscard]] Int128 total(std::size_t resource) {
        if (totals_.empty()) totals_ = problem_.totals();
        return totals_[resource];
    }

    /// What may move, and what must leave machines.
    void add_moved() {
        for (std::size_t resource = 0; resource < asked_.budget.size(); ++resource) {
            if (asked_.budget[resource] >= total(resource)) continue;
            const std::uint32_t row = program_.add_row(asked_.budget[resource]);
            for (ItemId item = 0; item < problem_.item_count(); ++item)
                for (MachineId machine = 0; machine < machines_; ++machine)
                    if (machine != problem_.places[item] &&
                        reach_.may_end_on(problem_, item, machine))
                        on_machines(row, item, machine, problem_.amount(item, resource));
        }
        if (asked_.gives.empty()) return;
        for (MachineId machine = 0; machine < machines_; ++machine) {
            if (asked_.gives[machine] == 0) continue;
            Int128 held = 0;
            for (const ItemId item : reach_.on(machine))
                held += problem_.amount(item, asked_.cost);
            const std::uint32_t row = program_.add_row(held - asked_.gives[machine]);
            for (const ItemId item : reach_.on(machine))
                on_machines(row, item, machine, problem_.amount(item, asked_.cost));
        }
    }

    void add_least_items() {
        if (are_certain_ && !rules_.least_items) return;
        for (MachineId machine = 0; machine < machines_; ++machine) {
            const Tokens least = problem_.least_items_of(machine);
            if (least == 0) continue;
            const std::uint32_t row = program_.add_row(-Int128{least});
            for (ItemId item = 0; item < problem_.item_count(); ++item)
                if (reach_.may_end_on(problem_, item, machine)) on_machines(row, item, machine, -1);
            may_be_broken(row, least);
        }
    }

    void add_apart(std::size_t label) {
        for (const std::vector<ItemId>& items : items_by_value(problem_.item_labels[label])) {
            if (items.size() < 2) continue;
            for (MachineId machine = 0; machine < machines_; ++machine) {
                std::vector<ItemId> here;
                for (const ItemId item : items)
                    if (reach_.may_end_on(problem_, item, machine)) here.push_back(item);
                if (here.size() < 2) continue;
                const std::uint32_t row = program_.add_row(1);
                for (const ItemId item : here)
                    on_machines(row, item, machine, 1);
                may_be_broken(row, here.size());
            }
        }
    }

    void add_spread(const Spread& rule) {
        const Label& racks = problem_.machine_labels[rule.machine_label];
        const SpreadNeeds needs(problem_, reach_, rule);
        for (const std::vector<ItemId>& items : items_by_value(problem_.item_labels[rule.label])) {
            if (items.size() < 2) continue;
            // Values that are taken, of which each has an item.
            const std::uint32_t enough =
                program_.add_row(-static_cast<Int128>(needs.values_needed(items.size())));
            may_be_broken(enough, items.size());
            const std::size_t most = needs.most_on_value(items.size());
            for (const ValueId value : needs.possible(items, false).values) {
                const std::uint32_t taken = program_.add_row(0);
                amounts_.push_back({0, 1, {{taken, 1}, {enough, -1}}});
                for (const ItemId item : items)
                    on_machines(taken, item, racks, value, -1);
                if (most >= items.size() || (rule.least > 0 && !are_certain_)) continue;
                const std::uint32_t row = program_.add_row(most);
                for (const ItemId item : items)
                    on_machines(row, item, racks, value, 1);
                may_be_broken(row, items.size());
            }
        }
    }

    /// An item of a service is in a zone at most as often as items of the other one are.
    void add_near(const Near& rule) {
        const Label& zones = problem_.machine_labels[rule.machine_label];
        const std::vector<std::vector<ItemId>> groups =
            items_by_value(problem_.item_labels[rule.label]);
        for (const auto& [service, other] : rule.depends) {
            if (service == other) continue;
            for (ValueId zone = 0; zone < zones.values.size(); ++zone)
                add_near(zones, zone, groups[service], groups[other]);
            add_near(zones, no_value, groups[service], {});
        }
    }

    void add_near(const Label& zones, ValueId zone, const std::vector<ItemId>& service,
                  const std::vector<ItemId>& others) {
        // One amount for the zone: it is broken there once, whatever the number of items.
        std::vector<std::uint32_t> rows;
        for (const ItemId item : service) {
            const std::uint32_t row = program_.add_row(0);
            on_machines(row, item, zones, zone, 1);
            for (const ItemId other : others)
                on_machines(row, other, zones, zone, -1);
            rows.push_back(row);
        }
        if (are_certain_) return;
        Amount broken{*asked_.rule_cost, 1, {}};
        for (const std::uint32_t row : rows)
            broken.entries.push_back({row, -1});
        amounts_.push_back(std::move(broken));
    }

    void add_columns() {
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            program_.begin_choice();
            const MachineId place = problem_.places[item];
            const bool may_stay = reach_.may_stay(item, are_certain_);
            for (MachineId machine = 0; machine < machines_; ++machine) {
                const bool is_place = machine == place;
                if (is_place ? !may_stay : !reach_.may_end_on(problem_, item, machine)) continue;
                Int128 cost = 0;
                if (!asked_.least_over && !is_place) cost = problem_.amount(item, asked_.cost);
                if (!are_certain_ && is_place && reach_.must_leave[item]) cost = *asked_.rule_cost;
                program_.add_option(cost);
                const auto at = entries_of_item_[item].find(machine);
                if (at == entries_of_item_[item].end()) continue;
                for (const ChoiceProgram::Entry& entry : at->second)
                    program_.add_entry(entry.row, entry.coefficient);
            }
            entries_of_item_[item].clear();
        }
        for (const Amount& amount : amounts_) {
            program_.add_amount(amount.cost, amount.most);
            for (const ChoiceProgram::Entry& entry : amount.entries)
                program_.add_entry(entry.row, entry.coefficient);
        }
    }

    const Problem& problem_;
    const Reach& reach_;
    const RuleCounts& rules_;
    const PlacementAsked& asked_;
    std::size_t size_most_;
    MachineId machines_;
    bool are_certain_;
    ChoiceProgram program_;
    std::size_t entries_ = 0;
    std::vector<Tokens> totals_;
    std::vector<Amount> amounts_;
    /// By item, then machine.
    std::vector<std::map<MachineId, std::vector<ChoiceProgram::Entry>>> entries_of_item_;
};

}  // namespace

std::optional<ChoiceProgram> placement_program(const Problem& problem, const Reach& reach,
                                               const RuleCounts& rules, const PlacementAsked& asked,
                                               std::size_t size_most) {
    return ProgramBuilder(problem, reach, rules, asked, size_most).build();
}

}  // namespace equipoise::reassign
