#include "equipoise/catalogue/studies/scenario.hpp"

#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/ranges.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/given.hpp"
#include "equipoise/catalogue/studies/grid.hpp"
#include "equipoise/catalogue/studies/placeholders.hpp"
#include "equipoise/catalogue/studies/question.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/report/tables/json_path.hpp"
#include "equipoise/report/tables/schema_paths.hpp"

namespace equipoise::catalogue {

namespace {

/// A list that is not empty.
JsonValue expect_filled(const JsonValue& list, const std::string& of_what) {
    const std::string expected = "a list of one or more " + of_what;
    if (list.size(expected) == 0) list.refuse(expected);
    return list;
}

std::vector<std::string> texts_of(const JsonValue& top, std::string_view key) {
    const JsonValue list = top.at(key);
    return expect_filled(list, "texts").texts();
}

std::vector<std::uint64_t> numbers_of(const JsonValue& top, std::string_view key) {
    const auto list = top.find(key);
    if (!list) return {};
    return expect_filled(*list, "whole numbers").numbers<std::uint64_t>();
}

bool flag_of(const JsonValue& top, std::string_view key) {
    const auto flag = top.find(key);
    return flag && flag->truth();
}

/// Runs `work`, and puts the place of a value in front of the text of its errors.
template <class Work>
void at_place(const JsonValue& value, const Work& work) {
    try {
        work();
    } catch (const InputError& error) {
        value.fail(error.what());
    }
}

/// The seeds: a list of numbers, or a text of ranges.
std::vector<std::uint64_t> seeds_of(const JsonValue& top) {
    const auto given = top.find("seeds");
    if (!given) return {0};
    if (!given->is_text()) {
        const std::string expected =
            R"(a list of one or more whole numbers or a text like "1..20")";
        if (given->size(expected) == 0) given->refuse(expected);
        given->for_each([](const JsonValue& one) {
            if (one.is_text())
                one.refuse(R"(a whole number (a text like "1..20" stands for the whole list))");
        });
        return given->numbers<std::uint64_t>();
    }
    const auto ranges = ranges_from(given->text());
    if (!ranges) given->refuse("whole numbers and ascending ranges like 1..5,9");
    const auto seeds = numbers_of(*ranges, grid_rows_max);
    if (!seeds) given->refuse("at most " + std::to_string(grid_rows_max) + " seeds");
    return *seeds;
}

ScenarioAlgorithm algorithm_of(const JsonValue& value, const Given& given) {
    ScenarioAlgorithm algorithm;
    if (value.is_text()) {
        algorithm.name = value.text();
    } else if (value.is_object()) {
        value.expect_keys({"name", "parameters"});
        algorithm.name = value.at("name").text();
        if (const auto parameters = value.find("parameters"))
            algorithm.parameters = parameters->texts_by_key();
    } else {
        value.refuse("a name or an object with one");
    }
    at_place(value, [&] { static_cast<void>(find_algorithm(given, algorithm.name)); });
    return algorithm;
}

/// The text of a value: a number as it is written, a word without quotes. Throws for any other
/// value.
std::string value_text(const JsonValue& value) {
    if (value.is_text()) return value.text();
    if (!value.json().is_number()) value.refuse("a number or a text");
    return json_text(value.json());
}

void read_values(const JsonValue& top, Scenario& scenario) {
    const auto values = top.find("values");
    if (!values) return;
    values->for_each_member([&](const std::string& name, const JsonValue& list) {
        if (!is_placeholder_name(name))
            values->fail("expected names of letters, digits and _, a letter first, found \"" +
                         name + '"');
        if (name == "n" && !scenario.sizes.empty())
            list.fail("\"sizes\" says already what {n} stands for");
        expect_filled(list, "values").for_each([&](const JsonValue& value) {
            scenario.values[name].push_back(value_text(value));
        });
    });
}

/// One value of an option. Throws for a value of another type.
std::string option_text(const QuestionOption& option, const JsonValue& value) {
    if (option.takes == QuestionOption::Takes::flag) return value.truth() ? "true" : "false";
    std::string text = value_text(value);
    if (text.empty()) value.refuse("a value");
    return text;
}

/// Reads the options; one that is a list is an axis.
void read_options(const JsonValue& top, Scenario& scenario) {
    const auto options = top.find("options");
    if (!options) return;
    options->for_each_member([&](const std::string& name, const JsonValue& given) {
        const QuestionOption* const option = find_option(scenario.verb, name);
        if (option == nullptr) {
            std::vector<std::string> known;
            for (const QuestionOption& one : question_options(scenario.verb))
                known.emplace_back(one.name);
            options->fail("unknown option \"" + name + "\" of " + to_string(scenario.verb) +
                          suggestion(name, known));
        }
        std::vector<std::string>& texts = scenario.options[name];
        if (given.is_list()) {
            expect_filled(given, "values").for_each([&](const JsonValue& value) {
                texts.push_back(option_text(*option, value));
            });
        } else {
            texts.push_back(option_text(*option, given));
        }
    });
    const auto steps = options->find("max-steps");
    if (scenario.steps_max && steps) steps->fail("\"max_steps\" is given already");
}

Verb verb_of(const JsonValue& top) {
    const auto value = top.find("verb");
    if (!value) return Verb::run;
    for (const Verb verb : {Verb::run, Verb::plan, Verb::analyze, Verb::worst, Verb::reassign})
        if (value->json() == to_string(verb)) return verb;
    value->refuse("\"run\", \"plan\", \"analyze\", \"worst\" or \"reassign\"");
}

void read_columns(const JsonValue& top, Scenario& scenario) {
    if (scenario.verb == Verb::run && !top.has("columns")) return;
    const JsonValue columns = top.at("columns");
    expect_filled(columns, "texts").for_each([&](const JsonValue& value) {
        const std::string column = value.text();
        at_place(value, [&] {
            report::expect_in_schema(report::JsonPath(column), column, to_string(scenario.verb));
        });
        scenario.columns.push_back(column);
    });
}

void read_algorithms(const JsonValue& top, Scenario& scenario) {
    const auto expect_none = [&](const char* key) {
        if (const auto found = top.find(key))
            found->refuse("none with the verb " + to_string(scenario.verb));
    };
    if (scenario.verb != Verb::run) expect_none("max_steps");
    if (scenario.verb == Verb::worst || !needs_network(scenario.verb)) expect_none("loads");
    for (const char* key : {"networks", "simplify", "largest_component"})
        if (!needs_network(scenario.verb)) expect_none(key);
    if (needs_network(scenario.verb)) expect_none("items");
    if (!plays_algorithms(scenario.verb)) return expect_none("algorithms");
    const JsonValue list = top.at("algorithms");
    expect_filled(list, "algorithms").for_each([&](const JsonValue& value) {
        if (value.json() == "all") {
            for (const Algorithm& algorithm : algorithms())
                scenario.algorithms.push_back({algorithm.name, {}});
        } else {
            scenario.algorithms.push_back(algorithm_of(value, scenario.given));
        }
    });
}

/// What is given, with the rules under the names by which the scenario knows them. Throws for names
/// that mean something else already.
Given checked(Given given) {
    for (auto& [name, rule] : given.rules) {
        if (name == "all")
            throw InputError(
                "\"all\" stands for all algorithms: expected another name for the given rule");
        rule = std::make_shared<const Algorithm>(given_algorithm(*rule, name));
    }
    for (const auto& [name, network] : given.networks) {
        EQUIPOISE_ASSERT(network != nullptr);
        if (name.empty() || name.find_first_of("{}") != std::string::npos)
            throw InputError("expected a name without braces for the given network, found \"" +
                             name + '"');
        if (network::names_generator(name))
            throw InputError("\"" + name +
                             "\" is the spec of a generator: expected another name for the given "
                             "network");
    }
    return given;
}

/// The key of what rows are about.
const char* instances_key(Verb verb) {
    return needs_network(verb) ? "networks" : "items";
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
        expect(instances_key(scenario.verb), network);
    for (const std::string& loads : scenario.loads)
        expect("loads", loads);
    for (const ScenarioAlgorithm& algorithm : scenario.algorithms)
        for (const auto& [parameter, text] : algorithm.parameters)
            expect("algorithms.parameters." + parameter, text);
    for (const auto& [option, texts] : scenario.options)
        for (const std::string& text : texts)
            expect("options." + option, text);
    for (const auto& [name, texts] : scenario.values)
        if (!used.contains(name))
            throw InputError(file + ": values." + name + ": expected {" + name +
                             "} in a text of the scenario, found none");
}

}  // namespace

std::string to_string(Verb verb) {
    if (verb == Verb::plan) return "plan";
    if (verb == Verb::worst) return "worst";
    if (verb == Verb::reassign) return "reassign";
    return verb == Verb::analyze ? "analyze" : "run";
}

const Algorithm& find_algorithm(const Given& given, const std::string& name) {
    const auto found = given.rules.find(name);
    if (found != given.rules.end()) return *found->second;
    std::vector<std::string> own;
    for (const auto& [rule, algorithm] : given.rules)
        own.push_back(rule);
    try {
        return find_algorithm(name);
    } catch (const InputError& error) {
        const std::string near = did_you_mean(name, own);
        if (!near.empty()) throw InputError("unknown algorithm \"" + name + '"' + near);
        const std::string said = error.what();
        if (own.empty() && said.ends_with('?')) throw;
        throw InputError(said + (own.empty()
                                     ? "; rules of your own are given to sweep in Python or C++"
                                     : "; given: " + listed(own, " and ")));
    }
}

Scenario parse_scenario(std::string_view text, const std::string& name, Given given) {
    nlohmann::json document = parse_json(text, name);
    const JsonValue top(document, name);
    // An unknown key is reported even if another key is missing because of it.
    top.expect_keys({"$schema", "title", "networks", "items", "loads", "algorithms", "sizes",
                     "seeds", "max_steps", "simplify", "largest_component", "verb", "values",
                     "options", "columns"});
    Scenario scenario;
    scenario.name = name;
    scenario.given = checked(std::move(given));
    if (const auto title = top.find("title")) scenario.title = title->text();
    scenario.verb = verb_of(top);
    scenario.networks = texts_of(top, instances_key(scenario.verb));
    if (!needs_loads(scenario.verb) && !top.has("loads")) {
        scenario.loads = {scenario.verb == Verb::analyze ? AnalyzeRequest().loads.text : ""};
    } else {
        scenario.loads = texts_of(top, "loads");
    }
    read_algorithms(top, scenario);
    scenario.sizes = numbers_of(top, "sizes");
    scenario.seeds = seeds_of(top);
    if (const auto steps = top.find("max_steps"))
        scenario.steps_max = steps->whole<std::uint64_t>();
    scenario.simplify = flag_of(top, "simplify");
    scenario.largest_component = flag_of(top, "largest_component");
    read_values(top, scenario);
    read_options(top, scenario);
    read_columns(top, scenario);
    expect_values(scenario, name);
    return scenario;
}

Scenario read_scenario(const std::string& path, Given given) {
    return parse_scenario(read_json_text(path), path, std::move(given));
}

}  // namespace equipoise::catalogue
