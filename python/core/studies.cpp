#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <pybind11/stl.h>

#include "equipoise/base/json.hpp"
#include "equipoise/catalogue/registry/sheets.hpp"
#include "equipoise/catalogue/studies/analyze.hpp"
#include "equipoise/catalogue/studies/compare.hpp"
#include "equipoise/catalogue/studies/conjecture.hpp"
#include "equipoise/catalogue/studies/sweep.hpp"
#include "equipoise/catalogue/studies/verify_text.hpp"
#include "equipoise/catalogue/studies/worst.hpp"
#include "equipoise/report/answers/verification.hpp"
#include "equipoise/report/answers/worst.hpp"
#include "equipoise/report/pictures/figure.hpp"
#include "equipoise/report/pictures/plot.hpp"
#include "equipoise/report/runs/compare.hpp"
#include "equipoise/report/runs/run_json.hpp"
#include "equipoise/report/studies/study.hpp"
#include "equipoise/report/studies/summary.hpp"
#include "equipoise/statistics/sample.hpp"
#include "python/core/algorithm.hpp"
#include "python/core/module.hpp"
#include "python/core/network.hpp"
#include "python/core/progress.hpp"
#include "python/core/requests.hpp"
#include "python/core/running.hpp"
#include "python/core/working.hpp"

namespace equipoise::python {

namespace {

/// The results of a comparison.
struct ComparisonHandle {
    catalogue::Comparison made;
    std::optional<report::Optimum> optimum;

