#include "equipoise/report/pictures/cell_panels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/report/pictures/svg.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using svg::Point;

constexpr double panel_gap = 26;
constexpr double plane_gap = 12;
constexpr double words_height = 24;
constexpr double least_cell = 9;
constexpr double most_cell = 30;
constexpr double plane_words = 16;

/// Planes side by side, of rows and columns.
struct Planes {
    NodeId count = 1;
    NodeId rows = 1;
    NodeId columns = 1;
};

Planes planes_of(const std::vector<NodeId>& sides) {
    std::vector<NodeId> axes;
    for (const NodeId side : sides)
        if (side > 1) axes.push_back(side);
    if (axes.size() > cell_axes_max)
        throw InputError(fmt::format("meshes are drawn up to {} axes, this one has {}",
                                     cell_axes_max, axes.size()));
    axes.insert(axes.begin(), cell_axes_max - axes.size(), 1);
    const Planes planes{axes[0], axes[1], axes[2]};
    if (std::uint64_t{planes.count} * planes.rows * planes.columns > cells_max)
        throw InputError(
            fmt::format("meshes are drawn up to {} cells, this one has more", cells_max));
    return planes;
}

class CellDrawing {
  public:
    explicit CellDrawing(const CellPanels& panels)
        : panels_(&panels), planes_(planes_of(panels.sides)) {
        for (const CellPanel& panel : panels.panels)
            for (const CellLook& cell : panel.cells)
                text_ = std::max(text_, look::text_width(cell.text, look::small_size));
        const double room = look::width - 2 * look::margin;
        // Several panels take at most half of the width each; all planes of one panel are in a row.
        const double share = panels.panels.size() > 1 ? (room - panel_gap) / 2 : room;
        const double across = planes_.count * planes_.columns;
        const double gaps = (planes_.count - 1) * plane_gap;
        const double wanted = std::clamp(text_ + 8, 18.0, most_cell);
        side_ = std::clamp((share - gaps) / across, least_cell, wanted);
        if (planes_.count > 1) plane_top_ = plane_words;
        width_ = across * side_ + gaps;
        height_ = plane_top_ + planes_.rows * side_;
    }

    [[nodiscard]] std::string drawn() const;

  private:
    [[nodiscard]] Point corner(NodeId cell) const {
        const NodeId column = cell % planes_.columns;
        const NodeId row = cell / planes_.columns % planes_.rows;
        const NodeId plane = cell / planes_.columns / planes_.rows;
        return {plane * (planes_.columns * side_ + plane_gap) + column * side_,
                plane_top_ + row * side_};
    }
    [[nodiscard]] std::string cell(const CellLook& look, Point at) const;
    [[nodiscard]] std::string borders(const CellPanel& panel) const;
    [[nodiscard]] std::string panel(const CellPanel& panel) const;
    [[nodiscard]] std::string heading(double inner, double& y) const;

    const CellPanels* panels_;
    Planes planes_;
    double text_ = 0;
    double side_ = 0;
    double plane_top_ = 0;
    double width_ = 0;
    double height_ = 0;
};

std::string CellDrawing::cell(const CellLook& look, Point at) const {
    std::string out = fmt::format(
        "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" fill=\"{}\" "
        "stroke=\"{}\" stroke-width=\"0.6\"/>\n",
        at.x, at.y, side_, side_, shade_colour(look.shade), look::link);
    const double size = std::min(look::small_size, 0.6 * side_);
    if (!look.text.empty() && look::text_width(look.text, size) < side_ - 1)
        out += svg::text({at.x + side_ / 2, at.y + side_ / 2 + 0.36 * size}, "middle", look.text,
                         fmt::format(R"(font-size="{:.1f}" fill="{}")", size,
                                     std::abs(look.shade) > 0.62 ? look::paper : look::ink));
    return out;
}

