#include "equipoise/report/plot.hpp"

#include <memory>
#include <string>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/cli/render.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/report/strip.hpp"

namespace equipoise::cli {

namespace {

struct PlotVerb {
    std::vector<std::string> paths;
    std::string output;
    std::string quantity;
    std::string over;
    std::string axes;
    std::string steps;
    int width = 0;

    [[nodiscard]] int act() const {
        const bool svg = output.ends_with(".svg");
        const bool png = output.ends_with(".png");
        if (!svg && !png && !output.ends_with(".pdf"))
            throw InputError(
                "plot draws SVG, PDF and PNG: expected -o FILE.svg, .pdf or .png, "
                "found \"" +
                output + '"');
        if (width > 0 && !png)
            throw InputError("--width is in pixels: expected -o FILE.png with it, found \"" +
                             output + '"');
        if (!svg) expect_rsvg(png ? "PNG" : "PDF");
        const std::string drawn = steps.empty() ? curves() : strip();
        write_file(output, svg   ? drawn
                           : png ? to_png(drawn, static_cast<unsigned>(width))
                                 : to_pdf(drawn));
        return exit_done;
    }

  private:
    [[nodiscard]] std::string curves() const {
        report::PlotOptions options;
        if (!quantity.empty()) options.quantity = report::quantity_from_word(quantity);
        if (!over.empty()) options.over = report::over_from_word(over);
        if (!axes.empty()) report::set_axes(options, axes);
        return report::plot_svg(model::read_records(paths), options);
    }
    [[nodiscard]] std::string strip() const {
        if (!(quantity + over + axes).empty())
            throw InputError(
                "--steps draws the network: expected no --quantity, --over or --axes "
                "with it");
        const std::vector<model::Record> records = model::read_records(paths);
        if (records.size() != 1)
            throw InputError("--steps draws one run: expected one record, found " +
                             std::to_string(records.size()));
        return report::strip_svg(records.front(), report::steps_from_text(steps, records.front()));
    }
};

}  // namespace

void add_plot(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "plot", "Draw curves of runs, or the steps of one, as SVG, PDF or PNG");
    const auto arguments = std::make_shared<PlotVerb>();
    PlotVerb& a = *arguments;
    verb->add_option("RECORD", a.paths, "files that run --record wrote")->required()->reads_file();
    verb->add_option("-o,--output", a.output, "the picture's file: .svg, .pdf or .png")
        ->required()
        ->writes_file();
    verb->add_option("--quantity", a.quantity,
                     "what is drawn: discrepancy (default), potential, local-imbalance or moved "
                     "(tokens moved so far; needs a full record)")
        ->offers(report::quantity_words());
    verb->add_option("--over", a.over, "over what it is drawn: steps (default) or rounds")
        ->offers(report::over_words());
    verb->add_option(
            "--axes", a.axes,
            "log-log (default), linear, log-x or log-y; logarithmic axes have a place for 0")
        ->offers(report::axes_words());
    verb->add_option(
        "--steps", a.steps,
        "draw the network at these steps instead: 1..6,9, or moves (all steps in which "
        "tokens move); needs one full record of a small network");
    verb->add_option("--width", a.width, "pixels of a PNG picture (default: sharp in print)")
        ->range(100, pixels_most);
    verb->footer(
        "Examples:\n"
        "  equipoise plot first.json second.json -o runs.pdf\n"
        "  equipoise plot run.json --quantity potential --axes log-y -o potential.svg\n"
        "  equipoise plot run.json --steps 1..6 -o steps.png --width 1200");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
