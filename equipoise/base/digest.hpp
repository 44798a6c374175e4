#pragma once
// A 64-bit digest of a sequence of words, for telling whether two runs or two networks are the
// same. Not for security.

#include <cstdint>
#include <string>

#include "equipoise/base/random.hpp"

namespace equipoise {

class Digest {
  public:
    constexpr void add(std::uint64_t word) {
        state_ = mix_bits(state_ ^ (word + 0x9e3779b97f4a7c15ULL)) * 0xff51afd7ed558ccdULL + 1;
    }
    [[nodiscard]] constexpr std::uint64_t value() const { return mix_bits(state_); }
    /// Sixteen hexadecimal digits.
    [[nodiscard]] std::string text() const;

  private:
    std::uint64_t state_ = 0x243f6a8885a308d3ULL;
};

}  // namespace equipoise
