#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/mesh/colours.hpp"
#include "equipoise/mesh/threshold.hpp"
#include "equipoise/report/pictures/cell_panels.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::catalogue {

namespace {

using report::grouped;

std::string draw_slices(const Spec& /*spec*/, const StructureInput& input) {
    const auto box = find_box(input.network());
    if (!box || box->dimension() < 2)
        throw UnsuitableError("slices needs a mesh of two axes or more");
    const load::Loads loads = input.loads();
    const Tokens most = *std::max_element(loads.begin(), loads.end());
    const std::size_t axis = box->longest_axis();
    report::CellPanels panels;
    panels.title =
        fmt::format("{} slices of {}", box->axis(axis).side, input.network().labels().origin);
    panels.sides = sides_of(input.network(), *box);
    panels.meanings = {{"#ffffff", "between heavy lines: the slices M across the longest axis"},
                       {std::string(report::look::moving), "outlined: a line A along it"}};
    std::vector<NodeId> slice_of(loads.size());
    for (NodeId r = 0; r < box->axis(axis).side; ++r)
        box->slice(axis, r).for_each_cell([&](NodeId cell) { slice_of[cell] = r; });
    std::vector<bool> in_line(loads.size(), false);
    for (NodeId i = 0; i < box->axis(axis).side; ++i)
        in_line[box->origin() + i * box->axis(axis).stride] = true;
    const auto add = [&](const std::string& words, const load::Loads& tokens) {
        report::CellPanel panel = report::loads_panel(words, tokens, most);
        panel.parts = slice_of;
        for (NodeId cell = 0; cell < tokens.size(); ++cell)
            panel.cells[cell].outlined = in_line[cell];
        panels.panels.push_back(std::move(panel));
    };
    const Tokens total = std::accumulate(loads.begin(), loads.end(), Tokens{0});
    add(fmt::format("N = {}, k = {}", grouped(total), grouped(most)), loads);
    if (total > 0) {
        mesh::Layer black(loads.size());
        mesh::Layer white(loads.size());
        const Tokens threshold = mesh::tokens_per_layer(*box, total, most);
        mesh::colour(*box, axis, threshold, loads, black, white);
        add(fmt::format("black: at most {} in a slice", grouped(threshold)), black);
        add("white: the others", white);
    }
    return report::cells_svg(panels);
}

}  // namespace

Structure slices_structure() {
    return {{"slices", "slices", "how mesh-weak divides a mesh and colours the tokens"},
            {},
            draw_slices};
}

}  // namespace equipoise::catalogue
