#include "equipoise/network/generators/generate.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/write_pieces.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/engine/parts/solo_fabric.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/network/io/write.hpp"
#include "equipoise/report/tables/spec_table.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::cli {

namespace {

struct GenerateVerb {
    const Command* verb = nullptr;
    NetworkArguments network;
    std::string loads;
    std::string output;
    std::string loads_output;
    bool list = false;
    bool quiet = false;
    bool in_pieces = false;

    [[nodiscard]] int act(const Ranks& ranks) const;

  private:
    [[nodiscard]] int act_whole() const;
    [[nodiscard]] int act_in_pieces(const Ranks& ranks) const;
    void say_what_was_written(NodeId nodes, LinkId links, Tokens tokens) const;
};

/// The number of the first node in files of this format, if they number nodes whatever the nodes'
/// names; nothing if files hold names.
std::optional<NodeId> first_number_in(const std::string& path) {
    const auto format = network::format_of_path(path);
    if (format == network::Format::metis || format == network::Format::matrix_market) return 1;
    return std::nullopt;
}

void print_generators() {
    print(report::spec_tables(
        {{"--network", network::generators()}, {"--loads", catalogue::load_generators()}},
        text_columns()));
}

int GenerateVerb::act(const Ranks& ranks) const {
    if (!list) {
        if (output.empty() && loads_output.empty())
            throw InputError("generate: expected -o FILE or --loads-out FILE, found none");
        if (loads.empty() != loads_output.empty())
            throw InputError(loads.empty() ? "generate: --loads-out FILE needs --loads"
                                           : "generate: --loads needs --loads-out FILE");
        if (in_pieces) return act_in_pieces(ranks);
    }
    return ranks.status_of_first([&] { return act_whole(); });
}

int GenerateVerb::act_whole() const {
    if (list) {
        print_generators();
        return exit_done;
    }
    network::AnyNetwork made = network.make(quiet);
    // Everything is made before anything is written.
    const load::Loads tokens =
        loads.empty() ? load::Loads{} : catalogue::make_loads(loads, made, network.seed);
    if (!output.empty()) network::write(made, output);
    // The loads use the names that readers of the network's file will give to nodes.
    if (const std::optional<NodeId> first = first_number_in(output)) {
        made.labels().names.clear();
        made.labels().first_number = *first;
    }
    if (!loads_output.empty()) load::write_csv(loads_output, made, tokens);
    say_what_was_written(made.node_count(), made.link_count(), load::total(tokens));
    return exit_done;
}

int GenerateVerb::act_in_pieces(const Ranks& ranks) const {
    const catalogue::NetworkRequest named = network.request();
    if (output.empty()) throw InputError("--in-pieces writes a network: it needs -o FILE");
    verb->expect_only_given(
        "--in-pieces", "no rank holds the whole network",
        {"--in-pieces", "--network", "--seed", "--output", "--loads", "--loads-out", "--quiet"});
    catalogue::WritePiecesRequest request;
    request.network = named.spec;
    request.network_path = output;
    request.loads = loads;
    request.loads_path = loads_output;
    request.seed = named.seed;
    engine::SoloFabric alone;
    catalogue::WrittenPieces written;
    {
        const InterruptGuard interrupt;
        request.interrupt = interrupt.token();
        written = catalogue::write_in_pieces(request,
                                             ranks.fabric() == nullptr ? alone : *ranks.fabric());
    }
    if (written.interrupted) {
        note("interrupted: nothing was written");
        return exit_not_reached;
    }
    say_what_was_written(written.nodes, written.links, written.tokens);
    return exit_done;
}

void GenerateVerb::say_what_was_written(NodeId nodes, LinkId links, Tokens tokens) const {
    if (quiet) return;
    if (!output.empty())
        print(output + ": " + report::counted(std::uint64_t{nodes}, "node") + ", " +
              report::counted(links, "link") + '\n');
    if (!loads_output.empty()) print(loads_output + ": " + report::counted(tokens, "token") + '\n');
}

}  // namespace

void add_generate(Command& program, Action& action, const Ranks& ranks) {
    Command* verb = program.add_subcommand("generate", "Write a network (and loads) to files");
    const auto arguments = std::make_shared<GenerateVerb>();
    GenerateVerb& a = *arguments;
    a.verb = verb;
    a.network.add_to(*verb)->reads_file_first("--output");
    verb->add_option("--loads", a.loads, "initial loads for the network; see --list")
        ->offers(catalogue::load_generators)
        ->reads_file();
    verb->add_option("-o,--output", a.output,
                     "write the network to this file, in the format of its extension")
        ->writes_file();
    verb->add_option("--loads-out", a.loads_output, "write the loads to this CSV file")
        ->not_to_output()
        ->writes_file();
    verb->add_flag("--list", a.list, "list all generators of networks and loads");
    verb->add_flag("--quiet", a.quiet, "print nothing but errors");
    verb->add_flag("--in-pieces", a.in_pieces,
                   "make or read the network in pieces, so that no rank of mpirun holds it whole, "
                   "and write an edge list; supported by a few generators and by edge lists");
    verb->footer(
        "Examples:\n"
        "  equipoise generate --network random-regular:n=1000,d=4 --seed 3 -o net.graph\n"
        "  equipoise generate --network mesh:8x8 -o net.gml --loads corner:tokens=256 --loads-out "
        "loads.csv\n"
        "  mpirun -n 4 equipoise generate --network gnp:n=20000000,p=0.0000005 -o net.edges "
        "--in-pieces");
    verb->callback([arguments, &action, &ranks] {
        action.on_all_ranks([arguments, &ranks] { return arguments->act(ranks); });
    });
}

}  // namespace equipoise::cli
