#include "equipoise/protocols/token_dropping.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/ends.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/network/structure/distances.hpp"

namespace equipoise::catalogue::entries::token_dropping {

namespace {

using protocols::TokenDropping;

constexpr double root_most = 4294967295;

NodeId root_of(const Task& task) {
    const std::uint64_t root = task.parameters.whole("root");
    const NodeId nodes = task.facts.network().node_count();
    if (root >= nodes)
        throw InputError("token-dropping: expected a root from 0 to " + std::to_string(nodes - 1) +
                         ", found " + std::to_string(root));
    return static_cast<NodeId>(root);
}

/// A node's layer is its distance from the root, which lies lowest.
std::vector<std::uint32_t> layers_of(const Task& task) {
    return network::distances_from(task.facts.network(), root_of(task));
}

void expect_suitable(const Task& task) {
    expect_connected(task);
    static_cast<void>(root_of(task));
    const auto fullest = std::max_element(task.loads.begin(), task.loads.end());
    if (fullest != task.loads.end() && *fullest > 1)
        throw UnsuitableError("a node holds " + std::to_string(*fullest) +
                              " tokens: expected at most one token a node");
}

/// The links between layers, pointing down.
std::vector<Ends> links_down(const Task& task) {
    const std::vector<std::uint32_t> layers = layers_of(task);
    std::vector<Ends> down;
    for (const Ends ends : network::all_links(task.facts.network())) {
        if (layers[ends.tail] > layers[ends.head]) down.push_back(ends);
        if (layers[ends.tail] < layers[ends.head]) down.push_back({ends.head, ends.tail});
    }
    return down;
}

HeldSchedule schedule(const Task& task, std::uint64_t /*seed*/) {
    return {model::SameLinks(links_down(task), TokenDropping::phases)};
}

/// Every round but the last uses a link and takes a token down by a layer.
model::Guarantee promise(const Task& task) {
    const std::vector<std::uint32_t> layers = layers_of(task);
    std::uint64_t heights = 0;
    for (NodeId node = 0; node < layers.size(); ++node)
        if (task.loads[node] > 0) heights += layers[node];
    const std::uint64_t rounds = std::min<std::uint64_t>(heights, links_down(task).size());
    return {{},
            TokenDropping::phases * (rounds + 1),
            "the number of links, of which every round but the last uses up one"};
}

engine::RoundOutcome around(const Task& task, const engine::RoundOptions& options,
                            model::Notes& notes, const Play& play) {
    const std::vector<std::uint32_t> layers = layers_of(task);
    notes.constants["layers"] = std::to_string(*std::max_element(layers.begin(), layers.end()) + 1);
    return play(options);
}

}  // namespace

Algorithm entry() {
    return {
        .name = "token-dropping",
        .after = "locally-optimal",
        .title = "a game on layers: tokens drop to empty lower neighbours, every link is used once",
        .source =
            "Brandt, Keller, Rybicki, Suomela, Uitto 2020 (game and rule reconstructed from the "
            "abstract)",
        .model = StepModel::multi_port,
        .needs = "a connected network, at most one token a node",
        .parameters = {whole_parameter(
            "root", "0", {0, root_most},
            "the node that lies lowest; a node's layer is its distance from it")},
        .guarantee =
            "ends when no token has an unused link to an empty lower node (it does not level), "
            "within 3 (min(m, H) + 1) steps: m links, H the sum of the tokens' layers",
        .stop = "a round in which no token drops",
        .one_token_a_link = true,
        .expect_suitable = expect_suitable,
        .promise = promise,
        .default_stop = stop_after_quiet_steps<TokenDropping::phases>,
        .rounds = plays(TokenDropping{}, Links{Links::Kind::periodic, schedule}),
        .around = around,
    };
}

}  // namespace equipoise::catalogue::entries::token_dropping
