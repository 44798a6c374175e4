#include "equipoise/catalogue/registry/sheets.hpp"

#include <string>
#include <utility>

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

report::ParameterSheet sheet_of(const Parameter& parameter) {
    report::ParameterSheet sheet = {parameter.name, to_word(parameter.type),
                                    parameter.default_value, parameter.help};
    if (parameter.type == ParameterType::word) sheet.words = parameter.words;
    if (parameter.type == ParameterType::whole || parameter.type == ParameterType::real)
        sheet.range = {parameter.least, parameter.most};
    return sheet;
}

std::string speeds_of(const Algorithm& algorithm) {
    if (!algorithm.serves_speeds) return "";
    return algorithm.program
               ? "targets in proportion to speeds (--speeds); the guarantee holds for all; 0 "
                 "empties a node"
               : "targets in proportion to speeds (--speeds), 1 or more; guarantees hold for "
                 "equal ones";
}

}  // namespace

report::AlgorithmSheet sheet_of(const Algorithm& algorithm) {
    std::vector<report::ParameterSheet> parameters;
    for (const Parameter& parameter : algorithm.parameters)
        parameters.push_back(sheet_of(parameter));
    return {algorithm.name,
            algorithm.title,
            algorithm.source,
            to_string(algorithm.model),
            algorithm.needs,
            algorithm.guarantee,
            algorithm.stop,
            std::move(parameters),
            algorithm.anytime,
            algorithm.supports_arrivals(),
            algorithm.supports_churn(),
            speeds_of(algorithm),
            algorithm.former_names};
}

ParameterTexts usual_parameters(std::string_view algorithm) {
    ParameterTexts usual;
    for (const Algorithm& known : algorithms())
        if (known.name == algorithm)
            for (const Parameter& parameter : known.parameters)
                usual.emplace(parameter.name, parameter.default_value);
    return usual;
}

std::vector<report::AlgorithmSheet> algorithm_sheets() {
    std::vector<report::AlgorithmSheet> sheets;
    for (const Algorithm& algorithm : algorithms())
        sheets.push_back(sheet_of(algorithm));
    return sheets;
}

}  // namespace equipoise::catalogue
