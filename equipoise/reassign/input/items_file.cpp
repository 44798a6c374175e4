#include <algorithm>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::reassign {

namespace {

/// What a column of items is read as.
struct ItemColumn {
    enum class Kind : std::uint8_t { unused, item, machine, label, resource, depends, leader };
    Kind kind = Kind::unused;
    std::size_t index = 0;  ///< of labels and resources
    std::string by;         ///< what names it
};

class ItemsReader {
  public:
    ItemsReader(LineSource& source, const Columns& columns, Problem& problem, ReadTables& read)
        : source_(source),
          columns_(columns),
          problem_(problem),
          read_(read),
          table_(source),
          roles_(table_.columns().size()) {}

    void read() {
        read_.items_file = source_.name();
        find_roles();
        note_unused();
        while (table_.next(fields_))
            read_line();
        if (problem_.places.empty())
            throw InputError(source_.name() + ": expected items, found none");
        problem_.item_labels.front().values = problem_.things;
        problem_.item_labels.front().of = problem_.thing;
    }

  private:
    void find_roles() {
        set_role(expect_column(table_, source_, {"item", ""}),
                 {ItemColumn::Kind::item, 0, "its header"});
        std::vector<NamedColumn> others = columns_.item_labels;
        others.insert(others.end(), columns_.labels.begin(), columns_.labels.end());
        others.insert(others.end(), columns_.resources.begin(), columns_.resources.end());
        machine_ = machine_column(table_, source_, others);
        set_role(machine_, {ItemColumn::Kind::machine, 0, "its header"});
        for (const NamedColumn& label : columns_.item_labels)
            if (lower_case(label.name) != "item")
                set_role(expect_column(table_, source_, label),
                         {ItemColumn::Kind::label, 0, label.by});
        read_.labels_found.resize(columns_.labels.size(), false);
        for (std::size_t at = 0; at < columns_.labels.size(); ++at) {
            const auto column = table_.column(columns_.labels[at].name);
            if (!column) continue;
            read_.labels_found[at] = true;
            if (roles_[*column].kind != ItemColumn::Kind::item)
                set_role(*column, {ItemColumn::Kind::label, 0, columns_.labels[at].by});
        }
        for (const NamedColumn& resource : columns_.resources)
            find_amounts(resource);
        find_default_amounts();
        if (columns_.depends)
            set_role(expect_column(table_, source_, {"depends", "--near"}),
                     {ItemColumn::Kind::depends, 0, "--near"});
        if (columns_.cost) cost_ = expect_column(table_, source_, *columns_.cost);
        if (const auto leader = table_.column("leader");
            leader && roles_[*leader].kind == ItemColumn::Kind::unused && cost_ != leader)
            set_role(*leader, {ItemColumn::Kind::leader, 0, "its header"});
        problem_.resources.assign(1, Resource{"items", 0, Release::after_wave, false});
        problem_.item_labels.assign(1, Label{"item", {}, {}});
        for (std::size_t column = 0; column < roles_.size(); ++column) {
            ItemColumn& role = roles_[column];
            const std::string& name = table_.columns()[column];
            if (role.kind == ItemColumn::Kind::resource) {
                role.index = problem_.resources.size();
                problem_.resources.push_back(
                    {name, 0, Release::after_wave, lower_case(name) == "bytes"});
            } else if (role.kind == ItemColumn::Kind::label) {
                role.index = problem_.item_labels.size();
                problem_.item_labels.push_back({name, {}, {}});
            }
        }
        read_.without_unit.assign(problem_.resources.size(), false);
        totals_.resize(problem_.resources.size(), 0);
    }

    void find_amounts(const NamedColumn& resource) {
        const std::string name = lower_case(resource.name);
        if (name == "items" || name == "moves") return;
        const auto size = table_.column("size");
        const bool means_size = name == "bytes" && !table_.column("bytes") && size;
        const std::size_t column = means_size ? *size : expect_column(table_, source_, resource);
        set_role(column, {ItemColumn::Kind::resource, 0, resource.by});
    }

