#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::reassign {

namespace {

constexpr std::string_view target_ending = ".target";
constexpr std::string_view least_ending = ".least";
constexpr std::uint64_t speed_max = 1'000'000'000;

bool is_named(const std::vector<NamedColumn>& labels, std::string_view name) {
    return std::any_of(labels.begin(), labels.end(), [&](const NamedColumn& label) {
        return lower_case(label.name) == lower_case(name);
    });
}

bool is_label(const Columns& columns, std::string_view name) {
    return is_named(columns.machine_labels, name) || is_named(columns.labels, name);
}

/// What a column of machines is read as.
struct MachineColumn {
    enum class Kind : std::uint8_t {
        unused,
        machine,
        label,
        capacity,
        target,
        least,
        drain,
        speed
    };
    Kind kind = Kind::unused;
    std::size_t index = 0;  ///< of labels and resources
};

class MachinesSetter {
  public:
    MachinesSetter(const MachineTable& table, const Columns& columns, Problem& problem,
                   ReadTables& read)
        : table_(table),
          columns_(columns),
          problem_(problem),
          read_(read),
          roles_(table.columns.size()) {}

    void set() {
        find_roles();
        number_machines();
        for (row_ = 0; row_ < table_.rows.size(); ++row_)
            for (std::size_t column = 0; column < roles_.size(); ++column)
                set_field(roles_[column], table_.rows[row_][column]);
        set_speeds();
    }

  private:
    [[noreturn]] void fail(const std::string& expected, const std::string& found) const {
        throw InputError::at(table_.file, table_.lines[row_], expected, found);
    }

    void find_roles() {
        std::vector<std::string> unused;
        for (std::size_t column = 0; column < roles_.size(); ++column) {
            const std::string& name = table_.columns[column];
            roles_[column] = column == table_.machine
                                 ? MachineColumn{MachineColumn::Kind::machine, 0}
                                 : role_of(name);
            expect_no_other(column);
            if (roles_[column].kind == MachineColumn::Kind::unused)
                unused.push_back(name.empty()
                                     ? "number " + std::to_string(column + 1) + ", without a name"
                                     : '"' + printable(name) + '"');
        }
        for (std::size_t at = 0; at < columns_.labels.size(); ++at)
            if (find_label(problem_.machine_labels, columns_.labels[at].name))
                read_.labels_found[at] = true;
        if (unused.empty()) return;
        read_.notes.push_back(
            table_.file + ": " + (unused.size() == 1 ? "column " : "columns ") +
            listed(unused, " and ") + (unused.size() == 1 ? " is" : " are") +
            " not used (--labels would name labels, and --resources resources with "
            "capacities)");
    }

    /// "bytes" may mean "size": then there must be no column of either name for the same thing.
    void expect_no_other(std::size_t column) const {
        const MachineColumn& role = roles_[column];
        if (role.kind != MachineColumn::Kind::capacity && role.kind != MachineColumn::Kind::target)
            return;
        for (std::size_t other = 0; other < column; ++other)
            if (roles_[other].kind == role.kind && roles_[other].index == role.index)
                throw InputError(table_.file + ':' + std::to_string(table_.header_line) +
                                 ": expected one column for " +
                                 printable(problem_.resources[role.index].name) + ", found \"" +
                                 printable(table_.columns[other]) + "\" and \"" +
                                 printable(table_.columns[column]) + '"');
    }

    MachineColumn role_of(const std::string& name) {
        if (is_label(columns_, name)) return new_label(name);
        const std::string lower = lower_case(name);
        if (lower == "drain") return {MachineColumn::Kind::drain, 0};
        if (lower == "speed") return {MachineColumn::Kind::speed, 0};
        if (lower == "items.least") return {MachineColumn::Kind::least, items_resource};
        if (lower.ends_with(least_ending))
            throw InputError(table_.file +
                             ":1: expected \"items.least\", as only items have a least "
                             "number, found \"" +
                             printable(name) + '"');
        if (lower.ends_with(target_ending)) {
            const std::string_view resource =
                std::string_view(name).substr(0, name.size() - target_ending.size());
            return {MachineColumn::Kind::target, *find_resource(problem_, resource)};
        }
        if (lower == "moves") return {};
        if (const auto resource = find_resource(problem_, name))
            return {MachineColumn::Kind::capacity, *resource};
        if (lower == "capacity" || lower == "limit")
            throw InputError(table_.file + ':' + std::to_string(table_.header_line) +
                             ": expected a column named after the resource that it limits, such "
                             "as \"" +
                             printable(problem_.resources.back().name) + "\", found \"" +
                             printable(name) + '"');
        // They say where machines stand, by which answers group them.
        if (lower == "rack" || lower == "zone") return new_label(name);
        return {};
    }

