#include "equipoise/verify/known_algorithms.hpp"

#include <algorithm>
#include <array>

namespace equipoise::verify {

namespace {

constexpr std::string_view single = "single-port";
constexpr std::string_view multi = "multi-port";
constexpr std::string_view clockless = "asynchronous";
constexpr std::string_view box = "single-token";

constexpr std::array<KnownAlgorithm, 31> table = {{
    {.name = "threshold-2", .model = single, .one_token_a_link = true},
    {.name = "threshold-1", .model = single, .one_token_a_link = true},
    {.name = "threshold-1-plus", .model = single, .one_token_a_link = true},
    {.name = "discrepancy-1", .model = single, .goal_discrepancy = 1, .one_token_a_link = true},
    {.name = "deal-agreement-1", .model = multi, .runs_in_units = true, .steps_at_once = 3},
    {.name = "deal-agreement-2",
     .model = multi,
     .goal_one_balanced = true,
     .serves_speeds = true,
     .steps_at_once = 3},
    {.name = "deal-agreement-3", .model = multi, .goal_one_balanced = true, .steps_at_once = 3},
    {.name = "diffusion", .model = multi, .serves_speeds = true, .runs_in_units = true},
    {.name = "diffusion-2", .model = multi, .may_be_negative = true, .runs_in_units = true},
    {.name = "dimension-exchange",
     .model = single,
     .goal_one_balanced = true,
     .serves_speeds = true},
    {.name = "balancing-circuit", .model = single},
    {.name = "flow-imitation", .model = multi, .makes_tokens = true},
    {.name = "quasirandom-diffusion", .model = multi, .may_be_negative = true},
    {.name = "randomised-diffusion", .model = multi},
    {.name = "one-token-diffusion", .model = multi, .one_token_a_link = true},
    {.name = "coin-matching", .model = single},
    {.name = "one-token-matching", .model = single, .one_token_a_link = true},
    {.name = "steepest-matching", .model = single, .one_token_a_link = true},
    {.name = "random-walks", .model = multi, .may_be_negative = true},
    {.name = "rooted-target", .model = single, .goal_discrepancy = 0, .makes_tokens = true},
    {.name = "perfect-tree", .model = clockless, .goal_discrepancy = 1},
    {.name = "perfect-tree-batched", .model = clockless, .goal_discrepancy = 1},
    {.name = "minimum-exchange-tree", .model = clockless, .serves_speeds = true},
    {.name = "async-deal-agreement", .model = clockless},
    {.name = "self-stabilising", .model = clockless, .goal_one_balanced = true},
    {.name = "partially-asynchronous", .model = clockless, .goal_one_balanced = true},
    {.name = "async-one-token-diffusion", .model = clockless},
    {.name = "mesh-weak", .model = box, .goal_discrepancy = 1},
    {.name = "mesh-faster", .model = box, .goal_discrepancy = 1},
    {.name = "mesh-strong", .model = box, .goal_discrepancy = 3},
    {.name = "mesh-strong-no-bus", .model = box, .goal_discrepancy = 3},
}};

}  // namespace

std::span<const KnownAlgorithm> known_algorithms() {
    return table;
}

const KnownAlgorithm* find_known(std::string_view name) {
    const auto* const found = std::find_if(table.begin(), table.end(),
                                           [&](const auto& entry) { return entry.name == name; });
    return found == table.end() ? nullptr : &*found;
}

}  // namespace equipoise::verify
