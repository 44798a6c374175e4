#pragma once
// Rules as options, tables and rules.json say them, by names.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/line_source.hpp"
#include "equipoise/reassign/input/tables.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// Items or machines that have, of every label named, one of the values; all of them if none is.
struct Selection {
    struct Value {
        std::string text;
        std::uint64_t line = 0;  ///< of a table; 0: none
    };
    struct Of {
        std::string label;
        std::vector<Value> values;
    };
    std::vector<Of> labels;
};

/// The items may be on these machines only, or on all others.
struct PlaceRule {
    bool forbidden = false;
    Selection items;
    Selection machines;
    std::string by;  ///< the place of the rule, for messages: "rules.json: allowed[0]"
};

struct ApartRule {
    std::string label;
    std::string by;
    bool on_the_way = true;  ///< of several for one label the strictest holds
};

struct SpreadRule {
    std::string label;
    std::string machine_label;
    std::uint32_t least = 0;  ///< 0: as even as can be
    std::string by;
};

struct NearRule {
    std::string label;
    std::string machine_label;
    /// Services and others; nothing: the column `depends` says it.
    std::optional<std::vector<std::pair<std::string, std::string>>> depends;
    std::string by;
};

/// An amount as it is written, of the resource of that name.
struct NamedAmount {
    std::string resource;
    std::string text;
};

/// Limits of machines; of several the tightest holds.
struct LimitRule {
    Selection machines;
    std::optional<Tokens> least_items;
    std::vector<NamedAmount> capacities;
    std::vector<NamedAmount> targets;
    std::string by;
};

/// Rules of all sources, added together.
struct Rules {
    std::vector<ApartRule> apart;
    std::vector<SpreadRule> spread;
    std::vector<NearRule> near;
    std::vector<PlaceRule> places;
    std::vector<LimitRule> limits;
    std::vector<std::pair<NamedColumn, Release>> releases;
    std::vector<std::pair<Selection, std::string>> pinned_items;  ///< with what names them
    std::vector<std::pair<Selection, std::string>> pinned_machines;
    std::vector<std::pair<Selection, std::string>> drained;
    std::vector<std::string> pinned;  ///< items or machines, whichever has the name (--pinned)
};

/// `LABEL:MACHINELABEL[:K]`. Throws InputError naming the option.
[[nodiscard]] SpreadRule spread_rule(const std::string& text);
/// `LABEL:MACHINELABEL`. Throws InputError naming the option.
[[nodiscard]] NearRule near_rule(const std::string& text);

/// Adds a table with two columns, `item` or a label of items, then `machine` or a label of
/// machines: the items that a line names may be (`forbidden`: must not be) on the machines that all
/// their lines name. Throws InputError naming file and line.
void read_place_table(LineSource& source, bool forbidden, Rules& rules);

/// Adds what a rules.json says (schemas/equipoise-rules.json). Throws InputError naming the place
/// in the file.
void read_rules(std::string_view text, const std::string& name, Rules& rules);

/// Adds the columns that the rules name.
void name_columns(Rules& rules, Columns& columns);

/// Sets the rules of a problem whose tables were read; copies of one thing are always apart. Throws
/// InputError for labels, values and resources that the problem does not have.
void set_rules(const Rules& rules, ReadTables& read, Problem& problem);

}  // namespace equipoise::reassign
