// An observer of your own: it counts what crosses each link, and names the busiest ones.
// Build: the target example_own_observer, or as examples/README.md says.
// Look at on_step(): observers see loads, costs and transfers of every step, and change nothing.

#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <ranges>
#include <utility>
#include <vector>

#include <equipoise/catalogue/runner/supervision.hpp>
#include <equipoise/equipoise.hpp>
#include <equipoise/model/run/observer.hpp>

namespace model = equipoise::model;
using equipoise::NodeId;
using equipoise::Tokens;

class Traffic final : public model::Observer {
  public:
    [[nodiscard]] bool wants_transfers() const override { return true; }
    void on_step(const model::StepView& view) override {
        for (const model::Transfer& moved : view.transfers)
            tokens_[std::minmax(moved.from, moved.to)] += moved.tokens;
    }
    // The busiest links first.
    [[nodiscard]] auto ranking() const {
        std::vector<std::pair<std::pair<NodeId, NodeId>, Tokens>> links(tokens_.begin(),
                                                                        tokens_.end());
        std::ranges::stable_sort(links, std::greater(),
                                 [](const auto& link) { return link.second; });
        return links;
    }

  private:
    std::map<std::pair<NodeId, NodeId>, Tokens> tokens_;
};

int main(int argc, char** argv) {
    const char* file = argc > 1 ? argv[1] : "examples/networks/abilene.gml";
    const auto network = equipoise::catalogue::make_network({.spec = file});
    const auto loads = equipoise::load::make_loads("spike:tokens=1100", network, 0);
    for (const char* algorithm : {"threshold-2", "diffusion"}) {
        Traffic traffic;
        equipoise::catalogue::Supervision supervision;
        supervision.observers = {&traffic};
        equipoise::RunOptions options;
        options.supervision = &supervision;
        const auto run = equipoise::run(algorithm, network, loads, options);
        std::cout << algorithm << ": " << run.exchanges()
                  << " tokens crossed links; most of them\n";
        for (const auto& [link, tokens] : traffic.ranking() | std::views::take(3))
            std::cout << "  " << network.name(link.first) << " - " << network.name(link.second)
                      << ": " << tokens << '\n';
    }
}
