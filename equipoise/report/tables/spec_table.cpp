#include "equipoise/report/tables/spec_table.hpp"

#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

std::string spec_tables(const std::vector<SpecTable>& tables, std::size_t width) {
    std::string text;
    for (const SpecTable& table : tables) {
        std::vector<std::vector<std::string>> cells;
        cells.reserve(table.rows.size());
        for (const SpecInfo& row : table.rows)
            cells.push_back({row.example, row.help + (row.random ? " (random)" : "")});
        text +=
            layout({{table.option}, {"what it is", Align::left, true}}, cells, true, width) + '\n';
    }
    return text + "(random): depends on --seed.\n";
}

}  // namespace equipoise::report
