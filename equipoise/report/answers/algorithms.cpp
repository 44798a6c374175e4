#include "equipoise/report/answers/algorithms.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/report/tables/glossary.hpp"
#include "equipoise/report/tables/lines.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

std::string in_table(const std::string& text) {
    std::string cell;
    for (const char c : text)
        cell += c == '|' ? std::string("\\|") : std::string(1, c);
    return cell;
}

}  // namespace

std::string algorithms_text(std::span<const AlgorithmSheet> sheets, std::size_t width) {
    std::vector<std::vector<std::string>> rows;
    for (const AlgorithmSheet& sheet : sheets)
        rows.push_back({sheet.name, sheet.model, sheet.title});
    return layout({{"algorithm"}, {"model"}, {"what it does", Align::left, true}}, rows, true,
                  width) +
           '\n' +
           wrapped(explained({"single-port", "multi-port", "single-token", "asynchronous"}), width,
                   2);
}

std::string algorithm_text(const AlgorithmSheet& sheet, std::size_t width) {
    std::string text = wrapped(sheet.title, width) + '\n';
    const auto line = [&](const char* name, const std::string& value) {
        constexpr std::size_t column = 13;
        text += fmt::format("  {:<10} {}\n", name, hanging(value, column, width));
    };
    line("name", sheet.name);
    for (const std::string& former : sheet.former_names)
        line("formerly", former);
    line("source", sheet.source);
    line("model", fmt::format("{} ({})", sheet.model, meaning_of(sheet.model)));
    line("needs", sheet.needs);
    line("guarantee", sheet.guarantee);
    line("ends", sheet.stop);
    if (!sheet.speeds.empty()) line("speeds", sheet.speeds);
    if (sheet.arrivals || sheet.churn)
        line("supports", sheet.arrivals && sheet.churn ? "--arrivals and --churn"
                         : sheet.arrivals              ? "--arrivals"
                                                       : "--churn");
    for (const ParameterSheet& parameter : sheet.parameters)
        line("parameter", fmt::format("{} (default {})  {}", parameter.name,
                                      parameter.default_value, parameter.help));
    const std::string words =
        explained(words_in(text, {"repaired", "frozen", "1-smooth", "matching", "diameter",
                                  "maximum stable discrepancy", "idealised process"}));
    return text + '\n' + wrapped(words + "Letters and other words: docs/glossary.md.\n", width, 2);
}

std::string algorithms_json(std::span<const AlgorithmSheet> sheets) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const AlgorithmSheet& sheet : sheets) {
        nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
        for (const ParameterSheet& parameter : sheet.parameters) {
            nlohmann::ordered_json object = {{"name", parameter.name},
                                             {"type", parameter.type},
                                             {"default", parameter.default_value},
                                             {"help", parameter.help}};
            if (!parameter.words.empty()) object["words"] = parameter.words;
            if (parameter.range) {
                object["least"] = parameter.range->first;
                object["most"] = parameter.range->second;
            }
            parameters.push_back(std::move(object));
        }
        nlohmann::ordered_json object = object_of_schema("equipoise-algorithm");
        object.update({{"name", sheet.name},
                       {"title", sheet.title},
                       {"source", sheet.source},
                       {"model", sheet.model},
                       {"needs", sheet.needs},
                       {"parameters", std::move(parameters)},
                       {"guarantee", sheet.guarantee},
                       {"stop", sheet.stop},
                       {"anytime", sheet.anytime},
                       {"arrivals", sheet.arrivals},
                       {"churn", sheet.churn},
                       {"speeds", !sheet.speeds.empty()},
                       {"former_names", sheet.former_names}});
        list.push_back(std::move(object));
    }
    return json_text(list, 2) + '\n';
}

std::string algorithms_markdown(std::span<const AlgorithmSheet> sheets) {
    std::string text =
        "| Algorithm | What it does | Model | Needs | Parameters | Guarantee | Ends by default | "
        "Source |\n|---|---|---|---|---|---|---|---|\n";
    for (const AlgorithmSheet& sheet : sheets) {
        std::string parameters;
        for (const ParameterSheet& parameter : sheet.parameters)
            parameters += fmt::format("{}`{}={}`", parameters.empty() ? "" : ", ", parameter.name,
                                      parameter.default_value);
        text +=
            fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", sheet.name,
                        in_table(sheet.title), sheet.model, in_table(sheet.needs), parameters,
                        in_table(sheet.guarantee), in_table(sheet.stop), in_table(sheet.source));
    }
    return text;
}

}  // namespace equipoise::report
