#include "equipoise/reassign/input/quantity.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::reassign {

namespace {

constexpr Int128 number_max = Int128{1} << 100U;

struct Unit {
    const char* word;
    Int128 bytes;
};

constexpr Int128 thousand = 1000;
constexpr std::array<Unit, 14> units = {{
    {"B", 1},
    {"kB", thousand},
    {"KB", thousand},
    {"MB", thousand* thousand},
    {"GB", thousand* thousand* thousand},
    {"TB", thousand* thousand* thousand* thousand},
    {"PB", thousand* thousand* thousand* thousand* thousand},
    {"EB", thousand* thousand* thousand* thousand* thousand* thousand},
    {"KiB", Int128{1} << 10U},
    {"MiB", Int128{1} << 20U},
    {"GiB", Int128{1} << 30U},
    {"TiB", Int128{1} << 40U},
    {"PiB", Int128{1} << 50U},
    {"EiB", Int128{1} << 60U},
}};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::string_view without_blanks(std::string_view text) {
    constexpr const char* blanks = " \t";
    const std::size_t first = text.find_first_not_of(blanks);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(blanks) + 1 - first);
}

/// Takes digits off the front of `rest` and appends them to `digits`.
std::size_t take_digits(std::string_view& rest, std::string& digits) {
    const auto end = std::find_if_not(rest.begin(), rest.end(), is_digit);
    const auto count = static_cast<std::size_t>(end - rest.begin());
    digits += rest.substr(0, count);
    rest.remove_prefix(count);
    return count;
}

/// Takes an exponent off the front of `rest`, if there is one; nothing if it is out of range.
std::optional<int> take_exponent(std::string_view& rest) {
    if (rest.empty() || (rest[0] != 'e' && rest[0] != 'E')) return 0;
    std::size_t at = 1;
    const bool negative = at < rest.size() && rest[at] == '-';
    if (at < rest.size() && (rest[at] == '-' || rest[at] == '+')) ++at;
    if (at == rest.size() || !is_digit(rest[at])) return 0;  // "EB", "EiB"
    int exponent = 0;
    for (; at < rest.size() && is_digit(rest[at]); ++at)
        if (exponent < 1000) exponent = exponent * 10 + (rest[at] - '0');
    if (exponent > 60) return std::nullopt;
    rest.remove_prefix(at);
    return negative ? -exponent : exponent;
}

/// The number at the front of `rest`, which is taken off.
std::optional<Quantity> take_number(std::string_view& rest) {
    std::string digits;
    std::size_t count = take_digits(rest, digits);
    int decimals = 0;
    if (rest.starts_with('.')) {
        rest.remove_prefix(1);
        const std::size_t after = take_digits(rest, digits);
        count += after;
        if (after > 1000) return std::nullopt;
        decimals = static_cast<int>(after);
    }
    if (count == 0) return std::nullopt;
    const std::optional<int> exponent = take_exponent(rest);
    if (!exponent) return std::nullopt;
    decimals -= *exponent;
    while (digits.size() > 1 && digits.back() == '0' && decimals > 0) {
        digits.pop_back();
        --decimals;
    }
    Quantity read;
    for (const char digit : digits) {
        read.number = read.number * 10 + (digit - '0');
        if (read.number > number_max) return std::nullopt;
    }
    if (read.number == 0) return read;
    for (; decimals < 0; ++decimals) {
        read.number *= 10;
        if (read.number > number_max) return std::nullopt;
    }
    if (decimals > decimals_max) return std::nullopt;
    read.decimals = decimals;
    return read;
}

std::string_view unit_behind_number(std::string_view text) {
    std::string_view rest = without_blanks(text);
    if (!take_number(rest)) return {};
    return without_blanks(rest);
}

/// Multiplies what `amounts` has of a resource. Limits beyond `tokens_max` become that, which means
/// no limit; other amounts do not fit if their total is above it.
bool multiply(std::vector<Tokens>& amounts, std::size_t first, std::size_t step, Int128 factor,
              bool are_limits) {
    if (!are_limits) {
        Int128 total = 0;
        for (std::size_t at = first; at < amounts.size(); at += step)
            total += amounts[at];
        if (total > tokens_max / factor) return false;
    }
    for (std::size_t at = first; at < amounts.size(); at += step)
        amounts[at] = static_cast<Tokens>(std::min<Int128>(amounts[at] * factor, tokens_max));
    return true;
}

}  // namespace

