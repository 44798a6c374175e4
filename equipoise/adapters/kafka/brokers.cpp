#include "equipoise/adapters/kafka/brokers.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/documents.hpp"
#include "equipoise/adapters/kafka/metadata.hpp"
#include "equipoise/adapters/kafka/partition_list.hpp"
#include "equipoise/adapters/kafka/printed.hpp"
#include "equipoise/adapters/kafka/words.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::kafka {

using reassign::Columns;
using reassign::MachineTable;
using reassign::NamedColumn;

namespace {

constexpr std::string_view id_mark = " (id: ";
constexpr std::string_view end_mark = ") -> ";

struct Broker {
    std::string id;
    std::string rack;  ///< empty: none
    bool serves = true;
};

/// The broker of a line that is one of those that kafka-broker-api-versions prints.
std::optional<Broker> broker_of(std::string_view line) {
    const std::size_t from = line.find(id_mark) + id_mark.size();
    const std::size_t end = line.find(end_mark, from);
    const bool answered = !line.substr(end + end_mark.size()).starts_with("ERROR");
    line = line.substr(from, end - from);
    const std::size_t blank = line.find(' ');
    const auto id = whole_number(line.substr(0, blank));
    if (!id) return std::nullopt;
    const bool fenced = line.ends_with(" isFenced: true");
    Broker broker{std::to_string(*id), "", answered && !fenced};
    constexpr std::string_view rack_mark = " rack: ";
    const std::size_t rack = line.find(rack_mark);
    if (rack == std::string_view::npos) return broker;
    line.remove_prefix(rack + rack_mark.size());
    line = line.substr(0, line.find(" isFenced: "));
    if (line != "null") broker.rack = line;
    return broker;
}

MachineTable table_of(const std::string& name) {
    MachineTable table;
    table.file = name;
    table.columns = {"broker", "rack"};
    return table;
}

MachineTable read_lines(std::string_view text, const std::string& name,
                        std::vector<std::string>& silent) {
    MachineTable table = table_of(name);
    for (std::uint64_t line_number = 1; !text.empty(); ++line_number) {
        const std::string_view line = take_line(text);
        if (!is_broker_line(line)) continue;
        std::optional<Broker> broker = broker_of(line);
        if (!broker) throw InputError::at(name, line_number, "a broker's id after \"(id: \"", line);
        if (table.rows.size() == reassign::machines_max)
            throw InputError(name + ": expected at most " + std::to_string(reassign::machines_max) +
                             " brokers, found more");
        if (!broker->serves) silent.push_back(broker->id);
        table.rows.push_back({std::move(broker->id), std::move(broker->rack)});
        table.lines.push_back(line_number);
    }
    return table;
}

MachineTable read_document(std::string_view text, const std::string& name) {
    MachineTable table = table_of(name);
    const std::vector<Document> documents = documents_of(text, name);
    const auto found = std::find_if(documents.begin(), documents.end(), is_metadata);
    const Document& document = found == documents.end() ? documents.front() : *found;
    const JsonValue top = document.top();
    static_cast<void>(top.at("topics"));
    top.at("brokers").for_each([&](const JsonValue& broker) {
        table.rows.push_back({std::to_string(broker.at("id").whole<std::uint64_t>()), ""});
        table.lines.push_back(document.line);
    });
    return table;
}

std::optional<std::size_t> rack_of(const MachineTable& table) {
    for (std::size_t column = 0; column < table.columns.size(); ++column)
        if (lower_case(table.columns[column]) == "rack") return column;
    return std::nullopt;
}

/// Leaves the racks out if there are none. Throws InputError for other labels that are named.
void expect_labels(MachineTable& table, const Columns& columns) {
    const bool racks = std::any_of(table.rows.begin(), table.rows.end(),
                                   [](const auto& row) { return !row.back().empty(); });
    if (!racks) {
        table.columns.pop_back();
        for (std::vector<std::string>& row : table.rows)
            row.pop_back();
    }
    for (const NamedColumn& label : columns.machine_labels) {
        const std::string lower = lower_case(label.name);
        if (lower == "machine" || lower == "broker" || (racks && lower == "rack")) continue;
        throw InputError(table.file + ": expected a label \"" + printable(label.name) +
                         "\" of brokers, which " + label.by + " names, found " +
                         (racks ? "their racks alone" : "no racks of them"));
    }
}

}  // namespace

bool is_broker_line(std::string_view line) {
    const std::size_t id = line.find(id_mark);
    return id != std::string_view::npos && line.find(end_mark, id) != std::string_view::npos;
}

MachineTable read_brokers(std::string_view text, const std::string& name, const Columns& columns,
                          std::vector<std::string>& silent) {
    const bool are_lines = printed_in(text) == Printed::brokers;
    MachineTable table = are_lines ? read_lines(text, name, silent) : read_document(text, name);
    expect_racks_of_all(table);
    expect_labels(table, columns);
    return table;
}

void add_unlisted_brokers(const MachineTable& table, const reassign::Problem& problem,
                          std::vector<std::string>& silent) {
    std::set<std::string, std::less<>> listed;
    for (const std::vector<std::string>& row : table.rows)
        listed.insert(row[table.machine]);
    for (reassign::MachineId machine = 0; machine < problem.known_machines(); ++machine)
        if (!listed.contains(problem.machines.name(machine)))
            silent.push_back(problem.machine_name(machine));
}

void pin_silent_brokers(const std::vector<std::string>& silent, const std::string& file,
                        bool has_target, reassign::Problem& problem,
                        std::vector<std::string>& notes) {
    std::vector<std::string> names;
    for (const std::string& name : silent) {
        const auto machine = problem.machines.find(name);
        if (!machine || !problem.may_take(*machine)) continue;
        problem.pinned[*machine] = !has_target;
        names.push_back(name);
    }
    if (names.empty()) return;
    const bool one = names.size() == 1;
    notes.push_back(file + (one ? ": broker " : ": brokers ") + some_of(std::move(names)) +
                    (one ? " is" : " are") + " fenced or did not answer; " +
                    (has_target ? "the target is taken as it is"
                     : one      ? "it neither gives nor takes (--drain empties it)"
                                : "they neither give nor take (--drain empties them)"));
}

void expect_racks_of_all(const MachineTable& table) {
    const std::optional<std::size_t> rack = rack_of(table);
    if (!rack) return;
    const auto has_none = [&](const auto& row) { return row[*rack].empty(); };
    const auto first = std::find_if(table.rows.begin(), table.rows.end(), has_none);
    if (first == table.rows.end() || std::all_of(table.rows.begin(), table.rows.end(), has_none))
        return;
    throw InputError(table.file + ": expected the racks of all brokers or of none, found none of " +
                     "broker " + printable((*first)[table.machine]) +
                     " (kafka-reassign-partitions --generate refuses that, too)");
}

}  // namespace equipoise::kafka
