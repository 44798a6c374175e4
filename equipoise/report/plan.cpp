#include "equipoise/report/plan.hpp"

#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/plan_text.hpp"
#include "equipoise/report/table.hpp"

namespace equipoise::report {

namespace {

using optimum::Plan;
using optimum::Problem;

std::string target_text(const PlanWords& words, const Problem& problem) {
    if (!words.is_mean) return words.target;
    const Tokens nodes = static_cast<Tokens>(problem.loads.size());
    const Tokens tokens = load::total(problem.loads);
    const Tokens floor = floor_divide(tokens, nodes);
    const Tokens ceiling = ceil_divide(tokens, nodes);
    return words.target + "  (every node ends with " +
           (floor == ceiling ? counted(floor, "token")
                             : grouped(floor) + " or " + counted(ceiling, "token")) +
           ")";
}

}  // namespace

std::string plan_text(const Plan& plan, const Problem& problem, const network::AnyNetwork& named,
                      const PlanWords& words) {
    std::string steps;
    if (plan.exact()) {
        steps = grouped(plan.at_least) + "  (no schedule is shorter)";
    } else if (plan.at_most) {
        steps = fmt::format("between {} and {}", grouped(plan.at_least), grouped(*plan.at_most));
    } else {
        steps = grouped(plan.at_least) + " or more  (no schedule within the memory given)";
    }
    std::string exchanges = "-";
    if (plan.at_most) {
        exchanges = grouped(plan.exchanges);
        if (plan.exchanges == plan.exchanges_fewest) {
            exchanges += "  (no schedule of any length has fewer)";
        } else {
            exchanges += fmt::format(
                "  ({}{} in any number of steps)",
                plan.exchanges_fewest_in_these_steps ? "the fewest in these steps; " : "",
                grouped(plan.exchanges_fewest));
        }
    }
    std::vector<std::pair<std::string, std::string>> lines = {
        {"target", target_text(words, problem)},
        {"steps", steps},
        {"Theorem 1", "at least " + grouped(plan.bound)},
        {"exchanges", exchanges},
        {"tokens to move", "at least " + grouped(plan.moves)},
        {"schedule", words.schedule.empty() ? "not written; nothing is moved (--schedule FILE.csv)"
                                            : "written to " + words.schedule}};
    const Tokens tokens = load::total(problem.loads);
    const std::string& origin = named.labels().origin;
    const std::size_t slash = origin.rfind('/');
    std::string all = fmt::format("{}: {}, {}; {}, initial discrepancy {}\n\n",
                                  slash == std::string::npos ? origin : origin.substr(slash + 1),
                                  counted(std::uint64_t{named.node_count()}, "node"),
                                  counted(named.link_count(), "link"), counted(tokens, "token"),
                                  grouped(load::discrepancy(problem.loads)));
    for (const auto& [name, value] : lines)
        all += fmt::format("  {:<16} {}\n", name, value);
    if (words.explain) all += '\n' + optimum::explain(plan, problem, named);
    return all;
}

}  // namespace equipoise::report
