#pragma once
// Traces with a new placement, in files that vt reads.
//
// A task is written in the file of the rank that the placement gives it, with that rank as its
// `node`; a rank lists the tasks that it keeps in their order, then those that arrive. vt records a
// communication on the rank of the receiver if that may migrate, otherwise on the rank of the
// sender: it is written where that end is now. Everything else is written as it was read, except
// that times and bytes without a decimal point get one, which vt's schema demands.

#include <functional>
#include <string>
#include <vector>

#include "equipoise/trace/trace.hpp"

namespace equipoise::trace {

/// By phase and rank, the lists of the rank's file.
struct RankLists {
    std::vector<std::uint32_t> tasks;
    std::vector<std::uint32_t> communications;
    bool repeats = false;  ///< identical to the phase before, as it was
};
using PhaseLists = std::vector<RankLists>;

/// The lists of every rank's file under a placement. Cost O(tasks + communications).
[[nodiscard]] std::vector<PhaseLists> lists_under(const Trace& trace, const Placement& placement);

/// The text of the file of one rank. The trace has the text of its tasks.
[[nodiscard]] std::string file_text(const Trace& trace, const std::vector<PhaseLists>& lists,
                                    std::size_t rank);

/// Writes one file for each rank, under its old name, to a folder that is new or empty. The folder
/// appears complete or not at all: files go to a folder beside it, which is then renamed. `check`
/// is called before every file; if it throws, writing ends and nothing is left behind. Throws
/// InputError naming the folder if it holds anything or the system refuses, and if two files have
/// one name.
void write_trace(const Trace& trace, const Placement& placement, const std::string& folder,
                 const std::function<void()>& check = {});

/// Throws InputError as write_trace does, as far as errors can be known before any work.
void expect_writable(const Trace& trace, const std::string& folder);

}  // namespace equipoise::trace
