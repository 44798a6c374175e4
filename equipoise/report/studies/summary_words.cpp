#include "equipoise/report/studies/summary_words.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "equipoise/base/figures.hpp"
#include "equipoise/base/line_source.hpp"

namespace equipoise::report {

namespace {

/// From here on numbers have an exponent.
constexpr double large = 1e15;

std::string ungrouped(std::string text) {
    std::erase(text, ',');
    return text;
}

/// Small numbers that need more decimals have an exponent.
constexpr int decimals_max = 15;

/// That of a number with so many digits.
int exponent_of(double number, int digits) {
    const std::string text = fmt::format("{:.{}e}", number, digits - 1);
    return static_cast<int>(*real_number(text.substr(text.find('e') + 1)));
}

/// How many decimals show the first digits of a width.
int decimals_of(double width, int digits) {
    return std::max(digits - 1 - exponent_of(width, digits), 0);
}

/// With an exponent, to so many decimals of a number without one.
std::string small_number(double number, int decimals) {
    if (number == 0) return "0";
    const int digits = exponent_of(number, 1) + decimals;
    return digits < 0 ? "0" : fmt::format("{:.{}e}", number, std::min(digits, decimals_max));
}

std::string fixed(double number, int decimals) {
    // Six digits of any other number are among the first decimals.
    if (decimals > decimals_max && std::abs(number) < 1e-10) return small_number(number, decimals);
    decimals = std::min(decimals, decimals_max);
    std::string text = std::abs(number) < large ? fmt::format("{:.{}f}", number, decimals)
                                                : fmt::format("{:.6g}", number);
    if (text.starts_with('-') && text.find_first_not_of("-0.") == std::string::npos)
        text.erase(0, 1);
    return text;
}

bool is_shared(const Summary& summary, std::size_t name) {
    return std::all_of(summary.cells.begin(), summary.cells.end(), [&](const Cell& cell) {
        return cell.names[name] == summary.cells.front().names[name];
    });
}

}  // namespace

std::string percent(double fraction) {
    return fmt::format("{:.10g} %", fraction * 100);
}

std::string interval_name(const statistics::IntervalOptions& options) {
    return percent(options.level) + " confidence interval (" +
           (options.kind == statistics::IntervalKind::student
                ? "Student's t"
                : "percentile bootstrap, " + counted(options.resamples, "resample") + ", seed " +
                      std::to_string(options.seed)) +
           ')';
}

std::vector<std::size_t> differing_names(const Summary& summary) {
    std::vector<std::size_t> differing;
    for (std::size_t name = 0; name < summary.by.size(); ++name)
        if (!is_shared(summary, name)) differing.push_back(name);
    if (!differing.empty() || summary.by.empty()) return differing;
    const auto algorithm = std::find(summary.by.begin(), summary.by.end(), "algorithm");
    const bool plays = algorithm != summary.by.end();
    return {plays ? static_cast<std::size_t>(algorithm - summary.by.begin()) : std::size_t{0}};
}

std::string shared_names(const Summary& summary) {
    if (summary.cells.empty()) return "";
    const std::vector<std::size_t> differing = differing_names(summary);
    std::string text;
    for (std::size_t name = 0; name < summary.by.size(); ++name) {
        const std::string& value = summary.cells.front().names[name];
        if (value.empty() || std::count(differing.begin(), differing.end(), name) > 0) continue;
        text += (text.empty() ? "" : ", ") + summary.by[name] + ' ' + value;
    }
    return text;
}

std::string size_text(const Summary& summary) {
    std::string text = counted(std::uint64_t{summary.cells.size()}, "cell");
    if (summary.cells.empty()) return text;
    const auto [least, most] = std::minmax_element(
        summary.cells.begin(), summary.cells.end(),
        [](const Cell& a, const Cell& b) { return a.rows.size() < b.rows.size(); });
    const std::uint64_t low = least->rows.size();
    const std::uint64_t high = most->rows.size();
    if (low == high) return text + " of " + counted(low, "run") + (text == "1 cell" ? "" : " each");
    return text + " of " + grouped(low) + " to " + grouped(high) + " runs";
}

std::string apart_text(const Summary& summary) {
    std::uint64_t cut = 0;
    std::uint64_t left = 0;
    for (const Cell& cell : summary.cells) {
        cut += cell.cut_short;
        left += cell.left_out;
    }
    const auto were = [](std::uint64_t count) {
        return std::string(count == 1 ? " was " : " were ");
    };
    std::string text;
    if (cut > 0) text = counted(cut, "run") + were(cut) + "cut short";
    if (left > 0)
        text +=
            (cut > 0 ? " and " + grouped(left) : counted(left, "run")) + were(left) + "left out";
    if (text.empty()) return text;
    return text + ": no figure includes " + (cut + left == 1 ? "it" : "them");
}

Says what_is_said(const Summary& summary, std::size_t quantity) {
    Says says = Says::nothing;
    for (const Cell& cell : summary.cells) {
        const auto& sample = cell.quantities[quantity].sample;
        if (!sample) continue;
        if (sample->least < sample->largest) return Says::more;
        says = Says::one_number;
    }
    return says;
}

Digits digits_of(const statistics::Sample& sample, statistics::IntervalKind kind) {
    const auto plain = [](double number) { return ungrouped(grouped_real(number)); };
    if (!sample.interval) return {plain(sample.mean), "", "", ""};
    const auto& [low, high] = *sample.interval;
    const double half = std::midpoint(high, -low);  // their difference may overflow
    const bool is_student = kind == statistics::IntervalKind::student;
    if (half <= 0) {
        const std::string mean = plain(sample.mean);
        return is_student ? Digits{mean, "0", "", ""} : Digits{mean, "", mean, mean};
    }
    const int decimals = decimals_of(half, 2);
    const std::string mean = fixed(sample.mean, decimals);
    if (is_student) return {mean, fixed(half, decimals), "", ""};
    return {mean, "", fixed(low, decimals), fixed(high, decimals)};
}

std::string deviation_text(double deviation) {
    return deviation <= 0 ? "0" : fixed(deviation, decimals_of(deviation, 3));
}

}  // namespace equipoise::report
