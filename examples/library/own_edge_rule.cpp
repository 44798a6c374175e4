// An edge rule of your own: half of the difference crosses a link, but no more than it carries.
// Build: the target example_own_edge_rule, or as examples/README.md says.
// Look at evaluate(): it sees both ends of one link and says what flows; all else is the library's.

#include <algorithm>
#include <cstdio>

#include <equipoise/catalogue/registry/given_rule.hpp>
#include <equipoise/equipoise.hpp>

namespace model = equipoise::model;

struct NarrowLinks {
    using NodeState = model::Nothing;  // what a node remembers
    using LinkState = model::Nothing;  // what a link remembers

    equipoise::Tokens carries;  // the most tokens that cross a link in a step

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep /*at*/) const {
        const equipoise::Tokens half = (tail.load - head.load) / 2;
        return {std::clamp(half, -carries, carries)};
    }
};

int main() {
    const auto network = equipoise::network::generate("torus:16x16", 0);
    const auto loads = equipoise::load::make_loads("spike:tokens=25600", network, 0);
    std::puts("tokens a link carries   steps   discrepancy");
    for (const equipoise::Tokens carries : {1, 4, 16, 64, 256, 1024}) {
        const auto rule = equipoise::catalogue::given_algorithm(
            "narrow-links", NarrowLinks{carries}, equipoise::catalogue::GivenLinks::colours);
        const auto run = equipoise::run(rule, network, loads);
        std::printf("%21lld %7llu %13lld\n", static_cast<long long>(carries),
                    static_cast<unsigned long long>(run.steps()),
                    static_cast<long long>(run.discrepancy()));
    }
}
