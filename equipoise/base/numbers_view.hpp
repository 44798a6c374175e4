#pragma once
// Views of numbers of any type, which are read as doubles.

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <ranges>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/view.hpp"

namespace equipoise {

/// The types of numbers: floating-point and whole numbers of any size, with or without sign; no
/// bool, and no characters (std::int8_t and std::uint8_t are numbers).
template <class T>
concept Number = std::floating_point<T> ||
                 (std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t>);

namespace detail {

/// A value of one number, or of several.
template <class T>
struct NumbersIn {
    using Type = T;
    static constexpr std::size_t count = 1;
};
template <class T, std::size_t numbers>
struct NumbersIn<std::array<T, numbers>> {
    using Type = T;
    static constexpr std::size_t count = numbers;
};

}  // namespace detail

/// A number, or a std::array of at least one.
template <class T>
concept NumberOrNumbers =
    Number<typename detail::NumbersIn<T>::Type> && (detail::NumbersIn<T>::count > 0);

/// Ranges of numbers, or of arrays of numbers, that lie one behind the other.
template <class Range>
concept RangeOfNumbers = std::ranges::contiguous_range<Range> && std::ranges::sized_range<Range> &&
                         NumberOrNumbers<std::ranges::range_value_t<Range>>;

/// "float", "double", "int32", "uint8", ...: the type of a number.
template <Number T>
[[nodiscard]] std::string number_name() {
    if constexpr (std::same_as<T, float>)
        return "float";
    else if constexpr (std::same_as<T, double>)
        return "double";
    else if constexpr (std::floating_point<T>)
        return "long double";
    else
        return (std::is_signed_v<T> ? "int" : "uint") + std::to_string(8 * sizeof(T));
}

/// A number as a double that equals it; only those of type long double are rounded. Throws
/// InputError, with `what` numbers are ("weights"), if no double equals it.
template <Number T>
[[nodiscard]] double as_double(T number, const char* what) {
    if constexpr (std::integral<T> &&
                  std::numeric_limits<T>::digits > std::numeric_limits<double>::digits) {
        using Unsigned = std::make_unsigned_t<T>;
        const auto bits = static_cast<Unsigned>(number);
        const auto size =
            std::cmp_less(number, 0) ? static_cast<Unsigned>(Unsigned{0} - bits) : bits;
        if (static_cast<int>(std::bit_width(size)) - std::countr_zero(size) >
            std::numeric_limits<double>::digits)
            throw InputError(std::string("expected ") + what +
                             " that a double can equal (all whole numbers up to 2^53, and larger "
                             "ones of at most 53 digits in binary), found " +
                             std::to_string(number));
    }
    return static_cast<double>(number);
}

/// Whole numbers of any type as such of 64 bits. Throws InputError, with `what` numbers are
/// ("ranks"), if one needs more.
template <std::ranges::contiguous_range Range>
    requires std::integral<std::ranges::range_value_t<Range>>
[[nodiscard]] std::vector<std::int64_t> as_int64(const Range& numbers, const char* what) {
    if constexpr (std::numeric_limits<std::ranges::range_value_t<Range>>::digits > 63) {
        for (const auto number : numbers)
            if (!std::in_range<std::int64_t>(number))
                throw InputError(std::string("expected ") + what + " below 2^63, found " +
                                 std::to_string(number));
    }
    return {std::ranges::begin(numbers), std::ranges::end(numbers)};
}

/// A view of numbers of any type that the caller keeps for as long as it is used. As a View it
/// refuses temporaries when it is compiled:
///
///     options.weights = measured_costs();              // does not compile: the costs are gone
///     const std::vector<float> costs = measured_costs();
///     options.weights = costs;
class NumbersView {
  public:
    constexpr NumbersView() = default;
    template <Number T>
    constexpr NumbersView(const T* first, std::size_t count)
        : first_(first), count_(count), read_(reader<T>()) {}
    template <class Range>
        requires(!std::same_as<std::remove_cvref_t<Range>, NumbersView> && RangeOfNumbers<Range> &&
                 !TemporaryWithValues<Range>)
    // Conversion is implicit, as that of spans is.
    // NOLINTNEXTLINE(bugprone-forwarding-reference-overload,google-explicit-constructor)
    constexpr NumbersView(Range&& numbers)
        : first_(std::ranges::data(numbers)),
          count_(std::ranges::size(numbers) * InEach<Range>::count),
          in_each_(InEach<Range>::count),
          read_(reader<typename InEach<Range>::Type>()) {
        static_assert(sizeof(std::ranges::range_value_t<Range>) ==
                      InEach<Range>::count * sizeof(typename InEach<Range>::Type));
    }
    template <class Range>
        requires(!std::same_as<std::remove_cvref_t<Range>, NumbersView> && RangeOfNumbers<Range> &&
                 TemporaryWithValues<Range>)
    // NOLINTNEXTLINE(bugprone-forwarding-reference-overload,google-explicit-constructor)
    NumbersView(Range&& numbers) = delete;

    /// How many numbers there are.
    [[nodiscard]] constexpr std::size_t size() const { return count_; }
    [[nodiscard]] constexpr bool empty() const { return count_ == 0; }
    /// How many numbers each value of the range has: 1, or the length of its arrays.
    [[nodiscard]] constexpr std::size_t in_each() const { return in_each_; }

    /// The numbers, which must be doubles.
    [[nodiscard]] View<double> doubles() const {
        EQUIPOISE_ASSERT(read_ == nullptr);
        return {static_cast<const double*>(first_), count_};
    }
    /// The numbers as doubles: themselves if they are, or else copies in `room`. Throws as
    /// `as_double` does.
    [[nodiscard]] View<double> read(std::vector<double>& room, const char* what) const {
        if (read_ == nullptr) return doubles();
        room.resize(count_);
        read_(first_, room, what);
        return room;
    }

  private:
    template <class Range>
    using InEach = detail::NumbersIn<std::ranges::range_value_t<Range>>;
    using Read = void (*)(const void* first, std::vector<double>& to, const char* what);

    template <class T>
    static void read_all(const void* first, std::vector<double>& to, const char* what) {
        const T* number = static_cast<const T*>(first);
        for (double& value : to)
            value = as_double(*number++, what);
    }
    /// Null for doubles.
    template <class T>
    static constexpr Read reader() {
        if constexpr (std::same_as<T, double>)
            return nullptr;
        else
            return &read_all<T>;
    }

    const void* first_ = nullptr;
    std::size_t count_ = 0;
    std::size_t in_each_ = 1;
    Read read_ = nullptr;
};

}  // namespace equipoise