    /// What is not said otherwise counts the data of items.
    void find_default_amounts() {
        for (const char* const name : {"bytes", "size"}) {
            const auto column = table_.column(name);
            if (!column || roles_[*column].kind == ItemColumn::Kind::label) continue;
            if (roles_[*column].kind == ItemColumn::Kind::unused)
                set_role(*column, {ItemColumn::Kind::resource, 0, "its header"});
            return;
        }
    }

    void set_role(std::size_t column, ItemColumn role) {
        ItemColumn& has = roles_[column];
        if (has.kind != ItemColumn::Kind::unused && has.kind != role.kind) {
            const auto word = [](const ItemColumn& each) -> std::string {
                switch (each.kind) {
                    case ItemColumn::Kind::item:
                        return "as the items";
                    case ItemColumn::Kind::machine:
                        return "as the machines";
                    case ItemColumn::Kind::resource:
                        return "as a resource (" + each.by + ')';
                    case ItemColumn::Kind::depends:
                        return "as what services depend on (" + each.by + ')';
                    default:
                        return "as a label (" + each.by + ')';
                }
            };
            throw InputError(source_.name() + ':' + std::to_string(source_.line_number()) +
                             ": column \"" + printable(table_.columns()[column]) +
                             "\" is wanted both " + word(has) + " and " + word(role));
        }
        if (has.kind == ItemColumn::Kind::unused) has = std::move(role);
    }

    void note_unused() {
        std::vector<std::string> names;
        for (std::size_t column = 0; column < roles_.size(); ++column) {
            if (roles_[column].kind != ItemColumn::Kind::unused || (cost_ && *cost_ == column))
                continue;
            const std::string& name = table_.columns()[column];
            names.push_back(name.empty()
                                ? "number " + std::to_string(column + 1) + ", without a name"
                                : '"' + printable(name) + '"');
        }
        if (names.empty()) return;
        read_.notes.push_back(source_.name() + ": " + (names.size() == 1 ? "column " : "columns ") +
                              listed(names, " and ") + (names.size() == 1 ? " is" : " are") +
                              " not used (--labels or --resources would name " +
                              (names.size() == 1 ? "it)" : "them)"));
    }

    void read_line() {
        const std::uint64_t items = problem_.places.size();
        if (items == items_max)
            source_.fail_plainly("at most " + std::to_string(items_max) + " items", "more");
        if ((items + 1) * problem_.resources.size() > amounts_max)
            source_.fail_plainly(
                "at most " + std::to_string(amounts_max) + " amounts (items times resources)",
                "more");
        problem_.amounts.push_back(1);
        problem_.amounts.resize(problem_.amounts.size() + problem_.resources.size() - 1, 0);
        for (std::size_t column = 0; column < roles_.size(); ++column)
            read_field(roles_[column], fields_[column]);
        place(problem_.thing.back(), problem_.places.back());
        if (!problem_.leads.empty()) lead(problem_.thing.back());
        if (cost_) read_cost(fields_[*cost_]);
    }

    void read_field(const ItemColumn& role, const std::string& text) {
        switch (role.kind) {
            case ItemColumn::Kind::item:
                if (text.empty()) source_.fail("the name of an item", text);
                problem_.thing.push_back(problem_.things.number_of(text));
                break;
            case ItemColumn::Kind::machine:
                if (text.empty()) source_.fail("the name of the machine that holds the item", text);
                problem_.places.push_back(problem_.machines.number_of(text));
                if (problem_.machines.size() > machines_max)
                    source_.fail_plainly("at most " + std::to_string(machines_max) + " machines",
                                         "more");
                break;
            case ItemColumn::Kind::label: {
                Label& label = problem_.item_labels[role.index];
                label.of.push_back(text.empty() ? no_value : label.values.number_of(text));
                break;
            }
            case ItemColumn::Kind::resource:
                read_amount(role.index, text);
                break;
            case ItemColumn::Kind::depends: {
                Label& depends = read_.depends;
                depends.of.push_back(text.empty() ? no_value : depends.values.number_of(text));
                if (depends.values.size() > read_.depends_lines.size())
                    read_.depends_lines.push_back(source_.line_number());
                break;
            }
            case ItemColumn::Kind::leader:
                leads_ = truth(text);
                problem_.leads.push_back(leads_);
                break;
            case ItemColumn::Kind::unused:
                break;
        }
    }

