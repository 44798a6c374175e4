#pragma once
// The contents of one file, before the files of all ranks are combined.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::trace {

/// How a file names an object, or a rank (of the type "node").
struct EntityName {
    bool is_rank = false;
    std::optional<std::uint64_t> id;
    std::optional<std::uint64_t> seq_id;  ///< unique among those of one home and collection
    std::optional<std::int64_t> home;
    std::optional<std::string> collection;
    std::optional<bool> migratable;
};

struct TaskContent {
    EntityName entity;
    double seconds = 0;
    std::optional<double> bytes;
    std::string text;
};

struct CommunicationContent {
    EntityName from;
    EntityName to;
    Tokens messages = 0;
    double bytes = 0;
    std::string text;
};

struct PhaseContent {
    std::int64_t id = 0;
    std::vector<TaskContent> tasks;
    std::vector<CommunicationContent> communications;
    std::string kept;  ///< other members, as JSON without braces
};

struct FileContent {
    std::optional<int> rank;  ///< according to the metadata
    bool typed = false;
    bool compressed = false;
    std::string metadata;
    std::vector<PhaseContent> phases;  ///< in the order of their ids
    /// Phases that are identical to the one before: first and last.
    std::vector<std::pair<std::int64_t, std::int64_t>> identical;
    std::vector<std::pair<std::int64_t, std::int64_t>> skipped;
};

/// Reads the text of a file; with `keep_text` also the texts that writing it needs. `rank` is the
/// file's rank by its name. Throws InputError naming the file and the place in it, what was
/// expected and found: for keys that the format does not have, missing ones, values of a wrong
/// kind, times below 0, a `node` other than the file's rank, and everything that `parse_json`
/// refuses. Cost O(text), memory about ten times the text.
[[nodiscard]] FileContent parse_content(std::string_view text, const std::string& name,
                                        std::optional<int> rank, bool keep_text);

/// The largest number of phases that the lists of identical phases may name in one file.
inline constexpr std::int64_t identical_most = 1'000'000;

}  // namespace equipoise::trace
