#pragma once
// How far reassignments are, as kafka-reassign-partitions --verify and --list print it.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/adapters/kafka/cluster.hpp"

namespace equipoise::kafka {

/// What is said of a partition.
struct Progress {
    enum class State : std::uint8_t {
        completed,  ///< it is as it was to be
        under_way,
        failed,     ///< as old versions say: it is not as it was to be, and nobody works on it
        elsewhere,  ///< nobody works on it, and it is on `replicas`
        gone,       ///< there is no such partition
    };
    std::string partition;  ///< its name
    State state = State::completed;
    std::vector<std::string> replicas;  ///< brokers, in order, if they are said: where it is or, if
                                        ///< it is under way, where that leads
    std::vector<std::string> adding;    ///< those of them that are being added
    std::size_t line = 1;
};

/// Whether --verify or --list prints such a line.
[[nodiscard]] bool is_progress_line(std::string_view line);

/// What a text says of partitions, of each the last. Other lines are skipped. Throws InputError
/// naming the line.
[[nodiscard]] std::vector<Progress> read_progress(std::string_view text, const std::string& name);

/// Gives partitions of a cluster the replicas that are said. Partitions that it does not have are
/// passed over; the names of those that are under way are returned. Throws InputError naming the
/// line if a partition is gone, or is under way and nothing says where that leads.
[[nodiscard]] std::vector<std::string> take_progress(const std::vector<Progress>& progress,
                                                     const std::string& name, Cluster& cluster);

/// Throws InputError naming the line if a partition, which somebody counts on, is gone.
void expect_there(const Progress& progress, const std::string& name);

/// Marks partitions of a cluster that are under way, and adds `progress_notes`.
void note_progress(const std::vector<Progress>& progress, const std::string& name,
                   Cluster& cluster);

/// For people: which partitions are under way, and which failed and are taken to be where they
/// were.
[[nodiscard]] std::vector<std::string> progress_notes(const std::vector<Progress>& progress,
                                                      const std::string& name);

}  // namespace equipoise::kafka
