#pragma once
// Files of items and machines as people have them: any separator, any order of columns, units.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/line_source.hpp"
#include "equipoise/base/name_table.hpp"
#include "equipoise/base/table_reader.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/input/quantity.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

inline constexpr std::uint64_t items_max = 50'000'000;
inline constexpr std::uint64_t machines_max = 1'000'000;
/// Of items or machines, times resources.
inline constexpr std::uint64_t amounts_max = 200'000'000;

/// A name, and what names it, for messages ("--apart").
struct NamedColumn {
    std::string name;
    std::string by;
};

/// What options and files say about columns.
struct Columns {
    std::vector<NamedColumn> resources;       ///< of items; "items" and "moves" count as known
    std::vector<NamedColumn> item_labels;     ///< "item" is known
    std::vector<NamedColumn> machine_labels;  ///< "machine" is known
    std::vector<NamedColumn> labels;          ///< of items or machines or both
    bool depends = false;                     ///< whether the column `depends` is read
    std::optional<NamedColumn> cost;          ///< of items: whole numbers
};

/// What was read besides the problem.
struct ReadTables {
    std::vector<std::string> notes;  ///< for people: unused columns, machines without items, ...
    std::vector<bool> labels_found;  ///< by `Columns::labels`: whether some file has it
    std::string items_file;          ///< the name of the file of items
    Label depends;                   ///< the texts of the column, by item
    std::vector<std::uint64_t> depends_lines;  ///< by text: the first line that has it
    std::vector<Tokens> costs;                 ///< by item, if a column of costs was named
    std::vector<bool> without_unit;  ///< by resource: whether some amount above 0 has no unit
};

/// Notes for resources whose amounts have units in some places and none in others.
void note_units(const Problem& problem, ReadTables& read);

/// Names that a header may give to the column of machines.
[[nodiscard]] const std::vector<std::string>& machine_words();

/// The column of machines: the only one with one of `machine_words` that is not among `others`.
/// Throws InputError naming the file and the remedy.
[[nodiscard]] std::size_t machine_column(const TableReader& table, const LineSource& source,
                                         const std::vector<NamedColumn>& others);
/// The column with this name. Throws InputError naming file, `by` and the nearest columns.
[[nodiscard]] std::size_t expect_column(const TableReader& table, const LineSource& source,
                                        const NamedColumn& wanted);

/// What a machine is whose name other files may use.
inline constexpr const char* known_machine = "a machine of the file of items or of --machines";

/// Yes or no: "yes", "true" or "1", in any case; "no", "false", "0" or nothing. Nothing for other
/// texts.
[[nodiscard]] std::optional<bool> truth_of(std::string_view text);
inline constexpr const char* truth_expected = "yes or no (also true, false, 1, 0 or nothing)";

/// Reads the items (docs/how-to/reassign.md says how) into `problem`: names, places, amounts and
/// labels of items; machines in the order of their first item; resources and labels in the order of
/// their columns. A column `leader` says who leads, unless it is wanted for something else. Throws
/// InputError naming file and line.
void read_items(LineSource& source, const Columns& columns, Problem& problem, ReadTables& read);

/// A table of machines, kept as text, since its header says what is to be read of items.
struct MachineTable {
    std::string file;
    std::vector<std::string> columns;
    std::vector<std::vector<std::string>> rows;
    std::vector<std::uint64_t> lines;  ///< by row
    std::uint64_t header_line = 1;
    std::size_t machine = 0;  ///< the column of names
};

/// Throws InputError naming file and line; adds to `columns` the resources that have a threshold.
[[nodiscard]] MachineTable read_machine_table(LineSource& source, Columns& columns);

/// Sets what the table says: capacities, thresholds, least numbers of items, labels (`rack` and
/// `zone` always are), drain, speed; adds machines that hold nothing. Called after
/// `no_machine_limits`. Throws InputError naming file and line.
void set_machines(const MachineTable& table, const Columns& columns, Problem& problem,
                  ReadTables& read);

/// Gives all machines that the problem has by now the defaults: no limits, speed 1.
void no_machine_limits(Problem& problem);

/// Throws InputError for a column that something names and items do not have; `found` says what
/// they are and have: "slots, whose label is item".
void expect_column_there(const std::string& file, const NamedColumn& wanted, bool is_there,
                         const std::string& found);

/// `: did you mean "a"?`, of the first ten thousand names; empty if none is near.
[[nodiscard]] std::string near_names(const NameTable& names, std::string_view name);

/// The resource with this name, whatever the case of its letters; "items" and "moves" are the
/// first one, whatever it is called, and "bytes" also means "size" if there is none of that name.
[[nodiscard]] std::optional<std::size_t> find_resource(const Problem& problem,
                                                       std::string_view name);
/// The label with this name.
[[nodiscard]] std::optional<std::size_t> find_label(const std::vector<Label>& labels,
                                                    std::string_view name);

}  // namespace equipoise::reassign
