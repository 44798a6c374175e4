// A deal rule of your own: nodes offer to all emptier neighbours, which accept what they can use.
// Build: the target example_own_deal_rule, or as examples/README.md says.
// Look at propose() and accept(): a node sees itself and its neighbours, and never the network.

#include <algorithm>
#include <iostream>
#include <numeric>
#include <span>

#include <equipoise/catalogue/registry/given_rule.hpp>
#include <equipoise/equipoise.hpp>

namespace model = equipoise::model;
using equipoise::Tokens;

struct Modest {
    using NodeState = model::Nothing;
    using Proposal = Tokens;
    using Here = model::Surroundings<NodeState>;

    // An equal part of the difference to each emptier neighbour; else one token to the emptiest.
    void propose(const Here& here, std::span<Proposal> out) const {
        const auto is_emptier = [&](Tokens load) { return load <= here.load - 2; };
        const auto parts = 1 + std::ranges::count_if(here.neighbour_loads, is_emptier);
        Tokens offered = 0;
        for (std::size_t port = 0; port < out.size(); ++port) {
            const Tokens there = here.neighbour_loads[port];
            out[port] = is_emptier(there) ? (here.load - there) / parts : 0;
            offered += out[port];
        }
        const auto emptiest = std::ranges::min_element(here.neighbour_loads);
        if (offered == 0 && parts > 1)
            out[static_cast<std::size_t>(emptiest - here.neighbour_loads.begin())] = 1;
    }
    // No more than brings this node to the average around it.
    void accept(const Here& here, std::span<const Proposal> in, std::span<Tokens> taken) const {
        const Tokens nodes = 1 + Tokens{here.degree()};
        const Tokens around =
            std::accumulate(here.neighbour_loads.begin(), here.neighbour_loads.end(), here.load);
        Tokens room = std::max<Tokens>(0, (around + nodes - 1) / nodes - here.load);
        for (std::size_t port = 0; port < in.size(); ++port) {
            taken[port] = std::min(in[port], room);
            room -= taken[port];
        }
    }
};

int main() {
    const auto modest = equipoise::catalogue::given_algorithm("modest", Modest{});
    const auto& published = equipoise::catalogue::find_algorithm("deal-agreement-2");
    for (const char* spec : {"cycle:n=64", "torus:8x8", "hypercube:d=6", "complete:n=64"}) {
        const auto network = equipoise::network::generate(spec, 0);
        const auto loads = equipoise::load::make_loads("spike:tokens=6400", network, 0);
        const auto mine = equipoise::run(modest, network, loads);
        const auto theirs = equipoise::run(published, network, loads);
        std::cout << spec << ": " << mine.rounds() << " rounds to discrepancy "
                  << mine.discrepancy() << ", deal-agreement-2 " << theirs.rounds() << " to "
                  << theirs.discrepancy() << '\n';
    }
}
