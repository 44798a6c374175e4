#pragma once
// Files of waves, one for each wave, in the form that kafka-reassign-partitions takes.

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/partition_waves.hpp"
#include "equipoise/adapters/kafka/partitions.hpp"
#include "equipoise/adapters/kafka/progress.hpp"
#include "equipoise/base/file_set.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/load/items.hpp"

namespace equipoise::kafka {

/// The directories of replicas that have not moved.
class LogDirs {
  public:
    LogDirs() = default;
    /// Those that the cluster names.
    explicit LogDirs(const Cluster& cluster);
    /// The partition has these replicas now: others have left, and their directories are forgotten.
    void follow(const Replicas& replicas);
    /// By replica: its directory, or "any"; empty if that is all that is known.
    [[nodiscard]] std::vector<std::string> of(const Replicas& replicas) const;

  private:
    std::unordered_map<std::uint32_t, std::vector<std::pair<NodeId, std::string>>> known_;
};

/// The waves as documents for kafka-reassign-partitions, `{"version":1,"partitions":[...]}`. A
/// replica that stays keeps its directory in `log_dirs`, which is then followed to the end; others
/// may go to any. Partitions and brokers have the names of the items. Throws InputError for names
/// that are not Kafka's.
[[nodiscard]] std::vector<std::string> wave_documents(
    const std::vector<std::vector<Replicas>>& waves, const Items& items, LogDirs& log_dirs);

/// The file of a wave: moves.json and 3 give moves-3.json.
[[nodiscard]] std::string file_of_wave(const std::string& path, std::uint64_t wave);

/// Throws InputError if the path is there: a file of an earlier plan, which would seem to be of the
/// one that `option` writes.
void expect_no_earlier(const std::string& option, const std::string& path);

/// Writes documents, one for each wave, to the files of the waves: all of them or none
/// (`write_files`). Throws InputError also if there is a file of an earlier, longer plan that would
/// look like the next wave; `option` asked for them.
void write_wave_files(const std::string& option, const std::string& path,
                      const std::vector<std::string>& documents);

/// "written to plan-0.json to plan-3.json", or that there is none.
[[nodiscard]] std::string written_words(const std::string& path, std::uint64_t waves);

/// A sequence of files, one for each wave.
struct WaveFiles {
    std::vector<std::string> paths;
    std::uint64_t first = 0;  ///< the number of the first wave

    /// "moves-0.json to moves-3.json".
    [[nodiscard]] std::string words() const;
};

/// Given moves-3.json: that file, moves-4.json and so on, as far as they exist. Given moves.json,
/// if there is no such file: from moves-0.json on. Any other file alone.
[[nodiscard]] WaveFiles wave_files_from(const std::string& path);

/// Given moves-3.json: the files moves-0.json to moves-3.json; other names as above. Throws
/// InputError naming a file that is missing before it; a number stands for no wave if neither the
/// first file nor one with a number next to it is there.
[[nodiscard]] WaveFiles wave_files_up_to(const std::string& path);

/// The files that may be written where a schedule goes to `path`: those of waves, if it is for
/// Kafka (plan.json), or that file. How many waves there will be is not known.
void add_files_of_waves(FileSet& files, const std::string& path);

/// The files of `wave_files_from` and of `wave_files_up_to`, which throws.
void add_files_from(FileSet& files, const std::string& path);
void add_files_up_to(FileSet& files, const std::string& path);

/// The moves of files of waves, each of which may hold several documents.
struct WaveMoves {
    WaveFiles files;
    ItemMoves moves;  ///< the `line` of a move is the place of its partition in the wave
    std::vector<std::size_t> file_of;  ///< by wave: the number of its file, from 0
    ReplicaOrder order;                ///< in which they leave the replicas
    std::vector<std::vector<Replicas>> waves;
    std::vector<Progress> progress;  ///< what the last file says of partitions besides

    /// "plan-1.json: partitions[3]".
    [[nodiscard]] std::string place(std::uint64_t wave, std::uint64_t line) const;
};

/// Reads them; `text` gives the contents of a file. Throws InputError as `read_reassignments`.
[[nodiscard]] WaveMoves read_wave_moves(WaveFiles files,
                                        const std::function<std::string(const std::string&)>& text,
                                        const Items& items);

/// The same, from a state that is not that of the items.
[[nodiscard]] WaveMoves read_wave_moves(WaveFiles files,
                                        const std::function<std::string(const std::string&)>& text,
                                        const Items& items, ReplicaOrder order);

}  // namespace equipoise::kafka