    [[nodiscard]] bool truth(const std::string& text) const {
        if (const auto is_true = truth_of(text)) return *is_true;
        source_.fail(std::string(truth_expected) +
                         " in column \"leader\" (--labels leader would make it a label)",
                     text);
    }

    /// At most one item of a thing leads.
    void lead(std::uint32_t thing) {
        if (leads_ && !led_.insert(thing).second)
            throw InputError(source_.name() + ':' + std::to_string(source_.line_number()) +
                             ": expected one leader of item \"" +
                             printable(problem_.things.name(thing)) + "\", found a second one");
    }

    /// The amount of the item whose line is read, the last one.
    void read_amount(std::size_t resource, const std::string& text) {
        const std::optional<Quantity> found = quantity(text);
        if (!found) source_.fail(quantity_expected(text), text);
        if (!found->has_unit && found->number != 0) read_.without_unit[resource] = true;
        const int before = problem_.resources[resource].decimals;
        const std::optional<Int128> amount = in_units(problem_, resource, *found);
        for (int at = before; at < problem_.resources[resource].decimals; ++at)
            totals_[resource] *= 10;
        if (!amount || *amount > tokens_max - totals_[resource])
            source_.fail("at most " + exact_text(problem_.resources[resource], tokens_max) +
                             " in all, counted in the smallest digit of the column",
                         text);
        totals_[resource] += *amount;
        problem_.amounts[problem_.amounts.size() - problem_.resources.size() + resource] =
            static_cast<Tokens>(*amount);
    }

    void read_cost(const std::string& text) {
        constexpr std::uint64_t cost_max = 1'000'000'000;
        const auto cost = whole_number(text, cost_max);
        if (!cost)
            source_.fail(
                "a cost of moving the item, a whole number from 0 to " + std::to_string(cost_max),
                text);
        read_.costs.push_back(static_cast<Tokens>(*cost));
    }

    /// Only places of things that are on several machines are kept.
    void place(std::uint32_t thing, MachineId machine) {
        if (thing == first_place_.size()) {
            first_place_.push_back(machine);
            return;
        }
        const std::uint64_t key = (std::uint64_t{thing} << 32U) | machine;
        if (first_place_[thing] != machine && more_places_.insert(key).second) return;
        throw InputError(source_.name() + ':' + std::to_string(source_.line_number()) +
                         ": item \"" + printable(problem_.things.name(thing)) +
                         "\" is listed twice on machine \"" +
                         printable(problem_.machines.name(machine)) + '"');
    }

    LineSource& source_;
    const Columns& columns_;
    Problem& problem_;
    ReadTables& read_;
    TableReader table_;
    std::vector<ItemColumn> roles_;  ///< by column
    std::size_t machine_ = 0;
    std::optional<std::size_t> cost_;
    std::vector<std::string> fields_;
    std::vector<Int128> totals_;          ///< by resource
    std::vector<MachineId> first_place_;  ///< by thing
    std::unordered_set<std::uint64_t> more_places_;
    bool leads_ = false;  ///< whether the item of the line leads
    std::unordered_set<std::uint32_t> led_;
};

}  // namespace

void read_items(LineSource& source, const Columns& columns, Problem& problem, ReadTables& read) {
    ItemsReader(source, columns, problem, read).read();
}

}  // namespace equipoise::reassign
