#include "equipoise/catalogue/studies/scenario.hpp"

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/studies/placeholders.hpp"
#include "equipoise/catalogue/studies/question.hpp"
#include "equipoise/report/tables/json_path.hpp"
#include "equipoise/report/tables/schema_paths.hpp"

namespace equipoise::catalogue {

namespace {

using Json = nlohmann::json;

[[noreturn]] void fail(const std::string& file, const std::string& key, const std::string& expected,
                       const std::string& found) {
    throw InputError(file + ": " + key + ": expected " + expected + ", found " + found);
}

/// A JSON document whose values are asked for by key, each with a message of its own.
class Reader {
  public:
    /// Throws InputError for an unknown key, even if another key is missing because of it.
    Reader(const Json& object, std::string file, const std::vector<std::string>& known)
        : object_(object), file_(std::move(file)) {
        for (const auto& [key, value] : object_.items())
            if (std::find(known.begin(), known.end(), key) == known.end())
                throw InputError(file_ + ": unknown key \"" + key + '"' + suggestion(key, known));
    }

    [[nodiscard]] const Json* find(const std::string& key) const {
        const auto found = object_.find(key);
        return found == object_.end() ? nullptr : &*found;
    }
    [[nodiscard]] const Json& list(const std::string& key, bool may_be_missing) const {
        static const Json nothing = Json::array();
        const Json* value = find(key);
        if (value == nullptr) {
            if (may_be_missing) return nothing;
            fail(file_, key, "a list", "none");
        }
        if (!value->is_array() || value->empty()) fail(file_, key, "a list", value->dump());
        return *value;
    }
    [[nodiscard]] std::vector<std::string> words(const std::string& key) const {
        std::vector<std::string> out;
        for (const Json& value : list(key, false)) {
            if (!value.is_string()) fail(file_, key, "texts", value.dump());
            out.push_back(value.get<std::string>());
        }
        return out;
    }
    [[nodiscard]] std::vector<std::uint64_t> numbers(const std::string& key) const {
        std::vector<std::uint64_t> out;
        for (const Json& value : list(key, true)) {
            if (!value.is_number_unsigned())
                fail(file_, key, "whole numbers (0 or more)", value.dump());
            out.push_back(value.get<std::uint64_t>());
        }
        return out;
    }
    [[nodiscard]] bool flag(const std::string& key) const {
        const Json* value = find(key);
        if (value == nullptr) return false;
        if (!value->is_boolean()) fail(file_, key, "true or false", value->dump());
        return value->get<bool>();
    }

