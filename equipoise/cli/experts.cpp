#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/writable.hpp"
#include "equipoise/catalogue/studies/experts_steps.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/answers/experts_steps.hpp"
#include "equipoise/report/page/experts_page.hpp"

namespace equipoise::cli {

namespace {

struct ExpertsVerb {
    catalogue::ExpertsRequest request;
    std::string bound = "1.05";
    std::optional<std::uint64_t> threads;
    JsonArgument json;
    report::ExpertsFiles files;
    std::string csv;
    std::string html;
    bool quiet = false;

    void add_inputs(Command& verb);
    void add_aims(Command& verb);
    void add_search(Command& verb);
    void add_outputs(Command& verb);

    [[nodiscard]] int act() const;
    [[nodiscard]] catalogue::ExpertsRequest made() const;
    [[nodiscard]] catalogue::ExpertsControl control(const InterruptGuard& interrupt,
                                                    RewrittenLine& line) const;
    template <class Answer>
    [[nodiscard]] int finish(const Answer& answer) const;
};

void ExpertsVerb::add_inputs(Command& verb) {
    verb.group("What is there");
    verb.add_option("--loads", request.loads,
                    "the measured loads of each layer's experts: JSON of SGLang's recorder "
                    "(logical_count), vLLM's eplb_load_stats, a JSON list of loads for each layer, "
                    "or a CSV file with the columns layer,expert,load and perhaps step")
        ->required()
        ->reads_file();
    verb.add_option("--placement", request.placement,
                    "which expert is in each slot now: a file of SGLang (physical_to_logical_map), "
                    "TensorRT-LLM or vLLM; or trivial: slot p holds expert p modulo their number "
                    "(default: nothing is there yet)")
        ->reads_file_first("--output");
    verb.add_flag("--each-step", request.each_step,
                  "plan at each step of the recording in turn, from the placement that the step "
                  "before left (default: one plan for all steps together)");
    verb.add_option("--gpus", request.gpus, "how many GPUs share the experts")->required();
    verb.add_option("--slots", request.slots,
                    "how many experts each GPU holds in a layer, copies included (default: as many "
                    "as the file of --placement has)");
    verb.add_option("--hosts", request.hosts,
                    "how many hosts the GPUs are on, as many on each, numbered host by host "
                    "(default 1)");
    verb.add_option("--groups", request.groups,
                    "keep groups of experts together: with N groups of successive experts, all "
                    "copies of a group are on one host, and each host has as many groups (default: "
                    "experts go anywhere)");
}

void ExpertsVerb::add_aims(Command& verb) {
    verb.group("Aims");
    verb.add_option("--bound", bound,
                    "let the largest GPU hold at most X times the best possible, and copy as few "
                    "experts for that as the search finds (default 1.05)");
    verb.add_option("--at-most", request.at_most,
                    "copies=N: copy at most N experts in each layer; where the bound needs more, "
                    "the search makes the layer as level as it can with N");
    verb.add_option("--at-once", request.at_once,
                    "how many experts a GPU may take, and how many it may give, in a wave (default "
                    "1)");
}

void ExpertsVerb::add_search(Command& verb) {
    verb.group("Search");
    verb.add_option("--effort", request.effort,
                    "steps of the search in each layer (default: some 15 ms for 256 experts)");
    verb.add_option("--threads", threads,
                    "how many threads plan layers; the plan is the same (default 2)")
        ->range(1, 1024);
    verb.add_option("--seed", request.seed, "the seed of the search (default 1)");
}

void ExpertsVerb::add_outputs(Command& verb) {
    verb.group("Output");
    verb.add_option("-o,--output", files.placement,
                    "write the new placement to this file, for the server to take")
        ->not_to_output()
        ->writes_file();
    verb.add_option("--format", request.format,
                    "the form of that file: sglang (--init-expert-location), tensorrt-llm (the "
                    "load balancer's YAML), vllm (initial_mapping_path) or vllm-map "
                    "(initial_expert_map_path) (default: that of --placement, otherwise sglang)")
        ->offers(experts::form_names());
    verb.add_option("--transfers", files.transfers,
                    "write the copies to this CSV file, with the columns layer,wave,expert,from,to "
                    "(with --each-step, the column step comes before them)")
        ->not_to_output()
        ->writes_file();
    json.add_to(verb);
    verb.add_option("--csv", csv,
                    "write the figures of every layer (of every step, with --each-step) to this "
                    "CSV file")
        ->not_to_output()
        ->writes_file();
    verb.add_option("--html", html,
                    "write an HTML page to this file: levels and copies, layer by layer and step "
                    "by step")
        ->not_to_output()
        ->writes_file();
    verb.add_flag("--quiet", quiet, "print nothing but errors (and what --json asks for)");
}

catalogue::ExpertsRequest ExpertsVerb::made() const {
    catalogue::ExpertsRequest asked = request;
    asked.bound = number_value("--bound", bound);
    if (threads) asked.threads = static_cast<unsigned>(*threads);
    asked.check();
    if (!files.transfers.empty() && asked.placement.empty() && !asked.each_step)
        throw InputError("--transfers: expected a present placement (--placement), found none");
    return asked;
}

catalogue::ExpertsControl ExpertsVerb::control(const InterruptGuard& interrupt,
                                               RewrittenLine& line) const {
    catalogue::ExpertsControl control;
    control.stop = interrupt.token();
    if (line.shown())
        control.progress = [&line](std::uint64_t done, std::uint64_t all) {
            line.show(fmt::format("{} of {} layers", done, all));
        };
    return control;
}

/// Writes and prints all that is asked for.
template <class Answer>
int ExpertsVerb::finish(const Answer& answer) const {
    if (!quiet)
        for (const std::string& line : answer.notes)
            note(line);
    if (!files.placement.empty())
        write_file(files.placement, experts::placement_text(answer.planned, answer.planned.form));
    if (!files.transfers.empty()) write_file(files.transfers, report::transfers_csv(answer));
    if (!csv.empty()) write_file(csv, report::experts_csv(answer));
    if (!html.empty()) write_file(html, report::experts_page(answer));
    if (json.wanted()) json.emit(report::experts_json(answer));
    if (!json.to_output() && !quiet)
        print(report::experts_text(answer, files, text_style(false).plain));
    return answer.reached() ? exit_done : exit_not_reached;
}

int ExpertsVerb::act() const {
    const catalogue::ExpertsRequest asked = made();
    for (const std::string* path : {&files.placement, &files.transfers, &csv, &html})
        if (!path->empty()) expect_writable(*path);
    if (json.wanted() && !json.to_output()) expect_writable(json.target);
    const auto planned = [&](const auto& plan) {
        const InterruptGuard interrupt;
        RewrittenLine line(quiet);
        return plan(asked, control(interrupt, line));
    };
    return asked.each_step ? finish(planned(catalogue::answer_experts_steps))
                           : finish(planned(catalogue::answer_experts));
}

}  // namespace

void add_experts(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "experts",
        "Plan copies of a language model's experts on GPUs: level, and near what is there");
    const auto arguments = std::make_shared<ExpertsVerb>();
    arguments->add_inputs(*verb);
    arguments->add_aims(*verb);
    arguments->add_search(*verb);
    arguments->add_outputs(*verb);
    verb->footer(
        "The copies of an expert share its load evenly, and none is twice on a GPU. A layer whose "
        "loads are all 0 keeps what it holds.\n\n"
        "Exit status: 0 every layer is within the bound for certain; 1 some are not; 2 bad input.\n"
        "\n"
        "Examples:\n"
        "  equipoise experts --loads counts.json --placement trivial --gpus 32 --slots 9 -o "
        "placement.json\n"
        "  equipoise experts --loads counts.json --placement placement.json --gpus 32 --bound 1.1 "
        "-o next.json --transfers copies.csv\n"
        "  equipoise experts --loads stats.jsonl --gpus 32 --slots 9 --hosts 4 --groups 8 --format "
        "tensorrt-llm -o balancer.yaml\n"
        "  equipoise experts --loads day.json --each-step --placement trivial --gpus 32 --slots 9 "
        "--html day.html");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
