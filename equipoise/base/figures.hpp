#pragma once
// Numbers as people read them.

#include <cstdint>
#include <string>
#include <string_view>

namespace equipoise {

/// A whole number with thousands separated: 1,234,567.
[[nodiscard]] std::string grouped(std::int64_t number);
[[nodiscard]] std::string grouped(std::uint64_t number);
/// The same for a number given as text: its digits before the point or the exponent, if
/// there is one, are grouped.
[[nodiscard]] std::string grouped_decimal(std::string digits);
/// A real number to six digits, thousands separated: 4,003.47; from 100,000 on a whole one with all
/// its digits, and from 10^15 on with an exponent.
[[nodiscard]] std::string grouped_real(double number);
/// A count with its noun, whose plural ends in s: "1 node", "2,000 nodes".
[[nodiscard]] std::string counted(std::int64_t number, std::string_view thing);
[[nodiscard]] std::string counted(std::uint64_t number, std::string_view thing);

}  // namespace equipoise
