#include "equipoise/report/pictures/cell_panels.hpp"

#include <gtest/gtest.h>

#include "equipoise/report/pictures/look.hpp"
#include "tests/unit/report/count_of.hpp"

namespace equipoise::report {
namespace {

/// One panel whose cells hold their numbers.
CellPanels numbered(std::vector<NodeId> sides) {
    NodeId cells = 1;
    for (const NodeId side : sides)
        cells *= side;
    std::vector<Tokens> loads(cells);
    for (NodeId cell = 0; cell < cells; ++cell)
        loads[cell] = cell;
    return {"mesh", std::move(sides), {}, {loads_panel("cells", loads, Tokens{cells})}};
}

TEST(CellPanels, HaveASquareForEachCellOfUpToThreeAxes) {
    for (const std::vector<NodeId>& sides :
         {std::vector<NodeId>{7}, {1, 7, 1}, {3, 4}, {2, 3, 4}, {32, 32}}) {
        const CellPanels panels = numbered(sides);
        // One more is the paper.
        EXPECT_EQ(count_of(cells_svg(panels), "<rect"), panels.panels[0].cells.size() + 1);
    }
    EXPECT_EQ(count_of(cells_svg(numbered({2, 3, 4})), ">plane "), 2U);
    EXPECT_EQ(count_of(cells_svg(numbered({3, 4})), ">plane "), 0U);
}

TEST(CellPanels, HaveBordersAroundTheMeshAndBetweenParts) {
    CellPanels panels = numbered({2, 3});
    const std::string border = "<line";
    const auto around = count_of(cells_svg(panels), border);
    EXPECT_EQ(around, 2U * (2 + 3));
    panels.panels[0].parts = {0, 0, 1, 0, 0, 1};
    EXPECT_EQ(count_of(cells_svg(panels), border), around + 2);
}

TEST(CellPanels, OutlineCellsTogether) {
    CellPanels panels = numbered({3, 3});
    panels.panels[0].cells[3].outlined = true;
    panels.panels[0].cells[4].outlined = true;
    EXPECT_EQ(count_of(cells_svg(panels), "stroke=\"" + std::string(look::moving) + '"'), 6U);
}

TEST(CellPanels, StayWithinTheWidthOfPictures) {
    for (const std::vector<NodeId>& sides : {std::vector<NodeId>{60}, {32, 32}, {8, 8, 8}}) {
        const std::string svg = cells_svg(numbered(sides));
        const double width = std::stod(svg.substr(svg.find("viewBox=\"0 0 ") + 13));
        EXPECT_LE(width, look::width + 1);
    }
}

}  // namespace
}  // namespace equipoise::report
