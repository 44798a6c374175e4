#pragma once
// What is known about every algorithm without its code: which claims its records may make.

#include <optional>
#include <span>
#include <string_view>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::verify {

/// Independent of the catalogue: read from the line "Records claim" of the algorithm's page, whose
/// words stand beside the fields; a test compares the two. Names of the line "Formerly" have rows
/// that say the same.
struct KnownAlgorithm {
    std::string_view name;
    std::string_view model;  ///< "single-port", ...
    std::optional<Tokens> goal_discrepancy =
        {};                          ///< "discrepancy D": one that ends above did not reach its end
    bool goal_one_balanced = false;  ///< "1-balanced": nor one that leaves neighbours 2 apart
    bool may_be_negative = false;    ///< "loads below 0": it may send what a node lacks
    bool one_token_a_link = false;   ///< "one token a link": in a step
    bool serves_speeds = false;      ///< "speeds"
    bool on_tree = false;            ///< "on a tree": on a spanning tree of other networks
    bool in_units = false;           ///< "units": loads are continuous, in units of a token
    bool idealised_in_units = false;  ///< "units if idealised": if the parameter says so
    bool makes_tokens = false;        ///< "makes tokens": dummies, or trade with the outside
    /// "rounds of S steps": a round begins only if all its steps fit below the cap.
    Step steps_at_once = 1;
};

/// All of them, by name. Made by cmake/EquipoiseClaims.cmake.
[[nodiscard]] std::span<const KnownAlgorithm> known_algorithms();
/// The algorithm of this name; null if there is none.
[[nodiscard]] const KnownAlgorithm* find_known(std::string_view name);

}  // namespace equipoise::verify
