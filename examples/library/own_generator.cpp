// A network of your own: racks of machines, and switches that are all joined to each other.
// Build: the target example_own_generator, or as examples/README.md says.
// Look at racks(): a network is a list of links; names and places are for people.

#include <cmath>
#include <iostream>
#include <string>
#include <utility>
#include <vector>

#include <equipoise/equipoise.hpp>
#include <equipoise/network/io/write.hpp>

using equipoise::NodeId;

// Nodes 0 to racks - 1 are switches; the machines of each rack follow.
equipoise::AnyNetwork racks(NodeId rack_count, NodeId machines) {
    std::vector<equipoise::Ends> links;
    equipoise::network::Labels labels;
    labels.origin = "racks";
    const auto place = [&](NodeId rack, double distance, double turn) {
        const double angle = 6.2832 * (rack + turn) / rack_count;
        labels.positions.push_back({distance * std::cos(angle), distance * std::sin(angle)});
    };
    for (NodeId rack = 0; rack < rack_count; ++rack) {
        labels.names.push_back("switch " + std::to_string(rack));
        place(rack, 1, 0);
        for (NodeId other = rack + 1; other < rack_count; ++other)
            links.push_back({rack, other});
    }
    NodeId next = rack_count;
    for (NodeId rack = 0; rack < rack_count; ++rack)
        for (NodeId machine = 0; machine < machines; ++machine) {
            labels.names.push_back("machine " + std::to_string(rack) + '.' +
                                   std::to_string(machine));
            place(rack, 2, 0.7 * (machine + 0.5) / machines - 0.35);
            links.push_back({rack, next++});
        }
    return {equipoise::Network(next, std::move(links)), std::move(labels)};
}

int main() {
    const auto network = racks(4, 6);
    std::cout << network.node_count() << " nodes, " << network.link_count() << " links\n";
    equipoise::Loads loads(network.node_count(), 0);
    loads[4] = 2800;  // all work begins on the first machine
    for (const char* algorithm : {"threshold-2", "deal-agreement-2", "discrepancy-1"}) {
        const auto run = equipoise::run(algorithm, network, loads);
        std::cout << algorithm << ": discrepancy " << run.discrepancy() << " after " << run.steps()
                  << " steps; " << network.name(27) << " has " << run.loads()[27] << '\n';
    }
    equipoise::network::write(network, "racks.gml");
    std::cout << "racks.gml holds it, for equipoise compare --network racks.gml\n";
}
