#pragma once
// Breadth-first search from 0 over all gaps of a tree at once, on bitsets.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace equipoise::analysis {

/// Gaps modulo n that are sums of few generators.
///
/// After i calls of `advance`, `reached(p)` tells whether p is the sum modulo n of at most i
/// generators: distance at most i from 0 in the circulant graph on Z_n. The generators stand for
/// themselves and their negatives, so every set is symmetric, and only gaps 0 .. floor(n/2) are
/// stored. Cost of a level: (generators up to n/2) * n/64 word operations at most; memory: n/4
/// bytes.
class GapSearch {
  public:
    /// Throws InputError when `modulus` is 0 or a generator is not in 1 .. modulus - 1.
    GapSearch(std::uint64_t modulus, const std::vector<std::uint64_t>& generators);

    /// Adds the gaps of the next level.
    void advance();
    /// How many times `advance` has been called.
    [[nodiscard]] std::uint32_t level() const { return level_; }
    /// Whether every gap has been reached.
    [[nodiscard]] bool complete() const { return unreached_ == 0; }
    /// Gaps in 0 .. floor(n/2) not yet reached.
    [[nodiscard]] std::uint64_t unreached() const { return unreached_; }
    /// The smallest gap not yet reached. Requires that some gap is not.
    [[nodiscard]] std::uint64_t first_unreached() const;
    [[nodiscard]] bool reached(std::uint64_t gap) const;
    /// The bits of gaps 0 .. floor(n/2), 64 per word; bits beyond are 0.
    [[nodiscard]] const std::vector<std::uint64_t>& words() const { return reached_; }

  private:
    /// Writes the whole symmetric set around 0, from -floor(n/2) to n, into `unfolded_`.
    void unfold();
    void unfold_word(std::uint64_t first_bit, std::uint64_t word);
    void clear_beyond_half();
    void count_unreached();

    std::uint64_t modulus_;
    std::uint64_t half_;                     ///< floor(n/2)
    std::vector<std::uint64_t> generators_;  ///< those up to n/2, ascending
    std::vector<std::uint64_t> reached_;     ///< bit p: gap p is reached
    std::vector<std::uint64_t> unfolded_;    ///< bit origin_ + x: gap x modulo n is reached
    std::uint64_t origin_ = 0;               ///< a multiple of 64
    std::uint64_t unreached_ = 0;
    std::uint32_t level_ = 0;
};

}  // namespace equipoise::analysis
