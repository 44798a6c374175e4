#include "equipoise/placement/best_schedule.hpp"

#include <algorithm>
#include <limits>

namespace equipoise::placement {

Schedule best_schedule(std::span<const double> costs, const SecondsOfSteps& seconds_of_steps) {
    const std::size_t steps = costs.size();
    // The least time until the end of a step without a balance there, and after which step the last
    // balance was made.
    std::vector<double> least(steps + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> last(steps + 1, 0);
    least[0] = 0;
    std::vector<double> seconds(steps);
    for (std::size_t after = 0; after < steps; ++after) {
        const std::span<double> row = std::span(seconds).first(steps - after);
        seconds_of_steps(after, row);
        double time = least[after] + (after == 0 ? 0 : costs[after - 1]);
        for (std::size_t i = 0; i < row.size(); ++i) {
            time += row[i];
            const std::size_t step = after + 1 + i;
            if (time >= least[step]) continue;
            least[step] = time;
            last[step] = after;
        }
    }
    Schedule best{least[steps], {}};
    for (std::size_t step = last[steps]; step > 0; step = last[step])
        best.balances.push_back(step);
    std::reverse(best.balances.begin(), best.balances.end());
    return best;
}

}  // namespace equipoise::placement
