#include "equipoise/programs/async_coin_averaging.hpp"

#include <algorithm>
#include <cmath>

#include "equipoise/analysis/laplacian_spectrum.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::catalogue::entries::async_coin_averaging {

namespace {

using programs::AsyncCoinAveraging;

/// The most requests in all, unless the caller says how many each node makes: a number that takes
/// seconds, not minutes.
constexpr double requests_most = 2e6;

/// Requests over each link from each end: half of the spectral time, which counts both.
std::uint64_t requests_of(const Task& task) {
    if (const std::uint64_t asked = task.parameters.whole("requests"); asked > 0) return asked;
    const auto nodes = static_cast<double>(task.loads.size());
    const double both_ends = 2.0 * static_cast<double>(task.facts.network().link_count());
    const Tokens spread = load::discrepancy(task.loads);
    if (spread <= 1) return 0;
    double requests = requests_most;
    // Divided by a lower bound on the smallest eigenvalue that is not 0, if one is known.
    if (const auto* const known = task.facts.known_laplacian_ends();
        known != nullptr && known->smallest.least > 0)
        requests = std::log(static_cast<double>(spread) * nodes) / known->smallest.least;
    const double most = requests_most / std::max(1.0, both_ends);
    return static_cast<std::uint64_t>(std::ceil(std::clamp(requests, 1.0, std::max(1.0, most))));
}

/// At a node of largest degree an exchange takes a few of these ticks.
model::Ticks pause_of(const Task& task) {
    if (const model::Ticks asked = task.parameters.whole("pause"); asked > 0) return asked;
    constexpr model::Ticks ticks_between = 16;
    return ticks_between * all_channels(task.facts).degree_max();
}

AsyncCoinAveraging make(const Task& task) {
    return {requests_of(task), pause_of(task)};
}

}  // namespace

Algorithm entry() {
    constexpr double whole_most = 1e9;
    return {
        .name = "async-coin-averaging",
        .after = "async-one-token-diffusion",
        .title =
            "nodes wake at random and share evenly with one neighbour; a coin decides who gets the "
            "odd token",
        .source = "Berenbrink and others 2025 (rule reconstructed)",
        .model = StepModel::asynchronous,
        .parameters = {whole_parameter(
                           "requests", "0", {0, whole_most},
                           "how many requests a node makes for each of its links; 0: as many as "
                           "the spectral time needs, at most two million in all"),
                       whole_parameter("pause", "0", {0, whole_most},
                                       "average number of ticks between two requests of a node for "
                                       "the same link; 0: 16 times the largest degree")},
        .guarantee =
            "no load leaves the range of the initial ones; no bound on the discrepancy is certain "
            "(without delays, one random link a step, 3 with high probability in the spectral "
            "time)",
        .stop = "all requests have been made and answered",
        .program = runs(make, {.kinds = {"request", "busy", "gift", "call", "transfer"},
                               .acknowledgements = model::KindSet::of(
                                   AsyncCoinAveraging::Kind::busy, AsyncCoinAveraging::Kind::gift,
                                   AsyncCoinAveraging::Kind::call)}),
    };
}

}  // namespace equipoise::catalogue::entries::async_coin_averaging