    MachineColumn new_label(const std::string& name) {
        problem_.machine_labels.push_back({name, {}, {}});
        return {MachineColumn::Kind::label, problem_.machine_labels.size() - 1};
    }

    void number_machines() {
        std::vector<bool> listed_already(problem_.machines.size(), false);
        for (row_ = 0; row_ < table_.rows.size(); ++row_) {
            const std::string& name = table_.rows[row_][table_.machine];
            if (name.empty()) fail("the name of a machine", name);
            const MachineId machine = problem_.machines.number_of(name);
            if (machine == listed_already.size()) listed_already.push_back(false);
            if (listed_already[machine])
                throw InputError(table_.file + ':' + std::to_string(table_.lines[row_]) +
                                 ": machine \"" + printable(name) + "\" is listed twice");
            listed_already[machine] = true;
            numbers_.push_back(machine);
        }
        if (problem_.machines.size() > machines_max ||
            std::uint64_t{problem_.machines.size()} * problem_.resources.size() > amounts_max)
            throw InputError(table_.file + ": expected at most " + std::to_string(machines_max) +
                             " machines and " + std::to_string(amounts_max) +
                             " amounts (machines times resources), found more");
        no_machine_limits(problem_);
        for (Label& label : problem_.machine_labels)
            label.of.resize(problem_.machines.size(), no_value);
        note_unlisted(listed_already);
    }

    void note_unlisted(const std::vector<bool>& listed_already) {
        std::vector<std::string> names;
        for (MachineId machine = 0; machine < listed_already.size(); ++machine)
            if (!listed_already[machine])
                names.push_back('"' + printable(problem_.machines.name(machine)) + '"');
        if (names.empty()) return;
        constexpr std::size_t shown_max = 3;
        const std::size_t more = names.size() - std::min(names.size(), shown_max);
        names.resize(names.size() - more);
        if (more > 0) names.push_back(std::to_string(more) + " more");
        read_.notes.push_back(table_.file + ": " + (names.size() == 1 ? "machine " : "machines ") +
                              listed(names, " and ") +
                              (names.size() == 1 ? " holds items but is not listed; it has"
                                                 : " hold items but are not listed; they have") +
                              " no limits and no labels");
    }

    void set_field(const MachineColumn& role, const std::string& text) {
        const MachineId machine = numbers_[row_];
        const std::size_t at = machine * problem_.resources.size() + role.index;
        switch (role.kind) {
            case MachineColumn::Kind::label: {
                Label& label = problem_.machine_labels[role.index];
                if (!text.empty()) label.of[machine] = label.values.number_of(text);
                break;
            }
            case MachineColumn::Kind::capacity:
                if (!text.empty()) problem_.capacities[at] = limit(role.index, text);
                break;
            case MachineColumn::Kind::target:
                if (!text.empty()) problem_.thresholds[at] = limit(role.index, text);
                break;
            case MachineColumn::Kind::least:
                problem_.least_items.resize(problem_.machines.size(), 0);
                if (!text.empty()) problem_.least_items[machine] = count(text);
                break;
            case MachineColumn::Kind::drain:
                problem_.drained[machine] = truth(text);
                break;
            case MachineColumn::Kind::speed:
                speeds_.resize(problem_.machines.size(), Quantity{1, 0, false});
                if (!text.empty()) speeds_[machine] = speed(text);
                break;
            case MachineColumn::Kind::machine:
            case MachineColumn::Kind::unused:
                break;
        }
    }

