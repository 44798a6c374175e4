#include "equipoise/theory/tree_distribution.hpp"

#include <algorithm>
#include <bit>

namespace equipoise::theory {

namespace {

std::uint64_t saturated(UInt128 value) {
    return static_cast<std::uint64_t>(std::min<UInt128>(value, ~std::uint64_t{0}));
}

/// The bits of a number up to `most`, plus one.
std::uint64_t bits_up_to(std::uint64_t most) {
    return 1 + static_cast<std::uint64_t>(std::bit_width(most));
}

}  // namespace

std::uint64_t tree_totals_time(std::uint64_t diameter, std::uint64_t degree_max, bool single_port) {
    return saturated(static_cast<UInt128>(2) * diameter * (single_port ? degree_max : 1));
}

std::uint64_t tree_distribution_time(std::uint64_t diameter, Tokens tokens,
                                     std::uint64_t degree_max) {
    const UInt128 work = static_cast<UInt128>(tokens) + degree_max;
    return saturated(3 * work * diameter);
}

std::uint64_t tree_distribution_space_bits(std::uint64_t degree, Tokens tokens,
                                           std::uint64_t node_count) {
    const std::uint64_t pair =
        bits_up_to(static_cast<std::uint64_t>(tokens)) + bits_up_to(node_count);
    return (degree + 2) * pair + 6 * bits_up_to(degree) + 4;
}

std::uint64_t tree_distribution_excess(std::uint64_t height, Tokens tokens,
                                       std::uint64_t node_count) {
    return saturated(static_cast<UInt128>(2) * height *
                     (static_cast<std::uint64_t>(tokens) % node_count));
}

std::uint64_t tree_distribution_batched_messages(std::uint64_t node_count) {
    return node_count <= 1 ? 0 : 4 * node_count - 3;
}

std::uint64_t tree_distribution_batched_time(std::uint64_t diameter) {
    return 5 * diameter + 1;
}

std::uint64_t minimum_exchange_pairs(std::uint64_t height, std::uint64_t extras) {
    return std::min(extras, 2 * height + 1);
}

std::uint64_t minimum_exchange_messages(std::uint64_t node_count, std::uint64_t height,
                                        std::uint64_t extras) {
    if (node_count <= 1) return 0;
    const std::uint64_t a_link = 4 + 1 + 2 * minimum_exchange_pairs(height, extras);
    return saturated(static_cast<UInt128>(node_count - 1) * a_link + 1);
}

std::uint64_t minimum_exchange_time(std::uint64_t height, std::uint64_t extras, Tokens tokens,
                                    bool bundles) {
    const UInt128 waits =
        6 + 2 * (static_cast<UInt128>(minimum_exchange_pairs(height, extras)) + 1) + 2;
    return saturated(waits * height + (bundles ? 0 : static_cast<UInt128>(tokens)) + 2);
}

}  // namespace equipoise::theory
