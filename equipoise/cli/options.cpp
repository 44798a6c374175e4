#include "equipoise/cli/options.hpp"

#include <variant>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/run_option.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/report/runs/reading.hpp"

namespace equipoise::cli {

namespace {

/// Adds to a verb an option that sets the variable it is visited with.
struct OptionAdder {
    Command& verb;
    const catalogue::OptionInfo& info;
    const std::string name = "--" + std::string(info.name);
    const std::string help = info.help.text();
    std::vector<std::string>& parameters;

    Option* operator()(bool* flag) const { return verb.add_flag(name, *flag, help); }
    Option* operator()(int* number) const {
        return verb.add_option(name, *number, help)->range(info.least, info.most);
    }
    Option* operator()(catalogue::ParameterTexts* /*read from the pairs*/) const {
        return verb.add_option(name, parameters, help)->one_value_each();
    }
    template <class T>
    Option* operator()(catalogue::TextOr<T>* value) const {
        return verb.add_option(name, value->text, help);
    }
    template <class T>
    Option* operator()(T* value) const {
        return verb.add_option(name, *value, help);
    }
};

}  // namespace

std::vector<SpecInfo> algorithm_words() {
    std::vector<SpecInfo> words;
    for (const catalogue::Algorithm& algorithm : catalogue::algorithms())
        words.push_back({algorithm.name, algorithm.name, algorithm.title});
    return words;
}

Option* NetworkArguments::add_to(Command& verb) {
    Option* const named =
        verb.add_option("--network", network,
                        "a generator such as torus:8x8 (all: generate --list), or a file (.gml "
                        ".graphml .gexf .graph .mtx .edges)");
    named->offers(network::generators);
    verb.add_option("--format", format,
                    "the format of the file: " + listed(network::format_words(), " or ") +
                        " (default: determined by its name or first line)")
        ->offers(network::format_words());
    verb.add_option("--header", header,
                    "whether the first line of an edge list names its columns: yes or no "
                    "(default: decided from the file; a note says so if in doubt)")
        ->offers({"yes", "no"});
    verb.add_flag("--simplify", simplify, "ignore directions, drop loops and repeated links");
    verb.add_flag("--largest-component", largest_component,
                  "keep only the largest connected component");
    verb.add_option("--seed", seed,
                    "the seed of everything random whose spec has no seed= of its own (default 0)");
    return named;
}

catalogue::NetworkRequest NetworkArguments::request() const {
    if (network.empty())
        throw InputError("expected --network with a generator or a file, found none");
    catalogue::NetworkRequest request;
    request.spec = network;
    if (!format.empty()) request.format = network::format_from_word(format);
    if (!header.empty()) {
        if (header != "yes" && header != "no")
            throw InputError("--header: " + expected_word(header, {"yes", "no"}));
        request.header = header == "yes";
    }
    request.simplify = simplify;
    request.largest_component = largest_component;
    request.seed = seed;
    return request;
}

void NetworkArguments::tell(const network::ReadReport& report) const {
    if (const std::string told = report::reading_text(report); !told.empty())
        note(network + ": " + told);
}

network::AnyNetwork NetworkArguments::make(bool quiet) const {
    network::ReadReport report;
    network::AnyNetwork made = catalogue::make_network(request(), &report);
    if (!quiet) tell(report);
    return made;
}

void RunArguments::add_to(Command& verb, bool compares) {
    for (const catalogue::RunOption& option : catalogue::options_of_runs()) {
        const catalogue::OptionInfo& info = option.info;
        const bool with_network = info.name == "seed";
        if (with_network || (compares && !option.in_compare)) continue;
        Option* const added =
            std::visit(OptionAdder{.verb = verb, .info = info, .parameters = parameters},
                       option.value(request));
        if (info.specs != nullptr) added->offers(info.specs);
        if (info.words != nullptr) added->offers(info.words());
        if (info.names_file) added->reads_file(std::string(info.file_prefix));
    }
}

catalogue::RunRequest RunArguments::made(std::uint64_t seed) const {
    catalogue::RunRequest asked = request;
    asked.options.seed = seed;
    asked.options.parameters = catalogue::parameter_texts(parameters);
    return asked;
}

double number_value(const char* option, const std::string& text) {
    const auto number = real_number(text);
    if (!number || *number < 0)
        throw InputError(std::string(option) + ": expected a number, 0 or more, found \"" + text +
                         '"');
    return *number;
}

void JsonArgument::add_to(Command& verb) {
    verb.add_flag("--json{-}", target, "print only a JSON object; --json=FILE writes it to a file")
        ->writes_file();
}

void JsonArgument::emit(const std::string& object) const {
    if (to_output()) {
        print(object);
    } else {
        write_file(target, object);
    }
}

}  // namespace equipoise::cli
