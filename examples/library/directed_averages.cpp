// Averages over one-way arcs, beside deal agreement on the same network with links that go both
// ways.
// Build: the target example_directed_averages, or as examples/README.md says.
// Look at known_everywhere(): masses walk and merge until every node knows tokens / nodes.

#include <cstdint>
#include <iomanip>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <equipoise/engine/directed_rounds.hpp>
#include <equipoise/equipoise.hpp>
#include <equipoise/network/digraph.hpp>
#include <equipoise/protocols/mass_summation.hpp>

using equipoise::NodeId;
using equipoise::network::Digraph;
using equipoise::protocols::MassSummation;

struct Cost {
    std::uint64_t rounds = 0;
    std::uint64_t messages = 0;
    std::uint64_t masses = 0;  // that still walk round in the end
};

// Rounds until all answers and all masses have the average; from then on nothing changes it.
Cost known_everywhere(const Digraph& digraph, const equipoise::Loads& loads) {
    equipoise::Tokens total = 0;
    for (const equipoise::Tokens load : loads)
        total += load;
    const auto is_average = [&](const equipoise::protocols::Mass& mass) {
        return mass.tokens * static_cast<equipoise::Tokens>(loads.size()) == total * mass.nodes;
    };
    equipoise::engine::DirectedRounds<MassSummation> play(digraph, loads);
    Cost cost;
    bool known = false;
    while (!known) {
        cost.messages += play.round();
        ++cost.rounds;
        known = true;
        cost.masses = 0;
        for (const MassSummation& node : play.nodes()) {
            known = known && is_average(node.known()) && is_average(node.held());
            cost.masses += node.held().nodes > 0 ? 1 : 0;
        }
    }
    return cost;
}

void compare(const std::string& name, const Digraph& digraph, const equipoise::Loads& loads) {
    const Cost cost = known_everywhere(digraph, loads);
    const equipoise::AnyNetwork links = equipoise::network::symmetric_closure(digraph);
    const auto run = equipoise::run("deal-agreement-2", links, loads);
    std::cout << std::left << std::setw(22) << name << std::right << std::setw(6) << cost.rounds
              << std::setw(9) << cost.messages << std::setw(7) << cost.masses << std::setw(8)
              << run.steps() / 3 << std::setw(13) << run.discrepancy() << '\n';
}

// Arcs from every node to the next and, the less often the further, to one of those that follow.
Digraph with_shortcuts(NodeId nodes) {
    std::vector<equipoise::Ends> arcs;
    for (NodeId node = 0; node < nodes; ++node) {
        arcs.push_back({node, (node + 1) % nodes});
        NodeId far = 2;
        while (node % (2 * far) == 0 && 2 * far < nodes)
            far *= 2;
        arcs.push_back({node, (node + far) % nodes});
    }
    return {nodes, std::move(arcs)};
}

int main() {
    std::cout << "                      masses:                   deals over links:\n"
                 "network               rounds messages masses  rounds  discrepancy\n";
    for (const NodeId nodes : {8U, 16U, 32U, 64U}) {
        equipoise::Loads loads(nodes);
        for (NodeId node = 0; node < nodes; ++node)
            loads[node] = nodes - 1 - node;  // falls by 1 along every arc to the next but the last
        const std::string size = ", n = " + std::to_string(nodes);
        compare("directed cycle" + size, equipoise::network::make_directed_cycle(nodes), loads);
        compare("shortcuts" + size, with_shortcuts(nodes), loads);
    }
}
