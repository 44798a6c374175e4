#include "equipoise/report/spec_table.hpp"

#include "equipoise/report/table.hpp"

namespace equipoise::report {

std::string spec_table(const std::string& option, const std::vector<SpecInfo>& rows) {
    std::vector<std::vector<std::string>> cells;
    cells.reserve(rows.size());
    for (const SpecInfo& row : rows)
        cells.push_back({row.example, row.help + (row.random ? " (random)" : "")});
    return layout({{option}, {"what it is"}}, cells, true);
}

}  // namespace equipoise::report
