#pragma once
// Algorithms that the caller writes in C++, as the library writes its own: an edge rule, a deal
// rule or a node program, played and recorded like the entries of the catalogue.
//
//     const auto mine = given_algorithm("mine", MyRule{}, GivenLinks::colours);
//     const auto run = equipoise::run(mine, network, loads);

#include <string>
#include <utility>
#include <vector>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/catalogue/registry/given.hpp"
#include "equipoise/catalogue/registry/rounds.hpp"
#include "equipoise/model/local/deal_rule.hpp"
#include "equipoise/model/local/edge_rule.hpp"
#include "equipoise/model/local/node_program.hpp"

namespace equipoise::catalogue {

namespace detail {

/// What all given rules have in common, and the links over which they are played.
struct GivenEntry {
    Algorithm algorithm;
    Links links;
};
[[nodiscard]] GivenEntry given_entry(const std::string& name, GivenLinks links);
/// The same for deal rules.
[[nodiscard]] GivenEntry given_entry(const std::string& name);
/// What all given programs have in common.
[[nodiscard]] Algorithm given_program(const std::string& name,
                                      const std::vector<std::string>& kinds);

}  // namespace detail

/// An edge rule (model/local/edge_rule.hpp) as an algorithm of this name. What given.hpp says about
/// names, guarantees, the default stop and records applies here too. Runs in one process throw
/// InputError, naming step and node, when a node would send tokens that it does not hold, unless
/// the rule `may_owe`; runs on ranks do so if a node ends with a negative load.
template <model::EdgeRule R>
[[nodiscard]] Algorithm given_algorithm(const std::string& name, R rule, GivenLinks links) {
    auto [algorithm, over] = detail::given_entry(name, links);
    algorithm.loads_may_be_negative = model::MayOwe<R>;
    algorithm.rounds = plays(std::move(rule), over);
    return std::move(algorithm);
}

/// The same for a deal rule (model/local/deal_rule.hpp).
template <model::DealRule R>
[[nodiscard]] Algorithm given_algorithm(const std::string& name, R rule) {
    auto [algorithm, over] = detail::given_entry(name);
    algorithm.loads_may_be_negative = model::MayOwe<R>;
    algorithm.rounds = plays(std::move(rule), over);
    return std::move(algorithm);
}

/// The same for a node program (model/local/node_program.hpp), on all links of the network: in the
/// simulation, or on ranks. `kinds` are the names of its kinds of message, in their order.
template <model::NodeProgram P>
[[nodiscard]] Algorithm given_algorithm(const std::string& name, P program,
                                        const std::vector<std::string>& kinds) {
    Algorithm algorithm = detail::given_program(name, kinds);
    algorithm.program = runs(std::move(program), *std::move(algorithm.program));
    return algorithm;
}

}  // namespace equipoise::catalogue
