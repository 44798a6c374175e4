#pragma once
// Numbers of four nodes side by side, so that a rule written once computes for one node or for four
// at once.
//
// Arithmetic on lanes is lane by lane. A comparison of numbers gives a bool; a comparison of lanes
// gives a mask: -1 (all bits set) in lanes where it holds, and 0 in the others. `only_if`,
// `select`, `any` and `divide` take either, so that a rule without branches serves both.

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace equipoise::model {

class Lanes {
  public:
    using Number = std::int32_t;
    static constexpr std::size_t count = 4;
    using Numbers = std::array<Number, count>;

    Lanes() = default;
    /// The same number in every lane.
    Lanes(Number everywhere) : lanes_{everywhere, everywhere, everywhere, everywhere} {}
    explicit Lanes(const Numbers& numbers) : lanes_(std::bit_cast<Vector>(numbers)) {}

    [[nodiscard]] Numbers numbers() const { return std::bit_cast<Numbers>(lanes_); }

    /// Quotients rounded towards zero. Computed in doubles they are exact: a quotient of 32-bit
    /// numbers that is not whole is farther from the nearest whole number than the rounding error
    /// of a double.
    [[nodiscard]] Lanes divided_by(Lanes divisors) const {
        typedef double Reals __attribute__((vector_size(count * sizeof(double))));
        return Lanes(__builtin_convertvector(__builtin_convertvector(lanes_, Reals) /
                                                 __builtin_convertvector(divisors.lanes_, Reals),
                                             Vector));
    }

    friend Lanes operator+(Lanes a, Lanes b) { return Lanes(a.lanes_ + b.lanes_); }
    friend Lanes operator-(Lanes a, Lanes b) { return Lanes(a.lanes_ - b.lanes_); }
    friend Lanes operator*(Lanes a, Lanes b) { return Lanes(a.lanes_ * b.lanes_); }
    friend Lanes operator&(Lanes a, Lanes b) { return Lanes(a.lanes_ & b.lanes_); }
    friend Lanes operator|(Lanes a, Lanes b) { return Lanes(a.lanes_ | b.lanes_); }
    friend Lanes operator~(Lanes a) { return Lanes(~a.lanes_); }
    friend Lanes operator<<(Lanes a, int bits) { return Lanes(a.lanes_ << bits); }
    friend Lanes operator>>(Lanes a, int bits) { return Lanes(a.lanes_ >> bits); }
    friend Lanes operator==(Lanes a, Lanes b) { return Lanes(a.lanes_ == b.lanes_); }
    friend Lanes operator<(Lanes a, Lanes b) { return Lanes(a.lanes_ < b.lanes_); }
    friend Lanes operator>(Lanes a, Lanes b) { return Lanes(a.lanes_ > b.lanes_); }
    friend Lanes operator>=(Lanes a, Lanes b) { return Lanes(a.lanes_ >= b.lanes_); }
    Lanes& operator+=(Lanes other) { return *this = *this + other; }
    Lanes& operator-=(Lanes other) { return *this = *this - other; }
    Lanes& operator|=(Lanes other) { return *this = *this | other; }

  private:
    typedef Number Vector __attribute__((vector_size(count * sizeof(Number))));
    explicit Lanes(Vector lanes) : lanes_(lanes) {}

    Vector lanes_ = {};
};

/// What a rule computes with: a number of one node, or numbers of four.
template <class C>
concept Count = std::signed_integral<C> || std::same_as<C, Lanes>;

/// How many nodes a count is for.
template <Count C>
inline constexpr std::size_t nodes_of = std::same_as<C, Lanes> ? Lanes::count : 1;

/// The number of one of the nodes.
template <std::signed_integral Number>
[[nodiscard]] constexpr Number number_in(Number count, std::size_t /*lane*/) {
    return count;
}
[[nodiscard]] inline Lanes::Number number_in(Lanes lanes, std::size_t lane) {
    return lanes.numbers()[lane];
}

/// The same count with another number for one of the nodes.
template <std::signed_integral Number>
[[nodiscard]] constexpr Number with_number(Number /*count*/, std::size_t /*lane*/, Number number) {
    return number;
}
[[nodiscard]] inline Lanes with_number(Lanes lanes, std::size_t lane, Lanes::Number number) {
    Lanes::Numbers numbers = lanes.numbers();
    numbers[lane] = number;
    return Lanes(numbers);
}

/// The value if the condition holds, otherwise 0. Never a branch.
template <std::signed_integral Number>
[[nodiscard]] constexpr Number only_if(bool condition, Number value) {
    return value & -static_cast<Number>(condition);
}
[[nodiscard]] inline Lanes only_if(Lanes mask, Lanes value) {
    return mask & value;
}

/// The first value if the condition holds, otherwise the second.
template <std::signed_integral Number>
[[nodiscard]] constexpr Number select(bool condition, Number value, Number otherwise) {
    return condition ? value : otherwise;
}
[[nodiscard]] inline Lanes select(Lanes mask, Lanes value, Lanes otherwise) {
    return (mask & value) | (~mask & otherwise);
}

/// Whether a condition holds in any lane.
[[nodiscard]] constexpr bool any(bool condition) {
    return condition;
}
[[nodiscard]] inline bool any(Lanes mask) {
    struct Halves {
        std::uint64_t low;
        std::uint64_t high;
    };
    const auto halves = std::bit_cast<Halves>(mask.numbers());
    return (halves.low | halves.high) != 0;
}

/// The quotient of non-negative numbers by positive ones, rounded down.
template <std::signed_integral Number>
[[nodiscard]] constexpr Number divide(Number dividend, Number divisor) {
    return dividend / divisor;
}
[[nodiscard]] inline Lanes divide(Lanes dividend, Lanes divisor) {
    return dividend.divided_by(divisor);
}

}  // namespace equipoise::model
