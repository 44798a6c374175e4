#include "equipoise/cli/remedies.hpp"

#include <algorithm>

#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/spec_info.hpp"
#include "equipoise/base/spec_meant.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/io/read.hpp"

namespace equipoise::cli {

namespace {

bool has(const std::vector<std::string>& options, std::string_view option) {
    return std::find(options.begin(), options.end(), option) != options.end();
}

bool is_algorithm(std::string_view name) {
    const auto& all = catalogue::algorithms();
    return std::any_of(all.begin(), all.end(), [&](const catalogue::Algorithm& algorithm) {
        return algorithm.name == name;
    });
}

/// Whether any algorithm has this parameter.
bool is_parameter(std::string_view name) {
    const auto& all = catalogue::algorithms();
    return std::any_of(all.begin(), all.end(), [&](const catalogue::Algorithm& algorithm) {
        return std::any_of(
            algorithm.parameters.begin(), algorithm.parameters.end(),
            [&](const catalogue::Parameter& parameter) { return parameter.name == name; });
    });
}

bool is_network(const std::string& text) {
    if (network::names_generator(text)) return true;
    return text.find(':') == std::string::npos && network::format_of_path(text).has_value() &&
           !text.ends_with(".csv");
}

bool is_loads(std::string_view text) {
    const std::string_view name = text.substr(0, text.find(':'));
    const std::vector<SpecInfo> kinds = catalogue::load_generators();
    return text.ends_with(".csv") ||
           std::any_of(kinds.begin(), kinds.end(),
                       [&](const SpecInfo& kind) { return kind.name == name; });
}

/// "--network torus:8x8", "--loads spike:tokens=9", or empty.
std::string as_instance(const std::string& text) {
    if (is_network(text)) return "--network " + text;
    return is_loads(text) ? "--loads " + text : "";
}

/// Options of which a part between hyphens is the word: "--max-steps" for "steps".
std::vector<std::string> options_with(const std::string& word,
                                      const std::vector<std::string>& options) {
    std::vector<std::string> found;
    for (const std::string& option : options)
        if (option.ends_with('-' + word) || option.find('-' + word + '-') != std::string::npos)
            found.push_back(option);
    return found;
}

}  // namespace

std::string complaint_of_algorithm(const std::string& name) {
    if (is_algorithm(name)) return "";
    const std::string found = "expected the name of an algorithm, found \"" + name + '"';
    if (const std::string meant = as_instance(name); !meant.empty())
        return found + did_you_mean_spec(meant);
    if (name.find(',') == std::string::npos) return "";
    std::string apart = name;
    std::replace(apart.begin(), apart.end(), ',', ' ');
    return found + did_you_mean_spec("compare " + apart);
}

std::string meant_by_argument(const std::string& argument, const std::string& verb,
                              const std::vector<std::string>& options) {
    if (const std::string meant = as_instance(argument);
        !meant.empty() && has(options, meant.substr(0, meant.find(' '))))
        return did_you_mean_spec(meant);
    if (is_algorithm(argument) && verb == "run") return ": compare runs several algorithms";
    if (argument.starts_with("\u2013") || argument.starts_with("\u2014")) {
        constexpr std::size_t dash = 3;  // bytes
        std::string word = argument.substr(dash);
        word.erase(0, word.find_first_not_of('-'));
        const std::string name = "--" + word;
        return has(options, name.substr(0, name.find('='))) ? did_you_mean_spec(name) : "";
    }
    const std::size_t equals = argument.find('=');
    if (equals == std::string::npos || equals == 0) return "";
    const std::string key = argument.substr(0, equals);
    if (has(options, "--" + key)) return did_you_mean_spec("--" + argument);
    return has(options, "--param") && is_parameter(key) ? did_you_mean_spec("--param " + argument)
                                                        : "";
}

std::string meant_by_option(const std::string& option, const std::vector<std::string>& options) {
    const std::string name = option.substr(0, option.find('='));
    const std::string word = name.substr(std::min(name.find_first_not_of('-'), name.size()));
    const std::string value = option.substr(name.size());
    if (const std::vector<std::string> longer = options_with(word, options); longer.size() == 1)
        return did_you_mean_spec(longer.front());
    if (word == "tokens" && has(options, "--loads"))
        return did_you_mean_spec("--loads spike:tokens" + (value.empty() ? "=NUMBER" : value));
    if (has(options, "--param") && is_parameter(word))
        return did_you_mean_spec("--param " + word + (value.empty() ? "=VALUE" : value));
    if ((word == "v" || word == "V") && has(options, "--version"))
        return did_you_mean_spec("--version");
    return did_you_mean(name, options);
}

std::string meant_by_verb(const std::string& word) {
    if (is_algorithm(word)) return did_you_mean_spec("run " + word);
    return word == "version" ? did_you_mean_spec("--version") : "";
}

}  // namespace equipoise::cli
