#pragma once
// Plans of named items on machines under rules, as the command line and Python ask for them.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/reassign/input/instance.hpp"
#include "equipoise/reassign/input/schedule_file.hpp"
#include "equipoise/reassign/search/search.hpp"

namespace equipoise::catalogue {

/// The options of `reassign`, named as on the command line, where --help describes them. Lists hold
/// one name each; a command line splits its values at commas.
struct ReassignRequest {
    std::string items;     ///< a table, or output of Kafka's reassignment tool
    std::string machines;  ///< a table; empty: the machines that hold items
    std::string log_dirs;  ///< the output of kafka-log-dirs --describe
    std::vector<std::string> resources = {};
    std::vector<std::string> labels = {};

    // Rules. Those of options and of the file are added together.
    std::vector<std::string> apart = {};   ///< LABEL
    std::vector<std::string> spread = {};  ///< LABEL:MACHINELABEL[:K]
    std::vector<std::string> near = {};    ///< LABEL:MACHINELABEL
    std::string allowed;                   ///< a table of items and machines
    std::string forbidden;
    std::vector<std::string> pinned = {};  ///< machines and items
    std::vector<std::string> drain = {};   ///< machines
    std::string rules;                     ///< JSON (schemas/equipoise-rules.json)

    // Aims.
    std::vector<std::string> level = {};  ///< resources, or "none"; empty: bytes, size or items
    std::string tolerance;                ///< `0.1`, or by resource `bytes:0.05,items:0.2`
    std::string fewest;                   ///< `moves`, `bytes` or a resource; empty: moves
    std::optional<double> only_if_above = {};
    std::string at_most;    ///< `moves=50,bytes=2TB,waves=3`
    std::string objective;  ///< JSON (schemas/equipoise-objective.json), in place of aims

    // Waves.
    std::string rates;                          ///< a table machine,in,out
    std::optional<std::uint64_t> at_once = {};  ///< nothing: 1 or, with rates a wave, no limit
    std::string resume;                         ///< a table of the moves that are done

    // The search.
    std::optional<double> seconds = {};        ///< nothing: 30, or no limit with an effort
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

/// Reads the files and makes the problem that the request asks for, with notes on what was read.
/// Throws InputError naming file and line, or the option.
[[nodiscard]] reassign::Instance make_problem(const ReassignRequest& request);

/// The options of the search. Throws InputError as `check`.
[[nodiscard]] reassign::SearchOptions search_options(const ReassignRequest& request);

/// The moves of a schedule, a file or the text "check". Throws InputError naming file and line.
[[nodiscard]] reassign::ReadMoves read_schedule(const ReassignRequest& request,
                                                const std::string& schedule,
                                                const reassign::Instance& instance);

}  // namespace equipoise::catalogue
