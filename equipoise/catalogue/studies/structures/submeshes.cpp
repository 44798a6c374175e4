#include <algorithm>
#include <cstddef>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/mesh/halving.hpp"
#include "equipoise/mesh/local_td.hpp"
#include "equipoise/mesh/reduce.hpp"
#include "equipoise/report/pictures/cell_panels.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::catalogue {

namespace {

using report::counted;

/// The partitions of a mesh that Local-TD(t) balances one after the other, the finest first. If a
/// submesh has fewer passes than another, its last parts are repeated.
std::vector<std::vector<NodeId>> partitions(const mesh::Box& box, Step t,
                                            const load::Loads& loads) {
    std::vector<mesh::Part> submeshes;
    std::vector<std::vector<mesh::Levels>> passes;
    std::size_t most = 0;
    const mesh::Levels own = mesh::pass_levels(box, t, 0).back();
    mesh::Part(box).for_each_part(mesh::Levels{}, own, [&](const mesh::Part& part) {
        submeshes.push_back(part);
        passes.push_back(mesh::pass_levels(box, t, mesh::extremes(part.box(), loads).most));
        most = std::max(most, passes.back().size());
    });
    std::vector<std::vector<NodeId>> all;
    for (std::size_t pass = 0; pass < most; ++pass) {
        std::vector<NodeId> parts(loads.size());
        NodeId next = 0;
        for (std::size_t s = 0; s < submeshes.size(); ++s)
            submeshes[s].for_each_part(
                own, passes[s][std::min(pass, passes[s].size() - 1)], [&](const mesh::Part& part) {
                    part.box().for_each_cell([&](NodeId cell) { parts[cell] = next; });
                    ++next;
                });
        if (all.empty() || all.back() != parts) all.push_back(std::move(parts));
    }
    return all;
}

std::string draw_submeshes(const Spec& spec, const StructureInput& input) {
    constexpr std::uint64_t round_most = std::uint64_t{1} << 32U;
    const auto t = static_cast<Step>(spec.whole("t", 1, round_most));
    const auto box = find_box(input.network());
    if (!box || box->dimension() == 0)
        throw UnsuitableError("submeshes needs a mesh of two cells or more");
    const load::Loads loads = input.loads();
    const Tokens most = *std::max_element(loads.begin(), loads.end());
    report::CellPanels panels;
    panels.title = fmt::format(
        "What Local-TD({}) balances one after the other on {}; in the end submeshes of side {} or "
        "more",
        t, input.network().labels().origin, mesh::submesh_side(*box, t));
    panels.sides = sides_of(input.network(), *box);
    const auto found = partitions(*box, t, loads);
    for (const std::vector<NodeId>& parts : found) {
        const auto count = std::uint64_t{*std::max_element(parts.begin(), parts.end())} + 1;
        const auto pass = static_cast<std::size_t>(&parts - found.data());
        const std::string words =
            pass == 0 ? "Phase 2" : fmt::format("after pass {} of Phase 3", pass);
        report::CellPanel panel =
            report::loads_panel(words + ": " + counted(count, "part"), loads, most);
        panel.parts = parts;
        panels.panels.push_back(std::move(panel));
    }
    return report::cells_svg(panels);
}

}  // namespace

Structure submeshes_structure() {
    return {{"submeshes", "submeshes:t=2",
             "the submeshes that mesh-strong levels in its round t, one after the other"},
            {"t"},
            draw_submeshes};
}

}  // namespace equipoise::catalogue
