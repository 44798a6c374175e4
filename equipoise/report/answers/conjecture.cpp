#include "equipoise/report/answers/conjecture.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

const char* verdict(const ConjectureRow& row) {
    if (!row.holds()) return "?";
    return *row.holds() ? "holds" : "FAILS";
}

std::string discrepancy_of(const ConjectureRow& row) {
    if (row.exact()) return grouped(row.at_least);
    return row.at_most ? fmt::format("{}..{}", row.at_least, *row.at_most)
                       : fmt::format(">= {}", row.at_least);
}

}  // namespace

std::optional<bool> ConjectureRow::holds() const {
    if ((at_most && *at_most < conjectured.low) || at_least > conjectured.high) return false;
    if (at_most && at_least >= conjectured.low && *at_most <= conjectured.high) return true;
    return std::nullopt;
}

std::string short_decimal(const std::string& number) {
    constexpr std::size_t shown = 15;
    if (number.size() <= shown) return grouped_decimal(number);
    return fmt::format("{}.{}e{}", number.substr(0, 1), number.substr(1, 5), number.size() - 1);
}

std::string conjecture_text(std::span<const ConjectureRow> rows) {
    std::vector<std::vector<std::string>> cells;
    std::uint64_t failures = 0;
    std::uint64_t open = 0;
    for (const ConjectureRow& row : rows) {
        failures += row.holds() == false ? 1 : 0;
        open += row.holds() ? 0 : 1;
        cells.push_back({std::to_string(row.arity), std::to_string(row.height),
                         short_decimal(row.nodes), discrepancy_of(row),
                         fmt::format("{} or {}", row.conjectured.low, row.conjectured.high),
                         verdict(row), short_decimal(row.witness)});
    }
    std::string text = layout({{"k", Align::right},
                               {"h", Align::right},
                               {"nodes", Align::right},
                               {"MSD", Align::right},
                               {"conjectured", Align::right},
                               {"verdict"},
                               {"a hardest gap", Align::right}},
                              cells, true);
    text += fmt::format("{}: the conjecture holds on {}, fails on {}",
                        counted(std::uint64_t{rows.size()}, "tree"), rows.size() - failures - open,
                        failures);
    if (open > 0) text += fmt::format(", stays open on {} (raise --profiles)", open);
    return text + '\n';
}

std::string conjecture_json(std::span<const ConjectureRow> rows) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const ConjectureRow& row : rows) {
        nlohmann::ordered_json object = object_of_schema("equipoise-conjecture");
        object.update({{"k", row.arity}, {"h", row.height}, {"nodes", row.nodes}});
        if (row.exact()) {
            object["msd"] = row.at_least;
        } else {
            object["msd_at_least"] = row.at_least;
            if (row.at_most) object["msd_at_most"] = *row.at_most;
        }
        object["conjectured"] = {row.conjectured.low, row.conjectured.high};
        object["holds"] =
            row.holds() ? nlohmann::ordered_json(*row.holds()) : nlohmann::ordered_json();
        object["witness"] = row.witness;
        object["upper_certified"] = row.at_most.has_value();
        object["lower_certified"] = true;
        list.push_back(std::move(object));
    }
    return json_text(list, 2) + '\n';
}

}  // namespace equipoise::report
