#pragma once
// Aims as options and objective.json say them, by names.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/line_source.hpp"
#include "equipoise/reassign/input/tables.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// The options of aims, as `reassign` takes them.
struct AskedAims {
    /// Resources, or "none" in their place; besides them "leaders"; empty: nobody asked.
    std::vector<std::string> level = {};
    /// `0.1` or `bytes:0.05,leaders:0.2`; empty: 0.1, and 0 for leaders.
    std::string tolerance = {};
    std::string fewest = {};  ///< `moves` or a resource; empty: moves
    std::optional<double> only_if_above = {};
    std::string at_most = {};  ///< `moves=50,bytes=2TB,waves=3`; empty: no limit

    /// Throws InputError for options that cannot be read or do not fit each other;
    /// `with_objective`: whether an objective takes the place of aims.
    void check(bool with_objective) const;
    /// Whether leaders, and nothing else, are to be level: then no item moves.
    [[nodiscard]] bool leaders_alone() const;
};

/// Adds the resources that aims name.
void name_columns(const AskedAims& asked, Columns& columns);

/// Sets the aims of a problem whose tables and rules were read, and which resource is copied.
/// Without a level, bytes or size are levelled if there are such, otherwise items; with an
/// objective, nothing. Throws InputError for resources that the problem does not have, and for
/// leaders where nothing leads.
void set_aims(const AskedAims& asked, bool with_objective, Problem& problem, ReadTables& read);

/// An objective by names.
struct AskedObjective {
    struct Balance {
        std::string resource;
        std::string other;
        Tokens target = 0;
        Tokens weight = 0;
    };
    /// Costs of moving an item between machines with these values of a label.
    struct PairCost {
        std::string from;
        std::string to;
        std::uint32_t cost = 0;
    };
    std::string name;                                             ///< of the file
    std::vector<std::pair<std::string, Tokens>> over_thresholds;  ///< weights by resource
    std::vector<Balance> balances;
    Tokens move_weight = 0;
    std::optional<std::string> move_cost;  ///< a column of items; nothing: 1 each
    std::optional<std::string> most_moved_label;
    Tokens most_moved_weight = 0;
    std::string pair_label = "machine";
    std::vector<PairCost> pair_costs;  ///< of pairs that are not named: `pair_cost_of_others`
    std::uint32_t pair_cost_of_others = 0;
    Tokens pair_weight = 0;
};

/// Reads an objective.json (schemas/equipoise-objective.json). Throws InputError naming the place
/// in the file.
[[nodiscard]] AskedObjective read_objective(std::string_view text, const std::string& name);

/// Adds the columns that the objective names.
void name_columns(const AskedObjective& asked, Columns& columns);

/// Sets the objective of a problem whose tables were read. Throws InputError for names that the
/// problem does not have, for balances of resources without capacities, for thresholds of resources
/// whose excess costs nothing, and for costs that could exceed 2^126.
void set_objective(const AskedObjective& asked, const ReadTables& read, Problem& problem);

/// Reads a table `machine,in,out` of the resource that is copied: amounts are what machines take
/// and give in a wave; amounts with "/s" are rates a second, and limit no wave. A file has one
/// kind; machines without a line have no limit, and a note says so of rates a second. With the
/// columns `machine,both` giving and taking count together (`Problem::half_duplex`), and only these
/// are taken where that is known before. Throws InputError naming file and line.
void read_rates(LineSource& source, Problem& problem, ReadTables& read);

}  // namespace equipoise::reassign
