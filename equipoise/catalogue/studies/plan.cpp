#include "equipoise/catalogue/studies/plan.hpp"

#include <algorithm>
#include <optional>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/base/timed_stop.hpp"
#include "equipoise/catalogue/studies/plan_moves.hpp"
#include "equipoise/load/csv.hpp"
#include "equipoise/network/node_names.hpp"
#include "equipoise/optimum/link_delays.hpp"
#include "equipoise/optimum/steps/fewest_steps.hpp"

namespace equipoise::catalogue {

namespace {

constexpr std::uint64_t longest_seconds = 100'000'000;

/// The nodes that an option names; empty if it names none.
std::vector<bool> named_nodes(const char* option, const std::vector<std::string>& pinned,
                              const network::AnyNetwork& network) {
    if (pinned.empty()) return {};
    const network::NodeNames names(network);
    std::vector<bool> pins(network.node_count(), false);
    for (const std::string& name : pinned) {
        const auto node = names.find(name);
        if (!node)
            throw InputError(std::string(option) + ": expected " + names.expected() + ", found \"" +
                             name + '"');
        pins[*node] = true;
    }
    return pins;
}

std::vector<std::uint64_t> speeds_from(const load::Loads& given) {
    std::vector<std::uint64_t> speeds;
    for (const Tokens speed : given) {
        if (speed < 0)
            throw InputError("--target: expected speeds of 0 or more, found " +
                             std::to_string(speed));
        speeds.push_back(static_cast<std::uint64_t>(speed));
    }
    return speeds;
}

/// The number in --ports, if it is one.
std::optional<Tokens> ports_given(const std::string& text) {
    constexpr std::uint64_t most = 1'000'000'000;
    const auto ports = whole_number(text, most);
    return ports && *ports > 0 ? std::optional(static_cast<Tokens>(*ports)) : std::nullopt;
}

/// Nodes that keep their tokens, and nodes that are to end empty; empty lists: none.
struct SetApart {
    std::vector<bool> pinned;
    std::vector<bool> drained;

