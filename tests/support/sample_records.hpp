#pragma once
// Records of small runs made by hand, for tests that need something to show.

#include <string>
#include <vector>

#include "equipoise/model/run/record.hpp"

namespace equipoise::test {

/// How many tokens cross an active link.
enum class SampleRule : std::uint8_t {
    one_token,  ///< one, from a node with at least two tokens more
    half,       ///< half of the difference, rounded down
};

struct SampleRun {
    network::Labels labels;
    NodeId node_count = 0;
    std::vector<Ends> links;
    std::vector<Tokens> loads;
    SampleRule rule = SampleRule::one_token;
    std::string algorithm = "one-token";
    model::RecordLevel level = model::RecordLevel::full;
    Step steps_max = 2000;
    Step sample_every = 1;
};

/// Runs the rule over the classes of a greedy edge colouring, one class a step, until nothing moves
/// for a whole round or the cap is reached, and returns the record. Sampled records hold loads
/// every `sample_every` steps.
[[nodiscard]] model::Record run_sample(const SampleRun& run);

/// The eleven cities of the Abilene backbone with longitudes and latitudes, and its fourteen links.
[[nodiscard]] SampleRun abilene_sample();
/// A spike on a mesh or torus, `torus:32x32`.
[[nodiscard]] SampleRun grid_sample(const std::string& spec, Tokens tokens);
/// A spike on the root of a complete k-ary tree.
[[nodiscard]] SampleRun tree_sample(NodeId arity, NodeId height, Tokens tokens);
/// A spike on node 0 of any links.
[[nodiscard]] SampleRun spike_sample(NodeId node_count, std::vector<Ends> links, Tokens tokens);

}  // namespace equipoise::test
