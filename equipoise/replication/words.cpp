#include "equipoise/replication/words.hpp"

#include <cmath>
#include <numeric>

#include "equipoise/base/figures.hpp"

namespace equipoise::replication {

std::string times_mean(const Problem& problem, Tokens load) {
    const Tokens total = std::accumulate(problem.loads.begin(), problem.loads.end(), Tokens{0});
    if (total == 0) return "0";
    const double ratio = static_cast<double>(load) / static_cast<double>(total) * problem.machines;
    return grouped_real(std::round(ratio * 1e4) / 1e4);
}

}  // namespace equipoise::replication
