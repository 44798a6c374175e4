#pragma once
// The page of a levelled trace: the work of every rank before and after.

#include <string>

#include "equipoise/report/answers/load_trace.hpp"

namespace equipoise::report {

/// A self-contained page: the figures, the imbalance of every phase, and the loads of all ranks
/// before and after, for the phases whose largest loads fall most (at most 12). With more than 256
/// ranks a bar is the largest of several neighbours.
[[nodiscard]] std::string load_trace_page(const LoadTrace& levels);

/// Writes the page. Throws InputError.
void write_load_trace_page(const LoadTrace& levels, const std::string& path);

}  // namespace equipoise::report
