#pragma once
// Views of values that stay with the caller.

#include <concepts>
#include <cstddef>
#include <ranges>
#include <span>
#include <type_traits>
#include <utility>

namespace equipoise {

/// A range that holds its own values and is passed as a temporary: a view of it would outlive them.
template <class Range>
concept TemporaryWithValues = !std::is_lvalue_reference_v<Range> && std::ranges::range<Range> &&
                              !std::ranges::borrowed_range<Range>;

/// A span of constant values that the caller keeps for as long as the view is used. Unlike a
/// std::span it refuses temporaries when it is compiled:
///
///     options.weights = measured_costs();              // does not compile: the costs are gone
///     const std::vector<double> costs = measured_costs();
///     options.weights = costs;
template <class T>
class View : public std::span<const T> {
  public:
    constexpr View() = default;
    constexpr View(const T* first, std::size_t count) : std::span<const T>(first, count) {}
    template <class Range>
        requires(!std::same_as<std::remove_cvref_t<Range>, View> &&
                 std::convertible_to<Range, std::span<const T>> && !TemporaryWithValues<Range>)
    // Conversion is implicit, as that of spans is.
    // NOLINTNEXTLINE(bugprone-forwarding-reference-overload,google-explicit-constructor)
    constexpr View(Range&& values) : std::span<const T>(std::forward<Range>(values)) {}
    template <class Range>
        requires(std::convertible_to<Range, std::span<const T>> && TemporaryWithValues<Range>)
    // NOLINTNEXTLINE(bugprone-forwarding-reference-overload,google-explicit-constructor)
    View(Range&& values) = delete;
};

}  // namespace equipoise

/// @cond
template <class T>
inline constexpr bool std::ranges::enable_borrowed_range<equipoise::View<T>> = true;
/// @endcond
