// A summary for programs: CSV and JSON, with all digits; and as a file in any form.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/report/studies/summary.hpp"

namespace equipoise::report {

namespace {

using Json = nlohmann::ordered_json;
using statistics::Sample;

std::string digits_of_number(double number) {
    const bool is_whole = number == std::trunc(number) && std::abs(number) < 1e15;
    return is_whole ? std::to_string(static_cast<std::int64_t>(number)) : json_text(Json(number));
}
std::string digits_of_number(const std::optional<double>& number) {
    return number ? digits_of_number(*number) : "";
}

/// One line of a CSV file.
class Line {
  public:
    Line& add(std::string_view text) {
        fields_.emplace_back(text);
        return *this;
    }
    Line& add(const std::optional<double>& number) { return add(digits_of_number(number)); }
    Line& add(std::uint64_t number) { return add(std::to_string(number)); }
    [[nodiscard]] std::string ended() const { return csv_line(fields_); }

  private:
    std::vector<std::string> fields_;
};

std::string header_of(const Summary& summary) {
    std::vector<std::string> names = {
        "quantity",   "count",    "cut_short", "left_out",           "mean",  "interval",
        "confidence", "mean_low", "mean_high", "standard_deviation", "least", "median"};
    for (const double fraction : summary.options.fractions)
        names.push_back("quantile_" + digits_of_number(fraction));
    names.emplace_back("largest");
    if (!summary.options.against.empty())
        for (const char* const name : {"against", "pairs", "difference", "difference_low",
                                       "difference_high", "difference_standard_deviation"})
            names.emplace_back(name);
    Line line;
    for (const std::string& name : summary.by)
        line.add(std::find(names.begin(), names.end(), name) == names.end() ? name : "by_" + name);
    for (const std::string& name : names)
        line.add(name);
    return line.ended();
}

const std::string& word_of(statistics::IntervalKind kind) {
    return statistics::interval_words().at(static_cast<std::size_t>(kind));
}

std::string line_of(const Summary& summary, const Cell& cell, const CellQuantity& quantity) {
    Line line;
    for (const std::string& name : cell.names)
        line.add(name);
    const std::optional<Sample>& sample = quantity.sample;
    const auto end = [](const std::optional<Sample>& of, double statistics::Interval::*which) {
        return of && of->interval ? std::optional(*of->interval.*which) : std::nullopt;
    };
    const auto figure = [](const std::optional<Sample>& of, double Sample::*which) {
        return of ? std::optional(*of.*which) : std::nullopt;
    };
    line.add(quantity.column).add(std::uint64_t{sample ? sample->n : 0});
    line.add(std::uint64_t{cell.cut_short}).add(std::uint64_t{cell.left_out});
    line.add(figure(sample, &Sample::mean)).add(word_of(summary.options.interval.kind));
    line.add(std::optional(summary.options.interval.level));
    line.add(end(sample, &statistics::Interval::low));
    line.add(end(sample, &statistics::Interval::high));
    line.add(sample ? sample->deviation : std::nullopt);
    line.add(figure(sample, &Sample::least)).add(figure(sample, &Sample::median));
    for (std::size_t k = 0; k < summary.options.fractions.size(); ++k)
        line.add(sample ? std::optional(sample->quantiles[k]) : std::nullopt);
    line.add(figure(sample, &Sample::largest));
    if (summary.options.against.empty()) return line.ended();
    const std::optional<Sample>& difference = quantity.difference;
    line.add(summary.options.against).add(std::uint64_t{difference ? difference->n : 0});
    line.add(figure(difference, &Sample::mean));
    line.add(end(difference, &statistics::Interval::low));
    line.add(end(difference, &statistics::Interval::high));
    line.add(difference ? difference->deviation : std::nullopt);
    return line.ended();
}

Json json_of(const Sample& sample, const std::vector<double>& fractions) {
    Json object = {{"n", sample.n}, {"mean", sample.mean}};
    if (sample.interval)
        object["interval"] = {{"low", sample.interval->low}, {"high", sample.interval->high}};
    if (sample.deviation) object["standard_deviation"] = *sample.deviation;
    object["least"] = sample.least;
    object["median"] = sample.median;
    object["quantiles"] = Json::array();
    for (std::size_t k = 0; k < fractions.size(); ++k)
        object["quantiles"].push_back({{"fraction", fractions[k]}, {"value", sample.quantiles[k]}});
    object["largest"] = sample.largest;
    return object;
}

Json json_of(const Summary& summary, const Cell& cell) {
    Json object = {{"names", Json::object()},
                   {"runs", cell.rows.size()},
                   {"cut_short", cell.cut_short},
                   {"left_out", cell.left_out},
                   {"quantities", Json::array()}};
    for (std::size_t name = 0; name < summary.by.size(); ++name)
        object["names"][summary.by[name]] = cell.names[name];
    for (const CellQuantity& quantity : cell.quantities) {
        Json made = {{"quantity", quantity.column}, {"n", 0}};
        if (quantity.sample) made.update(json_of(*quantity.sample, summary.options.fractions));
        if (quantity.difference)
            made["difference"] = json_of(*quantity.difference, summary.options.fractions);
        object["quantities"].push_back(std::move(made));
    }
    return object;
}

struct Form {
    std::string_view extension;
    std::string (*written)(const Summary&);
};

const Form& form_of(const std::string& path) {
    static constexpr std::array forms = {
        Form{".csv", summary_csv}, Form{".json", summary_json}, Form{".md", summary_markdown},
        Form{".tex", summary_latex},
        Form{".txt", [](const Summary& summary) { return summary_text(summary); }}};
    const std::string extension = lower_case(std::filesystem::path(path).extension().string());
    for (const Form& form : forms)
        if (form.extension == extension) return form;
    throw InputError(
        "summary: expected a file whose name ends with .csv, .json, .md, .tex or "
        ".txt, found \"" +
        path + '"');
}

}  // namespace

void expect_summary_file(const std::string& path) {
    static_cast<void>(form_of(path));
}

void write_summary(const Summary& summary, const std::string& path) {
    const Form& form = form_of(path);
    if (is_same_file(path, summary.origin))
        throw InputError("summary: " + path + " is the file of the rows: expected another one");
    write_file(path, form.written(summary));
}

std::string summary_csv(const Summary& summary) {
    std::string text = header_of(summary);
    for (const Cell& cell : summary.cells)
        for (const CellQuantity& quantity : cell.quantities)
            text += line_of(summary, cell, quantity);
    return text;
}

std::string summary_json(const Summary& summary) {
    const statistics::IntervalOptions& interval = summary.options.interval;
    Json object = object_of_schema("equipoise-summary");
    object["study"] = summary.origin;
    object["by"] = summary.by;
    object["of"] = summary.of;
    object["interval"] = {{"kind", word_of(interval.kind)}, {"confidence", interval.level}};
    if (interval.kind == statistics::IntervalKind::bootstrap)
        object["interval"].update({{"resamples", interval.resamples}, {"seed", interval.seed}});
    if (!summary.options.against.empty()) object["against"] = summary.options.against;
    object["cells"] = Json::array();
    for (const Cell& cell : summary.cells)
        object["cells"].push_back(json_of(summary, cell));
    return json_text(object, 2) + '\n';
}

}  // namespace equipoise::report
