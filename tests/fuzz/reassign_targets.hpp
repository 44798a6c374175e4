#pragma once
// What fuzzers feed to the readers of reassignments.

#include <functional>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/separated_values.hpp"
#include "equipoise/reassign/input/aims.hpp"
#include "equipoise/reassign/input/ends_file.hpp"
#include "equipoise/reassign/input/rules.hpp"
#include "equipoise/reassign/input/schedule_file.hpp"
#include "equipoise/reassign/input/tables.hpp"

namespace equipoise::fuzz {

/// Reads, and lets only errors pass that name the text "fuzz".
inline bool reads(const std::function<void()>& read) {
    try {
        read();
        return true;
    } catch (const InputError& error) {
        EQUIPOISE_ASSERT(std::string_view(error.what()).starts_with("fuzz") ||
                         std::string_view(error.what()).starts_with("machine \"") ||
                         std::string_view(error.what()).starts_with("item \""));
        return false;
    }
}

inline void with_source(std::string_view text, const std::function<void(LineSource&)>& read) {
    std::istringstream stream{std::string(text)};
    LineSource source(stream, "fuzz");
    read(source);
}

/// A problem from two tables; no table of machines if it is not given.
inline reassign::Problem problem_of(std::string_view items,
                                    std::optional<std::string_view> machines,
                                    reassign::Columns columns, reassign::ReadTables& read) {
    reassign::Problem problem;
    std::optional<reassign::MachineTable> table;
    if (machines)
        with_source(*machines, [&](LineSource& source) {
            table = reassign::read_machine_table(source, columns);
        });
    with_source(items,
                [&](LineSource& source) { reassign::read_items(source, columns, problem, read); });
    if (table) {
        set_machines(*table, columns, problem, read);
    } else {
        no_machine_limits(problem);
    }
    note_units(problem, read);
    return problem;
}

/// The items as a table that is read as the same.
inline std::string items_text(const reassign::Problem& problem) {
    std::string text = "item,machine";
    for (std::size_t resource = 1; resource < problem.resource_count(); ++resource)
        text += ',' + equipoise::quoted(problem.resources[resource].name);
    for (reassign::ItemId item = 0; item < problem.item_count(); ++item) {
        text += '\n' + equipoise::quoted(problem.item_name(item)) + ',' +
                equipoise::quoted(problem.machine_name(problem.places[item]));
        for (std::size_t resource = 1; resource < problem.resource_count(); ++resource)
            text += ',' + exact_text(problem.resources[resource], problem.amount(item, resource));
    }
    return text;
}

/// What is accepted as items is written as items that are read as the same.
inline void feed_same_items(std::string_view text, const reassign::Columns& columns) {
    reassign::Problem problem;
    reassign::ReadTables ignored;
    if (!reads([&] { problem = problem_of(text, {}, columns, ignored); })) return;
    reassign::Columns again;
    for (std::size_t resource = 1; resource < problem.resource_count(); ++resource)
        again.resources.push_back({problem.resources[resource].name, "fuzz"});
    const reassign::Problem same = problem_of(items_text(problem), {}, again, ignored);
    EQUIPOISE_ASSERT(same.places == problem.places && same.thing == problem.thing);
    EQUIPOISE_ASSERT(same.amounts == problem.amounts);
    for (std::size_t resource = 0; resource < problem.resource_count(); ++resource)
        EQUIPOISE_ASSERT(same.resources[resource].decimals == problem.resources[resource].decimals);
}

/// Machines with racks, and items of services.
inline reassign::Problem small_problem(const reassign::Columns& columns,
                                       reassign::ReadTables& read) {
    return problem_of(
        "item,machine,service,cpu,bytes,depends\np,a,web,0.5,1 kB,db\nq,b,db,2,5,\n"
        "p,c,web,0.25,1 kB,\n",
        "machine,rack,bytes,cpu,cpu.target\na,r1,10 kB,9,8\nb,r1,10 kB,9,\nc,r2,10 kB,9,7\n",
        columns, read);
}

/// Two tables, of items and of machines, with a line `===` between them. The whole text is also
/// read as places, rates and moves of items that are there.
inline void feed_reassign_tables(std::string_view text) {
    reassign::Columns columns;
    columns.labels = {{"zone", "fuzz"}, {"host", "fuzz"}};
    if (text.find("cpu") != std::string_view::npos) columns.resources = {{"cpu", "fuzz"}};
    constexpr std::string_view mark = "\n===\n";
    const std::size_t end = text.find(mark);
    const bool has_machines = end != std::string_view::npos;
    const std::optional<std::string_view> machines =
        has_machines ? std::optional(text.substr(end + mark.size())) : std::nullopt;
    reads([&] {
        reassign::ReadTables around;
        reassign::Problem problem = problem_of(text.substr(0, end), machines, columns, around);
        problem.apart = {{0}};
        problem.check();
    });
    feed_same_items(text.substr(0, end), columns);
    reassign::ReadTables read;
    const reassign::Problem there = small_problem({}, read);
    with_source(text, [&](LineSource& source) {
        reads([&] {
            reassign::Problem problem = there;
            reassign::ReadTables around;
            problem.copied = 1;
            reassign::read_rates(source, problem, around);
            problem.check();
        });
    });
    with_source(text, [&](LineSource& source) {
        reads([&] {
            const reassign::ReadMoves moves = reassign::read_moves(source, there);
            const std::string again =
                moves.waits_for
                    ? waits_text(there, moves.moves, *moves.waits_for, {}, {}, moves.leaders)
                    : moves_text(there, moves.moves, moves.leaders);
            with_source(again, [&](LineSource& written) {
                const reassign::ReadMoves same = reassign::read_moves(written, there);
                EQUIPOISE_ASSERT(same.moves == moves.moves && same.leaders == moves.leaders &&
                                 same.waits_for == moves.waits_for);
            });
        });
    });
    with_source(text, [&](LineSource& source) {
        reads([&] {
            reassign::Problem problem = there;
            set_given_ends(reassign::read_ends(source, problem), "fuzz", problem);
            problem.check();
        });
    });
    with_source(text, [&](LineSource& source) {
        reads([&] {
            reassign::Rules rules;
            reassign::read_place_table(source, false, rules);
            reassign::Columns named;
            name_columns(rules, named);
            reassign::ReadTables around;
            reassign::Problem problem = small_problem(named, around);
            set_rules(rules, around, problem);
            problem.check();
        });
    });
}

/// A rules.json or an objective.json.
inline void feed_reassign_rules(std::string_view text) {
    reads([&] {
        reassign::Rules rules;
        reassign::read_rules(text, "fuzz", rules);
        reassign::Columns columns;
        name_columns(rules, columns);
        reassign::ReadTables read;
        reassign::Problem problem = small_problem(columns, read);
        set_rules(rules, read, problem);
        problem.check();
    });
    reads([&] {
        const reassign::AskedObjective asked = reassign::read_objective(text, "fuzz");
        reassign::Columns columns;
        name_columns(asked, columns);
        reassign::ReadTables read;
        reassign::Problem problem = small_problem(columns, read);
        set_objective(asked, read, problem);
        problem.check();
    });
}

}  // namespace equipoise::fuzz
