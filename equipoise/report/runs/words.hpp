#pragma once
// Phrases about a record that tables and pages share.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/load/targets.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/report/runs/summary.hpp"

namespace equipoise::report {

/// Loads and discrepancies in tokens: whole if a unit is a token.
[[nodiscard]] std::string in_tokens(std::uint64_t load_scale, Tokens units);
[[nodiscard]] std::string in_tokens(const model::Record& record, Tokens units);

/// "<= 5".
[[nodiscard]] std::string at_most(const std::string& number, const TextStyle& style);

/// An algorithm with its parameters, except those that have the usual value: "diffusion
/// rounding=down".
[[nodiscard]] std::string name_with_parameters(
    const std::string& algorithm, const std::map<std::string, std::string>& parameters,
    const std::map<std::string, std::string>& usual = {});

/// Why a run ended, the word and what it means: "quiet  (no token moved in the last 3 steps)".
/// `stop` is the rule by which it was to end, "quiet:3".
[[nodiscard]] std::string ending_text(const std::string& because, std::string_view stop,
                                      bool asynchronous, bool reached);
[[nodiscard]] std::string ending_text(const model::Record& record);

/// The basis of a promise: a theorem, or the state in which the run ended.
[[nodiscard]] std::string promise_text(std::string_view source);

/// A constant of a run, or nothing. For people: programs find what they need in fields of the
/// record.
[[nodiscard]] std::string constant(const model::Record& record, const char* name);

/// Everything that was noted about a run by name, for people and for scripts: its constants and, as
/// texts, the typed fields of the record that were constants before they had types.
[[nodiscard]] std::map<std::string, std::string> named_notes(const model::Record& record);

/// A number with six significant digits.
[[nodiscard]] std::string six_digits(double value);

/// The deviation without its error. Requires one.
[[nodiscard]] std::string deviation_value(const model::Record& record);
/// Whether the error of the deviation is small beside it, or unknown. Requires one.
[[nodiscard]] bool deviation_is_sharp(const model::Record& record);

/// The largest deviation from the idealised process: "27.0622 +- 5e-06", if it is not known well
/// "0.667 to 25.1", and nothing if it was not requested.
[[nodiscard]] std::string deviation_text(const model::Record& record);

/// The tokens of a list of accounts: those made in a run, or those removed.
[[nodiscard]] Tokens tokens_in(const std::vector<model::Transfer>& accounts);

/// Since when the discrepancy was what it is at the end: "after step 5 of 10 (discrepancy 1 from
/// then on)"; nothing if that is not known.
[[nodiscard]] std::string level_text(const model::Record& record);
[[nodiscard]] std::string level_text(std::optional<Step> since, Step steps,
                                     const std::string& discrepancy);

/// The effects of unreliable links and nodes; nothing if there were none.
[[nodiscard]] std::string faults_met_text(const model::Record& record);

/// The purposes of the steps, if an algorithm has steps of two kinds; otherwise nothing.
[[nodiscard]] std::string step_kinds(const model::Record& record);
/// Whether moves were played or computed, if an algorithm chooses its own moves.
[[nodiscard]] std::string how_moves_were_made(const model::Record& record);

/// How many tokens the node that is farthest from its share by speed is away from it. Requires
/// speeds.
[[nodiscard]] load::Fraction share_distance(const model::Record& record);
[[nodiscard]] std::string share_distance_text(const model::Record& record);

/// The largest minus the smallest load per unit of speed. Requires speeds.
[[nodiscard]] double imbalance_by_speed(const model::Record& record);
[[nodiscard]] std::string by_speed(const model::Record& record);

/// Whether the floor or the ceiling of its share is promised to every node: the meaning of a
/// promise with speeds and without a discrepancy.
[[nodiscard]] bool promises_shares(const model::Record& record);

/// Whether the promise was kept; nothing if there was none or the run was interrupted.
[[nodiscard]] std::optional<bool> promise_kept(const model::Record& record);
/// The same as a sign or a word; "-" for nothing.
[[nodiscard]] std::string kept(const model::Record& record, const TextStyle& style);

}  // namespace equipoise::report
