#include "equipoise/report/pictures/plot.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/studies/structures/structure.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/picture_arguments.hpp"
#include "equipoise/cli/study_arguments.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/network/io/round_files.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/network/structure/given_structures.hpp"
#include "equipoise/report/pictures/observer_walks.hpp"
#include "equipoise/report/pictures/strip.hpp"

namespace equipoise::cli {

namespace {

constexpr double width_of_studies = 120;  ///< in millimetres

/// The options that all charts have, and these.
std::vector<std::string_view> of_charts_and(std::initializer_list<std::string_view> more) {
    std::vector<std::string_view> names = {
        "RECORD",    "--output",    "--width",   "--resolution", "--title",
        "--x-label", "--y-label",   "--legend",  "--names",      "--size",
        "--font",    "--font-size", "--colours", "--lines",      "--without-promises",
        "--data",    "--axes"};
    names.insert(names.end(), more);
    return names;
}

struct PlotVerb {
    Command* verb = nullptr;
    std::vector<std::string> paths;
    PictureFile file;
    ChartArguments chart;
    StudyArguments study;
    std::string data;
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

    [[nodiscard]] int act() const {
        file.check();
        if (messages && steps.empty())
            throw InputError(
                "--messages draws messages between the nodes: expected --steps with it, "
                "found none");
        if (!observers.empty() && steps.empty())
            throw InputError("--observers draws observers step by step: expected --steps with it");
        if (is_study())
            draw_study();
        else if (!structure.empty())
            file.write(structure_picture());
        else if (!steps.empty())
            file.write(strip());
        else
            draw_curves();
        return exit_done;
    }

