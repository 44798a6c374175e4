#pragma once
// Structures of proofs and algorithms, drawn on any small network: where tokens lie, how observers
// tour a tree, what a minimum cut separates.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_info.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::catalogue {

/// The input of a drawing: a network, and whatever else is given.
struct StructureInput {
    const NetworkFacts& facts;
    TextOr<load::Loads> given_loads = {};
    TextOr<network::MatchingSequence> given_matchings = {};
    std::uint64_t seed = 0;

    [[nodiscard]] const network::AnyNetwork& network() const { return facts.network(); }
    /// Throws InputError as `loads_of`, also if no loads are given.
    [[nodiscard]] load::Loads loads() const;
    /// The matchings that are given, otherwise the network's natural ones. Throws as
    /// `matchings_of`.
    [[nodiscard]] network::MatchingSequence matchings() const;
};

/// A kind of structure.
struct Structure {
    SpecInfo info;
    std::vector<std::string_view> keys;  ///< that its spec may have
    std::string (*draw)(const Spec& spec, const StructureInput& input) = nullptr;
};

/// All of them, in the order help shows them.
[[nodiscard]] const std::vector<Structure>& structures();
[[nodiscard]] std::vector<SpecInfo> structure_infos();

/// An SVG picture of the structure that the spec names. Throws InputError for any other name or
/// key, for missing input, and if the network is too large to be drawn; UnsuitableError if it has
/// no such structure.
[[nodiscard]] std::string structure_svg(std::string_view spec, const StructureInput& input);

}  // namespace equipoise::catalogue
