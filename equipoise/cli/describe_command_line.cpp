// Prints the whole command line as JSON, from which manuals, completion and pages are made.
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/catalogue/runner/build_info.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/program.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/terminal.hpp"

namespace equipoise::cli {

namespace {

using Json = nlohmann::ordered_json;

/// The part of a spec that never changes: "torus:" of "torus:8x8".
std::string beginning(const SpecInfo& info) {
    const std::string& whole = info.form.empty() ? info.example : info.form;
    const std::size_t end = info.name.size();
    const bool goes_on = whole.size() > end && (whole[end] == ':' || whole[end] == '=');
    return goes_on ? whole.substr(0, end + 1) : info.name;
}

Json object_of(const OptionDescription& option) {
    Json words = Json::array();
    for (const SpecInfo& info : option.words)
        words.push_back({{"word", beginning(info)},
                         {"example", info.example},
                         {"help", info.help},
                         {"random", info.random}});
    const char* const uses[] = {"none", "reads", "writes"};
    return {{"names", option.names},
            {"value", option.value},
            {"value_may_lack", option.value_may_lack},
            {"help", option.help},
            {"group", option.group},
            {"required", option.required},
            {"repeatable", option.repeatable},
            {"file", uses[static_cast<int>(option.file)]},
            {"file_prefix", option.file_prefix},
            {"words", std::move(words)}};
}

Json array_of(const std::vector<OptionDescription>& options) {
    Json array = Json::array();
    for (const OptionDescription& option : options)
        array.push_back(object_of(option));
    return array;
}

Json object_of(const CommandDescription& command) {
    Json object = {{"name", command.name},
                   {"help", command.help},
                   {"usage", command.usage},
                   {"operands", array_of(command.operands)},
                   {"options", array_of(command.options)},
                   {"footer", command.footer}};
    for (const CommandDescription& verb : command.verbs)
        object["verbs"].push_back(object_of(verb));
    return object;
}

}  // namespace

}  // namespace equipoise::cli

int main() {
    using namespace equipoise::cli;  // NOLINT(google-build-using-namespace)
    try {
        const Ranks alone;
        Json object = {{"version", equipoise::catalogue::build_info().version}};
        object.update(object_of(Program(alone).describe()));
        print(equipoise::json_text(object, 1) + '\n');
        finish_output();
        return exit_done;
    } catch (const std::exception& error) {
        complain(error.what());
        return exit_bad_input;
    }
}
