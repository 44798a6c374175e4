#pragma once
// A plan for an instance, as the command line and Python ask for it.

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/studies/target.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/optimum/plan.hpp"
#include "equipoise/optimum/problem.hpp"

namespace equipoise::catalogue {

/// The final loads of a target that needs no file (floor-ceil, at-most, exact); nodes with pins
/// (empty: none) keep their tokens. Throws InputError if the nodes together would have room for too
/// many tokens.
[[nodiscard]] optimum::FinalLoads level_loads(const Target& target, const load::Loads& tokens,
                                              const std::vector<bool>& pins);

/// The options of plans, named as on the command line, where --help describes them.
struct PlanRequest {
    TextOr<load::Loads> loads = {};
    std::uint64_t seed = 0;
    /// `floor-ceil`, `at-most:TOKENS`, `exact:DELTA`, `speeds:FILE.csv`, or one speed a node.
    TextOr<load::Loads> target = {"floor-ceil"};
    TextOr<load::Loads> capacities = {};
    TextOr<std::vector<Step>> link_delays = {};  ///< a file or one delay per link
    std::vector<std::string> pinned = {};        ///< names of nodes
    std::vector<std::string> drain = {};         ///< names of nodes that end empty
    std::string rates = {};       ///< a CSV file node,in,out, in and out alike, in place of `ports`
    std::string resume = {};      ///< a CSV file step,from,to of moves that are done
    std::string ports = "1";      ///< a number or `all`
    std::uint64_t in_flight = 0;  ///< 0: no limit
    /// The most that the search may take besides the network, in MiB. Nothing: 2048, or what bounds
    /// alone need if that is more.
    std::optional<std::uint64_t> memory_mib = {};
    std::uint64_t seconds = 600;  ///< of searching; 0: no limit
    bool fewest_exchanges = false;

    [[nodiscard]] std::uint64_t memory_bytes() const;
    /// The seconds that a search may take; nothing without a limit.
    [[nodiscard]] std::optional<double> seconds_most() const;
    /// Throws InputError unless there are loads, the numbers are in range, the target is one of
    /// `plan_targets` and the files are there.
    void check() const;
    /// Whether every node is to end with floor or ceiling of the mean.
    [[nodiscard]] bool levels_all() const {
        return !target.value && target.text == "floor-ceil" && pinned.empty() && drain.empty();
    }
};

/// A plan, and the problem that it solves.
struct PlannedInstance {
    std::unique_ptr<const network::Network> network;  ///< the problem's
    optimum::Problem problem;
    optimum::Plan plan;
    std::string target;  ///< as asked for; "speeds" if those were given one by one

    /// Whether the plan is proved shortest; always true with `in_flight`, which asks for no such
    /// proof.
    bool is_done = false;
};

/// The problem of a request, without a plan. Throws InputError as the readers of files do.
[[nodiscard]] PlannedInstance plan_problem(const PlanRequest& request,
                                           const network::AnyNetwork& network);

/// Finds a plan (optimum::make_plan), with an interval if it is asked to stop. Throws as it does,
/// and InputError as the readers of files do.
[[nodiscard]] PlannedInstance plan(const PlanRequest& request, const network::AnyNetwork& network,
                                   const std::stop_token& stop = {});

}  // namespace equipoise::catalogue
