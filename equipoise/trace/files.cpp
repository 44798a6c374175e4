#include "equipoise/trace/files.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <tuple>

#include "equipoise/base/error.hpp"

namespace equipoise::trace {

namespace {

constexpr std::string_view plain_ending = ".json";
constexpr std::string_view compressed_ending = ".json.br";

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

std::vector<NamedFile> files_of_folder(const std::string& folder) {
    std::vector<NamedFile> files;
    std::error_code failure;
    std::filesystem::directory_iterator entries(folder, failure);
    for (; !failure && entries != std::filesystem::directory_iterator();
         entries.increment(failure)) {
        const std::string name = entries->path().filename().string();
        if (!name.ends_with(plain_ending) && !name.ends_with(compressed_ending)) continue;
        NamedFile file = named_file(entries->path().string());
        if (file.rank) files.push_back(std::move(file));
    }
    if (failure) throw InputError(folder + ": cannot be read: " + failure.message());
    if (files.empty())
        throw InputError(folder +
                         ": expected files named with their rank, such as data.0.json or "
                         "data.0.json.br, found none");
    std::sort(files.begin(), files.end(), [](const NamedFile& a, const NamedFile& b) {
        return std::tie(a.rank, a.name) < std::tie(b.rank, b.name);
    });
    return files;
}

}  // namespace

NamedFile named_file(const std::string& path) {
    NamedFile file;
    file.path = path;
    file.name = std::filesystem::path(path).filename().string();
    std::string_view stem = file.name;
    for (const std::string_view ending : {compressed_ending, plain_ending}) {
        if (!stem.ends_with(ending)) continue;
        stem.remove_suffix(ending.size());
        break;
    }
    if (stem.size() == file.name.size()) return file;
    std::size_t begin = stem.size();
    while (begin > 0 && is_digit(stem[begin - 1]))
        --begin;
    if (begin == stem.size()) return file;
    std::int64_t rank = 0;
    for (const char digit : stem.substr(begin)) {
        rank = rank * 10 + (digit - '0');
        if (rank > rank_most)
            throw InputError(path + ": expected a rank of at most " + std::to_string(rank_most) +
                             " before .json");
    }
    file.rank = static_cast<int>(rank);
    return file;
}

std::vector<NamedFile> files_of_trace(const std::vector<std::string>& paths) {
    std::vector<NamedFile> files;
    for (const std::string& path : paths) {
        std::error_code failure;
        if (std::filesystem::is_directory(path, failure)) {
            std::vector<NamedFile> found = files_of_folder(path);
            files.insert(files.end(), found.begin(), found.end());
        } else {
            files.push_back(named_file(path));
        }
    }
    return files;
}

}  // namespace equipoise::trace
