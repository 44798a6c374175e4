#include "equipoise/reassign/input/tables.hpp"

#include <algorithm>

#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::reassign {

namespace {

bool same_name(std::string_view a, std::string_view b) {
    return lower_case(a) == lower_case(b);
}

/// Names of columns, the unnamed ones left out.
std::vector<std::string> names_of(const TableReader& table) {
    std::vector<std::string> names;
    for (const std::string& name : table.columns())
        if (!name.empty()) names.push_back(name);
    return names;
}

[[noreturn]] void fail_header(const LineSource& source, const std::string& what) {
    throw InputError(source.name() + ':' + std::to_string(source.line_number()) + ": " + what);
}

}  // namespace

const std::vector<std::string>& machine_words() {
    static const std::vector<std::string> words = {"machine", "node", "host",
                                                   "broker",  "osd",  "server"};
    return words;
}

std::size_t machine_column(const TableReader& table, const LineSource& source,
                           const std::vector<NamedColumn>& others) {
    std::vector<std::size_t> found;
    for (const std::string& word : machine_words()) {
        // "machine" is the label of the machine itself wherever a label is named.
        const bool is_other =
            word != "machine" &&
            std::any_of(others.begin(), others.end(),
                        [&](const NamedColumn& other) { return same_name(other.name, word); });
        if (const auto column = table.column(word); column && !is_other) found.push_back(*column);
    }
    if (found.size() == 1) return found.front();
    if (found.empty())
        fail_header(source, "expected a column of machines, named " +
                                listed(machine_words(), " or ") + ", found \"" +
                                printable(table.header()) + '"');
    std::vector<std::string> names;
    names.reserve(found.size());
    for (const std::size_t column : found)
        names.push_back('"' + table.columns()[column] + '"');
    fail_header(source, "expected one column of machines, found " + listed(names, " and ") +
                            "; --labels makes others labels");
}

std::size_t expect_column(const TableReader& table, const LineSource& source,
                          const NamedColumn& wanted) {
    if (const auto column = table.column(wanted.name)) return *column;
    const std::vector<std::string> names = names_of(table);
    const std::string near = did_you_mean(wanted.name, names);
    fail_header(source, "expected a column \"" + printable(wanted.name) + "\"" +
                            (wanted.by.empty() ? "" : ", which " + wanted.by + " names") +
                            ", found " + printable(listed(names, " and ")) + printable(near));
}

void expect_column_there(const std::string& file, const NamedColumn& wanted, bool is_there,
                         const std::string& found) {
    if (is_there) return;
    throw InputError(file + ": expected a column \"" + printable(wanted.name) + "\", which " +
                     wanted.by + " names, found " + found);
}

std::string near_names(const NameTable& names, std::string_view name) {
    constexpr std::uint32_t looked_at_most = 10'000;
    std::vector<std::string> known;
    for (std::uint32_t at = 0; at < std::min(names.size(), looked_at_most); ++at)
        known.emplace_back(names.name(at));
    return printable(did_you_mean(name, known));
}

std::optional<std::size_t> find_resource(const Problem& problem, std::string_view name) {
    const auto find = [&](std::string_view wanted) -> std::optional<std::size_t> {
        for (std::size_t resource = 0; resource < problem.resources.size(); ++resource)
            if (same_name(problem.resources[resource].name, wanted)) return resource;
        return std::nullopt;
    };
    if (same_name(name, "moves") || same_name(name, "items")) return items_resource;
    if (const auto found = find(name)) return found;
    return same_name(name, "bytes") ? find("size") : std::nullopt;
}

std::optional<std::size_t> find_label(const std::vector<Label>& labels, std::string_view name) {
    for (std::size_t label = 0; label < labels.size(); ++label)
        if (same_name(labels[label].name, name)) return label;
    return std::nullopt;
}

std::optional<bool> truth_of(std::string_view text) {
    const std::string word = lower_case(text);
    if (word == "yes" || word == "true" || word == "1") return true;
    if (word.empty() || word == "no" || word == "false" || word == "0") return false;
    return std::nullopt;
}

void note_units(const Problem& problem, ReadTables& read) {
    for (std::size_t resource = 0; resource < problem.resources.size(); ++resource) {
        const Resource& each = problem.resources[resource];
        if (each.in_bytes && read.without_unit[resource] && !same_name(each.name, "bytes"))
            read.notes.push_back("some amounts of " + printable(each.name) +
                                 " have a unit of bytes; those without one are taken as bytes");
    }
}

void no_machine_limits(Problem& problem) {
    const std::size_t machines = problem.machines.size();
    problem.capacities.assign(machines * problem.resources.size(), tokens_max);
    problem.thresholds = problem.capacities;
    problem.drained.assign(machines, false);
    problem.pinned.assign(machines, false);
    problem.speeds.assign(machines, 1);
}

}  // namespace equipoise::reassign
