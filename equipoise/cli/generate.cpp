#include "equipoise/network/generators/generate.hpp"

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/instance.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/network/io/write.hpp"
#include "equipoise/report/table.hpp"

namespace equipoise::cli {

namespace {

struct GenerateVerb {
    NetworkArguments network;
    std::string loads;
    std::string output;
    std::string loads_output;
    bool list = false;
    bool quiet = false;

    [[nodiscard]] int act() const;
};

/// The number of the first node in files of this name that number their nodes whatever the nodes
/// are called; nothing where files hold names.
std::optional<NodeId> first_number_in(const std::string& path) {
    const auto ends_with_any = [&](std::initializer_list<const char*> endings) {
        return std::any_of(endings.begin(), endings.end(),
                           [&](const char* ending) { return path.ends_with(ending); });
    };
    if (ends_with_any({".graph", ".metis", ".mtx"})) return 1;
    if (ends_with_any({".edges", ".edgelist", ".txt", ".csv"})) return 0;
    return std::nullopt;
}

void print_lists() {
    const auto rows_of = [](const auto& infos) {
        std::vector<std::vector<std::string>> rows;
        rows.reserve(infos.size());
        for (const auto& info : infos)
            rows.push_back({info.example, info.help + (info.random ? " (random)" : "")});
        return rows;
    };
    print(report::layout({{"--network"}, {"what it is"}}, rows_of(network::generators()), true));
    print("\n");
    print(
        report::layout({{"--loads"}, {"what it is"}}, rows_of(catalogue::load_generators()), true));
}

int GenerateVerb::act() const {
    if (list) {
        print_lists();
        return exit_done;
    }
    if (output.empty() && loads_output.empty())
        throw InputError("generate: expected -o FILE or --loads-out FILE, found none");
    if (loads.empty() != loads_output.empty())
        throw InputError("generate: expected --loads and --loads-out together, found one");
    network::AnyNetwork made = network.make(quiet);
    // Everything is made before anything is written.
    const load::Loads tokens =
        loads.empty() ? load::Loads{} : catalogue::make_loads(loads, made, network.seed);
    if (!output.empty()) network::write(made, output);
    // The loads name nodes as readers of the network's file will.
    if (const std::optional<NodeId> first = first_number_in(output)) {
        made.labels().names.clear();
        made.labels().first_number = *first;
    }
    if (!loads_output.empty()) load::write_csv(loads_output, made, tokens);
    if (quiet) return exit_done;
    if (!output.empty())
        print(output + ": " + report::grouped(std::uint64_t{made.node_count()}) + " nodes, " +
              report::grouped(std::uint64_t{made.link_count()}) + " links\n");
    if (!loads_output.empty())
        print(loads_output + ": " + report::grouped(load::total(tokens)) + " tokens\n");
    return exit_done;
}

}  // namespace

void add_generate(Command& program, Action& action) {
    Command* verb = program.add_subcommand("generate", "Write a network (and loads) to files");
    const auto arguments = std::make_shared<GenerateVerb>();
    GenerateVerb& a = *arguments;
    a.network.add_to(*verb);
    verb->add_option("--loads", a.loads, "tokens to place on it");
    verb->add_option("-o,--output", a.output,
                     "the network's file; its extension chooses the format");
    verb->add_option("--loads-out", a.loads_output, "the loads' CSV file");
    verb->add_flag("--list", a.list, "list all generators of networks and loads");
    verb->add_flag("--quiet", a.quiet, "print nothing but errors");
    verb->footer(
        "Examples:\n"
        "  equipoise generate --network random-regular:n=1000,d=4 --seed 3 -o net.graph\n"
        "  equipoise generate --network mesh:8x8 -o net.gml --loads corner:tokens=256 --loads-out "
        "loads.csv");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
