#pragma once
// Traces with a new placement, in files that vt reads.
//
// A task is written in the file of the rank that the placement gives it, with that rank as its
// `node`; a rank lists the tasks that it keeps in their order, then those that arrive. vt records a
// communication where the receiver ran if that may migrate, else where the sender ran: it is
// written where that end is now. All else is written as it was read, reals without a point among
// the times and bytes excepted: they get one, which vt's schema demands.

#include <functional>
#include <string>
#include <vector>

#include "equipoise/trace/trace.hpp"

namespace equipoise::trace {

/// By phase and rank, what the file of the rank lists.
struct RankLists {
    std::vector<std::uint32_t> tasks;
    std::vector<std::uint32_t> communications;
    bool repeats = false;  ///< identical to the phase before, as it was
};
using PhaseLists = std::vector<RankLists>;

/// What every rank's file lists under a placement. Cost O(tasks + communications).
[[nodiscard]] std::vector<PhaseLists> lists_under(const Trace& trace, const Placement& placement);

/// The text of the file of one rank. The trace has the text of its tasks.
[[nodiscard]] std::string file_text(const Trace& trace, const std::vector<PhaseLists>& lists,
                                    std::size_t rank);

/// Writes one file a rank, of its old name, to a folder that is new or empty. The folder appears
/// whole or not at all: files go to a folder beside it that is then renamed. `check` is called
/// before every file; what it throws ends the writing, and nothing is left. Throws InputError
/// naming the folder if it holds anything or the system refuses, and if two files have one name.
void write_trace(const Trace& trace, const Placement& placement, const std::string& folder,
                 const std::function<void()>& check = {});

/// Throws InputError as write_trace does, for what can be known before any work.
void expect_writable(const Trace& trace, const std::string& folder);

}  // namespace equipoise::trace
