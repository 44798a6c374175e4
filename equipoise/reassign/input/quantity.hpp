#pragma once
// Amounts in text, with or without a unit of bytes.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// The most digits after the point.
inline constexpr int decimals_max = 9;

/// `number` times 10^-decimals, exactly.
struct Quantity {
    Int128 number = 0;
    int decimals = 0;  ///< 0 where the last digit would be 0
    bool has_unit = false;

    [[nodiscard]] double real() const;
};

/// An amount of 0 or more ("300", "0.25", "1e+05"), also with a unit of bytes behind it ("1.5 GB",
/// "2TiB"), which counts whole bytes: fractions are rounded to the nearest. Units are B, kB or KB,
/// MB, GB, TB, PB, EB (powers of 1,000) and KiB, MiB, GiB, TiB, PiB, EiB (of 1,024). Nothing if the
/// text is not such a number, has more than `decimals_max` digits after the point or does not fit
/// into 2^100.
[[nodiscard]] std::optional<Quantity> quantity(std::string_view text);

/// What `quantity` expects, and which unit is near if that of the text is not known: "an amount, 0
/// or more, such as 300, 0.25, 1.5 GB or 2 TiB". Ends messages that say what was expected.
[[nodiscard]] std::string quantity_expected(std::string_view text);

/// An amount without a unit as a whole number of 10^-decimals; nothing if the text is no such
/// number, has more digits or is above `most`.
[[nodiscard]] std::optional<std::uint64_t> scaled_number(std::string_view text, int decimals,
                                                         std::uint64_t most);

/// Gives a resource this many decimals or more: all amounts, capacities, thresholds, rates and
/// limits of the problem are then in smaller units. False if they do not fit.
[[nodiscard]] bool raise_decimals(Problem& problem, std::size_t resource, int decimals);

/// The quantity in units of the resource, which gets more decimals if it needs them, and counts
/// bytes from now on if the quantity does. Nothing if that does not fit.
[[nodiscard]] std::optional<Int128> in_units(Problem& problem, std::size_t resource,
                                             const Quantity& quantity);

}  // namespace equipoise::reassign
