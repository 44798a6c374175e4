#include "tests/support/sample_records.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/spec.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/concept.hpp"
#include "equipoise/network/grid.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::test {

namespace {

using model::Record;

/// Every link takes the smallest colour free at both ends.
std::vector<std::vector<Ends>> greedy_classes(NodeId node_count, const std::vector<Ends>& links) {
    std::vector<std::vector<bool>> used(node_count);
    std::vector<std::vector<Ends>> classes;
    for (const Ends& link : links) {
        std::size_t colour = 0;
        const auto taken = [&](NodeId node) {
            return colour < used[node].size() && used[node][colour];
        };
        while (taken(link.tail) || taken(link.head))
            ++colour;
        for (const NodeId node : {link.tail, link.head}) {
            if (used[node].size() <= colour) used[node].resize(colour + 1, false);
            used[node][colour] = true;
        }
        if (classes.size() <= colour) classes.resize(colour + 1);
        classes[colour].push_back(link);
    }
    return classes;
}

model::Sample sample_of(Step step, const std::vector<Tokens>& loads, bool with_loads) {
    return {step, load::discrepancy(loads), load::to_decimal(load::potential(loads)),
            with_loads ? loads : std::vector<Tokens>{}};
}

}  // namespace

Record run_sample(const SampleRun& run) {
    const std::vector<std::vector<Ends>> classes = greedy_classes(run.node_count, run.links);
    Record record;
    record.program_version = "test";
    record.algorithm = run.algorithm;
    record.model = "single-port";
    record.level = run.level;
    record.labels = run.labels;
    record.node_count = run.node_count;
    record.links = run.links;
    record.link_count = run.links.size();
    record.network_digest = network::digest(network::Network(run.node_count, run.links));
    record.initial_loads = run.loads;
    record.initial_discrepancy = load::discrepancy(run.loads);
    std::vector<Tokens> loads = run.loads;
    Step quiet = 0;
    Step step = 0;
    while (step < run.steps_max && quiet < classes.size()) {
        if (run.level != model::RecordLevel::summary)
            record.samples.push_back(sample_of(
                step, loads,
                run.level == model::RecordLevel::sampled && step % run.sample_every == 0));
        bool moved = false;
        for (const Ends& link : classes[static_cast<std::size_t>(step % classes.size())]) {
            auto [from, to] = link;
            if (loads[from] < loads[to]) std::swap(from, to);
            const Tokens difference = loads[from] - loads[to];
            const Tokens tokens = run.rule == SampleRule::half ? difference / 2 : difference >= 2;
            if (tokens == 0) continue;
            loads[from] -= tokens;
            loads[to] += tokens;
            record.costs.exchanges += static_cast<std::uint64_t>(tokens);
            if (run.level == model::RecordLevel::full)
                record.transfers.push_back({step, from, to, tokens});
            moved = true;
        }
        quiet = moved ? 0 : quiet + 1;
        ++step;
    }
    record.costs.steps = step;
    record.costs.rounds = step / std::max<Step>(1, classes.size());
    record.costs.messages = 2 * step;
    record.final_loads = loads;
    record.final_discrepancy = load::discrepancy(loads);
    for (const Ends& link : run.links)
        record.local_imbalance =
            std::max(record.local_imbalance, loads[link.tail] < loads[link.head]
                                                 ? loads[link.head] - loads[link.tail]
                                                 : loads[link.tail] - loads[link.head]);
    record.reached = quiet >= classes.size();
    record.stopped_because = record.reached ? "quiet" : "steps-max";
    record.seconds = 0.001 * static_cast<double>(step);
    return record;
}

SampleRun abilene_sample() {
    SampleRun run;
    run.labels.origin = "examples/networks/abilene.gml";
    run.labels.names = {"New York",  "Chicago",     "Washington",  "Seattle",
                        "Sunnyvale", "Los Angeles", "Denver",      "Kansas City",
                        "Houston",   "Atlanta",     "Indianapolis"};
    run.labels.positions = {{-74.0, 40.7},  {-87.7, 41.9},  {-77.0, 38.9},  {-122.3, 47.6},
                            {-122.0, 37.4}, {-118.2, 34.1}, {-105.0, 39.7}, {-94.6, 39.1},
                            {-95.4, 29.8},  {-84.4, 33.7},  {-86.2, 39.8}};
    run.node_count = 11;
    run.links = {{0, 1}, {0, 2}, {1, 10}, {2, 9}, {3, 4},  {3, 6}, {4, 5},
                 {4, 6}, {5, 8}, {6, 7},  {7, 8}, {7, 10}, {8, 9}, {9, 10}};
    run.loads.assign(11, 0);
    run.loads[3] = 1000;
    return run;
}

SampleRun grid_sample(const std::string& spec, Tokens tokens) {
    const Spec parsed = Spec::parse(spec);
    std::vector<NodeId> sides;
    for (const std::uint64_t side : parsed.sides(1, 1000))
        sides.push_back(static_cast<NodeId>(side));
    const network::Grid grid(
        sides, parsed.name() == "torus" ? network::Grid::Shape::torus : network::Grid::Shape::mesh);
    std::vector<Ends> links;
    for (LinkId link = 0; link < grid.link_count(); ++link)
        links.push_back(grid.ends(link));
    SampleRun run = spike_sample(grid.node_count(), std::move(links), tokens);
    run.labels.origin = spec;
    return run;
}

SampleRun tree_sample(NodeId arity, NodeId height, Tokens tokens) {
    NodeId count = 1;
    NodeId layer = 1;
    for (NodeId depth = 0; depth < height; ++depth) {
        layer *= arity;
        count += layer;
    }
    std::vector<Ends> links;
    for (NodeId node = 1; node < count; ++node)
        links.push_back({(node - 1) / arity, node});
    SampleRun run = spike_sample(count, std::move(links), tokens);
    run.labels.origin = "tree:k=" + std::to_string(arity) + ",h=" + std::to_string(height);
    return run;
}

SampleRun spike_sample(NodeId node_count, std::vector<Ends> links, Tokens tokens) {
    SampleRun run;
    run.node_count = node_count;
    run.links = std::move(links);
    run.loads.assign(node_count, 0);
    run.loads[0] = tokens;
    return run;
}

}  // namespace equipoise::test
