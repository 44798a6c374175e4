#pragma once
// What tests of the catalogue share.

#include <functional>
#include <string>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/catalogue/runner/requirements.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::test {

/// All tokens at node 0.
inline load::Loads spike(const network::AnyNetwork& network, Tokens tokens) {
    load::Loads loads(network.node_count(), 0);
    loads[0] = tokens;
    return loads;
}

/// The message of the InputError that `act` throws, or "no error".
inline std::string message_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

/// The names of all algorithms that have a property.
inline std::vector<std::string> names_of(
    const std::function<bool(const catalogue::Algorithm&)>& wanted) {
    std::vector<std::string> names;
    for (const catalogue::Algorithm& algorithm : catalogue::algorithms())
        if (wanted(algorithm)) names.push_back(algorithm.name);
    return names;
}

/// Why the algorithm cannot serve the network, the loads or the options; empty if it can.
inline std::string refusal(const catalogue::Algorithm& algorithm,
                           const catalogue::NetworkFacts& facts, const load::Loads& loads,
                           const catalogue::RunOptions& options = {}) {
    try {
        static_cast<void>(catalogue::prepare(algorithm, facts, loads, options));
    } catch (const UnsuitableError& error) {
        return error.what();
    }
    return "";
}

}  // namespace equipoise::test
