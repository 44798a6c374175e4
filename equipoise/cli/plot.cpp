#include "equipoise/report/pictures/plot.hpp"

#include <memory>
#include <string>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/studies/structures/structure.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/render.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/network/io/round_files.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/network/structure/given_structures.hpp"
#include "equipoise/report/pictures/observer_walks.hpp"
#include "equipoise/report/pictures/strip.hpp"

namespace equipoise::cli {

namespace {

struct PlotVerb {
    std::vector<std::string> paths;
    std::string output;
    std::string quantity;
    std::string over;
    std::string axes;
    std::string steps;
    std::string observers;
    std::string structure;
    NetworkArguments network;
    catalogue::TextOr<load::Loads> loads;
    catalogue::TextOr<network::MatchingSequence> matchings;
    std::string colouring;
    bool messages = false;
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
        if (messages && steps.empty())
            throw InputError(
                "--messages draws messages between the nodes: expected --steps with it, "
                "found none");
        if (!observers.empty() && steps.empty())
            throw InputError("--observers draws observers step by step: expected --steps with it");
        if (!svg) expect_rsvg(png ? "PNG" : "PDF");
        const std::string drawn = !structure.empty() ? structure_picture()
                                  : steps.empty()    ? curves()
                                                     : strip();
        write_file(output, svg   ? drawn
                           : png ? to_png(drawn, static_cast<unsigned>(width))
                                 : to_pdf(drawn));
        return exit_done;
    }

  private:
    [[nodiscard]] std::string curves() const {
        expect_records();
        report::PlotOptions options;
        if (!quantity.empty()) options.quantity = report::quantity_from_word(quantity);
        if (!over.empty()) options.over = report::over_from_word(over);
        if (!axes.empty()) report::set_axes(options, axes);
        return report::plot_svg(model::read_records(paths), options);
    }
    void expect_records() const {
        if (paths.empty()) throw InputError("plot: expected a record (or --structure), found none");
        if (!network.network.empty() || loads.given() || matchings.given() || !colouring.empty())
            throw InputError(
                "--network, --loads, --matchings and --colouring say what a structure is drawn "
                "from: expected "
                "--structure with them");
    }
    [[nodiscard]] std::string structure_picture() const {
        if (!paths.empty() || !(quantity + over + axes + steps).empty())
            throw InputError(
                "--structure draws a network: expected no records, --quantity, --over, --axes or "
                "--steps with it");
        const network::AnyNetwork made = network.make(false);
        network::GivenStructures given;
        if (!colouring.empty()) given.colouring = network::read_colouring(colouring, made);
        const catalogue::NetworkFacts facts(made, given);
        return catalogue::structure_svg(structure, {facts, loads, matchings, network.seed});
    }
    [[nodiscard]] std::string strip() const {
        expect_records();
        if (!(quantity + over + axes).empty())
            throw InputError(
                "--steps draws the network: expected no --quantity, --over or --axes "
                "with it");
        const std::vector<model::Record> records = model::read_records(paths);
        if (records.size() != 1)
            throw InputError("--steps draws one run: expected one record, found " +
                             std::to_string(records.size()));
        const model::Record& record = records.front();
        report::StripOptions options;
        options.messages = messages;
        if (!observers.empty()) options.observers = report::observers_from_text(observers, record);
        return report::strip_svg(record, report::steps_from_text(steps, record), options);
    }
};

std::string structures_help() {
    std::vector<std::string> texts;
    for (const SpecInfo& info : catalogue::structure_infos())
        texts.push_back(info.example + " (" + info.help + ')');
    return listed(texts, "; ");
}

}  // namespace

void add_plot(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "plot", "Draw curves of runs, the steps of one, or a structure, as SVG, PDF or PNG");
    const auto arguments = std::make_shared<PlotVerb>();
    PlotVerb& a = *arguments;
    verb->add_option("RECORD", a.paths, "files that run --record wrote")->reads_file();
    verb->add_option("-o,--output", a.output, "the picture's file: .svg, .pdf or .png")
        ->required()
        ->writes_file();
    verb->add_option("--quantity", a.quantity,
                     "what the curves show: discrepancy (default), potential, local-imbalance or "
                     "moved (tokens moved so far; needs a full record)")
        ->offers(report::quantity_words());
    verb->add_option("--over", a.over, "what they are drawn over: steps (default) or rounds")
        ->offers(report::over_words());
    verb->add_option("--axes", a.axes,
                     "log-log (default), linear, log-x or log-y; logarithmic axes also show 0")
        ->offers(report::axes_words());
    verb->add_option(
        "--steps", a.steps,
        "draw the network at these steps instead: 1..6,9, or moves (all steps in which "
        "tokens move); needs one full record of a small network");
    verb->add_flag("--messages", a.messages,
                   "with --steps, for an asynchronous run: also draw messages that carry no "
                   "tokens, as dashed lines");
    verb->add_option("--observers", a.observers,
                     "with --steps, for algorithms that follow an edge colouring, such as "
                     "threshold-1: also draw the observers that begin at these nodes (separated "
                     "by commas), and the colours of the links");
    verb->add_option("--structure", a.structure,
                     "draw a structure of a small network instead of records: " + structures_help())
        ->offers(catalogue::structure_infos);
    a.network.add_to(*verb)->reads_file();
    verb->add_option("--loads", a.loads.text, "initial loads, for structures that show tokens")
        ->offers(catalogue::load_generators)
        ->reads_file();
    verb->add_option("--matchings", a.matchings.text,
                     "the matchings from which a structure is drawn, if it needs any, as for run "
                     "(default: the network's standard ones)")
        ->offers(network::matchings_names())
        ->reads_file();
    verb->add_option("--colouring", a.colouring,
                     "for observer-tour, meeting and stable-gap: a file of matchings, one per "
                     "colour, every link once (default: as threshold-1 colours the network)")
        ->reads_file();
    verb->add_option("--width", a.width,
                     "width of a PNG picture in pixels (default: enough for print)")
        ->range(100, pixels_most);
    verb->footer(
        "Examples:\n"
        "  equipoise plot first.json second.json -o runs.pdf\n"
        "  equipoise plot run.json --quantity potential --axes log-y -o potential.svg\n"
        "  equipoise plot run.json --steps 1..6 -o steps.png --width 1200\n"
        "  equipoise plot --structure loads --network mesh:6x6 --loads corner:tokens=36 -o "
        "loads.svg");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
