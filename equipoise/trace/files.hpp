#pragma once
// Which files make up a trace, and the ranks that their names give.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise::trace {

/// The largest rank that a trace may have.
inline constexpr int rank_most = 1 << 30;

/// A file of a trace, judged by its name alone.
struct NamedFile {
    std::string path;
    std::string name;         ///< the path without its folders
    std::optional<int> rank;  ///< the digits before .json; nothing if there are none
};

/// The file that a path names. Throws InputError for a rank beyond 2^30.
[[nodiscard]] NamedFile named_file(const std::string& path);

/// The files of a trace: the given ones and, from every given folder, those whose names end in a
/// rank and .json or .json.br, in the order of their names. Throws InputError for a path that is
/// neither a file nor a folder, and for a folder without such files.
[[nodiscard]] std::vector<NamedFile> files_of_trace(const std::vector<std::string>& paths);

}  // namespace equipoise::trace
