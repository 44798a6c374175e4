#include "equipoise/analysis/big_gap.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <limits>
#include <map>
#include <vector>

#include <gmpxx.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::analysis {

namespace {

using Integer = mpz_class;

/// T_0|, ..., |T_h|, whose size is checked before they are computed: |T_j| has at most 1 + j times
/// as many bits as k + 1.
std::vector<Integer> subtree_sizes(std::uint64_t arity, std::uint64_t height) {
    constexpr UInt128 bits_max = UInt128{1} << 31U;
    const UInt128 bits = UInt128{height} * static_cast<unsigned>(std::bit_width(arity) + 1) + 1;
    if (bits * (UInt128{height} + 1) / 2 > bits_max)
        throw InputError("k = " + std::to_string(arity) + ", h = " + std::to_string(height) +
                         ": expected a tree whose subtrees' sizes take at most 2^31 bits "
                         "together, found a larger one");
    std::vector<Integer> sizes{1};
    const Integer k(static_cast<unsigned long>(arity));
    while (sizes.size() <= height)
        sizes.emplace_back(k * sizes.back() + 1);
    return sizes;
}

/// Whole numbers y from floor(x / size) - 2 to floor(x / size) + 3 leave all remainders that are
/// within 2 |T_j|; no others can matter.
constexpr long quotients_below = 2;
constexpr long quotients_above = 3;

}  // namespace

std::string nodes_of_complete_tree(std::uint64_t arity, std::uint64_t height) {
    return subtree_sizes(arity, height).back().get_str();
}

std::string to_decimal(std::uint64_t arity, std::uint64_t height, const CompleteTreeGap& gap) {
    if (gap.digits.size() > height)
        throw InputError("gap of a complete tree: expected at most " + std::to_string(height) +
                         " digits, found " + std::to_string(gap.digits.size()));
    const std::vector<Integer> sizes = subtree_sizes(arity, height);
    Integer value(static_cast<long>(gap.rest));
    for (std::size_t i = 0; i < gap.digits.size(); ++i)
        value += sizes[height - 1 - i] * static_cast<unsigned long>(gap.digits[i]);
    Integer reduced;
    mpz_mod(reduced.get_mpz_t(), value.get_mpz_t(), sizes[height].get_mpz_t());
    return reduced.get_str();
}

std::uint64_t stability_of_decimal_gap(std::uint64_t arity, std::uint64_t height,
                                       const std::string& gap) {
    if (arity < 2 || height < 1)
        throw InputError("stability of a gap: expected k >= 2 and h >= 1, found k = " +
                         std::to_string(arity) + ", h = " + std::to_string(height));
    const std::vector<Integer> sizes = subtree_sizes(arity, height);
    const bool whole = !gap.empty() && std::all_of(gap.begin(), gap.end(), [](unsigned char c) {
        return std::isdigit(c) != 0;
    });
    const std::size_t digits_max = mpz_sizeinbase(sizes[height].get_mpz_t(), 10);
    if (!whole || gap.size() > digits_max || Integer(gap) >= sizes[height]) {
        throw InputError("stability of a gap: expected a whole number below " +
                         beginning_of(sizes[height].get_str()) + ", found \"" + beginning_of(gap) +
                         '"');
    }

    // For each remainder that is still to be expressed, the least number of subtrees taken so far.
    std::map<Integer, std::uint64_t> left;
    constexpr long turns = 2;
    for (long turn = -turns; turn <= turns; ++turn)
        left.emplace(Integer(gap) + turn * sizes[height], 0);
    for (std::size_t level = height; level-- > 0;) {
        const Integer& size = sizes[level];
        const Integer reach = 2 * size;
        std::map<Integer, std::uint64_t> next;
        for (const auto& [amount, paid] : left) {
            Integer floor;
            mpz_fdiv_q(floor.get_mpz_t(), amount.get_mpz_t(), size.get_mpz_t());
            for (long step = -quotients_below; step <= quotients_above; ++step) {
                const Integer taken = floor + step;
                const Integer rest = amount - taken * size;
                if (abs(taken) > static_cast<unsigned long>(arity) || abs(rest) > reach) continue;
                const std::uint64_t cost = paid + Integer(abs(taken)).get_ui();
                const auto [place, is_new] = next.emplace(rest, cost);
                if (!is_new) place->second = std::min(place->second, cost);
            }
        }
        left = std::move(next);
    }
    const auto done = left.find(Integer(0));
    return done == left.end() ? std::numeric_limits<std::uint64_t>::max() : done->second;
}

}  // namespace equipoise::analysis