  private:
    const Json& object_;
    std::string file_;
};

ScenarioAlgorithm algorithm_of(const Json& value, const std::string& file) {
    ScenarioAlgorithm algorithm;
    if (value.is_string()) {
        algorithm.name = value.get<std::string>();
    } else if (value.is_object() && value.contains("name") && value["name"].is_string()) {
        const Reader reader(value, file + ": algorithms", {"name", "parameters"});
        algorithm.name = reader.find("name")->get<std::string>();
        if (const Json* parameters = reader.find("parameters")) {
            if (!parameters->is_object())
                fail(file, "algorithms: parameters", "an object whose values are strings",
                     parameters->dump());
            for (const auto& [name, text] : parameters->items()) {
                if (!text.is_string())
                    fail(file, "algorithms: parameters: " + name, "a string", text.dump());
                algorithm.parameters[name] = text.get<std::string>();
            }
        }
    } else {
        fail(file, "algorithms", "a name or an object with one", value.dump());
    }
    try {
        static_cast<void>(find_algorithm(algorithm.name));
    } catch (const InputError& error) {
        throw InputError(file + ": algorithms: " + error.what());
    }
    return algorithm;
}

/// The text of a value: a number as it is written, a word without quotes. Throws for any other
/// value.
std::string value_text(const Json& value, const std::string& file, const std::string& key) {
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_number()) fail(file, key, "numbers or texts", value.dump());
    return value.dump();
}

void read_values(const Reader& reader, const std::string& file, Scenario& scenario) {
    const Json* values = reader.find("values");
    if (values == nullptr) return;
    if (!values->is_object()) fail(file, "values", "an object of lists", values->dump());
    for (const auto& [name, list] : values->items()) {
        const std::string key = "values: " + name;
        if (!is_placeholder_name(name))
            fail(file, "values", "names of letters, digits and _, a letter first",
                 '"' + name + '"');
        if (name == "n" && !scenario.sizes.empty())
            throw InputError(file + ": values: n: \"sizes\" says already what {n} stands for");
        if (!list.is_array() || list.empty()) fail(file, key, "a list", list.dump());
        for (const Json& value : list)
            scenario.values[name].push_back(value_text(value, file, key));
    }
}

/// The values of an option, which is an axis if they are a list. Throws for values of another type.
std::vector<std::string> option_texts(const QuestionOption& option, const Json& given,
                                      const std::string& file, const std::string& key) {
    if (given.is_array() && given.empty()) fail(file, key, "a value or a list of some", "[]");
    std::vector<std::string> texts;
    for (const Json& value : given.is_array() ? given : Json::array({given})) {
        if (option.takes == QuestionOption::Takes::flag) {
            if (!value.is_boolean()) fail(file, key, "true or false", value.dump());
            texts.push_back(value.get<bool>() ? "true" : "false");
        } else {
            texts.push_back(value_text(value, file, key));
            if (texts.back().empty()) fail(file, key, "a value", "\"\"");
        }
    }
    return texts;
}

void read_options(const Reader& reader, const std::string& file, Scenario& scenario) {
    const Json* options = reader.find("options");
    if (options == nullptr) return;
    if (!options->is_object()) fail(file, "options", "an object", options->dump());
    for (const auto& [name, given] : options->items()) {
        const QuestionOption* const option = find_option(scenario.verb, name);
        if (option == nullptr) {
            std::vector<std::string> known;
            for (const QuestionOption& one : question_options(scenario.verb))
                known.emplace_back(one.name);
            throw InputError(file + ": options: unknown option \"" + name + "\" of " +
                             to_string(scenario.verb) + suggestion(name, known));
        }
        scenario.options[name] = option_texts(*option, given, file, "options: " + name);
    }
    if (scenario.steps_max && scenario.options.contains("max-steps"))
        throw InputError(file + ": options: max-steps: \"max_steps\" is given already");
}

Verb verb_of(const Reader& reader, const std::string& file) {
    const Json* value = reader.find("verb");
    if (value == nullptr) return Verb::run;
    for (const Verb verb : {Verb::run, Verb::plan, Verb::analyze, Verb::worst})
        if (*value == to_string(verb)) return verb;
    fail(file, "verb", "\"run\", \"plan\", \"analyze\" or \"worst\"", value->dump());
}

void read_columns(const Reader& reader, const std::string& file, Scenario& scenario) {
    if (scenario.verb != Verb::run || reader.find("columns") != nullptr)
        scenario.columns = reader.words("columns");
    for (const std::string& column : scenario.columns) {
        try {
            report::expect_in_schema(report::JsonPath(column), column, to_string(scenario.verb));
        } catch (const InputError& error) {
            throw InputError(file + ": columns: " + error.what());
        }
    }
}

void read_algorithms(const Reader& reader, const std::string& file, Scenario& scenario) {
    const auto expect_none = [&](const char* key) {
        if (const Json* found = reader.find(key))
            fail(file, key, "none with the verb " + to_string(scenario.verb), found->dump());
    };
    if (scenario.verb != Verb::run) expect_none("max_steps");
    if (scenario.verb == Verb::worst) expect_none("loads");
    if (!plays_algorithms(scenario.verb)) return expect_none("algorithms");
    for (const Json& value : reader.list("algorithms", false)) {
        if (value == "all") {
            for (const Algorithm& algorithm : algorithms())
                scenario.algorithms.push_back({algorithm.name, {}});
        } else {
            scenario.algorithms.push_back(algorithm_of(value, file));
        }
    }
}

/// Throws unless all placeholders can be read and have values, and all values are used.
void expect_values(const Scenario& scenario, const std::string& file) {
    std::set<std::string> used;
    const auto expect = [&](const std::string& key, const std::string& text) {
        std::set<std::string> names;
        try {
            names = placeholder_names(text);
        } catch (const InputError& error) {
            throw InputError(file + ": " + key + ": " + error.what());
        }
        used.insert(names.begin(), names.end());
        for (const std::string& name : names) {
            if (scenario.values.contains(name) || (name == "n" && !scenario.sizes.empty()))
                continue;
            throw InputError(
                file + ": \"" + text +
                (name == "n" ? "\" stands for several sizes: expected \"sizes\", a list of whole "
                               "numbers"
                             : "\" stands for several values: expected a list of them, \"values\": "
                               "{\"" +
                                   name + "\": [...]}"));
        }
    };
    for (const std::string& network : scenario.networks)
        expect("networks", network);
    for (const std::string& loads : scenario.loads)
        expect("loads", loads);
    for (const ScenarioAlgorithm& algorithm : scenario.algorithms)
        for (const auto& [parameter, text] : algorithm.parameters)
            expect("algorithms: parameters: " + parameter, text);
    for (const auto& [option, texts] : scenario.options)
        for (const std::string& text : texts)
            expect("options: " + option, text);
    for (const auto& [name, texts] : scenario.values)
        if (!used.contains(name))
            throw InputError(file + ": values: " + name + ": expected {" + name +
                             "} in a text of the scenario, found none");
}

}  // namespace

