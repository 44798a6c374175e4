#pragma once
// What texts and tables of a summary have in common: names, numbers and sentences.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/report/studies/summary.hpp"

namespace equipoise::report {

/// "95 %".
[[nodiscard]] std::string percent(double fraction);
/// "95 % confidence interval (Student's t)".
[[nodiscard]] std::string interval_name(const statistics::IntervalOptions& options);

/// The columns of `by` in which cells differ; if there are none, one of them, to name the cell.
[[nodiscard]] std::vector<std::size_t> differing_names(const Summary& summary);
/// What all cells share, without empty texts: "loads staircase, tree low-degree".
[[nodiscard]] std::string shared_names(const Summary& summary);
/// "9 cells of 20 runs each".
[[nodiscard]] std::string size_text(const Summary& summary);
/// "3 runs were cut short and 1 was left out: no figure includes them"; empty if none was.
[[nodiscard]] std::string apart_text(const Summary& summary);

/// What the runs of a study say about a quantity: nothing, one number in each cell, or more.
enum class Says : unsigned char { nothing, one_number, more };
[[nodiscard]] Says what_is_said(const Summary& summary, std::size_t quantity);

/// A mean and its interval to the digits that this supports; thousands are not separated. What the
/// kind of interval does not show, and what a sample of one number does not have, is empty.
struct Digits {
    std::string mean;
    std::string half;  ///< Student: half the width of the interval
    std::string low;   ///< bootstrap: the ends of the interval
    std::string high;
};
/// Two digits of half the interval's width, and as many decimals of the rest. Without a width whole
/// numbers have all digits, others six. Numbers from 10^15 on, and those that need more than 15
/// decimals, have an exponent.
[[nodiscard]] Digits digits_of(const statistics::Sample& sample, statistics::IntervalKind kind);
/// Three digits of a standard deviation, or all before the point.
[[nodiscard]] std::string deviation_text(double deviation);

}  // namespace equipoise::report
