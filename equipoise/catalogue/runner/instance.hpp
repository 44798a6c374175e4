#pragma once
// Instances from specs and files, as the command line names them.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/load/loads.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/io/read.hpp"

namespace equipoise::catalogue {

/// A network with tokens on it.
struct Instance {
    network::AnyNetwork network;
    load::Loads loads;
};

/// The options that name a network.
struct NetworkRequest {
    std::string spec;                                     ///< a generator's spec or a file
    network::Format format = network::Format::automatic;  ///< of the file
    bool simplify = false;
    bool largest_component = false;
    std::uint64_t seed = 0;                     ///< used if a random spec gives none
    std::optional<bool> header = std::nullopt;  ///< whether the file begins with one, if it is told
};

/// The network of a request. `report`, if given, receives the numbers of things dropped from a
/// file. Throws InputError as the generators and readers do, with similar names for a mistyped
/// generator.
[[nodiscard]] network::AnyNetwork make_network(const NetworkRequest& request,
                                               network::ReadReport* report = nullptr);

/// All load generators: those of the load room and
///   `worst-stable`: loads that THRESHOLD-1 leaves for ever, 0 at the node that `node=` names; on a
///   tree of the largest such discrepancy (Houle, Symvonis, Wood 2004, Theorem 12), elsewhere of
///   the largest from this node (analysis::MeetingGraph); `one-side`: on a tree, `high=` tokens on
///   every node of the smaller side of the link that halves the tree best, none on the other side,
///   so that half of the tokens must cross one link (Observation 1).
[[nodiscard]] std::vector<SpecInfo> load_generators();

/// Loads from the spec of any of these generators or from a CSV file. Throws as load::make_loads,
/// and UnsuitableError for `one-side` on a network that is not a tree and for `worst-stable` on one
/// of more than analysis::MeetingGraph::nodes_max nodes or that is not connected.
[[nodiscard]] load::Loads make_loads(std::string_view spec, const network::AnyNetwork& network,
                                     std::uint64_t seed);

/// Network and loads (`loads` as in make_loads).
[[nodiscard]] Instance make_instance(const NetworkRequest& request, const std::string& loads,
                                     network::ReadReport* report = nullptr);

/// The network and the initial loads of a record. Throws InputError when the links that it lists or
/// the spec that it names do not have the recorded digest.
[[nodiscard]] Instance instance_of(const model::Record& record);

}  // namespace equipoise::catalogue