/// Between parts, around planes, and around cells that are outlined.
std::string CellDrawing::borders(const CellPanel& panel) const {
    std::string parts;
    std::string outlines;
    const auto side = [&](NodeId cell, bool inside, NodeId other, Point from, Point to) {
        if (!inside || panel.parts[cell] != panel.parts[other])
            parts += svg::line(from, to, look::ink, std::clamp(side_ / 11, 1.0, 2.2));
        const bool here = panel.cells[cell].outlined;
        const bool there = inside && panel.cells[other].outlined;
        if (here != there) outlines += svg::line(from, to, look::moving, 3);
    };
    for (NodeId cell = 0; cell < panel.cells.size(); ++cell) {
        const Point at = corner(cell);
        const NodeId column = cell % planes_.columns;
        const NodeId row = cell / planes_.columns % planes_.rows;
        const Point right{at.x + side_, at.y};
        const Point below{at.x, at.y + side_};
        const Point opposite{at.x + side_, at.y + side_};
        if (column == 0) side(cell, false, cell, at, below);
        if (row == 0) side(cell, false, cell, at, right);
        side(cell, column + 1 < planes_.columns, cell + 1, right, opposite);
        side(cell, row + 1 < planes_.rows, cell + planes_.columns, below, opposite);
    }
    return parts + outlines;
}

std::string CellDrawing::panel(const CellPanel& panel) const {
    EQUIPOISE_ASSERT(panel.parts.size() == panel.cells.size());
    std::string out =
        svg::text({0, 14}, "start", panel.words, fmt::format(R"(fill="{}")", look::soft));
    out += fmt::format("<g transform=\"translate(0 {})\">\n", words_height);
    if (planes_.count > 1)
        for (NodeId plane = 0; plane < planes_.count; ++plane)
            out += svg::text({corner(plane * planes_.rows * planes_.columns).x, plane_top_ - 5},
                             "start", fmt::format("plane {}", plane),
                             fmt::format(R"(font-size="{}" fill="{}" font-style="italic")",
                                         look::small_size, look::soft));
    for (NodeId k = 0; k < panel.cells.size(); ++k)
        out += cell(panel.cells[k], corner(k));
    return out + borders(panel) + "</g>\n";
}

std::string CellDrawing::heading(double inner, double& y) const {
    std::string out;
    for (const std::string& words : svg::wrapped(panels_->title, inner, look::title_width_size)) {
        y += 18;
        out += svg::text({look::margin, y}, "start", words,
                         fmt::format(R"(font-size="{}" font-weight="bold")", look::title_size));
    }
    for (const PanelMeaning& meaning : panels_->meanings) {
        y += 18;
        out += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"11\" height=\"11\" "
            "fill=\"{}\" stroke=\"{}\"/>\n",
            look::margin, y - 10, meaning.colour, look::frame);
        out += svg::text({look::margin + 18, y}, "start", meaning.words,
                         fmt::format(R"(fill="{}")", look::soft));
    }
    return out;
}

std::string CellDrawing::drawn() const {
    double words = 0;
    for (const CellPanel& panel : panels_->panels)
        words = std::max(words, look::text_width(panel.words, look::text_size));
    const double across = std::max(width_, words) + panel_gap;
    const double down = height_ + words_height + panel_gap;
    const double room = look::width - 2 * look::margin + panel_gap;
    const auto columns = static_cast<std::size_t>(std::max(1.0, std::floor(room / across)));
    double least = look::text_width(panels_->title, look::title_width_size);
    for (const PanelMeaning& meaning : panels_->meanings)
        least = std::max(least, 18 + look::text_width(meaning.words, look::text_size));
    const std::size_t count = panels_->panels.size();
    const double inner =
        std::max(static_cast<double>(std::min(columns, count)) * across - panel_gap,
                 std::min(look::width - 2 * look::margin, least));
    double y = 12;
    std::string out = heading(inner, y);
    y += 14;
    for (std::size_t k = 0; k < count; ++k)
        out += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n",
                           look::margin + static_cast<double>(k % columns) * across,
                           y + static_cast<double>(k / columns) * down, panel(panels_->panels[k]));
    const auto rows = static_cast<double>((count + columns - 1) / columns);
    return svg::picture(inner + 2 * look::margin, y + rows * down - panel_gap + look::margin,
                        panels_->title, out);
}

}  // namespace

CellPanel loads_panel(std::string words, const std::vector<Tokens>& loads, Tokens most) {
    CellPanel panel{std::move(words), {}, std::vector<NodeId>(loads.size(), 0)};
    for (const Tokens load : loads)
        panel.cells.push_back({grouped(load), load_shade(load, most), false});
    return panel;
}

std::string cells_svg(const CellPanels& panels) {
    return CellDrawing(panels).drawn();
}

}  // namespace equipoise::report