std::string to_string(Verb verb) {
    if (verb == Verb::plan) return "plan";
    if (verb == Verb::worst) return "worst";
    return verb == Verb::analyze ? "analyze" : "run";
}

Scenario parse_scenario(std::string_view text, const std::string& name) {
    const Json document = parse_json(text, name);
    if (!document.is_object()) throw InputError(name + ": expected a JSON object");
    const Reader reader(
        document, name,
        {"$schema", "title", "networks", "loads", "algorithms", "sizes", "seeds", "max_steps",
         "simplify", "largest_component", "verb", "values", "options", "columns"});
    Scenario scenario;
    scenario.name = name;
    if (const Json* title = reader.find("title")) {
        if (!title->is_string()) fail(name, "title", "a text", title->dump());
        scenario.title = title->get<std::string>();
    }
    scenario.verb = verb_of(reader, name);
    scenario.networks = reader.words("networks");
    if (!needs_loads(scenario.verb) && reader.find("loads") == nullptr) {
        scenario.loads = {scenario.verb == Verb::analyze ? AnalyzeRequest().loads.text : ""};
    } else {
        scenario.loads = reader.words("loads");
    }
    read_algorithms(reader, name, scenario);
    scenario.sizes = reader.numbers("sizes");
    scenario.seeds = reader.numbers("seeds");
    if (scenario.seeds.empty()) scenario.seeds = {0};
    if (const Json* steps = reader.find("max_steps")) {
        if (!steps->is_number_unsigned()) fail(name, "max_steps", "a whole number", steps->dump());
        scenario.steps_max = steps->get<std::uint64_t>();
    }
    scenario.simplify = reader.flag("simplify");
    scenario.largest_component = reader.flag("largest_component");
    read_values(reader, name, scenario);
    read_options(reader, name, scenario);
    read_columns(reader, name, scenario);
    expect_values(scenario, name);
    return scenario;
}

Scenario read_scenario(const std::string& path) {
    return parse_scenario(read_json_text(path), path);
}

}  // namespace equipoise::catalogue
