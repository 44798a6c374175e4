#pragma once
// The course of a program of DARMA vt, phase by phase: which rank ran which task for how long, and
// which object sent how much to which other. The format is vt's LBDatafile, one file a rank
// (docs/how-to/trace.md).

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"

namespace equipoise::trace {

/// An object that has tasks, numbered from 0 in the order of ranks, phases and tasks. An object
/// that may not migrate counts once for every rank on which it has tasks: vt gives the same id to
/// some such objects of all ranks.
using EntityId = std::uint32_t;
inline constexpr EntityId no_entity = std::numeric_limits<EntityId>::max();
inline constexpr int no_rank = -1;

/// The work of one object in one phase. Phases that are identical share it.
struct Task {
    EntityId entity = no_entity;
    double seconds = 0;
    std::optional<double> bytes = {};  ///< bytes sent when it moves, if the program said so
    bool migratable = false;
    std::string text;  ///< its JSON without braces and `node`; empty if it is not kept
};

/// One end of a communication: an object that has tasks, or a rank (its home, if it is an object
/// without tasks), or neither if the file does not say.
struct End {
    EntityId entity = no_entity;
    int rank = no_rank;
};

/// What one object or rank sent to another in one phase.
struct Communication {
    End from;
    End to;
    Tokens messages = 0;
    double bytes = 0;
    std::string text;  ///< its JSON; empty if it is not kept
};

/// One rank's part of a phase.
struct RankPhase {
    std::vector<std::uint32_t> tasks;           ///< places in Trace::tasks, in the file's order
    std::vector<std::uint32_t> communications;  ///< places in Trace::communications
    std::string kept;      ///< what else the phase holds, as JSON without braces; empty: nothing
    bool repeats = false;  ///< not written out, but listed as identical to the one before
};

struct Phase {
    std::int64_t id = 0;
    std::vector<RankPhase> ranks;

    [[nodiscard]] std::size_t task_count() const;
};

/// The file of one rank, without its phases.
struct RankFile {
    std::string path;
    std::string name;      ///< the path without its folders
    std::string metadata;  ///< its JSON; empty: none
    bool compressed = false;
    bool typed = false;  ///< whether it says its type
};

/// A trace. All phases have all ranks, in order; phases are in the order of their ids.
struct Trace {
    std::vector<RankFile> files;  ///< by rank
    std::vector<Phase> phases;
    std::vector<Task> tasks;
    std::vector<Communication> communications;
    std::size_t entity_count = 0;

    [[nodiscard]] std::size_t rank_count() const { return files.size(); }
};

/// The rank of every task of every phase: phase by phase, and in it rank by rank as recorded.
using Placement = std::vector<std::vector<int>>;

/// Where the tasks ran.
[[nodiscard]] Placement recorded_placement(const Trace& trace);

/// The traffic from rank to rank in a phase. `unplaced` are messages with an end that the file does
/// not place.
struct Traffic {
    Tokens messages = 0;
    double bytes = 0;
    Tokens unplaced = 0;
};

/// The traffic of a phase when its tasks are on these ranks. Cost O(tasks + communications).
[[nodiscard]] Traffic traffic_between_ranks(const Trace& trace, const Phase& phase,
                                            const std::vector<int>& rank_of_task);

/// For each entity, the rank that has its task in a phase; `no_rank` for those without one. Cost
/// O(entities + tasks).
[[nodiscard]] std::vector<int> rank_of_entity(const Trace& trace, const Phase& phase,
                                              const std::vector<int>& rank_of_task);

}  // namespace equipoise::trace
