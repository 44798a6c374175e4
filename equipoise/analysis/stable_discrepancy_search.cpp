#include "equipoise/analysis/stable_discrepancy_search.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::analysis {
namespace {

constexpr std::uint64_t word_bits = 64;
constexpr std::uint64_t all_ones = ~std::uint64_t{0};
/// How many words are processed together, in registers and the first-level cache.
constexpr std::size_t block_words = 64;
using Block = std::array<std::uint64_t, block_words>;

std::uint64_t reversed(std::uint64_t word) {
    word = ((word >> 1U) & 0x5555555555555555ULL) | ((word & 0x5555555555555555ULL) << 1U);
    word = ((word >> 2U) & 0x3333333333333333ULL) | ((word & 0x3333333333333333ULL) << 2U);
    word = ((word >> 4U) & 0x0f0f0f0f0f0f0f0fULL) | ((word & 0x0f0f0f0f0f0f0f0fULL) << 4U);
    return __builtin_bswap64(word);
}

/// block |= the bits of `words` from `first_bit` on.
void add_shifted(Block& block, const std::uint64_t* words, std::uint64_t first_bit) {
    const std::uint64_t* from = words + first_bit / word_bits;
    const auto shift = static_cast<unsigned>(first_bit % word_bits);
    if (shift == 0) {
        for (std::size_t i = 0; i < block_words; ++i)
            block[i] |= from[i];
        return;
    }
    const unsigned rest = static_cast<unsigned>(word_bits) - shift;
    for (std::size_t i = 0; i < block_words; ++i)
        block[i] |= (from[i] >> shift) | (from[i + 1] << rest);
}

bool is_full(const Block& block) {
    std::uint64_t common = all_ones;
    for (const std::uint64_t word : block)
        common &= word;
    return common == all_ones;
}

}  // namespace

GapSearch::GapSearch(std::uint64_t modulus, const std::vector<std::uint64_t>& generators)
    : modulus_(modulus), half_(modulus / 2) {
    if (modulus == 0) throw InputError("gaps: expected a tree of at least one node, found none");
    for (const std::uint64_t generator : generators) {
        if (generator == 0 || generator >= modulus)
            throw InputError("gaps: expected stable gaps in 1 .. " + std::to_string(modulus - 1) +
                             ", found " + std::to_string(generator));
        generators_.push_back(std::min(generator, modulus - generator));
    }
    std::sort(generators_.begin(), generators_.end());
    generators_.erase(std::unique(generators_.begin(), generators_.end()), generators_.end());

    const std::uint64_t blocks = half_ / (word_bits * block_words) + 1;
    reached_.assign(blocks * block_words, 0);
    origin_ = reached_.size() * word_bits;
    // From -origin to the end of the last block read with the largest shift, and one word more.
    unfolded_.assign(2 * reached_.size() + half_ / word_bits + 3, 0);
    reached_[0] = 1;
    count_unreached();
}

void GapSearch::advance() {
    ++level_;
    if (level_ == 1) {
        for (const std::uint64_t generator : generators_)
            reached_[generator / word_bits] |= std::uint64_t{1} << (generator % word_bits);
        count_unreached();
        return;
    }
    unfold();
    for (std::size_t first = 0; first < reached_.size(); first += block_words) {
        Block block;
        std::copy_n(reached_.begin() + static_cast<std::ptrdiff_t>(first), block_words,
                    block.begin());
        const std::uint64_t here = origin_ + first * word_bits;
        for (const std::uint64_t generator : generators_) {
            if (is_full(block)) break;
            add_shifted(block, unfolded_.data(), here - generator);
            add_shifted(block, unfolded_.data(), here + generator);
        }
        std::copy_n(block.begin(), block_words,
                    reached_.begin() + static_cast<std::ptrdiff_t>(first));
    }
    clear_beyond_half();
    count_unreached();
}

void GapSearch::unfold_word(std::uint64_t first_bit, std::uint64_t word) {
    const std::uint64_t index = first_bit / word_bits;
    const auto shift = static_cast<unsigned>(first_bit % word_bits);
    unfolded_[index] |= word << shift;
    if (shift != 0) unfolded_[index + 1] |= word >> (static_cast<unsigned>(word_bits) - shift);
}

void GapSearch::unfold() {
    std::fill(unfolded_.begin(), unfolded_.end(), 0);
    std::copy(reached_.begin(), reached_.end(),
              unfolded_.begin() + static_cast<std::ptrdiff_t>(origin_ / word_bits));
    for (std::uint64_t word = 0; word <= half_ / word_bits; ++word) {
        // Gaps first .. first + 63, mirrored at 0 and at n.
        const std::uint64_t mirrored = reversed(reached_[word]);
        if (mirrored == 0) continue;
        const std::uint64_t last = word * word_bits + word_bits - 1;
        unfold_word(origin_ - last, mirrored);
        unfold_word(origin_ + modulus_ - last, mirrored);
    }
}

void GapSearch::clear_beyond_half() {
    const std::uint64_t bits = half_ + 1;
    std::uint64_t word = bits / word_bits;
    if (bits % word_bits != 0) reached_[word++] &= (std::uint64_t{1} << (bits % word_bits)) - 1;
    std::fill(reached_.begin() + static_cast<std::ptrdiff_t>(word), reached_.end(), 0);
}

void GapSearch::count_unreached() {
    std::uint64_t count = 0;
    for (const std::uint64_t word : reached_)
        count += static_cast<std::uint64_t>(std::popcount(word));
    unreached_ = half_ + 1 - count;
}

std::uint64_t GapSearch::first_unreached() const {
    EQUIPOISE_ASSERT(!complete());
    std::uint64_t word = 0;
    while (reached_[word] == all_ones)
        ++word;
    return word * word_bits + static_cast<std::uint64_t>(std::countr_one(reached_[word]));
}

bool GapSearch::reached(std::uint64_t gap) const {
    EQUIPOISE_ASSERT(gap < modulus_);
    const std::uint64_t folded = std::min(gap, modulus_ - gap);
    return (reached_[folded / word_bits] >> (folded % word_bits) & 1U) != 0;
}

}  // namespace equipoise::analysis
