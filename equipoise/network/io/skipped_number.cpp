#include "equipoise/network/io/skipped_number.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "equipoise/base/lower_case.hpp"

namespace equipoise::network {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

void skip_sign(std::string_view& rest) {
    if (rest.starts_with('+') || rest.starts_with('-')) rest.remove_prefix(1);
}

/// Takes digits off the front; returns whether there were any.
bool skip_digits(std::string_view& rest) {
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_digit);
    const auto count = static_cast<std::size_t>(end - rest.begin());
    rest.remove_prefix(count);
    return count > 0;
}

/// Words that programs print in place of a number that is not finite.
bool is_no_finite_number(std::string_view word) {
    const std::string lower = lower_case(word);
    constexpr std::array<std::string_view, 8> words = {
        "nan", "inf", "infinity", "nan(ind)", "nan(snan)", "1.#inf", "1.#ind", "1.#qnan"};
    return std::find(words.begin(), words.end(), lower) != words.end();
}

}  // namespace

bool is_printed_number(std::string_view word) {
    skip_sign(word);
    if (is_no_finite_number(word)) return true;
    bool digits = skip_digits(word);
    if (word.starts_with('.')) {
        word.remove_prefix(1);
        digits = skip_digits(word) || digits;
    }
    if (!digits) return false;
    if (word.empty()) return true;
    // Fortran has exponents of its own, and leaves their letter out where three digits follow.
    constexpr std::string_view letters = "eEdDqQ";
    const bool letter = letters.find(word.front()) != std::string_view::npos;
    if (letter) word.remove_prefix(1);
    if (!letter && !word.starts_with('+') && !word.starts_with('-')) return false;
    skip_sign(word);
    return skip_digits(word) && word.empty();
}

}  // namespace equipoise::network