    [[nodiscard]] bool is_pinned(NodeId node) const { return !pinned.empty() && pinned[node]; }
    [[nodiscard]] bool is_drained(NodeId node) const { return !drained.empty() && drained[node]; }
};

/// The mean, rounded up, of the tokens that are not pinned, over the nodes that are neither pinned
/// nor drained.
Tokens mean_rounded_up(const load::Loads& tokens, const SetApart& apart) {
    Tokens sum = 0;
    Tokens nodes = 0;
    for (NodeId node = 0; node < tokens.size(); ++node) {
        if (apart.is_pinned(node)) continue;
        sum = checked_add(sum, tokens[node]);
        if (!apart.is_drained(node)) ++nodes;
    }
    return ceil_divide(sum, std::max<Tokens>(nodes, 1));
}

/// The final loads of a target at-most:TOKENS or exact:DELTA.
optimum::FinalLoads loads_up_to(const Target& target, const load::Loads& tokens,
                                const SetApart& apart) {
    const bool is_exact = target.kind == Target::Kind::exact;
    const auto nodes = static_cast<Tokens>(std::max<std::size_t>(1, tokens.size()));
    // No node ever holds more than all tokens.
    const Tokens most = std::min(
        load::total(tokens),
        is_exact ? checked_add(target.number, mean_rounded_up(tokens, apart)) : target.number);
    if (most > tokens_max / nodes)
        throw InputError("--target: expected room for at most " + std::to_string(tokens_max) +
                         " tokens in all, " + std::to_string(tokens_max / nodes) +
                         " a node, found \"" + (is_exact ? "exact:" : "at-most:") +
                         std::to_string(target.number) + '"');
    optimum::FinalLoads final = optimum::at_most(static_cast<NodeId>(tokens.size()), most);
    for (NodeId node = 0; node < tokens.size(); ++node) {
        if (apart.is_drained(node)) final.base[node] = 0;
        if (apart.is_pinned(node)) final.base[node] = tokens[node];
    }
    return final;
}

optimum::FinalLoads final_loads(const TextOr<load::Loads>& target,
                                const network::AnyNetwork& network, const load::Loads& tokens,
                                const SetApart& apart) {
    std::vector<std::uint64_t> speeds;
    if (target.value) {
        speeds = speeds_from(*target.value);
    } else if (const Target named = target_of(target.text, plan_targets());
               named.kind == Target::Kind::speeds) {
        speeds = load::read_speeds(named.file, network);
    } else if (named.kind != Target::Kind::floor_ceil) {
        return loads_up_to(named, tokens, apart);
    } else if (!apart.drained.empty()) {
        speeds.assign(tokens.size(), 1);
    }
    for (NodeId node = 0; node < std::min(speeds.size(), tokens.size()); ++node)
        if (apart.is_drained(node)) speeds[node] = 0;
    return optimum::floor_or_ceiling(tokens, speeds, apart.pinned);
}

/// Throws InputError if the bounds alone need more.
void expect_memory_for_bounds(const optimum::Problem& problem, std::uint64_t bytes) {
    const std::uint64_t needed = optimum::bounds_memory_bytes(problem);
    if (needed > bytes)
        throw InputError("--memory: expected at least " + std::to_string((needed >> 20U) + 1) +
                         " MiB, for the bounds on a network of " +
                         with_noun(problem.network->link_count(), "link", "links") + ", found " +
                         std::to_string(bytes >> 20U));
}

SetApart nodes_set_apart(const PlanRequest& request, const network::AnyNetwork& network) {
    SetApart apart{named_nodes("--pinned", request.pinned, network),
                   named_nodes("--drain", request.drain, network)};
    for (NodeId node = 0; node < apart.drained.size(); ++node)
        if (apart.is_drained(node) && apart.is_pinned(node))
            throw InputError("--pinned: node \"" + network.name(node) +
                             "\" is also named by --drain");
    return apart;
}

}  // namespace

optimum::FinalLoads level_loads(const Target& target, const load::Loads& tokens,
                                const std::vector<bool>& pins) {
    if (target.kind == Target::Kind::floor_ceil) return optimum::floor_or_ceiling(tokens, {}, pins);
    return loads_up_to(target, tokens, {pins, {}});
}

std::optional<double> PlanRequest::seconds_most() const {
    if (seconds == 0) return std::nullopt;
    return static_cast<double>(std::min(seconds, longest_seconds));
}

std::uint64_t PlanRequest::memory_bytes() const {
    constexpr std::uint64_t usual_mib = 2048;
    return std::min(memory_mib.value_or(usual_mib), std::uint64_t{1} << 40U) << 20U;
}

void PlanRequest::check() const {
    expect_loads_given(loads);
    if (!ports_given(ports) && ports != "all")
        throw InputError("--ports: expected a whole number from 1 to 1000000000 or all, found \"" +
                         ports + '"');
    if (ports == "all" && (capacities.value || !capacities.text.empty()))
        throw InputError("--capacities: expected --ports with a number, found all");
    if (in_flight > static_cast<std::uint64_t>(tokens_max))
        throw InputError("--in-flight: expected at most 2305843009213693951 tokens, found " +
                         std::to_string(in_flight));
    if (!target.value) expect_file_there(target_of(target.text, plan_targets()).file);
    if (seconds > longest_seconds)
        throw InputError("--seconds: expected at most " + std::to_string(longest_seconds) +
                         ", found " + std::to_string(seconds));
    expect_file_there(capacities.text);
    expect_file_there(link_delays.text);
    expect_file_there(rates);
    expect_file_there(resume);
    if (!rates.empty() && ports != "1")
        throw InputError("--rates: expected either --rates or --ports, found both");
}

PlannedInstance plan_problem(const PlanRequest& request, const network::AnyNetwork& network) {
    request.check();
    PlannedInstance made;
    made.target = request.target.value ? "speeds" : request.target.text;
    made.network =
        std::make_unique<const network::Network>(network.node_count(), network::all_links(network));
    const SetApart apart = nodes_set_apart(request, network);
    optimum::Problem& problem = made.problem;
    problem.network = made.network.get();
    problem.loads = loads_of(request.loads, network, request.seed);
    if (!request.resume.empty()) carry_out(request.resume, network, problem.loads);
    problem.target = final_loads(request.target, network, problem.loads, apart);
    if (request.capacities.value) {
        problem.capacities = *request.capacities.value;
    } else if (!request.capacities.text.empty()) {
        problem.capacities = load::read_capacities(request.capacities.text, network);
    }
    if (request.link_delays.value) {
        problem.delays = *request.link_delays.value;
    } else if (!request.link_delays.text.empty()) {
        problem.delays = optimum::read_link_delays(request.link_delays.text, network);
    }
    problem.all_ports = request.ports == "all";
    const Tokens ports = ports_given(request.ports).value_or(1);
    if (ports != 1 || !apart.pinned.empty() || !request.rates.empty()) {
        problem.ports.assign(network.node_count(), ports);
        if (!request.rates.empty()) problem.ports = read_ports(request.rates, network);
        for (NodeId node = 0; node < problem.ports.size(); ++node)
            if (apart.is_pinned(node)) problem.ports[node] = 0;
    }
    return made;
}

PlannedInstance plan(const PlanRequest& request, const network::AnyNetwork& network,
                     const std::stop_token& stop) {
    PlannedInstance made = plan_problem(request, network);
    const optimum::Problem& problem = made.problem;
    optimum::PlanOptions options;
    options.memory_bytes_max = request.memory_bytes();
    options.fewest_exchanges = request.fewest_exchanges;
    const TimedStop end(stop, TimeLimit(request.seconds_most()).after(1));
    options.end = &end;
    if (request.in_flight > 0) options.in_flight_max = static_cast<Tokens>(request.in_flight);
    problem.check();
    if (request.memory_mib) expect_memory_for_bounds(problem, request.memory_bytes());
    made.plan = optimum::make_plan(problem, options);
    made.is_done = made.plan.exact() || (request.in_flight > 0 && made.plan.open.empty());
    return made;
}

}  // namespace equipoise::catalogue
