#include "equipoise/catalogue/registry/describe.hpp"

#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/report/table.hpp"

namespace equipoise::catalogue {

namespace {

const char* to_word(ParameterType type) {
    switch (type) {
        case ParameterType::word:
            return "word";
        case ParameterType::whole:
            return "whole";
        case ParameterType::real:
            return "real";
        case ParameterType::fraction:
            return "fraction";
    }
    return "unknown";
}

std::string in_table(const std::string& text) {
    std::string cell;
    for (const char c : text)
        cell += c == '|' ? std::string("\\|") : std::string(1, c);
    return cell;
}

}  // namespace

std::string algorithms_text() {
    std::vector<std::vector<std::string>> rows;
    for (const Algorithm& algorithm : algorithms())
        rows.push_back({algorithm.name, to_string(algorithm.model), algorithm.title});
    return report::layout({{"algorithm"}, {"model"}, {"what it does"}}, rows, true);
}

std::string describe(const Algorithm& algorithm) {
    std::string text = fmt::format("{}\n\n", algorithm.title);
    const auto line = [&](const char* name, const std::string& value) {
        text += fmt::format("  {:<10} {}\n", name, value);
    };
    line("name", algorithm.name);
    line("source", algorithm.source);
    line("model", to_string(algorithm.model));
    line("needs", algorithm.needs);
    line("guarantee", algorithm.guarantee);
    line("ends", algorithm.stop);
    if (algorithm.serves_speeds)
        line("speeds",
             algorithm.program
                 ? "targets in proportion to speeds (--speeds); the guarantee holds for all; 0 "
                   "empties a node"
                 : "targets in proportion to speeds (--speeds), 1 or more; guarantees hold for "
                   "equal ones");
    for (const Parameter& parameter : algorithm.parameters)
        line("parameter",
             fmt::format("{}={}: {}", parameter.name, parameter.default_value, parameter.help));
    return text;
}

std::string algorithms_json() {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Algorithm& algorithm : algorithms()) {
        nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
        for (const Parameter& parameter : algorithm.parameters) {
            nlohmann::ordered_json object = {{"name", parameter.name},
                                             {"type", to_word(parameter.type)},
                                             {"default", parameter.default_value},
                                             {"help", parameter.help}};
            if (parameter.type == ParameterType::word) {
                object["words"] = parameter.words;
            } else if (parameter.type != ParameterType::fraction) {
                object["least"] = parameter.least;
                object["most"] = parameter.most;
            }
            parameters.push_back(std::move(object));
        }
        list.push_back({{"name", algorithm.name},
                        {"title", algorithm.title},
                        {"source", algorithm.source},
                        {"model", to_string(algorithm.model)},
                        {"needs", algorithm.needs},
                        {"parameters", std::move(parameters)},
                        {"guarantee", algorithm.guarantee},
                        {"stop", algorithm.stop},
                        {"anytime", algorithm.anytime},
                        {"arrivals", algorithm.bears_arrivals()},
                        {"churn", algorithm.bears_churn()},
                        {"speeds", algorithm.serves_speeds}});
    }
    return list.dump(2) + '\n';
}

std::string algorithms_markdown() {
    std::string text =
        "| Algorithm | What it does | Model | Needs | Parameters | Guarantee | Ends by default | "
        "Source |\n|---|---|---|---|---|---|---|---|\n";
    for (const Algorithm& algorithm : algorithms()) {
        std::string parameters;
        for (const Parameter& parameter : algorithm.parameters)
            parameters += fmt::format("{}`{}={}`", parameters.empty() ? "" : ", ", parameter.name,
                                      parameter.default_value);
        text += fmt::format("| `{}` | {} | {} | {} | {} | {} | {} | {} |\n", algorithm.name,
                            in_table(algorithm.title), to_string(algorithm.model),
                            in_table(algorithm.needs), parameters, in_table(algorithm.guarantee),
                            in_table(algorithm.stop), in_table(algorithm.source));
    }
    return text;
}

}  // namespace equipoise::catalogue
