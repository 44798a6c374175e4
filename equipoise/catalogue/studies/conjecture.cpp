#include "equipoise/catalogue/studies/conjecture.hpp"

#include <limits>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/analysis/big_gap.hpp"
#include "equipoise/analysis/stable_discrepancy.hpp"
#include "equipoise/analysis/stable_discrepancy_kary.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/theory/stable_discrepancy.hpp"

namespace equipoise::catalogue {

namespace {

using report::ConjectureRow;
using report::short_decimal;
using Json = nlohmann::json;

std::string name_of(std::uint64_t arity, std::uint64_t height) {
    return fmt::format("k = {}, h = {}", arity, height);
}

ConjectureRow row_of(std::uint64_t arity, std::uint64_t height,
                     const analysis::CompleteTreeDiscrepancy& found) {
    ConjectureRow row;
    row.arity = arity;
    row.height = height;
    row.nodes = analysis::nodes_of_complete_tree(arity, height);
    row.at_least = found.lower;
    if (found.upper != std::numeric_limits<std::uint64_t>::max()) row.at_most = found.upper;
    row.conjectured = theory::conjectured_stable_discrepancy(arity, height);
    row.witness = analysis::to_decimal(arity, height, found.hardest_gap);
    return row;
}

/// Whether the tree has at most this many nodes.
bool has_nodes_up_to(std::uint64_t arity, std::uint64_t height, std::uint64_t most) {
    std::uint64_t nodes = 1;
    for (std::uint64_t level = 0; level < height; ++level) {
        if (nodes > (most - 1) / arity) return false;
        nodes = arity * nodes + 1;
    }
    return true;
}

/// A row as `conjecture_json` writes it; values that can be computed again are compared with it
/// later. Throws InputError.
ConjectureRow row_from(const JsonValue& object) {
    /// The largest values that the verb takes; the size of whole numbers in a row grows with k and
    /// h.
    constexpr std::uint64_t side_max = 1024;
    object.expect_keys({"schema", "k", "h", "nodes", "msd", "msd_at_least", "msd_at_most",
                        "conjectured", "holds", "witness", "upper_certified", "lower_certified"});
    // Older lists have no schema.
    const Json schema = object_of_schema("equipoise-conjecture")["schema"];
    if (const auto found = object.find("schema"); found && found->json() != schema)
        found->refuse(json_text(schema));
    const auto whole = [&](const char* key) { return object.at(key).whole<std::uint64_t>(); };
    ConjectureRow row;
    row.arity = object.at("k").whole<std::uint64_t>(2, side_max);
    row.height = object.at("h").whole<std::uint64_t>(1, side_max);
    const bool exact = object.has("msd");
    if (exact && (object.has("msd_at_least") || object.has("msd_at_most")))
        object.fail("expected either msd or bounds of it, found both");
    row.at_least = whole(exact ? "msd" : "msd_at_least");
    if (exact) row.at_most = row.at_least;
    if (object.has("msd_at_most")) row.at_most = whole("msd_at_most");
    row.nodes = object.at("nodes").text();
    row.witness = object.at("witness").text();
    row.conjectured = theory::conjectured_stable_discrepancy(row.arity, row.height);
    return row;
}

/// Checks the statements of a row about its tree and about its own certainty.
void check_words(const Json& object, const ConjectureRow& row, const std::string& name,
                 verify::Report& report) {
    const std::string nodes = analysis::nodes_of_complete_tree(row.arity, row.height);
    report.checks.push_back({name + ", nodes", row.nodes == nodes,
                             fmt::format("recorded {}, the tree has {}", short_decimal(row.nodes),
                                         short_decimal(nodes))});
    const Json conjectured = {row.conjectured.low, row.conjectured.high};
    const Json none;
    const bool same = object.value("conjectured", none) == conjectured &&
                      object.value("upper_certified", none) == Json(row.at_most.has_value()) &&
                      object.value("lower_certified", none) == Json(true);
    report.checks.push_back(
        {name + ", conjecture", same,
         fmt::format("{} or {}; bounds {}", row.conjectured.low, row.conjectured.high,
                     row.at_most ? "on both sides" : "below only")});
}

void check_row(const JsonValue& value, std::uint64_t search_nodes_max, verify::Report& report) {
    const Json& object = value.json();
    const ConjectureRow row = row_from(value);
    const std::string name = name_of(row.arity, row.height);
    check_words(object, row, name, report);
    const std::uint64_t stability =
        analysis::stability_of_decimal_gap(row.arity, row.height, row.witness);
    report.checks.push_back({name + ", witness", stability == row.at_least,
                             fmt::format("gap {} has stability {}, {} was claimed",
                                         short_decimal(row.witness), stability, row.at_least)});
    const Json verdict = object.value("holds", Json());
    const std::optional<bool> holds = row.holds();
    report.checks.push_back({name + ", verdict",
                             holds ? verdict == Json(*holds) : verdict.is_null(),
                             fmt::format("{} to {} against {} or {}", row.at_least,
                                         row.at_most ? std::to_string(*row.at_most) : "no bound",
                                         row.conjectured.low, row.conjectured.high)});
    if (has_nodes_up_to(row.arity, row.height, search_nodes_max)) {
        const std::uint64_t truth =
            analysis::maximum_stable_discrepancy(
                analysis::stable_gaps_of_complete_tree(row.arity, row.height))
                .tokens;
        report.checks.push_back({name + ", all gaps",
                                 row.at_least <= truth && (!row.at_most || truth <= *row.at_most),
                                 fmt::format("a search over all gaps gives {}", truth)});
    } else {
        report.unchecked.push_back(
            name + ": msd, msd_at_most: that no gap is harder (too many nodes to try all)");
    }
}

}  // namespace

Range parse_range(const std::string& text, const std::string& option) {
    const std::optional<Range> range = range_from(text);
    if (!range)
        throw InputError(fmt::format(
            "{}: expected a number or an ascending range like 2..32, found \"{}\"", option, text));
    return *range;
}

std::vector<report::ConjectureRow> tabulate_conjecture(const ConjectureOptions& options) {
    if (options.arities.first < 2 || options.heights.first < 1)
        throw InputError(
            fmt::format("conjecture: expected k of at least 2 and h of at least 1, found {}",
                        name_of(options.arities.first, options.heights.first)));
    std::vector<ConjectureRow> rows;
    const auto& [first, last] = options.heights;
    for (std::uint64_t arity = options.arities.first; arity <= options.arities.last; ++arity) {
        if (options.stopped && options.stopped()) break;
        const auto found = analysis::stable_discrepancies_of_complete_trees(
            arity, first, last, {options.profiles_max, options.stopped});
        for (std::uint64_t height = first; height <= last; ++height)
            rows.push_back(row_of(arity, height, found[height - first]));
    }
    return rows;
}

verify::Report verify_conjecture(const std::string& text, const std::string& origin,
                                 std::uint64_t search_nodes_max) {
    Json document = parse_json(text, origin);
    const JsonValue list(document, origin);
    constexpr const char* expected = "a list of one or more rows of the verb conjecture";
    if (list.size(expected) == 0) list.refuse(expected);
    verify::Report report;
    list.for_each([&](const JsonValue& row) { check_row(row, search_nodes_max, report); });
    return report;
}

}  // namespace equipoise::catalogue