  private:
    [[nodiscard]] bool is_study() const {
        return study.given() || std::any_of(paths.begin(), paths.end(), [](const auto& path) {
                   return lower_case(path).ends_with(".csv");
               });
    }
    void draw_study() const {
        verb->expect_only_given("a study", "it is drawn by its columns",
                                of_charts_and({"--x", "--y", "--by", "--facet", "--marks", "--band",
                                               "--interval", "--confidence", "--quantiles"}));
        if (paths.size() != 1)
            throw InputError("plot draws one study at a time: expected one CSV file, found " +
                             std::to_string(paths.size()) + " files");
        const report::Study rows = report::read_study(paths.front());
        report::FigureOptions options = study.options(rows);
        if (!axes.empty()) report::set_axes(options.x_scale, options.y_scale, axes);
        const report::Figure figure = report::figure_of(rows, options);
        report::Chart drawn = report::figure_chart(figure, options);
        chart.apply(drawn);
        report::ChartLook usual;
        usual.size = report::ChartSize{width_of_studies, 0};
        const std::string svg = report::chart_svg(drawn, chart.look(usual));
        if (data == "none")
            file.write(svg);
        else
            file.write_with(svg, data_file(), report::figure_csv(figure, options));
        if (!figure.averaged_over.empty())
            note("marks take runs together that differ in " +
                 listed(figure.averaged_over, " and ") + ": --by and --facet tell them apart");
    }
    /// Where the numbers of a study's figure go: beside the picture unless `--data` says otherwise.
    [[nodiscard]] std::string data_file() const {
        const std::string path =
            data.empty() ? file.path.substr(0, file.path.rfind('.')) + ".data.csv" : data;
        if (is_same_file(path, paths.front()))
            throw InputError(path +
                             " is the study, over which its figure's numbers would be written: "
                             "expected --data with another file");
        return path;
    }
    void draw_curves() const {
        expect_records();
        verb->expect_only_given("records of runs",
                                "it says how a study is drawn, the CSV file of a sweep",
                                of_charts_and({"--quantity", "--over"}));
        report::PlotOptions options;
        if (!quantity.empty()) options.quantity = report::quantity_from_word(quantity);
        if (!over.empty()) options.over = report::over_from_word(over);
        if (!axes.empty()) report::set_axes(options, axes);
        const std::vector<model::Record> records = model::read_records(paths);
        report::Chart drawn = report::plot_chart(records, options);
        const std::string numbers = report::plot_csv(drawn, options);
        chart.apply(drawn);
        const std::string svg = report::chart_svg(drawn, chart.look({}));
        if (data.empty() || data == "none")
            file.write(svg);
        else
            file.write_with(svg, data, numbers);
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
        verb->expect_only_given("--structure", "it draws a network",
                                {"--output", "--width", "--resolution", "--structure", "--network",
                                 "--format", "--header", "--simplify", "--largest-component",
                                 "--seed", "--loads", "--matchings", "--colouring"});
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
        verb->expect_only_given("--steps", "it draws the network",
                                {"RECORD", "--output", "--width", "--resolution", "--steps",
                                 "--messages", "--observers"});
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

/// The options of pictures of networks.
void add_networks(Command& verb, PlotVerb& a) {
    verb.group("Steps of a run");
    verb.add_option("--steps", a.steps,
                    "draw the network at these steps instead: 1..6,9, or moves (all steps in which "
                    "tokens move); needs one full record of a small network");
    verb.add_flag("--messages", a.messages,
                  "with --steps, for an asynchronous run: also draw messages that carry no "
                  "tokens, as dashed lines");
    verb.add_option("--observers", a.observers,
                    "with --steps, for algorithms that follow an edge colouring, such as "
                    "threshold-1: also draw the observers that begin at these nodes (separated "
                    "by commas), and the colours of the links");
    verb.group("Structures");
    verb.add_option("--structure", a.structure,
                    "draw a structure of a small network instead of records: " + structures_help())
        ->offers(catalogue::structure_infos);
    a.network.add_to(verb)->reads_file();
    verb.add_option("--loads", a.loads.text, "initial loads, for structures that show tokens")
        ->offers(catalogue::load_generators)
        ->reads_file();
    verb.add_option("--matchings", a.matchings.text,
                    "the matchings from which a structure is drawn, if it needs any, as for run "
                    "(default: the network's standard ones)")
        ->offers(network::matchings_names())
        ->reads_file();
    verb.add_option("--colouring", a.colouring,
                    "for observer-tour, meeting and stable-gap: a file of matchings, one per "
                    "colour, every link once (default: as threshold-1 colours the network)")
        ->reads_file();
}

}  // namespace

void add_plot(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "plot", "Draw runs, studies, the steps of a run, or a structure, as SVG, PDF or PNG");
    const auto arguments = std::make_shared<PlotVerb>();
    PlotVerb& a = *arguments;
    a.verb = verb;
    verb->add_option("RECORD", a.paths,
                     "files that run --record wrote, or one study: the CSV file of a sweep, or "
                     "another with a header")
        ->reads_file();
    a.file.add_to(*verb);
    verb->add_option("--axes", a.axes,
                     "log-log (default), linear, log-x or log-y; logarithmic axes also show 0")
        ->offers(report::axes_words());
    verb->add_option("--data", a.data,
                     "write the numbers of the curves or marks to this CSV file (default: of "
                     "studies, beside the picture, with .data.csv; none: no file)")
        ->writes_file();
    verb->group("Curves of runs");
    verb->add_option("--quantity", a.quantity,
                     "what the curves show: discrepancy (default), potential, local-imbalance or "
                     "moved (tokens moved so far; needs a full record)")
        ->offers(report::quantity_words());
    verb->add_option("--over", a.over, "what they are drawn over: steps (default) or rounds")
        ->offers(report::over_words());
    verb->group("Figures of studies");
    a.study.add_to(*verb);
    verb->group("How charts look");
    a.chart.add_to(*verb);
    add_networks(*verb, a);
    verb->footer(
        "Examples:\n"
        "  equipoise plot first.json second.json -o runs.pdf\n"
        "  equipoise plot run.json --quantity potential --axes log-y -o potential.svg\n"
        "  equipoise plot study.csv --x nodes --y steps --facet network --size 120x70 -o "
        "steps.pdf\n"
        "  equipoise plot run.json --steps 1..6 -o steps.png --width 1200\n"
        "  equipoise plot --structure loads --network mesh:6x6 --loads corner:tokens=36 -o "
        "loads.svg");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
