#include "equipoise/cli/options.hpp"

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/network/structure/given_structures.hpp"
#include "equipoise/report/runs/reading.hpp"

namespace equipoise::cli {

namespace {

/// "quiet:STEPS, stable:STEPS".
std::string forms_of(const std::vector<SpecInfo>& rows) {
    std::vector<std::string> forms;
    for (const SpecInfo& row : rows)
        forms.push_back(row.shown());
    return listed(forms, ", ");
}

/// "unit (default), random[:max=16]": optional parts are in brackets.
std::string delays_help() {
    std::vector<std::string> texts;
    for (const SpecInfo& row : catalogue::delay_models()) {
        const std::string rest = row.example.substr(row.name.size());
        texts.push_back(row.name + (rest.empty() ? "" : '[' + rest + ']') +
                        (texts.empty() ? " (default)" : ""));
    }
    return listed(texts, ", ");
}

/// The same as words: the names alone, without optional parts.
std::vector<SpecInfo> delay_words() {
    std::vector<SpecInfo> words = catalogue::delay_models();
    for (SpecInfo& word : words)
        word.form = word.name;
    return words;
}

std::vector<SpecInfo> fault_words() {
    std::vector<SpecInfo> words;
    for (const catalogue::FaultInfo& fault : catalogue::fault_kinds())
        words.push_back(fault.info);
    return words;
}

std::vector<std::string> tree_words() {
    using network::SpanningTree;
    std::vector<std::string> words;
    for (const SpanningTree tree :
         {SpanningTree::breadth_first, SpanningTree::minimum_diameter, SpanningTree::low_degree})
        words.push_back(network::to_string(tree));
    return words;
}

/// "loss=0.1,duplicate=0.1".
std::string faults_of(catalogue::FaultInfo::Of kind) {
    std::string text;
    for (const catalogue::FaultInfo& fault : catalogue::fault_kinds())
        if (fault.of == kind) text += (text.empty() ? "" : ",") + fault.info.example;
    return text;
}

}  // namespace

std::vector<SpecInfo> algorithm_words() {
    std::vector<SpecInfo> words;
    for (const catalogue::Algorithm& algorithm : catalogue::algorithms())
        words.push_back({algorithm.name, algorithm.name, algorithm.title});
    return words;
}

std::string examples_of(const std::vector<SpecInfo>& rows, std::string_view last) {
    std::vector<std::string> examples;
    for (const SpecInfo& row : rows)
        examples.push_back(row.example);
    return listed(examples, last);
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
                    "(default: judged by the file, with a note if in doubt)")
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

void RunArguments::add_to(Command& verb) {
    using Of = catalogue::FaultInfo::Of;
    verb.add_option("--threads", request.threads,
                    "how many threads to use; 0: all that the machine has (default 1)")
        ->range(0, 4096);
    steps_max_option_ =
        verb.add_option("--max-steps", steps_max_,
                        "end after this many steps at the latest; a round that would "
                        "exceed the limit is not started");
    verb.add_option("--stop", request.stop,
                    "also end by this rule: " + forms_of(catalogue::stop_rules()) +
                        "; join several with +; if --max-steps is given too, the algorithm's own "
                        "end no longer counts")
        ->offers(catalogue::stop_rules);
    verb.add_option("--param", parameters, "a parameter of the algorithm, name=value; repeatable")
        ->one_value_each();
    verb.add_option("--speeds", request.speeds.text,
                    "a CSV file with the columns node,speed: whole numbers (default 1); final "
                    "loads are proportional to them")
        ->reads_file();
    verb.add_option("--matchings", request.matchings.text,
                    "the matchings of balancing-circuit: standard (odd tokens go to the lower "
                    "number), snake (to the lower number along the snake through a mesh or "
                    "torus), uphill (away from one end of a longest shortest path), bitonic or "
                    "periodic (counting networks), or a file: one line `tail head` per pair, an "
                    "empty line between matchings")
        ->offers(network::matchings_names())
        ->reads_file();
    verb.add_option("--matrix", request.matrix.text,
                    "the weights of diffusion: a file with one line `u v p/q` per entry P_uv of "
                    "a doubly stochastic matrix (P_vu too, unless it has a line)")
        ->reads_file();
    verb.add_option("--tree", request.tree.text,
                    "the spanning tree of algorithms that run on one: breadth-first (default), "
                    "minimum-diameter, low-degree or a file of its links, one line `u v` for each")
        ->offers(tree_words())
        ->reads_file();
    verb.add_option("--colouring", request.colouring.text,
                    "the edge colouring of threshold-1, threshold-1-plus, threshold-2 and "
                    "dimension-exchange: a file of matchings as for --matchings, one per colour, "
                    "with every link once")
        ->reads_file();
    verb.add_flag("--deviation", request.deviation,
                  "also run the idealised process, past the end of the run if necessary, and "
                  "report the largest deviation from it at any time, with its error bound");
    verb.add_option("--delays", request.asynchrony.delays,
                    "delays of messages in asynchronous algorithms: " + delays_help())
        ->offers(delay_words);
    verb.add_option("--adversary", request.asynchrony.adversary,
                    "an adversary that delays messages in asynchronous algorithms: " +
                        forms_of(catalogue::adversaries()))
        ->offers(catalogue::adversaries);
    verb.add_option("--faults", request.asynchrony.faults,
                    "faults of channels: " + faults_of(Of::channels) + "; of nodes: " +
                        faults_of(Of::nodes) + "; " + faults_of(Of::both) + " ends all faults")
        ->offers(fault_words);
    verb.add_option("--ports", request.asynchrony.ports,
                    "how many ports a node uses at once in asynchronous algorithms: 1 (it sends "
                    "at most one message per tick and receives at most one) or all (default)")
        ->offers({"1", "all"});
}

catalogue::RunRequest RunArguments::made(std::uint64_t seed) const {
    catalogue::RunRequest asked = request;
    asked.seed = seed;
    if (steps_max_option_->given()) asked.steps_max = steps_max_;
    asked.parameters = catalogue::parameter_texts(parameters);
    return asked;
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