double Quantity::real() const {
    return static_cast<double>(number) / std::pow(10.0, decimals);
}

std::optional<Quantity> quantity(std::string_view text) {
    std::string_view rest = without_blanks(text);
    std::optional<Quantity> read = take_number(rest);
    if (!read) return std::nullopt;
    rest = without_blanks(rest);
    if (rest.empty()) return read;
    const auto* const unit = std::find_if(units.begin(), units.end(),
                                          [&](const Unit& each) { return each.word == rest; });
    if (unit == units.end()) return std::nullopt;
    const Int128 divisor = ten_to_the(read->decimals);
    if (read->number / divisor > number_max / unit->bytes) return std::nullopt;
    read->number = (read->number / divisor) * unit->bytes +
                   ((read->number % divisor) * unit->bytes + divisor / 2) / divisor;
    read->decimals = 0;
    read->has_unit = true;
    return read;
}

std::string quantity_expected(std::string_view text) {
    const std::string_view unit = unit_behind_number(text);
    const bool is_word =
        !unit.empty() && ((unit[0] >= 'A' && unit[0] <= 'Z') || (unit[0] >= 'a' && unit[0] <= 'z'));
    if (!is_word || quantity(text))
        return "an amount, 0 or more, such as 300, 0.25 (at most " + std::to_string(decimals_max) +
               " digits after the point), 1.5 GB or 2 TiB";
    std::vector<std::string> near;
    const std::string wanted = lower_case(unit);
    for (const Unit& each : units) {
        const std::string word = lower_case(each.word);
        if (each.word == std::string_view("KB")) continue;
        if (word == wanted || word == wanted + "b" || word == wanted + "ib" ||
            (word.size() == 3 && wanted.size() == 2 && word[0] == wanted[0] && wanted[1] == 'b'))
            near.emplace_back(each.word);
    }
    if (near.empty()) {
        for (const Unit& each : units)
            if (each.word != std::string_view("KB")) near.emplace_back(each.word);
    }
    return "the unit " + listed(near, " or ");
}

std::optional<std::uint64_t> scaled_number(std::string_view text, int decimals,
                                           std::uint64_t most) {
    const std::optional<Quantity> read = quantity(text);
    if (!read || read->has_unit || read->decimals > decimals) return std::nullopt;
    if (read->number > static_cast<Int128>(most)) return std::nullopt;
    const Int128 scaled = read->number * ten_to_the(decimals - read->decimals);
    if (scaled > static_cast<Int128>(most)) return std::nullopt;
    return static_cast<std::uint64_t>(scaled);
}

bool raise_decimals(Problem& problem, std::size_t resource, int decimals) {
    Resource& raised = problem.resources[resource];
    if (decimals <= raised.decimals) return true;
    const Int128 factor = ten_to_the(decimals - raised.decimals);
    const std::size_t kinds = problem.resources.size();
    if (!multiply(problem.amounts, resource, kinds, factor, false)) return false;
    multiply(problem.capacities, resource, kinds, factor, true);
    multiply(problem.thresholds, resource, kinds, factor, true);
    if (!problem.budget.amounts.empty())
        multiply(problem.budget.amounts, resource, kinds, factor, true);
    if (problem.copied == resource) {
        multiply(problem.gives, 0, 1, factor, true);
        multiply(problem.takes, 0, 1, factor, true);
        for (double& rate : problem.gives_a_second)
            rate *= static_cast<double>(factor);
        for (double& rate : problem.takes_a_second)
            rate *= static_cast<double>(factor);
    }
    raised.decimals = decimals;
    return true;
}

std::optional<Int128> in_units(Problem& problem, std::size_t resource, const Quantity& quantity) {
    if (!raise_decimals(problem, resource, quantity.decimals)) return std::nullopt;
    Resource& counted = problem.resources[resource];
    counted.in_bytes = counted.in_bytes || quantity.has_unit;
    const Int128 factor = ten_to_the(counted.decimals - quantity.decimals);
    if (quantity.number > number_max / factor) return std::nullopt;
    return quantity.number * factor;
}

}  // namespace equipoise::reassign
