#include "equipoise/load/loads.hpp"

#include <algorithm>
#include <string>

#include "equipoise/base/error.hpp"

namespace equipoise::load {

Tokens total(std::span<const Tokens> loads) {
    Tokens sum = 0;
    for (const Tokens load : loads)
        sum = checked_add(sum, load);
    if (sum > tokens_max || sum < -tokens_max) throw OverflowError("total number of tokens");
    return sum;
}

Tokens discrepancy(std::span<const Tokens> loads) {
    if (loads.empty()) return 0;
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    return checked_add(*most, -*least);
}

Tokens discrepancy_of_components(std::span<const Tokens> loads,
                                 std::span<const NodeId> components) {
    // Extremes of each component so far, indexed by the node that names it.
    std::vector<Tokens> least(loads.begin(), loads.end());
    std::vector<Tokens> most(loads.begin(), loads.end());
    Tokens worst = 0;
    for (std::size_t node = 0; node < loads.size(); ++node) {
        const NodeId component = components[node];
        if (component == no_node) continue;
        least[component] = std::min(least[component], loads[node]);
        most[component] = std::max(most[component], loads[node]);
        worst = std::max(worst, checked_add(most[component], -least[component]));
    }
    return worst;
}

Int128 potential(std::span<const Tokens> loads) {
    Int128 squares = 0;
    Int128 sum = 0;
    for (const Tokens load : loads) {
        squares = checked_add(squares, checked_multiply(Int128{load}, Int128{load}));
        sum = checked_add(sum, Int128{load});
    }
    const Int128 scaled = checked_multiply(static_cast<Int128>(loads.size()), squares);
    return checked_add(scaled, -checked_multiply(sum, sum));
}

std::string to_decimal(Int128 value) {
    const bool negative = value < 0;
    UInt128 rest =
        negative ? UInt128{0} - static_cast<UInt128>(value) : static_cast<UInt128>(value);
    std::string digits;
    do {
        digits += static_cast<char>('0' + static_cast<int>(rest % 10));
        rest /= 10;
    } while (rest != 0);
    if (negative) digits += '-';
    std::reverse(digits.begin(), digits.end());
    return digits;
}

}  // namespace equipoise::load
