#include <algorithm>
#include <cstdlib>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/mesh.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/load/line_timetable.hpp"
#include "equipoise/report/pictures/network_panels.hpp"
#include "equipoise/report/pictures/svg.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::catalogue {

namespace {

namespace look = report::look;
namespace svg = report::svg;
using svg::Point;

constexpr NodeId timetable_cells_max = 60;
constexpr Step timetable_steps_max = 300;
constexpr std::string_view leftward = look::colours[0];
constexpr std::string_view rightward = look::moving;

/// A line of cells from left to right, its steps downwards.
class SpaceTime {
  public:
    SpaceTime(load::Loads supply, load::Extras extras) : supply_(std::move(supply)) {
        targets_.resize(supply_.size());
        load::level_targets(supply_, extras, targets_);
        steps_ = load::make_timetable(supply_, targets_, links_);
        if (steps_ > timetable_steps_max)
            throw InputError(fmt::format("timetables are drawn up to {} steps, this one has {}",
                                         timetable_steps_max, steps_));
        double widest = 24;
        for (const Tokens tokens : supply_)
            widest = std::max(widest, look::text_width(report::grouped(tokens), look::text_size));
        const double room = look::width - 2 * look::margin - left_words;
        across_ = std::min(60.0, std::max(widest + 6, room / static_cast<double>(supply_.size())));
        down_ = std::clamp(480.0 / static_cast<double>(std::max<Step>(1, steps_)), 7.0, 26.0);
    }

    [[nodiscard]] std::string drawn(const std::string& network) const;

  private:
    static constexpr double left_words = 64;
    static constexpr double top = 96;

    [[nodiscard]] Point at(std::size_t cell, Step step) const {
        return {look::margin + left_words + (static_cast<double>(cell) + 0.5) * across_,
                top + static_cast<double>(step) * down_};
    }
    [[nodiscard]] std::string row(std::span<const Tokens> loads, double y,
                                  const std::string& words) const;
    [[nodiscard]] std::string axes() const;

    load::Loads supply_;
    load::Loads targets_;
    std::vector<load::LinkTimes> links_;
    Step steps_ = 0;
    double across_ = 0;
    double down_ = 0;
};

std::string SpaceTime::row(std::span<const Tokens> loads, double y,
                           const std::string& words) const {
    std::string out = svg::text({look::margin + left_words - 8, y}, "end", words,
                                fmt::format(R"(fill="{}")", look::soft));
    for (std::size_t cell = 0; cell < loads.size(); ++cell)
        out += svg::text({at(cell, 0).x, y}, "middle", report::grouped(loads[cell]));
    return out;
}

/// A line for each cell, and one for the beginning of each step, with the numbers of some steps.
std::string SpaceTime::axes() const {
    std::string out;
    for (std::size_t cell = 0; cell < supply_.size(); ++cell)
        out += svg::line(at(cell, 0), at(cell, steps_), look::link, 1.2);
    const Step apart = std::max<Step>(1, static_cast<Step>(16 / down_));
    for (Step step = 0; step <= steps_; ++step) {
        const Point from{look::margin + left_words, at(0, step).y};
        out += svg::line(from, {at(supply_.size() - 1, 0).x + across_ / 2, from.y}, look::grid, 1);
        if (step < steps_ && step % apart == 0)
            out +=
                svg::text({from.x - 8, from.y + down_ / 2 + 4}, "end", std::to_string(step + 1),
                          fmt::format(R"(font-size="{}" fill="{}")", look::small_size, look::soft));
    }
    return out;
}

std::string SpaceTime::drawn(const std::string& network) const {
    const std::string title = fmt::format("Timetable of {}: {}, the fewest for these targets",
                                          network, report::counted(steps_, "step"));
    std::string out =
        svg::text({look::margin, 30}, "start", title,
                  fmt::format(R"(font-size="{}" font-weight="bold")", look::title_size));
    const auto key = [&](double x, std::string_view colour, const char* words) {
        out += svg::arrow({x, 49}, {x + 26, 49}, colour, 2) +
               svg::text({x + 34, 53.5}, "start", words, fmt::format(R"(fill="{}")", look::soft));
    };
    key(look::margin, rightward, "a token to the right");
    key(look::margin + 190, leftward, "a token to the left");
    out += row(supply_, top - 12, "before");
    out += axes();
    for (std::size_t link = 0; link < links_.size(); ++link) {
        const bool right = links_[link].flow > 0;
        const auto busy = static_cast<Step>(std::abs(links_[link].flow));
        for (Step step = links_[link].first; step < links_[link].first + busy; ++step)
            out +=
                svg::arrow(at(right ? link : link + 1, step), at(right ? link + 1 : link, step + 1),
                           right ? rightward : leftward, 1.6);
    }
    const double bottom = at(0, steps_).y;
    out += row(targets_, bottom + 20, "after");
    const double words = look::text_width(title, look::title_width_size);
    return svg::picture(
        std::max(at(supply_.size() - 1, 0).x + across_ / 2, words + look::margin) + look::margin,
        bottom + 20 + look::margin, title, out);
}

std::string draw_array_timetable(const Spec& spec, const StructureInput& input) {
    const std::string extras = spec.word("extras", "follow");
    if (extras != "follow" && extras != "first")
        throw InputError("spec '" + spec.text() + "': extras=: expected follow or first, found \"" +
                         extras + '"');
    const auto box = find_box(input.network());
    if (!box || box->dimension() > 1)
        throw UnsuitableError("array-timetable needs a line: a path or a mesh of one axis");
    if (box->cells() > timetable_cells_max)
        throw InputError(fmt::format("timetables are drawn up to {} cells, this line has {}",
                                     timetable_cells_max, box->cells()));
    return SpaceTime(input.loads(),
                     extras == "first" ? load::Extras::first : load::Extras::follow_supply)
        .drawn(input.network().labels().origin);
}

}  // namespace

Structure array_timetable_structure() {
    return {{"array-timetable", "array-timetable",
             "when each link of a line carries tokens in a shortest timetable"},
            {"extras"},
            draw_array_timetable};
}

}  // namespace equipoise::catalogue
