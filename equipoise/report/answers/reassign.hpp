#pragma once
// Plans of named items on machines in words, as CSV and as JSON.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/redis/carry_out.hpp"
#include "equipoise/adapters/redis/take_slots.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/input/instance.hpp"
#include "equipoise/reassign/plan.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::report {

/// An instance with the system that its items are of.
struct ReassignInstance : reassign::Instance {
    /// Where items are Kafka's, their cluster after the moves that are done: its brokers are the
    /// machines, and its replicas the items, in the same order.
    std::optional<kafka::Cluster> cluster;
    /// Where items are slots of a Redis Cluster, what it held when it was asked: its masters are
    /// the machines, in the same order.
    std::optional<redis::Holdings> holdings;
};

/// An instance with a plan for it, or with a schedule that was judged: its moves and what they do.
struct ReassignAnswer : ReassignInstance {
    reassign::Plan plan;
    bool timed = false;    ///< the search ended by the clock: the effort is worth saying
    std::string schedule;  ///< the schedule that was judged; empty: the plan was made
    std::string fault;     ///< the first move that is not allowed, with file and line; empty: none
    std::optional<redis::CarriedOut> carried_out;  ///< what was done of the plan, if anything was

    [[nodiscard]] bool judged() const { return !schedule.empty(); }
    /// Whether every move is allowed, and rules, thresholds and levels hold in the end.
    [[nodiscard]] bool reached() const {
        return fault.empty() && plan.replayed.allowed && plan.reached();
    }
};

/// Where files of a plan were written; empty: nowhere.
struct ReassignFiles {
    std::string schedule = {};
    std::string rollback = {};
    std::string leaders = {};
    std::string moves = {};  ///< what each move waits for
    std::string steps = {};  ///< a script, for Kafka's partitions
};

/// The label by whose values machines are grouped and crossings counted: that of the first rule
/// that spreads items, otherwise the first one that says where a machine stands (rack, zone, ...);
/// a number of `Problem::machine_labels`. Nothing if there is none.
[[nodiscard]] std::optional<std::size_t> machine_groups(const reassign::Problem& problem);

/// Whether a label of machines is their name, which answers give apart.
[[nodiscard]] bool is_name(const reassign::Label& label);

/// By resource: what moves between machines of different groups; the first one is moves.
[[nodiscard]] std::vector<Tokens> amounts_across(const reassign::Problem& problem,
                                                 std::span<const reassign::Move> moves,
                                                 std::size_t groups);

/// Whether it is known who leads some item, in the beginning or in the end.
[[nodiscard]] bool knows_leaders(const ReassignAnswer& answer);
/// Whether answers for people speak of leaders: some change, or are to be level or as given.
[[nodiscard]] bool tells_leaders(const ReassignAnswer& answer);

/// "shards.csv: 200 items on 6 machines".
[[nodiscard]] std::string reassign_title(const ReassignAnswer& answer);

/// What is asked for and what the plan reaches, as names and values of one line each: "level",
/// "moves", "bytes moved", "waves", ...
[[nodiscard]] std::vector<std::pair<std::string, std::string>> reassign_lines(
    const ReassignAnswer& answer);

/// For people: what a plan or a judged schedule does, at most 80 columns wide if names are not too
/// long. Machines by group; of more than `machines_max`, those that change or that stand out, and a
/// count of the rest. Ends with a newline.
[[nodiscard]] std::string reassign_text(const ReassignAnswer& answer, const ReassignFiles& files,
                                        bool plain, std::size_t machines_max = 24);

/// How far a search is: "1,200 iterations, 34 moves", or the first aim that is not reached.
[[nodiscard]] std::string score_words(const reassign::Score& score, std::uint64_t iterations);

/// A plan or a judged schedule for scripts (schemas/equipoise-reassign.json). Ends with a newline.
[[nodiscard]] std::string reassign_json(const ReassignAnswer& answer);

/// All machines as CSV: a line for each machine and resource, with the columns machine, every
/// label, drained, resource, before, after, share, peak, capacity, threshold; and one of the
/// resource "leaders", where it is known who leads.
[[nodiscard]] std::string reassign_csv(const ReassignAnswer& answer);

}  // namespace equipoise::report
