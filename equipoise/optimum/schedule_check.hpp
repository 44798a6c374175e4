#pragma once
// Checks of schedules and certificates that share nothing with the code that made them: plain
// simulation and plain sums.

#include <span>
#include <string>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/certificate.hpp"
#include "equipoise/optimum/problem.hpp"
#include "equipoise/optimum/schedule.hpp"

namespace equipoise::optimum {

/// The result of replaying a schedule.
struct ScheduleVerdict {
    bool holds = false;
    std::string fault;  ///< the first thing that is wrong; empty when it holds
    Step steps = 0;     ///< until the last token has arrived
    Tokens exchanges = 0;
    Tokens in_flight_max = 0;  ///< most tokens under way at once
    load::Loads loads;         ///< in the end
};

/// Replays a schedule step by step: moves are in the order of their steps and along links; no node
/// sends or receives more tokens than it has ports (with `all_ports`, no link carries two tokens in
/// one direction at a step), sends a token that it does not hold or holds more than its capacity
/// after a step; the final loads are in the target. Cost O(moves + nodes + steps).
[[nodiscard]] ScheduleVerdict check_schedule(const Problem& problem, std::span<const Move> moves);

/// Adds up a certificate: every way out of every zone passes a gate, a zone of no steps only adds
/// nodes, and fewer tokens can pass all gates in `certificate.steps` steps than must leave. Returns
/// what is wrong, or an empty text if the certificate proves that more than `certificate.steps`
/// steps are needed. The certificate may hold anything, also numbers out of range. Cost O((nodes +
/// links) for each zone and each different delay). Throws OverflowError when the sums leave 64
/// bits.
[[nodiscard]] std::string check_certificate(const Problem& problem, const Certificate& certificate);

}  // namespace equipoise::optimum
