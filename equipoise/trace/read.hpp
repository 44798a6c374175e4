#pragma once
// Reads traces from their files.

#include <functional>
#include <string>
#include <vector>

#include "equipoise/trace/content.hpp"
#include "equipoise/trace/trace.hpp"

namespace equipoise::trace {

struct ReadOptions {
    bool keep_text = false;            ///< keep the texts that writing the trace needs
    std::function<void()> check = {};  ///< called before every file; may throw to end reading
};

/// The most tasks and communications that all phases together may have; those of a phase that is
/// identical to the one before count again.
inline constexpr std::size_t entries_most = 100'000'000;

/// Reads files and folders (files_of_trace). Throws InputError naming file and place: as
/// parse_content does; for a rank that is missing, given twice, or neither in the file's name nor
/// in its metadata; for a phase that some ranks have and others have not; for a task that may
/// migrate and ran on two ranks, or twice, in one phase; beyond `entries_most`. Cost O(text).
[[nodiscard]] Trace read_trace(const std::vector<std::string>& paths,
                               const ReadOptions& options = {});

/// Puts the files of ranks 0, 1, ... together. Throws InputError as read_trace does.
[[nodiscard]] Trace assemble(std::vector<RankFile> files, std::vector<FileContent> contents);

}  // namespace equipoise::trace
