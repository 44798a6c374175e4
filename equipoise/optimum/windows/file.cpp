#include "equipoise/optimum/windows/file.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/memory.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/generators/size.hpp"
#include "equipoise/optimum/windows/windows.hpp"

namespace equipoise::optimum {

namespace {

template <class List>
Runs runs_of(const List& values) {
    Runs runs;
    for (const auto value : values)
        runs.add(static_cast<std::int64_t>(value));
    return runs;
}

void take_cut(const CutOverTime& cut, WindowsFile& file) {
    file.cut = CutOverTime{cut.steps, {}, cut.surplus, cut.crossings};
    file.gates.resize(4);
    for (const CutOverTime::Node& node : cut.nodes) {
        file.inside.add(node.inside > cut.steps ? -1 : static_cast<std::int64_t>(node.inside));
        file.gates[0].add(static_cast<std::int64_t>(node.send_first));
        file.gates[1].add(static_cast<std::int64_t>(node.send_end));
        file.gates[2].add(static_cast<std::int64_t>(node.receive_first));
        file.gates[3].add(static_cast<std::int64_t>(node.receive_end));
    }
}

/// The flow that proves *plan.at_most.
FlowOverTime flow_of(const Plan& plan) {
    if (plan.flow) return *plan.flow;
    if (plan.schedule_written) return flow_of(plan.schedule, *plan.at_most);
    throw InputError("--windows: expected a plan whose schedule was found and written out");
}

/// A list, which must have length `size`. Throws InputError naming the list if it does not.
template <class List>
List expanded(const Runs& runs, std::uint64_t size, const char* name) {
    const auto fail = [&](const char* what) {
        throw InputError(std::string(name) + ": expected " + what);
    };
    std::uint64_t count = 0;
    for (const Runs::Run& run : runs.runs) {
        if (run.count < 1) fail("counts of 1 or more");
        if (run.value < 0) fail("numbers of 0 or more");
        if (static_cast<std::uint64_t>(run.count) > size - count) fail("one number for each node");
        count += static_cast<std::uint64_t>(run.count);
    }
    if (count != size) fail("one number for each node");
    List list;
    list.reserve(size);
    for (const Runs::Run& run : runs.runs)
        list.insert(list.end(), static_cast<std::size_t>(run.count),
                    static_cast<typename List::value_type>(run.value));
    return list;
}

network::Network network_of(const WindowsFile& file) {
    if (!file.generated) {
        if (file.links.size() != file.link_count)
            throw InputError("network: expected " + std::to_string(file.link_count) +
                             " links, found " + std::to_string(file.links.size()));
        return {file.nodes, file.links};
    }
    const network::NetworkSize size = network::size_of(Spec::parse(file.origin));
    if (size.nodes != file.nodes || file.link_count < size.links_least ||
        file.link_count > size.links_most)
        throw InputError("network: expected the nodes and links that " + file.origin + " has");
    const network::AnyNetwork made = network::generate(file.origin, file.seed);
    return {made.node_count(), network::all_links(made)};
}

CutOverTime cut_of(const WindowsFile& file) {
    CutOverTime cut = *file.cut;
    Runs joins = file.inside;
    for (Runs::Run& run : joins.runs)
        run.value = run.value == -1 ? std::numeric_limits<std::int64_t>::max() : run.value;
    const auto inside = expanded<std::vector<Step>>(joins, file.nodes, "inside");
    cut.nodes.resize(file.nodes);
    for (NodeId node = 0; node < file.nodes; ++node)
        cut.nodes[node].inside = inside[node];
    constexpr Step CutOverTime::Node::*const ends[] = {
        &CutOverTime::Node::send_first, &CutOverTime::Node::send_end,
        &CutOverTime::Node::receive_first, &CutOverTime::Node::receive_end};
    for (std::size_t i = 0; i < file.gates.size(); ++i) {
        const auto steps = expanded<std::vector<Step>>(file.gates[i], file.nodes, "gates");
        for (NodeId node = 0; node < file.nodes; ++node)
            cut.nodes[node].*ends[i] = steps[node];
    }
    return cut;
}

}  // namespace

WindowsFile windows_file(const Plan& plan, const Problem& problem,
                         const network::AnyNetwork& network, const std::string& target) {
    if (plan.limited_by_flight)
        throw InputError(
            "--windows: expected no limit on tokens under way (a bound that comes "
            "from that limit is no cut, and only cuts can be written)");
    WindowsFile file;
    const network::Labels& labels = network.labels();
    file.origin = labels.origin;
    file.seed = labels.seed;
    file.nodes = network.node_count();
    file.link_count = network.link_count();
    file.network_digest = network::digest(*problem.network);
    file.generated = network::names_generator(labels.origin);
    if (!file.generated) file.links = network::all_links(network);
    file.target = target;
    file.all_ports = problem.all_ports;
    file.loads = runs_of(problem.loads);
    const FinalLoads final = within_capacities(problem.target, problem.capacities);
    file.base = runs_of(final.base);
    file.may_hold_extra = runs_of(final.may_hold_extra);
    file.extras = final.extras;
    file.ports = runs_of(problem.ports);
    file.capacities = runs_of(problem.capacities);
    file.delays = runs_of(problem.delays);
    file.at_least = plan.at_least;
    file.at_most = plan.at_most;
    if (plan.at_most) file.flow = flow_of(plan);
    if (plan.cut) {
        take_cut(*plan.cut, file);
    } else if (!plan.certificate.empty()) {
        file.zones = plan.certificate;
    }
    file.written_digest = file.digest();
    return file;
}

WindowsProblem problem_of(const WindowsFile& file) {
    // Memory for the lists by node, the cut and the network.
    expect_memory(UInt128{file.nodes} * 120 + UInt128{file.link_count} * 60, "the problem");
    WindowsProblem made;
    made.network = network_of(file);
    if (made.network.node_count() != file.nodes || made.network.link_count() != file.link_count ||
        network::digest(made.network) != file.network_digest)
        throw InputError("network: expected the counts and the digest that the file says");
    Problem& problem = made.problem;
    problem.loads = expanded<load::Loads>(file.loads, file.nodes, "loads");
    problem.target.base = expanded<load::Loads>(file.base, file.nodes, "final loads");
    if (!file.may_hold_extra.runs.empty())
        problem.target.may_hold_extra =
            expanded<std::vector<bool>>(file.may_hold_extra, file.nodes, "may_hold_extra");
    problem.target.extras = file.extras;
    problem.all_ports = file.all_ports;
    if (!file.ports.runs.empty())
        problem.ports = expanded<std::vector<Tokens>>(file.ports, file.nodes, "ports");
    if (!file.capacities.runs.empty())
        problem.capacities =
            expanded<std::vector<Tokens>>(file.capacities, file.nodes, "capacities");
    if (!file.delays.runs.empty())
        problem.delays = expanded<std::vector<Step>>(file.delays, file.link_count, "delays");
    problem.network = &made.network;
    problem.check();
    problem.network = nullptr;
    if (file.cut) made.cut = cut_of(file);
    return made;
}

}  // namespace equipoise::optimum
