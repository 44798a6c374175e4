#include "equipoise/catalogue/runner/run_option.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "equipoise/base/fields.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/runner/asynchrony.hpp"
#include "equipoise/catalogue/runner/stop.hpp"
#include "equipoise/model/run/arrivals.hpp"
#include "equipoise/model/run/churn.hpp"
#include "equipoise/network/structure/circuits.hpp"

namespace equipoise::catalogue {

namespace {

using network::GivenStructures;
using Fills = RunOption::Fills;
using Specs = std::vector<SpecInfo>;
using Words = std::vector<std::string>;

template <auto... Members>
OptionValue place(RunRequest& request) {
    return &(request.*....*Members);
}

template <auto... Members>
HeldValue held(const RunOptions& options, const GivenStructures& /*given*/) {
    return &(options.*....*Members);
}

/// An option whose value a run takes as it is, in this field of RunOptions.
template <auto... Members>
constexpr RunOption taken(OptionInfo info) {
    return {info, place<&RunRequest::options, Members...>, held<Members...>,
            sizeof...(Members) == 1 ? Fills::field : Fills::asynchrony};
}

/// An option that is read first: `Asked` of the request becomes `Taken` of the run.
template <auto Asked, auto Taken>
constexpr RunOption read(OptionInfo info) {
    return {info, place<Asked>, held<Taken>, Fills::field};
}

/// An option in which ranks may differ.
template <auto... Members>
constexpr RunOption own(OptionInfo info) {
    return {info, place<Members...>, nullptr,
            sizeof...(Members) == 2 ? Fills::field : Fills::nothing};
}

constexpr RunOption of_run_alone(RunOption option) {
    option.in_compare = false;
    return option;
}

/// "quiet:STEPS, stable:STEPS".
std::string forms_of(const Specs& rows) {
    Words forms;
    for (const SpecInfo& row : rows)
        forms.push_back(row.shown());
    return listed(forms, ", ");
}

/// "poisson:rate=3, ... or replay:FILE" with `last` " or ".
std::string examples_of(const Specs& rows, std::string_view last) {
    Words examples;
    for (const SpecInfo& row : rows)
        examples.push_back(row.example);
    return listed(examples, last);
}

/// "unit (default), random[:max=16]": optional parts are in brackets.
std::string delays_help() {
    Words texts;
    for (const SpecInfo& row : delay_models()) {
        const std::string rest = row.example.substr(row.name.size());
        texts.push_back(row.name + (rest.empty() ? "" : '[' + rest + ']') +
                        (texts.empty() ? " (default)" : ""));
    }
    return "delays of messages in asynchronous algorithms: " + listed(texts, ", ");
}

/// The same as words: the names alone, without optional parts.
Specs delay_words() {
    Specs words = delay_models();
    for (SpecInfo& word : words)
        word.form = word.name;
    return words;
}

/// "loss=0.1,duplicate=0.1".
std::string faults_of(FaultInfo::Of kind) {
    std::string text;
    for (const FaultInfo& fault : fault_kinds())
        if (fault.of == kind) text += (text.empty() ? "" : ",") + fault.info.example;
    return text;
}

std::string faults_help() {
    using Of = FaultInfo::Of;
    return "faults of channels: " + faults_of(Of::channels) +
           "; of nodes: " + faults_of(Of::nodes) + "; " + faults_of(Of::both) + " ends all faults";
}

Specs fault_words() {
    Specs words;
    for (const FaultInfo& fault : fault_kinds())
        words.push_back(fault.info);
    return words;
}

Words port_words() {
    return {"1", "all"};
}

Words tree_words() {
    using network::SpanningTree;
    return {network::to_string(SpanningTree::breadth_first),
            network::to_string(SpanningTree::minimum_diameter),
            network::to_string(SpanningTree::low_degree)};
}

std::string stop_help() {
    return "also end by this rule: " + forms_of(stop_rules()) +
           "; join several with +; with --max-steps as well, the algorithm's own stop rule is "
           "ignored";
}

std::string adversary_help() {
    return "an adversary that delays messages in asynchronous algorithms: " +
           forms_of(adversaries());
}

std::string arrivals_help() {
    return "tokens that arrive and are consumed every round: " +
           examples_of(model::arrival_generators(), " (each also accepts consume=RATE) or ") +
           "; the run goes on for --max-steps (default 1000)";
}

std::string churn_help() {
    return "nodes and links that come and go: " + examples_of(model::churn_generators(), " or ");
}

std::string reorder_help() {
    return "store the nodes in another order, so that neighbours lie close together in memory: " +
           listed(network::node_order_words(), " or ") +
           "; for synchronous rounds; changes no result";
}

constexpr std::array declared = {
    taken<&RunOptions::seed>(
        {.name = "seed",
         .help = "the seed of everything random whose spec has no seed= of its own (default 0)",
         .in_scenarios = false}),
    own<&RunRequest::options, &RunOptions::threads>(
        {.name = "threads",
         .help = "how many threads to use; 0: all that the machine has (default 1)",
         .most = 4096,
         .in_scenarios = false}),
    taken<&RunOptions::steps_max>(
        {.name = "max-steps",
         .help = "end after this many steps at the latest; a round that would exceed the limit is "
                 "not started"}),
    read<&RunRequest::stop, &RunOptions::stop>(
        {.name = "stop", .help = stop_help, .specs = [] { return Specs(stop_rules()); }}),
    taken<&RunOptions::parameters>({.name = "param",
                                    .help = "a parameter of the algorithm, name=value; repeatable",
                                    .in_python = "parameters of the algorithm, by name",
                                    .in_scenarios = false}),
    read<&RunRequest::speeds, &RunOptions::speeds>(
        {.name = "speeds",
         .help = "a CSV file with the columns node,speed: whole numbers (default 1); final loads "
                 "are proportional to them",
         .names_file = true}),
    read<&RunRequest::matchings, &RunOptions::matchings>(
        {.name = "matchings",
         .help =
             "the matchings of balancing-circuit: standard (odd tokens go to the lower number), "
             "snake (to the lower number along the snake through a mesh or torus), uphill (away "
             "from one end of a longest shortest path), bitonic or periodic (counting networks), "
             "or a file: one line `tail head` per pair, an empty line between matchings",
         .words = [] { return Words(network::matchings_names()); },
         .names_file = true}),
    read<&RunRequest::matrix, &RunOptions::weights>(
        {.name = "matrix",
         .help = "the weights of diffusion: a file with one line `u v p/q` per entry P_uv of a "
                 "doubly stochastic matrix (also P_vu, unless it has a line of its own)",
         .names_file = true}),
    RunOption{
        {.name = "tree",
         .help = "the spanning tree of algorithms that run on one: breadth-first (default), "
                 "minimum-diameter, low-degree or a file of its links, one line `u v` for each",
         .words = tree_words,
         .names_file = true},
        place<&RunRequest::tree>,
        [](const RunOptions&, const GivenStructures& given) { return HeldValue(&given); }},
    RunOption{{.name = "colouring",
               .help = "the edge colouring of threshold-1, threshold-1-plus, threshold-2 and "
                       "dimension-exchange: a file of matchings as for --matchings, one per "
                       "colour, with every link once",
               .names_file = true},
              place<&RunRequest::colouring>,
              [](const RunOptions&, const GivenStructures& given) {
                  return HeldValue(&given.colouring);
              }},
    taken<&RunOptions::with_deviation>(
        {.name = "deviation",
         .help = "also run the idealised process, past the end of the run if necessary, and report "
                 "the largest deviation from it at any time, with its error bound"}),
    taken<&RunOptions::asynchrony, &AsynchronyTexts::delays>(
        {.name = "delays", .help = delays_help, .specs = delay_words}),
    taken<&RunOptions::asynchrony, &AsynchronyTexts::adversary>(
        {.name = "adversary",
         .help = adversary_help,
         .specs = [] { return Specs(adversaries()); }}),
    taken<&RunOptions::asynchrony, &AsynchronyTexts::faults>(
        {.name = "faults", .help = faults_help, .specs = fault_words}),
    taken<&RunOptions::asynchrony, &AsynchronyTexts::ports>(
        {.name = "ports",
         .help = "how many ports a node uses at once in asynchronous algorithms: 1 (it sends at "
                 "most one message per tick and receives at most one) or all (default)",
         .words = port_words}),
    of_run_alone(
        taken<&RunOptions::arrivals>({.name = "arrivals",
                                      .help = arrivals_help,
                                      .specs = [] { return Specs(model::arrival_generators()); },
                                      .names_file = true,
                                      .file_prefix = "replay:"})),
    of_run_alone(
        taken<&RunOptions::churn>({.name = "churn",
                                   .help = churn_help,
                                   .specs = [] { return Specs(model::churn_generators()); },
                                   .names_file = true,
                                   .file_prefix = "replay:"})),
    of_run_alone(own<&RunRequest::extremes>(
        {.name = "extremes",
         .help = "also report the smallest and the largest load of any node at any time, and how "
                 "often the largest rose and the smallest fell; tokens under way belong to no "
                 "node; keeps a full record",
         .in_python =
             "keep every move, for `Run.extremes`: the smallest and the largest load of any "
             "node at any time; tokens under way belong to no node"})),
    of_run_alone(own<&RunRequest::recovery>(
        {.name = "recovery",
         .help = "with --churn: also report how the network becomes 1-balanced again after each "
                 "change: in how many steps, at how many nodes, and how far from the change; keeps "
                 "a full record",
         .in_python = "with `churn`: keep every move, for `Run.recovery`: how the network becomes "
                      "1-balanced again after each change"})),
    of_run_alone(own<&RunRequest::optimum>(
        {.name = "optimum",
         .help = "also compute the fewest steps and exchanges possible; the record keeps them"})),
    of_run_alone(read<&RunRequest::reorder, &RunOptions::reorder>(
        {.name = "reorder",
         .help = [] { return reorder_help() + ", and reports what it costs and gains"; },
         .in_python = reorder_help,
         .words = network::node_order_words,
         .in_scenarios = false})),
};

constexpr std::array set_by_programs = {
    ProgramField{"fabric"},
    ProgramField{"supervision"},
    ProgramField{"record_level"},
    ProgramField{"samples"},
    ProgramField{"stop_in_units", held<&RunOptions::stop_in_units>},
    ProgramField{"final_loads", held<&RunOptions::final_loads>},
    ProgramField{"nodes_on_ranks", held<&RunOptions::nodes_on_ranks>},
    ProgramField{"may_play_alone", held<&RunOptions::may_play_alone>},
    ProgramField{"replayed_ranks", held<&RunOptions::replayed_ranks>},
    // Rank 0 plays in this order of deliveries; the others must know that there is one.
    ProgramField{"deliveries",
                 [](const RunOptions& given, const GivenStructures&) {
                     return HeldValue(given.deliveries != nullptr);
                 }},
    ProgramField{"partition", [](const RunOptions& given,
                                 const GivenStructures&) { return HeldValue(given.partition); }},
};

constexpr std::size_t options_that_fill(Fills what) {
    return static_cast<std::size_t>(std::count_if(
        declared.begin(), declared.end(), [&](const RunOption& one) { return one.fills == what; }));
}

// If a field were missing from both lists, ranks could differ in it unnoticed.
static_assert(fields_of<AsynchronyTexts>() == options_that_fill(Fills::asynchrony),
              "every field of AsynchronyTexts is an option");
static_assert(fields_of<RunOptions>() ==
                  options_that_fill(Fills::field) + 1 /* asynchrony */ + set_by_programs.size(),
              "every field of RunOptions is an option or set by programs");

}  // namespace

std::span<const RunOption> options_of_runs() {
    return declared;
}

std::span<const ProgramField> fields_set_by_programs() {
    return set_by_programs;
}

}  // namespace equipoise::catalogue
