#include "equipoise/optimum/plan.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/load/csv.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/node_names.hpp"
#include "equipoise/optimum/link_delays.hpp"
#include "equipoise/report/plan.hpp"

namespace equipoise::cli {

namespace {

using optimum::Plan;
using optimum::Problem;

struct PlanVerb {
    NetworkArguments network;
    std::string loads;
    std::string target = "floor-ceil";
    std::string capacities;
    std::string link_delays;
    std::vector<std::string> pinned;
    std::uint64_t ports = 1;
    std::uint64_t in_flight = 0;  ///< 0: no limit
    std::uint64_t memory_mib = 2048;
    JsonArgument json;
    std::string schedule;
    bool fewest_exchanges = false;
    bool explain = false;
    bool quiet = false;

    [[nodiscard]] int act() const;

  private:
    [[nodiscard]] std::vector<bool> pinned_nodes(const network::AnyNetwork& named) const;
    [[nodiscard]] optimum::FinalLoads final_loads(const network::AnyNetwork& named,
                                                  const load::Loads& tokens,
                                                  const std::vector<bool>& pins) const;
};

std::vector<bool> PlanVerb::pinned_nodes(const network::AnyNetwork& named) const {
    if (pinned.empty()) return {};
    const network::NodeNames names(named);
    std::vector<bool> pins(named.node_count(), false);
    for (const std::string& name : pinned) {
        const auto node = names.find(name);
        if (!node)
            throw InputError("--pinned: expected " + names.expected() + ", found \"" + name + '"');
        pins[*node] = true;
    }
    return pins;
}

optimum::FinalLoads PlanVerb::final_loads(const network::AnyNetwork& named,
                                          const load::Loads& tokens,
                                          const std::vector<bool>& pins) const {
    if (target == "floor-ceil") return optimum::floor_or_ceiling(tokens, {}, pins);
    if (target.starts_with("speeds:") && target.size() > 7)
        return optimum::floor_or_ceiling(tokens, load::read_speeds(target.substr(7), named), pins);
    const auto most = target.starts_with("at-most:")
                          ? whole_number(std::string_view(target).substr(8),
                                         static_cast<std::uint64_t>(tokens_max))
                          : std::nullopt;
    if (!most)
        throw InputError(
            "--target: expected floor-ceil, at-most:TOKENS or speeds:FILE.csv, found \"" + target +
            '"');
    optimum::FinalLoads final = optimum::at_most(named.node_count(), static_cast<Tokens>(*most));
    for (NodeId node = 0; node < pins.size(); ++node)
        if (pins[node]) final.base[node] = tokens[node];
    return final;
}

int PlanVerb::act() const {
    if (loads.empty()) throw InputError("expected --loads with a spec or a CSV file, found none");
    constexpr std::uint64_t ports_most = 1'000'000'000;
    if (ports == 0 || ports > ports_most)
        throw InputError("--ports: expected 1 to 1000000000, found " + std::to_string(ports));
    if (in_flight > static_cast<std::uint64_t>(tokens_max))
        throw InputError("--in-flight: expected at most 2305843009213693951 tokens, found more");
    const network::AnyNetwork named = network.make(quiet);
    const network::Network stored(named.node_count(), network::all_links(named));
    const std::vector<bool> pins = pinned_nodes(named);
    Problem problem;
    problem.network = &stored;
    problem.loads = catalogue::make_loads(loads, named, network.seed);
    problem.target = final_loads(named, problem.loads, pins);
    if (!capacities.empty()) problem.capacities = load::read_capacities(capacities, named);
    if (!link_delays.empty()) problem.delays = optimum::read_link_delays(link_delays, named);
    if (ports != 1 || !pins.empty()) {
        problem.ports.assign(named.node_count(), static_cast<Tokens>(ports));
        for (NodeId node = 0; node < pins.size(); ++node)
            if (pins[node]) problem.ports[node] = 0;
    }
    optimum::PlanOptions options;
    options.limits.memory_bytes_max = std::min(memory_mib, std::uint64_t{1} << 40U) << 20U;
    options.fewest_exchanges = fewest_exchanges;
    if (in_flight > 0) options.in_flight_max = static_cast<Tokens>(in_flight);
    const Plan plan = optimum::make_plan(problem, options);
    if (!schedule.empty()) report::write_schedule_csv(schedule, plan, named);
    if (json.wanted()) json.emit(report::plan_json(plan, problem, named, target));
    if (!json.to_output() && !quiet)
        print(report::plan_text(
            plan, problem, named,
            {target, target == "floor-ceil" && pinned.empty(), schedule, explain}));
    return plan.exact() || in_flight > 0 ? exit_done : exit_not_reached;
}

}  // namespace

void add_plan(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "plan", "Find a shortest schedule and show why none is shorter; moves nothing");
    const auto arguments = std::make_shared<PlanVerb>();
    PlanVerb& a = *arguments;
    a.network.add_to(*verb)->reads_file();
    verb->add_option(
            "--loads", a.loads,
            "tokens: spike:tokens=1000, uniform:tokens=1000, ... or a CSV file node,tokens")
        ->reads_file();
    verb->add_option("--target", a.target,
                     "floor-ceil (default), at-most:TOKENS, or speeds:FILE.csv (node,speed)")
        ->reads_file("speeds:");
    verb->add_option("--ports", a.ports,
                     "tokens that a node may send, and may receive, in one step (default 1)");
    verb->add_option("--capacities", a.capacities,
                     "a CSV file node,capacity: the most tokens a node may hold after any step")
        ->reads_file();
    verb->add_option("--link-delays", a.link_delays,
                     "a CSV file from,to,steps: whole steps a token takes over a link (default 1)")
        ->reads_file();
    verb->add_option("--pinned", a.pinned, "a node that takes no part; repeatable")
        ->one_value_each();
    verb->add_option("--in-flight", a.in_flight, "at most this many tokens under way at once");
    verb->add_flag(
        "--fewest-exchanges", a.fewest_exchanges,
        "as few exchanges as the fewest steps allow, even if that takes long to compute");
    verb->add_option("--memory", a.memory_mib, "MiB of memory to use at most (default 2048)");
    a.json.add_to(*verb);
    verb->add_option("--schedule", a.schedule, "write the moves to this CSV file, step,from,to")
        ->not_to_output()
        ->writes_file();
    verb->add_flag("--explain", a.explain, "say why no schedule can be shorter");
    verb->add_flag("--quiet", a.quiet, "print nothing but errors (and what --json asks for)");
    verb->footer(
        "Examples:\n"
        "  equipoise plan --network mesh:8x8 --loads corner:tokens=256 --explain\n"
        "  equipoise plan --network sites.gml --loads shards.csv --schedule moves.csv");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
