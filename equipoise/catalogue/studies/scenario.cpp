#include "equipoise/catalogue/studies/scenario.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"

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
    /// Throws InputError for a key that is not known, before one that is missing because of it.
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

}  // namespace

Scenario parse_scenario(std::string_view text, const std::string& name) {
    const Json document = parse_json(text, name);
    if (!document.is_object()) throw InputError(name + ": expected a JSON object");
    const Reader reader(document, name,
                        {"$schema", "title", "networks", "loads", "algorithms", "sizes", "seeds",
                         "max_steps", "simplify", "largest_component"});
    Scenario scenario;
    if (const Json* title = reader.find("title")) {
        if (!title->is_string()) fail(name, "title", "a text", title->dump());
        scenario.title = title->get<std::string>();
    }
    scenario.networks = reader.words("networks");
    scenario.loads = reader.words("loads");
    for (const Json& value : reader.list("algorithms", false)) {
        if (value == "all") {
            for (const Algorithm& algorithm : algorithms())
                scenario.algorithms.push_back({algorithm.name, {}});
        } else {
            scenario.algorithms.push_back(algorithm_of(value, name));
        }
    }
    scenario.sizes = reader.numbers("sizes");
    if (scenario.sizes.empty())
        for (const std::vector<std::string>* specs : {&scenario.networks, &scenario.loads})
            for (const std::string& spec : *specs)
                if (spec.find("{n}") != std::string::npos)
                    throw InputError(name + ": \"" + spec +
                                     "\" stands for several sizes: expected \"sizes\", a list of "
                                     "whole numbers");
    scenario.seeds = reader.numbers("seeds");
    if (scenario.seeds.empty()) scenario.seeds = {0};
    if (const Json* steps = reader.find("max_steps")) {
        if (!steps->is_number_unsigned()) fail(name, "max_steps", "a whole number", steps->dump());
        scenario.steps_max = steps->get<std::uint64_t>();
    }
    scenario.simplify = reader.flag("simplify");
    scenario.largest_component = reader.flag("largest_component");
    return scenario;
}

Scenario read_scenario(const std::string& path) {
    return parse_scenario(read_json_text(path), path);
}

}  // namespace equipoise::catalogue