    [[nodiscard]] Tokens count(const std::string& text) const {
        const auto number = whole_number(text, static_cast<std::uint64_t>(tokens_max));
        if (!number) fail("a whole number of items, 0 or more", text);
        return static_cast<Tokens>(*number);
    }

    /// Limits above all totals are none.
    [[nodiscard]] Tokens limit(std::size_t resource, const std::string& text) {
        if (resource == items_resource) return count(text);
        const std::optional<Quantity> found = quantity(text);
        if (!found) fail(quantity_expected(text) + ", or nothing for no limit", text);
        if (!found->has_unit && found->number != 0) read_.without_unit[resource] = true;
        const std::optional<Int128> amount = in_units(problem_, resource, *found);
        if (!amount) fail("fewer digits after the point, as amounts of items do not fit", text);
        return static_cast<Tokens>(std::min<Int128>(*amount, tokens_max));
    }

    [[nodiscard]] bool truth(const std::string& text) const {
        if (const auto is_true = truth_of(text)) return *is_true;
        fail(truth_expected, text);
    }

    [[nodiscard]] Quantity speed(const std::string& text) const {
        const std::optional<Quantity> found = quantity(text);
        if (!found || found->has_unit || found->number == 0 || found->number > speed_max)
            fail("a speed above 0, such as 1 or 0.5 (drain empties a machine)", text);
        return *found;
    }

    /// Speeds are whole numbers in the same proportions.
    void set_speeds() {
        if (speeds_.empty()) return;
        int decimals = 0;
        for (const Quantity& each : speeds_)
            decimals = std::max(decimals, each.decimals);
        std::uint64_t common = 0;
        for (Quantity& each : speeds_) {
            for (; each.decimals < decimals; ++each.decimals)
                each.number *= 10;
            common = std::gcd(common, static_cast<std::uint64_t>(each.number));
        }
        for (MachineId machine = 0; machine < problem_.machines.size(); ++machine) {
            const std::uint64_t number =
                static_cast<std::uint64_t>(speeds_[machine].number) / common;
            if (number > speed_max)
                throw InputError(
                    table_.file + ": expected speeds that differ by less than a factor of " +
                    std::to_string(speed_max) + ", found that of machine \"" +
                    printable(problem_.machines.name(machine)) + "\", with all digits");
            problem_.speeds[machine] = number;
        }
    }

    const MachineTable& table_;
    const Columns& columns_;
    Problem& problem_;
    ReadTables& read_;
    std::vector<MachineColumn> roles_;  ///< by column
    std::vector<MachineId> numbers_;    ///< by row
    std::vector<Quantity> speeds_;      ///< by machine; empty: all 1
    std::size_t row_ = 0;
};

}  // namespace

MachineTable read_machine_table(LineSource& source, Columns& columns) {
    TableReader reader(source);
    MachineTable table;
    table.file = source.name();
    table.header_line = source.line_number();
    table.columns = reader.columns();
    std::vector<NamedColumn> labels = columns.machine_labels;
    labels.insert(labels.end(), columns.labels.begin(), columns.labels.end());
    table.machine = machine_column(reader, source, labels);
    for (const NamedColumn& label : columns.machine_labels)
        if (lower_case(label.name) != "machine")
            static_cast<void>(expect_column(reader, source, label));
    for (const std::string& name : table.columns) {
        if (is_label(columns, name) || !lower_case(name).ends_with(target_ending)) continue;
        columns.resources.push_back({name.substr(0, name.size() - target_ending.size()),
                                     "column \"" + printable(name) + "\" of " + source.name()});
    }
    std::vector<std::string> fields;
    while (reader.next(fields)) {
        if (table.rows.size() == machines_max)
            source.fail_plainly("at most " + std::to_string(machines_max) + " machines", "more");
        table.rows.push_back(fields);
        table.lines.push_back(source.line_number());
    }
    return table;
}

void set_machines(const MachineTable& table, const Columns& columns, Problem& problem,
                  ReadTables& read) {
    MachinesSetter(table, columns, problem, read).set();
}

}  // namespace equipoise::reassign
