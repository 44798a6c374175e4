#pragma once
// The page of a levelled trace: what every rank did before and after.

#include <string>

#include "equipoise/report/answers/load_trace.hpp"

namespace equipoise::report {

/// A page that needs nothing but itself: the figures, the imbalance of every phase, and the loads
/// of all ranks before and after, for the phases whose largest loads fall most (at most 12). With
/// more than 256 ranks a bar is the largest of several neighbours.
[[nodiscard]] std::string load_trace_page(const LoadTrace& levels);

/// Writes the page. Throws InputError.
void write_load_trace_page(const LoadTrace& levels, const std::string& path);

}  // namespace equipoise::report
