// A grid of runs: networks of all sizes, with all seeds and algorithms, into one table; one of the
// algorithms is the program's own. Build: the target example_sweep, or as examples/README.md says.
// Look at how steps grow with the size. A sweep that is killed goes on where it stopped.

#include <cstddef>
#include <iostream>
#include <map>
#include <memory>
#include <string>

#include <equipoise/catalogue/registry/given_rule.hpp>
#include <equipoise/catalogue/studies/scenario.hpp>
#include <equipoise/catalogue/studies/sweep.hpp>
#include <equipoise/report/studies/study.hpp>

namespace catalogue = equipoise::catalogue;
namespace model = equipoise::model;

// Half of the difference crosses a link.
struct Halves {
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& /*link*/,
                                                      model::EdgeStep /*at*/) const {
        return {(tail.load - head.load) / 2};
    }
};

constexpr const char* grid = R"({
    "networks": ["random-regular:n={n},d=4", "random-tree:n={n}"], "sizes": [16, 32, 64],
    "loads": ["zipf:tokens=12800"], "seeds": "1..4",
    "algorithms": ["threshold-2", "deal-agreement-2", "halves"]
})";

int main() {
    catalogue::Given given;
    given.rules["halves"] = std::make_shared<const catalogue::Algorithm>(
        catalogue::given_algorithm("halves", Halves{}, catalogue::GivenLinks::colours));
    const auto scenario = catalogue::parse_scenario(grid, "the grid", given);
    catalogue::SweepOptions options;
    options.csv = "sweep.csv";
    options.threads = 2;
    const auto outcome = catalogue::sweep(scenario, options);

    const auto study = equipoise::report::read_study(options.csv);
    const auto algorithm = study.column("algorithm");
    const auto network = study.column("network");
    const auto steps = study.column("steps");
    std::map<std::string, double> means;  // over the seeds
    for (std::size_t row = 0; row < study.rows.size(); ++row)
        means[study.rows[row][algorithm] + " on " + study.rows[row][network]] +=
            study.number(row, steps).value() / static_cast<double>(scenario.seeds.size());
    std::cout << outcome.rows << " runs; steps on average:\n";
    for (const auto& [what, mean] : means)
        std::cout << "  " << what << ": " << mean << '\n';
}
