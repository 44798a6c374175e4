#pragma once
// The fields of a record, described once: their keys in files, the members that hold them, since
// which version files have them, whether a replay must reproduce them, and whether `verify` can
// check them. Writing, reading, comparing and naming fields are visitors.

#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "equipoise/model/run/record.hpp"

namespace equipoise::model {

/// Which files have a field.
enum class Since : std::uint8_t {
    first,      ///< all
    later,      ///< those of version 1 may lack it
    version_2,  ///< those of version 1 have none
    rare,       ///< any may lack it; those of version 1 have none
};

/// Whether a replay must reproduce the value.
enum class Replayed : std::uint8_t {
    always,
    unless_interrupted,
    if_goal_is_known,  ///< and the run was not interrupted; old records lack `asked_stop`
    if_error_is_known,
    no_larger,  ///< old records lack it
    if_events_are_known,
    if_phases_are_known,
    if_level_is_known,
    no,  ///< a replay is given it, or does not repeat it
};

/// Whether `verify` fails if this field alone has another value.
enum class Proof : std::uint8_t {
    always,
    at_times,  ///< what else the record says decides; `verify` names it where it cannot
    never,
};

struct FieldFacts {
    Since since = Since::first;
    Replayed replayed = Replayed::always;
    Proof proof = Proof::always;
};

/// A 64-bit digest.
template <class Number>
struct DigestField {
    Number& value;
};
/// A value that only the oldest records lack.
template <class Optional>
struct RecordedField {
    Optional& value;
};
/// A list of rows of numbers; `columns` ties the columns of a row to members.
template <class List, class Columns>
struct RowsField {
    List& value;
    const char* shape;  ///< in messages
    Columns columns;
};

template <class Number>
DigestField<Number> as_digest(Number& value) {
    return {value};
}
template <class Optional>
RecordedField<Optional> as_recorded(Optional& value) {
    return {value};
}
template <class List, class Columns>
RowsField<List, Columns> as_rows(List& list, const char* shape, Columns columns) {
    return {list, shape, columns};
}

inline constexpr auto ends_columns = [](auto& ends) { return std::tie(ends.tail, ends.head); };
inline constexpr const char* ends_shape = "[tail, head]";

template <class Links>
auto as_links(Links& links) {
    return as_rows(links, ends_shape, ends_columns);
}

/// Tokens made or removed at nodes; the node is in `node` of each transfer.
template <class Account>
auto as_account(Account& account, NodeId Transfer::*node) {
    return as_rows(account, "[step, node, tokens]",
                   [node](auto& entry) { return std::tie(entry.step, entry.*node, entry.tokens); });
}

// Each function below visits the fields of some structs of one type at once, in the order of files:
// `visit(key, facts, field of each...)` for a value, `visit.object(key, facts, fields)` for an
// object whose fields `fields()` visits, `visit.optional(key, facts, fields, value of each...)` for
// one that may be null, whose fields `fields(value of each...)` visits, and `visit.list(key, facts,
// fields, list of each...)` for a list of such. Without structs they visit only names and facts.

inline constexpr auto sample_fields = [](auto& visit, auto&... sample) {
    visit("step", {}, sample.step...);
    visit("discrepancy", {}, sample.discrepancy...);
    visit("potential", {}, sample.potential...);
    visit("loads", {}, sample.loads...);
};

inline constexpr auto phase_fields = [](auto& visit, auto&... phase) {
    visit("first", {}, phase.first...);
    visit("last", {}, phase.last...);
    visit("memory_bits", {}, phase.memory_bits...);
};

inline constexpr auto deviation_fields = [](auto& visit, auto&... found) {
    visit("value", {}, found.value...);
    visit("error", {.replayed = Replayed::no_larger}, as_recorded(found.error)...);
    visit("step", {.replayed = Replayed::if_error_is_known}, found.step...);
    visit("bound", {.replayed = Replayed::if_error_is_known}, found.bound...);
};

inline constexpr auto moves_fields = [](auto& visit, auto&... moves) {
    // Whether moves were played or only counted depends on the observers.
    visit("played", {.replayed = Replayed::no}, moves.played...);
    visit("distribution_steps", {}, moves.distribution_steps...);
    visit("computation_steps", {}, moves.computation_steps...);
};

inline constexpr auto faults_met_fields = [](auto& visit, auto&... met) {
    visit("lost", {}, met.lost...);
    visit("doubled", {}, met.doubled...);
    visit("crashes", {}, met.crashes...);
};

inline constexpr auto asynchrony_fields = [](auto& visit, auto&... run) {
    constexpr FieldFacts given = {.replayed = Replayed::no, .proof = Proof::at_times};
    constexpr FieldFacts figure = {.proof = Proof::at_times};
    constexpr FieldFacts events = {
        .since = Since::later, .replayed = Replayed::if_events_are_known, .proof = Proof::at_times};
    visit.delays("delays", given, run...);
    visit("adversary", given, run.adversary...);
    visit("faults", given, run.faults...);
    visit("ports", {.since = Since::later, .replayed = Replayed::no, .proof = Proof::at_times},
          run.ports...);
    visit("time", figure, run.time...);
    visit("largest_message_bits", figure, run.largest_message_bits...);
    visit("memory_bits", figure, run.memory_bits...);
    visit.list(
        "phases",
        {.since = Since::rare, .replayed = Replayed::if_phases_are_known, .proof = Proof::at_times},
        phase_fields, run.phases...);
    visit.optional("faults_met", {.since = Since::version_2, .proof = Proof::at_times},
                   faults_met_fields, run.faults_met...);
    visit("digest", events, as_digest(run.digest)...);
    visit("kinds", events, run.kinds...);
    visit("deliveries", events,
          as_rows(run.deliveries, "[sent, arrived, from, to, kind, tokens]", [](auto& d) {
              return std::tie(d.sent, d.arrived, d.from, d.to, d.kind, d.tokens);
          })...);
};

inline constexpr auto given_fields = [](auto& visit, auto&... record) {
    visit("matchings", {}, record.matchings...);
    visit("matrix", {}, as_rows(record.matrix, "[numerator, denominator]", [](auto& weight) {
              return std::tie(weight.numerator, weight.denominator);
          })...);
    visit("tree", {}, record.given.tree...);
    visit("tree_links", {}, as_links(record.given.tree_links)...);
    visit("colouring", {}, record.given.colouring...);
};

inline constexpr auto network_fields = [](auto& visit, auto&... record) {
    constexpr FieldFacts label = {.proof = Proof::at_times};
    visit("origin", label, record.labels.origin...);
    visit("seed", label, record.labels.seed...);
    visit("generated", {}, record.generated...);
    visit("nodes", {}, record.node_count...);
    visit("links", {}, record.link_count...);
    visit("digest", {}, as_digest(record.network_digest)...);
    visit("first_number", label, record.labels.first_number...);
    visit("names", label, record.labels.names...);
    visit("positions", label, record.labels.positions...);
    visit("ends", {}, as_links(record.links)...);
};

inline constexpr auto costs_fields = [](auto& visit, auto&... costs) {
    constexpr FieldFacts cost = {.proof = Proof::at_times};
    visit("steps", cost, costs.steps...);
    visit("rounds", cost, costs.rounds...);
    visit("exchanges", cost, costs.exchanges...);
    visit("messages", cost, costs.messages...);
};

inline constexpr auto guarantee_fields = [](auto& visit, auto&... promise) {
    visit("discrepancy", {.since = Since::later}, promise.discrepancy...);
    visit("steps", {.since = Since::later}, promise.steps...);
    // Words for people, which versions of the program may choose better.
    visit("source", {.replayed = Replayed::no}, promise.source...);
};

inline constexpr auto optimum_fields = [](auto& visit, auto&... best) {
    visit("exchanges", {}, best.exchanges...);
    visit("steps", {}, best.steps...);
};

/// What was asked.
inline constexpr auto task_fields = [](auto& visit, auto&... record) {
    constexpr FieldFacts asked = {.replayed = Replayed::no, .proof = Proof::at_times};
    constexpr FieldFacts noted = {.since = Since::version_2, .proof = Proof::at_times};
    constexpr FieldFacts end = {.replayed = Replayed::unless_interrupted, .proof = Proof::at_times};
    visit("program_version", {.replayed = Replayed::no, .proof = Proof::never},
          record.program_version...);
    visit("algorithm", asked, record.algorithm...);
    visit("given_rule", {.since = Since::rare, .replayed = Replayed::no, .proof = Proof::at_times},
          record.given_rule...);
    visit("model", {.proof = Proof::at_times}, record.model...);
    visit("parameters", {.proof = Proof::at_times}, record.parameters...);
    visit("constants", {.proof = Proof::at_times}, record.constants...);
    visit.object("given", noted, [&](auto& inner) { given_fields(inner, record...); });
    visit("one_token_a_link", noted, record.one_token_a_link...);
    visit("on_spanning_tree", noted, record.on_spanning_tree...);
    visit.optional("deviation", noted, deviation_fields, record.deviation...);
    visit.optional("moves", noted, moves_fields, record.moves...);
    visit.optional("asynchrony", {.since = Since::later}, asynchrony_fields, record.asynchrony...);
    visit("seed", asked, record.seed...);
    visit("stop", end, record.stop...);
    visit("asked_stop",
          {.since = Since::later, .replayed = Replayed::if_goal_is_known, .proof = Proof::at_times},
          as_recorded(record.asked_stop)...);
    visit("steps_max", end, record.steps_max...);
    visit("level", asked, record.level...);
};

/// What happened, and how it ended.
inline constexpr auto outcome_fields = [](auto& visit, auto&... record) {
    constexpr FieldFacts account = {.proof = Proof::at_times};
    constexpr FieldFacts goal = {.replayed = Replayed::if_goal_is_known, .proof = Proof::at_times};
    visit.list("samples", account, sample_fields, record.samples...);
    visit("transfers", account, as_rows(record.transfers, "[step, from, to, tokens]", [](auto& t) {
              return std::tie(t.step, t.from, t.to, t.tokens);
          })...);
    visit("created", account, as_account(record.created, &Transfer::to)...);
    visit("destroyed", account, as_account(record.destroyed, &Transfer::from)...);
    visit("final_loads", {}, record.final_loads...);
    visit.object("costs", {}, [&](auto& inner) { costs_fields(inner, record.costs...); });
    visit("initial_discrepancy", {}, record.initial_discrepancy...);
    visit("final_discrepancy", {}, record.final_discrepancy...);
    visit("level_since",
          {.since = Since::rare, .replayed = Replayed::if_level_is_known, .proof = Proof::at_times},
          record.level_since...);
    visit("local_imbalance", {}, record.local_imbalance...);
    visit.object("guarantee", goal,
                 [&](auto& inner) { guarantee_fields(inner, record.guarantee...); });
    visit("reached", goal, record.reached...);
    visit("stopped_because", {.replayed = Replayed::unless_interrupted, .proof = Proof::at_times},
          record.stopped_because...);
    visit("seconds", {.replayed = Replayed::no, .proof = Proof::never}, record.seconds...);
};

inline constexpr auto world_fields = [](auto& visit, auto&... world) {
    constexpr FieldFacts figure = {.proof = Proof::at_times};
    visit("discrepancy_50", figure, world.discrepancy_50...);
    visit("discrepancy_99", figure, world.discrepancy_99...);
    visit("discrepancy_max", figure, world.discrepancy_max...);
    visit("arrived", figure, world.arrived...);
    visit("consumed", figure, world.consumed...);
    visit("moved_per_arrival", {}, world.moved_per_arrival...);
};

/// All fields of records.
inline constexpr auto record_fields = [](auto& visit, auto&... record) {
    constexpr FieldFacts given = {.replayed = Replayed::no, .proof = Proof::at_times};
    task_fields(visit, record...);
    visit.object("network", {}, [&](auto& inner) { network_fields(inner, record...); });
    visit("speeds", {.proof = Proof::at_times}, record.speeds...);
    visit("load_scale", {}, record.load_scale...);
    visit("loads_may_be_negative", {.proof = Proof::at_times}, record.loads_may_be_negative...);
    visit("initial_loads", {}, record.initial_loads...);
    outcome_fields(visit, record...);
    visit.optional(
        "world", {.since = Since::later, .proof = Proof::at_times},
        [&](auto& inner, auto&... world) {
            inner("arrivals", given, record.arrivals...);
            inner("churn", given, record.churn...);
            world_fields(inner, world...);
            inner("switches", {.since = Since::later, .proof = Proof::at_times},
                  as_rows(record.switches,
                          "[step, node, the link's other end or the node again, 0 or 1]",
                          [](auto& s) { return std::tie(s.step, s.node, s.other, s.up); })...);
        },
        record.world...);
    visit.optional("optimum",
                   {.since = Since::version_2, .replayed = Replayed::no, .proof = Proof::at_times},
                   optimum_fields, record.optimum...);
};

/// The keys of one object, without those of objects inside it.
class FieldKeys {
  public:
    struct Key {
        const char* name;
        Since since;
    };

    template <class... Values>
    void operator()(const char* key, FieldFacts facts, const Values&... /*values*/) {
        keys_.push_back({key, facts.since});
    }
    template <class... Values>
    void delays(const char* key, FieldFacts facts, const Values&... /*values*/) {
        (*this)(key, facts);
    }
    template <class... Values>
    void object(const char* key, FieldFacts facts, const Values&... /*values*/) {
        (*this)(key, facts);
    }
    template <class... Values>
    void optional(const char* key, FieldFacts facts, const Values&... /*values*/) {
        (*this)(key, facts);
    }
    template <class... Values>
    void list(const char* key, FieldFacts facts, const Values&... /*values*/) {
        (*this)(key, facts);
    }
    [[nodiscard]] const std::vector<Key>& keys() const { return keys_; }

  private:
    std::vector<Key> keys_;
};

/// A field as messages and `verify` name it: `costs.steps`.
struct NamedField {
    std::string name;
    FieldFacts facts;
};
/// All fields, and the objects and lists that hold them, in the order of files.
[[nodiscard]] const std::vector<NamedField>& named_fields();

}  // namespace equipoise::model
