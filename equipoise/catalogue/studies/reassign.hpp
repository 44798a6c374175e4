#pragma once
// Plans of named items on machines under rules, as the command line and Python ask for them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/reassign/input/instance.hpp"
#include "equipoise/reassign/input/schedule_file.hpp"
#include "equipoise/reassign/search/search.hpp"
#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::catalogue {

/// The options of `reassign`, named as on the command line, where --help describes them. Lists hold
/// one name each; a command line splits its values at commas.
struct ReassignRequest {
    /// A table, or what Kafka's tools print of partitions, or a Redis Cluster that is running:
    /// `redis://HOST:PORT`.
    std::string items;
    std::string user;      ///< of that cluster; empty: the default user
    std::string password;  ///< of that cluster; never printed
    std::string machines;  ///< a table, or brokers so; empty: the machines that hold items
    std::string log_dirs;  ///< the output of kafka-log-dirs --describe
    std::vector<std::string> resources = {};
    std::vector<std::string> labels = {};

    // Rules. Those of options and of the file are added together.
    std::vector<std::string> apart = {};   ///< LABEL
    std::vector<std::string> spread = {};  ///< LABEL:MACHINELABEL[:K], or "none" alone
    std::vector<std::string> near = {};    ///< LABEL:MACHINELABEL
    std::string allowed;                   ///< a table of items and machines
    std::string forbidden;
    std::vector<std::string> pinned = {};  ///< machines and items
    std::vector<std::string> drain = {};   ///< machines
    std::string rules;                     ///< JSON (schemas/equipoise-rules.json)

    // Aims.
    /// Resources, or "none"; besides them "leaders"; empty: bytes, size or items; of slots both
    /// bytes and slots.
    std::vector<std::string> level = {};
    std::string tolerance;  ///< `0.1`, or by resource `bytes:0.05,leaders:0.2`
    std::string fewest;     ///< `moves`, `bytes` or a resource; empty: moves
    std::optional<double> only_if_above = {};
    std::string at_most;    ///< `moves=50,bytes=2TB,waves=3`
    std::string objective;  ///< JSON (schemas/equipoise-objective.json), in place of aims

    // Waves.
    std::string target;                      ///< `places:FILE`: where everything ends
    std::vector<std::string> replicas = {};  ///< N, or NAME=N: how many copies things have
    std::string copy_from;                   ///< `old` or `leader`; empty: as items are
    std::string rates;                       ///< a table machine,in,out or machine,both
    /// Nothing: 1 or, with rates a wave, no limit. Of slots, how many are under way at a master.
    std::optional<std::uint64_t> at_once = {};
    bool half_duplex = false;  ///< also with a table machine,both
    std::string resume;        ///< a table of the moves that are done, or Kafka's last wave of them

    // The search.
    std::optional<double> seconds = {};  ///< nothing: 30 (2 of slots), or no limit with an effort
    std::optional<std::uint64_t> effort = {};  ///< iterations
    unsigned threads = 2;
    std::uint64_t seed = 1;
    std::uint64_t memory_mb = 1024;

    /// Texts in place of files, by option: "items", "machines", "rules", ... The value of the
    /// option is then the name of the text in messages.
    std::map<std::string, std::string> texts = {};

    /// Throws InputError unless there are items, options fit each other, numbers are in range and
    /// the files are there.
    void check() const;
};

/// Reads the files and makes the problem that the request asks for, with notes on what was read. Of
/// copies that are too many, those go that `schedule` drops, a file or the text "check", if one is
/// given. Throws InputError naming file and line, or the option.
[[nodiscard]] report::ReassignInstance make_problem(const ReassignRequest& request,
                                                    const std::string& schedule = "");

/// The options of the search. Throws InputError as `check`.
[[nodiscard]] reassign::SearchOptions search_options(const ReassignRequest& request);

/// A schedule from a file of lines, or from one file for each of Kafka's waves.
struct ReassignSchedule {
    reassign::ReadMoves read;  ///< the line of a move: the place of its partition in Kafka's wave
    std::string file;
    std::optional<kafka::WaveMoves> kafkas;

    /// "moves.csv:3", or "plan-1.json: partitions[3]".
    [[nodiscard]] std::string place(Step wave, std::uint64_t line) const;
    /// "moves.csv", or "plan-0.json to plan-3.json".
    [[nodiscard]] std::string words() const { return kafkas ? kafkas->files.words() : file; }
};

/// The schedule of a file, or of the text "check"; given a file of one of Kafka's waves, that file
/// and all that follow it. Throws InputError naming file and line.
[[nodiscard]] ReassignSchedule read_schedule(const ReassignRequest& request,
                                             const std::string& schedule,
                                             const report::ReassignInstance& instance);

}  // namespace equipoise::catalogue
