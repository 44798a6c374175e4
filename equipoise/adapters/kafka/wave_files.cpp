#include "equipoise/adapters/kafka/wave_files.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include <nlohmann/json.hpp>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::kafka {

namespace {

using FileJson = nlohmann::ordered_json;

constexpr std::string_view ending = ".json";

std::uint64_t number_in(const std::string& digits) {
    const auto number = whole_number(digits);
    if (!number)
        throw InputError("expected brokers and partitions with numbers, found \"" +
                         printable(digits) + '"');
    return *number;
}

/// A partition as Kafka identifies it: a topic, which may contain hyphens, and a number.
FileJson partition_json(const Items& items, const Replicas& replicas, const LogDirs& log_dirs) {
    const std::string name = items.thing_name(replicas.thing);
    const std::size_t hyphen = name.rfind('-');
    FileJson object;
    object["topic"] = name.substr(0, hyphen);
    object["partition"] = number_in(name.substr(hyphen + 1));
    object["replicas"] = FileJson::array();
    for (const NodeId broker : replicas.nodes)
        object["replicas"].push_back(number_in(items.node_name(broker)));
    if (const std::vector<std::string> directories = log_dirs.of(replicas); !directories.empty())
        object["log_dirs"] = directories;
    return object;
}

bool is_there(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

}  // namespace

LogDirs::LogDirs(const Cluster& cluster) {
    for (std::uint32_t number = 0; number < cluster.partitions.size(); ++number)
        for (const Replica& replica : cluster.partitions[number].replicas)
            if (!replica.log_dir.empty())
                known_[number].emplace_back(replica.broker, replica.log_dir);
}

void LogDirs::follow(const Replicas& replicas) {
    const auto found = known_.find(replicas.thing);
    if (found == known_.end()) return;
    std::erase_if(found->second, [&](const auto& known) {
        return std::find(replicas.nodes.begin(), replicas.nodes.end(), known.first) ==
               replicas.nodes.end();
    });
    if (found->second.empty()) known_.erase(found);
}

std::vector<std::string> LogDirs::of(const Replicas& replicas) const {
    const auto found = known_.find(replicas.thing);
    if (found == known_.end()) return {};
    std::vector<std::string> directories(replicas.nodes.size(), "any");
    bool is_known = false;
    for (std::size_t at = 0; at < directories.size(); ++at) {
        for (const auto& [broker, directory] : found->second) {
            if (broker != replicas.nodes[at]) continue;
            directories[at] = directory;
            is_known = true;
        }
    }
    return is_known ? directories : std::vector<std::string>();
}

std::vector<std::string> wave_documents(const std::vector<std::vector<Replicas>>& waves,
                                        const Items& items, LogDirs& log_dirs) {
    std::vector<std::string> documents;
    for (const std::vector<Replicas>& wave : waves) {
        FileJson document = {{"version", 1}, {"partitions", FileJson::array()}};
        for (const Replicas& replicas : wave) {
            log_dirs.follow(replicas);
            document["partitions"].push_back(partition_json(items, replicas, log_dirs));
        }
        documents.push_back(json_text(document, 2) + '\n');
    }
    return documents;
}

void expect_no_earlier(const std::string& option, const std::string& path) {
    if (is_there(path))
        throw InputError(path +
                         ": expected no file of an earlier plan, found one; remove it, or give " +
                         option + " another name");
}

void write_wave_files(const std::string& option, const std::string& path,
                      const std::vector<std::string>& documents) {
    expect_no_earlier(option, file_of_wave(path, documents.size()));
    std::vector<NamedText> files;
    for (std::size_t wave = 0; wave < documents.size(); ++wave)
        files.emplace_back(file_of_wave(path, wave), documents[wave]);
    write_files(files);
}

std::string file_of_wave(const std::string& path, std::uint64_t wave) {
    return path.substr(0, path.size() - ending.size()) + '-' + std::to_string(wave) +
           std::string(ending);
}

std::string WaveFiles::words() const {
    if (paths.size() == 1) return paths.front();
    return paths.front() + " to " + std::filesystem::path(paths.back()).filename().string();
}

std::string written_words(const std::string& path, std::uint64_t waves) {
    if (waves == 0) return "no file written: nothing has to move";
    const std::string first = file_of_wave(path, 0);
    return "written to " + first + (waves == 1 ? "" : " to " + file_of_wave(path, waves - 1));
}

namespace {

/// The path moves.json and the number 3 for moves-3.json.
struct NumberedFile {
    std::string path;
    std::uint64_t wave = 0;
};

std::optional<NumberedFile> numbered(const std::string& path) {
    if (!path.ends_with(ending)) return std::nullopt;
    const std::string stem = path.substr(0, path.size() - ending.size());
    const std::size_t hyphen = stem.rfind('-');
    if (hyphen == std::string::npos) return std::nullopt;
    const std::string digits = stem.substr(hyphen + 1);
    const auto number = whole_number(digits, UINT64_MAX - 1);
    if (!number || !is_canonical_number(digits)) return std::nullopt;
    return NumberedFile{stem.substr(0, hyphen) + std::string(ending), *number};
}

/// Whether waves of the path are there, and the path itself is not.
bool stands_for_waves(const std::string& path) {
    return path.ends_with(ending) && !is_there(path) && is_there(file_of_wave(path, 0));
}

WaveFiles files_from(const std::string& path, std::uint64_t wave) {
    WaveFiles files;
    files.first = wave;
    for (; is_there(file_of_wave(path, wave)); ++wave)
        files.paths.push_back(file_of_wave(path, wave));
    return files;
}

}  // namespace

WaveFiles wave_files_from(const std::string& path) {
    if (stands_for_waves(path)) return files_from(path, 0);
    const std::optional<NumberedFile> file = numbered(path);
    if (!file || !is_there(path)) return {{path}, 0};
    return files_from(file->path, file->wave);
}

WaveFiles wave_files_up_to(const std::string& path) {
    if (stands_for_waves(path)) return files_from(path, 0);
    const std::optional<NumberedFile> file = numbered(path);
    if (!file || !is_there(path)) return {{path}, 0};
    WaveFiles files = files_from(file->path, 0);
    // A number may be no wave's, such as a day's, if no other file is numbered next to it.
    const bool has_neighbour =
        is_there(file_of_wave(file->path, file->wave + 1)) ||
        (file->wave > 0 && is_there(file_of_wave(file->path, file->wave - 1)));
    if (files.paths.empty() && !has_neighbour) return {{path}, 0};
    if (files.paths.size() <= file->wave)
        throw InputError(path + ": expected the files of all earlier waves, found no " +
                         file_of_wave(file->path, files.paths.size()));
    files.paths.resize(file->wave + 1);
    return files;
}

void add_files_from(FileSet& files, const std::string& path) {
    for (const std::string& file : wave_files_from(path).paths)
        files.add(file);
}

void add_files_up_to(FileSet& files, const std::string& path) {
    for (const std::string& file : wave_files_up_to(path).paths)
        files.add(file);
}

void add_files_of_waves(FileSet& files, const std::string& path) {
    files.add(path);
    if (path.ends_with(ending))
        files.add_numbered(path.substr(0, path.size() - ending.size()), std::string(ending));
}

std::string WaveMoves::place(std::uint64_t wave, std::uint64_t line) const {
    return files.paths[file_of[wave - files.first]] + ": partitions[" + std::to_string(line) + ']';
}

WaveMoves read_wave_moves(WaveFiles files,
                          const std::function<std::string(const std::string&)>& text,
                          const Items& items) {
    return read_wave_moves(std::move(files), text, items, ReplicaOrder(items));
}

WaveMoves read_wave_moves(WaveFiles files,
                          const std::function<std::string(const std::string&)>& text,
                          const Items& items, ReplicaOrder order) {
    WaveMoves read{std::move(files), {}, {}, std::move(order), {}, {}};
    const std::vector<std::string>& paths = read.files.paths;
    for (std::size_t file = 0; file < paths.size(); ++file) {
        const std::string contents = text(paths[file]);
        for (std::vector<Replicas>& wave : read_reassignments(contents, paths[file], items)) {
            read.waves.push_back(std::move(wave));
            read.file_of.push_back(file);
        }
        read.progress = read_progress(contents, paths[file]);
    }
    read.moves = moves_of(read.waves, read.files.first, items, read.order);
    return read;
}

}  // namespace equipoise::kafka
