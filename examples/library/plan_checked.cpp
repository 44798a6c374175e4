// The fewest steps in which shards can move between sites, with a proof that anybody can check.
// Build: the target example_plan_checked, or as examples/README.md says.
// Look at the last lines: two checks that share no code with what made the plan.

#include <iostream>
#include <string>

#include <equipoise/equipoise.hpp>
#include <equipoise/optimum/problem.hpp>
#include <equipoise/optimum/schedule_check.hpp>

namespace optimum = equipoise::optimum;

int main(int argc, char** argv) {
    const std::string folder = argc > 1 ? argv[1] : "examples/networks";
    const auto sites = equipoise::catalogue::make_network({.spec = folder + "/abilene.gml"});
    optimum::Problem problem;
    problem.network = sites.stored();
    problem.loads = equipoise::load::make_loads("spike:tokens=33,node=Seattle", sites, 0);
    problem.target = optimum::floor_or_ceiling(problem.loads);

    const optimum::Plan plan = optimum::make_plan(problem);
    std::cout << plan.exchanges << " moves in " << *plan.at_most << " steps; fewer than "
              << plan.at_least << " are impossible\n";
    for (const optimum::Move& move : plan.schedule)
        if (move.step < 3)
            std::cout << "  step " << move.step << ": " << sites.name(move.from) << " to "
                      << sites.name(move.to) << '\n';
    std::cout << "  ...\n";

    const auto replayed = optimum::check_schedule(problem, plan.schedule);
    std::cout << "the schedule " << (replayed.holds ? "holds" : replayed.fault) << "; at most "
              << replayed.in_flight_max << " under way at once\n";
    const std::string fault = optimum::check_certificate(problem, plan.certificate);
    std::cout << "the proof that " << plan.certificate.steps << " steps are too few "
              << (fault.empty() ? "holds" : fault) << '\n';
}
