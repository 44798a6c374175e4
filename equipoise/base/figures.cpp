#include "equipoise/base/figures.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace equipoise {

namespace {

std::string with_thing(std::string text, bool one, std::string_view thing) {
    (text += ' ') += thing;
    if (!one) text += 's';
    return text;
}

}  // namespace

std::string grouped_decimal(std::string digits) {
    const std::size_t begin = digits.starts_with('-') ? 1 : 0;
    for (std::size_t at = std::min(digits.size(), digits.find_first_of(".e")); at > begin + 3;) {
        at -= 3;
        digits.insert(at, 1, ',');
    }
    return digits;
}

std::string grouped(std::int64_t number) {
    return grouped_decimal(std::to_string(number));
}
std::string grouped(std::uint64_t number) {
    return grouped_decimal(std::to_string(number));
}

std::string grouped_real(double number) {
    // From the smallest number that six digits would round to 100,000, up to 10^15.
    const bool large = std::abs(number) >= 99999.95 && std::abs(number) < 1e15;
    std::array<char, 400> text{};
    const int length = std::snprintf(text.data(), text.size(), large ? "%.0f" : "%.6g", number);
    const std::string digits(text.data(), static_cast<std::size_t>(length));
    return digits.find_first_of("einEIN") == std::string::npos ? grouped_decimal(digits) : digits;
}

std::string counted(std::int64_t number, std::string_view thing) {
    return with_thing(grouped(number), number == 1, thing);
}
std::string counted(std::uint64_t number, std::string_view thing) {
    return with_thing(grouped(number), number == 1, thing);
}

}  // namespace equipoise
