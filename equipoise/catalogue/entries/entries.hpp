#pragma once
// One function an entry of the catalogue; each has a file of its own.

#include "equipoise/catalogue/algorithm.hpp"

namespace equipoise::catalogue::entries {

[[nodiscard]] Algorithm threshold_2();
[[nodiscard]] Algorithm threshold_1();
[[nodiscard]] Algorithm threshold_1_plus();
[[nodiscard]] Algorithm discrepancy_1();
[[nodiscard]] Algorithm deal_agreement_1();
[[nodiscard]] Algorithm deal_agreement_2();
[[nodiscard]] Algorithm deal_agreement_3();
[[nodiscard]] Algorithm diffusion();
[[nodiscard]] Algorithm diffusion_2();
[[nodiscard]] Algorithm balancing_circuit();
[[nodiscard]] Algorithm dimension_exchange();
[[nodiscard]] Algorithm flow_imitation();
[[nodiscard]] Algorithm quasirandom_diffusion();
[[nodiscard]] Algorithm randomised_diffusion();
[[nodiscard]] Algorithm one_token_diffusion();
[[nodiscard]] Algorithm coin_matching();
[[nodiscard]] Algorithm one_token_matching();
[[nodiscard]] Algorithm steepest_matching();
[[nodiscard]] Algorithm random_walks();
[[nodiscard]] Algorithm rooted_target();
[[nodiscard]] Algorithm perfect_tree();
[[nodiscard]] Algorithm perfect_tree_batched();
[[nodiscard]] Algorithm minimum_exchange_tree();
[[nodiscard]] Algorithm async_deal_agreement();
[[nodiscard]] Algorithm self_stabilising();
[[nodiscard]] Algorithm partially_asynchronous();
[[nodiscard]] Algorithm async_one_token_diffusion();
[[nodiscard]] Algorithm mesh_weak();
[[nodiscard]] Algorithm mesh_faster();
[[nodiscard]] Algorithm mesh_strong();
[[nodiscard]] Algorithm mesh_strong_no_bus();

}  // namespace equipoise::catalogue::entries
