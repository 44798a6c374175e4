#pragma once
// Counter-based randomness: a draw is a pure function of (seed, purpose, subject, step, index), so
// it depends neither on threads nor on ranks nor on the order in which draws are made.

#include <cstdint>

#include "equipoise/base/tokens.hpp"

namespace equipoise {

/// What a draw is for. Two purposes never share a stream.
enum class Purpose : std::uint32_t {
    network = 1,
    loads = 2,
    rule = 3,
    schedule = 4,
    delay = 5,
    fault = 6,
    environment = 7,
    layout = 8,
    sampling = 9,
    program = 10,
    resampling = 11,
};

/// The finaliser of splitmix64: a bijection of 64-bit words with full avalanche.
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) {
    x ^= x >> 30U;
    x *= 0xbf58476d1ce4e5b9ULL;
    x ^= x >> 27U;
    x *= 0x94d049bb133111ebULL;
    x ^= x >> 31U;
    return x;
}

/// One stream of random words, named by what it is for. Copyable, without hidden state besides a
/// counter: `at(i)` is the i-th word whatever was drawn before.
class RandomStream {
  public:
    using result_type = std::uint64_t;

    constexpr RandomStream(std::uint64_t seed, Purpose purpose, std::uint64_t subject = 0,
                           std::uint64_t step = 0)
        : key_(mix_bits(mix_bits(mix_bits(seed + 0x9e3779b97f4a7c15ULL) +
                                 static_cast<std::uint64_t>(purpose) * 0xd1342543de82ef95ULL) +
                        mix_bits(subject + 0x632be59bd9b4e019ULL) + step * 0x9e3779b97f4a7c15ULL)) {
    }

    /// The i-th word of the stream.
    [[nodiscard]] constexpr std::uint64_t at(std::uint64_t index) const {
        return mix_bits(key_ + (index + 1) * 0x9e3779b97f4a7c15ULL);
    }
    /// The next word.
    constexpr std::uint64_t operator()() { return at(counter_++); }

    /// A whole number in 0 .. bound - 1, without bias (bound > 0).
    constexpr std::uint64_t below(std::uint64_t bound) {
        const std::uint64_t threshold = (0 - bound) % bound;
        while (true) {
            const UInt128 wide = static_cast<UInt128>((*this)()) * bound;
            if (static_cast<std::uint64_t>(wide) >= threshold)
                return static_cast<std::uint64_t>(wide >> 64U);
        }
    }
    /// A real number in [0, 1) with 53 random bits.
    constexpr double unit() { return static_cast<double>((*this)() >> 11U) * 0x1.0p-53; }
    /// A fair coin.
    constexpr bool coin() { return ((*this)() >> 63U) != 0; }

    [[nodiscard]] static constexpr std::uint64_t min() { return 0; }
    [[nodiscard]] static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

  private:
    std::uint64_t key_;
    std::uint64_t counter_ = 0;
};

}  // namespace equipoise