    [[nodiscard]] const report::Optimum* figures() const { return optimum ? &*optimum : nullptr; }
};

py::tuple compare(const std::vector<py::object>& algorithms, const NetworkHandle& network,
                  const py::object& loads, const py::dict& options, const py::object& progress) {
    const catalogue::TextOr<load::Loads> given = loads_from(loads);
    const catalogue::RunRequest request = run_request(options);
    const auto level = option<std::string>(options, "record_level", "");
    const auto sort = option<std::string>(options, "sort", "");
    std::vector<AlgorithmHandle> handles;
    std::vector<const catalogue::Algorithm*> named;
    for (const py::object& algorithm : algorithms) {
        handles.push_back(algorithm_of(algorithm));
        named.push_back(handles.back().get());
    }
    const catalogue::Contest contest = named.empty()
                                           ? catalogue::Contest(std::vector<std::string>(), request)
                                           : catalogue::Contest(named, request);
    catalogue::expect_loads_given(given);
    if (std::vector<model::Record> none; !sort.empty()) report::sort_by(sort, none);
    const auto handle = std::make_shared<ComparisonHandle>();
    ProgressRelay relay(progress);
    Work work;
    work.look = [&] { relay.look(); };
    work.run([&] {
        catalogue::RunOptions run_options = catalogue::run_options(request, *network);
        set_record_level(run_options, level, network->node_count(), contest.size());
        const network::GivenStructures structures = catalogue::structures_of(request, *network);
        const load::Loads tokens = catalogue::loads_of(given, *network, request.options.seed);
        std::optional<catalogue::BestPossible> best;
        if (request.optimum) best.emplace(*network, tokens, run_options.speeds);
        const catalogue::CompareWatch watch = {
            work.token(), [&](const std::string& name) { return relay.callback(name); }, {}};
        handle->made =
            contest.play(*network, structures, tokens, run_options, best ? &*best : nullptr, watch);
        if (best) handle->optimum = best->figures();
        if (!sort.empty()) report::sort_by(sort, handle->made.records);
    });
    std::vector<std::shared_ptr<model::Record>> records;
    // They share the comparison's memory, since records may be large.
    for (model::Record& record : handle->made.records)
        records.emplace_back(handle, &record);
    return py::make_tuple(handle, records, handle->made.left_out, contest.notes());
}

std::pair<std::string, std::string> analyze(const NetworkHandle& network, const py::object& loads,
                                            const py::dict& options, const std::string& name,
                                            const std::string& loads_name) {
    catalogue::AnalyzeRequest request;
    if (!loads.is_none()) request.loads = loads_from(loads);
    request.seed = option<std::uint64_t>(options, "seed", 0);
    request.threads = option(options, "threads", 1);
    request.matrix = weights_from(option(options, "matrix"));
    request.matchings = matchings_from(option(options, "matchings"));
    request.observers = option(options, "observers", false);
    request.gap = option<std::uint64_t>(options, "gap", 0);
    request.exchange_ratio = option(options, "exchange_ratio", false);
    std::pair<std::string, std::string> texts;
    Work().run([&] {
        const report::Analysis analysis = catalogue::analyze(request, *network);
        texts.first = report::analysis_json(analysis);
        texts.second = report::analysis_text(analysis, name, loads_name);
    });
    return texts;
}

/// `beside`: None if there is no other algorithm.
std::pair<std::string, std::string> worst(const py::object& algorithm, const py::object& beside,
                                          const NetworkHandle& network, const py::dict& options) {
    const AlgorithmHandle searched = algorithm_of(algorithm);
    const AlgorithmHandle other = beside.is_none() ? nullptr : algorithm_of(beside);
    catalogue::WorstRequest request;
    request.parameters = option<catalogue::ParameterTexts>(options, "param", {});
    request.beside_parameters = option<catalogue::ParameterTexts>(options, "beside_param", {});
    request.quantity = option<std::string>(options, "quantity", request.quantity);
    request.most_tokens = option(options, "most", request.most_tokens);
    if (options.contains("tries")) request.tries = options["tries"].cast<std::uint64_t>();
    request.any_numbering = option(options, "any_numbering", false);
    request.seed = option<std::uint64_t>(options, "seed", 0);
    if (options.contains("max_steps")) request.steps_max = options["max_steps"].cast<Step>();
    std::pair<std::string, std::string> texts;
    Work work;
    work.run([&] {
        const catalogue::NetworkFacts facts(*network);
        const report::Worst found =
            catalogue::find_worst(request, *searched, other.get(), facts, work.token());
        texts = {report::worst_json(found), report::worst_text(found)};
    });
    return texts;
}

std::pair<std::string, std::string> conjecture(const std::string& arities,
                                               const std::string& heights, std::uint64_t profiles) {
    catalogue::ConjectureOptions options;
    options.arities = catalogue::parse_range(arities, "k");
    options.heights = catalogue::parse_range(heights, "h");
    options.profiles_max = profiles;
    std::pair<std::string, std::string> texts;
    Work work;
    options.stopped = [token = work.token()] { return token.stop_requested(); };
    work.run([&] {
        const auto rows = catalogue::tabulate_conjecture(options);
        texts = {report::conjecture_json(rows), report::conjecture_text(rows)};
    });
    return texts;
}

py::tuple verify(const std::string& text, const std::string& origin) {
    verify::Report found;
    Work().run([&] { found = catalogue::verify_text(text, origin); });
    return py::make_tuple(found.passed(), report::verification_json(found),
                          report::verification_text(found));
}

/// Says of a Python error in which row it was raised, where Python can (from 3.11 on).
void note_row(const std::string& row, const std::exception_ptr& thrown) {
    try {
        std::rethrow_exception(thrown);
    } catch (py::error_already_set& error) {
        const py::gil_scoped_acquire locked;
        if (py::hasattr(error.value(), "add_note")) error.value().attr("add_note")("in " + row);
    } catch (...) {
        return;  // of the library's own
    }
}

catalogue::Given given_from(const py::dict& rules, const py::dict& networks,
                            const std::string& version) {
    catalogue::Given given;
    for (const auto& [name, rule] : rules)
        given.rules[name.cast<std::string>()] =
            algorithm_of(py::reinterpret_borrow<py::object>(rule));
    for (const auto& [name, network] : networks)
        given.networks[name.cast<std::string>()] = network.cast<const NetworkHandle&>().network;
    given.version = version;
    return given;
}

py::dict sweep(const std::string& scenario, bool is_text, const std::string& csv,
               const py::dict& rules, const py::dict& networks, const std::string& version,
               int threads, const py::object& progress) {
    catalogue::Given given = given_from(rules, networks, version);
    const catalogue::Scenario grid =
        is_text ? catalogue::parse_scenario(scenario, "scenario", std::move(given))
                : catalogue::read_scenario(scenario, std::move(given));
    catalogue::SweepOptions options;
    options.csv = csv.empty() ? catalogue::csv_of(scenario) : csv;
    options.threads = threads;
    Work work;
    options.interrupt = work.token();
    options.on_thread = [&](const std::function<void()>& play) { work.run_part(play); };
    options.failed = note_row;
    std::mutex mutex;
    std::pair<std::uint64_t, std::uint64_t> done{0, 0};
    if (!progress.is_none()) {
        options.progress = [&](std::uint64_t rows, std::uint64_t all) {
            const std::lock_guard lock(mutex);
            done = {rows, all};
        };
        work.look = [&] {
            std::unique_lock lock(mutex);
            const auto [rows, all] = done;
            lock.unlock();
            if (all > 0) progress(rows, all);
        };
    }
    catalogue::SweepOutcome outcome;
    work.run([&] { outcome = catalogue::sweep(grid, options); });
    py::dict figures;
    figures["csv"] = options.csv;
    figures["rows"] = outcome.rows;
    figures["ran"] = outcome.ran;
    figures["resumed"] = outcome.resumed;
    figures["dropped"] = outcome.dropped;
    figures["complete"] = outcome.complete;
    figures["empty_columns"] = outcome.empty_columns;
    return figures;
}

/// How the spread over seeds is shown.
report::SummaryOptions spread_options(const py::dict& options) {
    report::SummaryOptions asked;
    asked.fractions = option(options, "quantiles", asked.fractions);
    asked.interval.level = option(options, "confidence", asked.interval.level);
    if (const auto word = option<std::string>(options, "interval", ""); !word.empty())
        asked.interval.kind = statistics::interval_from_word(word);
    return asked;
}

py::dict mark_dict(const report::FigureMark& mark) {
    py::dict made;
    made["x"] = mark.x;
    made["at"] = mark.at;
    made["runs"] = mark.runs;
    made["cut_short"] = mark.cut_short;
    made["left_out"] = mark.left_out;
    made["centre"] = mark.centre;
    made["low"] = mark.low;
    made["high"] = mark.high;
    made["promised"] = mark.promised;
    made["least"] = mark.sample ? py::cast(mark.sample->least) : py::none();
    made["largest"] = mark.sample ? py::cast(mark.sample->largest) : py::none();
    return made;
}

/// What the figure of a study shows: panels of curves of marks.
py::dict figure(const std::string& path, const py::dict& options) {
    report::FigureOptions asked;
    asked.x = option<std::string>(options, "x", "");
    asked.y = option<std::string>(options, "y", "");
    asked.by = option<std::string>(options, "by", "");
    asked.facet = option<std::string>(options, "facet", "");
    asked.marks = report::marks_from_word(option<std::string>(options, "marks", "curves"));
    asked.spread = report::spread_from_word(option<std::string>(options, "band", "mean"));
    report::set_axes(asked.x_scale, asked.y_scale, option<std::string>(options, "axes", "log-log"));
    asked.summary = spread_options(options);
    report::Figure made;
    report::Chart chart;
    Work().run([&] {
        made = report::figure_of(report::read_study(path), asked);
        chart = report::figure_chart(made, asked);
    });
    py::list panels;
    for (const report::FigurePanel& panel : made.panels) {
        py::list curves;
        for (const report::FigureCurve& curve : panel.curves) {
            py::list marks;
            for (const report::FigureMark& mark : curve.marks)
                marks.append(mark_dict(mark));
            curves.append(py::make_tuple(curve.number, marks));
        }
        panels.append(py::make_tuple(panel.name, curves));
    }
    py::dict figure;
    figure["x_title"] = made.x_title;
    figure["y_title"] = made.y_title;
    figure["categories"] = made.categories;
    figure["curves"] = made.curves;
    figure["panels"] = panels;
    figure["notes"] = chart.notes;
    figure["x_log"] = asked.x_scale == report::Scale::logarithmic;
    figure["y_log"] = asked.y_scale == report::Scale::logarithmic;
    return figure;
}

/// A summary, and how it is written.
std::shared_ptr<report::Summary> summarise(const std::string& path, const py::dict& options) {
    report::SummaryOptions asked = spread_options(options);
    asked.by = option<std::vector<std::string>>(options, "by", {});
    asked.of = option<std::vector<std::string>>(options, "of", {});
    asked.against = option<std::string>(options, "against", "");
    const auto made = std::make_shared<report::Summary>();
    Work().run([&] { *made = report::summarise(report::read_study(path), asked); });
    return made;
}

void add_summaries(py::module_& module) {
    using report::Summary;
    py::class_<Summary, std::shared_ptr<Summary>>(module, "Summary")
        .def("text", [](const Summary& summary) { return report::summary_text(summary, false); })
        .def("csv", &report::summary_csv)
        .def("to_json", &report::summary_json)
        .def("markdown", &report::summary_markdown)
        .def("latex", &report::summary_latex)
        .def("write", [](const Summary& summary, const std::string& path) {
            report::write_summary(summary, path);
        });
    module.def("summarise", &summarise);
    module.def("figure", &figure);
}

void add_comparisons(py::module_& module) {
    py::class_<ComparisonHandle, std::shared_ptr<ComparisonHandle>>(module, "Comparison")
        .def_property_readonly("all_reached",
                               [](const ComparisonHandle& c) { return c.made.all_reached; })
        .def("text",
             [](const ComparisonHandle& c, bool brief) {
                 report::TextStyle style;
                 style.brief = brief;
                 return report::compare_text(c.made.records, style, c.figures());
             })
        .def("csv",
             [](const ComparisonHandle& c) {
                 return report::compare_csv(c.made.records, c.optimum.has_value());
             })
        .def("to_json", [](const ComparisonHandle& c) {
            return report::compare_json(c.made.records, false, c.figures());
        });
    module.def("compare", &compare);
}

}  // namespace

void add_studies(py::module_& module) {
    add_comparisons(module);
    add_summaries(module);
    module.def("analyze", &analyze);
    module.def("worst", &worst);
    module.def("conjecture", &conjecture);
    module.def("verify", &verify);
    // As bytes: the reader must be able to refuse text that is not UTF-8.
    module.def("read_json_text",
               [](const std::string& path) { return py::bytes(read_json_text(path)); });
    module.def("sweep", &sweep);
    module.def("algorithms", [](const std::string& name) {
        return name.empty()
                   ? report::algorithms_text(catalogue::algorithm_sheets())
                   : report::algorithm_text(catalogue::sheet_of(catalogue::find_algorithm(name)));
    });
    module.def("algorithms_json",
               [] { return report::algorithms_json(catalogue::algorithm_sheets()); });
}

}  // namespace equipoise::python
