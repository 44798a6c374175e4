// A grid of runs: networks of all sizes, with all loads, seeds and algorithms, into one table.
// Build: the target example_sweep, or as examples/README.md says.
// Look at how steps grow with the size. A sweep that is killed goes on where it stopped.

#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include <equipoise/catalogue/studies/scenario.hpp>
#include <equipoise/catalogue/studies/sweep.hpp>

constexpr const char* grid = R"({
    "networks": ["cycle:n={n}", "random-tree:n={n}"], "sizes": [16, 32, 64],
    "loads": ["zipf:tokens=12800"], "seeds": [1, 2, 3, 4],
    "algorithms": ["threshold-2", "deal-agreement-2"]
})";
constexpr double seeds = 4;

// Steps by algorithm and network, the mean over all seeds.
std::map<std::string, double> mean_steps(const std::string& csv) {
    std::map<std::string, double> means;
    std::ifstream file(csv);
    std::string line;
    std::getline(file, line);  // the header: network,loads,seed,algorithm,...,steps,...
    while (std::getline(file, line)) {
        std::vector<std::string> fields;
        std::istringstream rest(line);
        for (std::string field; std::getline(rest, field, ',');)
            fields.push_back(field);
        means[fields[3] + " on " + fields[0]] += std::stod(fields[12]) / seeds;
    }
    return means;
}

int main() {
    const auto scenario = equipoise::catalogue::parse_scenario(grid, "the grid");
    equipoise::catalogue::SweepOptions options;
    options.csv = "sweep.csv";
    options.threads = 2;
    const auto outcome = equipoise::catalogue::sweep(scenario, options);
    std::cout << outcome.rows << " runs; steps on average:\n";
    for (const auto& [what, steps] : mean_steps(options.csv))
        std::cout << "  " << what << ": " << steps << '\n';
}
