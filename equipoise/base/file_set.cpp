#include "equipoise/base/file_set.hpp"

#include <filesystem>
#include <string_view>
#include <system_error>

#include "equipoise/base/line_source.hpp"

namespace equipoise {

namespace {

namespace fs = std::filesystem;

/// Without links and dots; the path itself where that cannot be told.
std::string plain(const fs::path& path) {
    std::error_code error;
    const fs::path whole = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? path.string() : whole.string();
}

/// A path whose last part names no file.
std::string plain_stem(const fs::path& stem) {
    const fs::path folder = stem.parent_path();
    return (fs::path(plain(folder.empty() ? "." : folder)) / stem.filename()).string();
}

bool is_numbered(std::string_view path, std::string_view stem, std::string_view ending) {
    if (path.size() <= stem.size() + ending.size() + 1 || !path.starts_with(stem) ||
        path[stem.size()] != '-' || !path.ends_with(ending))
        return false;
    path.remove_prefix(stem.size() + 1);
    path.remove_suffix(ending.size());
    return is_canonical_number(path);
}

}  // namespace

void FileSet::add(const std::string& path) {
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_regular_file(path, error)) return;
    files_.emplace(plain(path), path);
}

void FileSet::add_numbered(const std::string& stem, const std::string& ending) {
    numbered_.emplace(Numbered(plain_stem(stem), ending), Numbered(stem, ending));
    fs::path folder = fs::path(stem).parent_path();
    if (folder.empty()) folder = ".";
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        if (!entry->is_symlink(ignored)) continue;  // any other file has no second name
        const std::string path = (fs::path(stem).parent_path() / entry->path().filename()).string();
        if (is_numbered(path, stem, ending)) add(path);
    }
}

std::optional<std::string> FileSet::numbered_in(const FileSet& other) const {
    for (const auto& [path, given] : files_)
        for (const auto& [numbered, as_given] : other.numbered_)
            if (is_numbered(path, numbered.first, numbered.second)) return given;
    return std::nullopt;
}

std::optional<std::string> FileSet::common(const FileSet& other) const {
    for (const auto& [path, given] : files_)
        if (other.files_.contains(path)) return given;
    if (auto found = numbered_in(other)) return found;
    if (auto found = other.numbered_in(*this)) return found;
    for (const auto& [numbered, given] : numbered_)
        if (other.numbered_.contains(numbered)) return given.first + "-0" + given.second;
    return std::nullopt;
}

}  // namespace equipoise
