#include "equipoise/network/sort_links.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace equipoise::network {

namespace {

constexpr unsigned digit_bits = 11;
constexpr std::size_t digit_values = std::size_t{1} << digit_bits;

/// Moves links from `from` to `to` in the order of a digit of one end; equal ones keep theirs.
template <NodeId Ends::*end>
void sort_by_digit(const std::vector<Ends>& from, std::vector<Ends>& to, unsigned shift) {
    const auto digit = [shift](const Ends& link) {
        return (link.*end >> shift) & (digit_values - 1);
    };
    std::array<std::uint64_t, digit_values> place{};
    for (const Ends& link : from)
        ++place[digit(link)];
    std::uint64_t sum = 0;
    for (std::uint64_t& count : place)
        count = std::exchange(sum, sum + count);
    for (const Ends& link : from)
        to[place[digit(link)]++] = link;
}

}  // namespace

void sort_links(std::vector<Ends>& links, NodeId node_count) {
    constexpr std::size_t long_list = std::size_t{1} << 14U;
    if (std::is_sorted(links.begin(), links.end())) return;
    if (links.size() < long_list) {
        std::sort(links.begin(), links.end());
        return;
    }
    const auto bits = static_cast<unsigned>(std::bit_width(node_count));
    std::vector<Ends> other(links.size());
    for (unsigned shift = 0; shift < bits; shift += digit_bits) {
        sort_by_digit<&Ends::head>(links, other, shift);
        links.swap(other);
    }
    for (unsigned shift = 0; shift < bits; shift += digit_bits) {
        sort_by_digit<&Ends::tail>(links, other, shift);
        links.swap(other);
    }
}

}  // namespace equipoise::network
