#include <algorithm>

#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/report/pictures/network_panels.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::catalogue {

namespace {

std::string draw(const Spec& /*spec*/, const StructureInput& input) {
    const load::Loads loads = input.loads();
    report::NetworkPanels panels =
        report::panels_of(input.network(), "Tokens on " + input.network().labels().origin);
    Tokens total = 0;
    for (const Tokens load : loads)
        total += load;
    report::Panel panel = report::plain_panel(panels, report::grouped(total) + " tokens");
    report::show_loads(panel, loads, *std::max_element(loads.begin(), loads.end()));
    panels.panels.push_back(std::move(panel));
    return report::panels_svg(panels);
}

}  // namespace

Structure loads_structure() {
    return {{"loads", "loads", "how many tokens each node has at the start"}, {}, draw};
}

}  // namespace equipoise::catalogue
