#include "equipoise/reassign/input/ends_file.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/table_reader.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::reassign {

namespace {

[[noreturn]] void refuse(const LineSource& source, const std::string& what) {
    throw InputError(source.name() + ':' + std::to_string(source.line_number()) + ": " + what);
}

}  // namespace

AskedEnds read_ends(LineSource& source, const Problem& problem) {
    TableReader table(source);
    const std::size_t item_column = expect_column(table, source, {"item", ""});
    const std::size_t machines = machine_column(table, source, {});
    const std::optional<std::size_t> leader = table.column("leader");
    AskedEnds asked;
    asked.machines.resize(problem.things.size());
    asked.leads.resize(problem.things.size(), false);
    std::vector<std::string> fields;
    while (table.next(fields)) {
        const std::uint32_t thing = load::known_thing(source, problem.things, fields[item_column]);
        const MachineId machine =
            load::known_node(source, problem.machines, fields[machines], known_machine);
        std::vector<MachineId>& ends = asked.machines[thing];
        if (std::find(ends.begin(), ends.end(), machine) != ends.end())
            refuse(source, "item \"" + printable(fields[item_column]) +
                               "\" is listed twice on machine \"" + printable(fields[machines]) +
                               '"');
        const std::optional<bool> leads =
            leader ? truth_of(fields[*leader]) : std::optional<bool>(false);
        if (!leads)
            source.fail(std::string(truth_expected) + " in column \"leader\"", fields[*leader]);
        if (*leads && asked.leads[thing])
            refuse(source, "expected one leader of item \"" + printable(fields[item_column]) +
                               "\", found a second one");
        if (*leads) asked.leads[thing] = true;
        ends.insert(*leads ? ends.begin() : ends.end(), machine);
    }
    return asked;
}

void set_given_ends(const AskedEnds& asked, const std::string& name, Problem& problem) {
    problem.level.clear();
    problem.given_ends = problem.places;
    problem.given_leaders.assign(problem.things.size(), no_item);
    const std::vector<std::vector<ItemId>> items =
        load::copies_by_thing(problem.things, problem.thing);
    for (std::uint32_t thing = 0; thing < asked.machines.size(); ++thing) {
        const std::vector<MachineId>& ends = asked.machines[thing];
        if (ends.empty()) continue;
        if (ends.size() != items[thing].size())
            throw InputError(name + ": expected item \"" + printable(problem.things.name(thing)) +
                             "\" on as many machines as now, " +
                             std::to_string(items[thing].size()) + ", found " +
                             std::to_string(ends.size()));
        load::give_ends(items[thing], ends, problem.given_ends);
        if (thing >= asked.leads.size() || !asked.leads[thing]) continue;
        const auto leader =
            std::find_if(items[thing].begin(), items[thing].end(),
                         [&](ItemId item) { return problem.given_ends[item] == ends.front(); });
        if (leader != items[thing].end()) problem.given_leaders[thing] = *leader;
    }
}

}  // namespace equipoise::reassign
