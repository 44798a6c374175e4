#pragma once
// Sets of files by name, among them files that are numbered without a bound.

#include <map>
#include <optional>
#include <string>
#include <utility>

namespace equipoise {

/// Files that may be there or not. Links and other spellings of a path lead to the same file.
/// Something that is there and no regular file (/dev/null, a pipe) belongs to no set: it is never
/// replaced.
class FileSet {
  public:
    void add(const std::string& path);
    /// STEM-0ENDING, STEM-1ENDING and so on, all of them.
    void add_numbered(const std::string& stem, const std::string& ending);
    /// A file of both sets, as this one names it where it can; nothing if there is none.
    [[nodiscard]] std::optional<std::string> common(const FileSet& other) const;

  private:
    using Numbered = std::pair<std::string, std::string>;  ///< stem and ending

    /// As `common`, of files with a name of their own here and numbered ones there.
    [[nodiscard]] std::optional<std::string> numbered_in(const FileSet& other) const;

    // By the path without links and dots: as it was given.
    std::map<std::string, std::string> files_;
    std::map<Numbered, Numbered> numbered_;
};

}  // namespace equipoise
