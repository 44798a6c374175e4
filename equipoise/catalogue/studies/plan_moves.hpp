#pragma once
// Schedules of tokens from files: moves that are done, and schedules to be judged.

#include <string>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/catalogue/studies/plan.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/optimum/schedule.hpp"
#include "equipoise/optimum/schedule_check.hpp"

namespace equipoise::catalogue {

/// Reads `step,from,to` lines. Throws InputError naming file and line for anything else, unknown
/// nodes and nodes that no link joins.
[[nodiscard]] optimum::Schedule read_schedule(const std::string& path,
                                              const network::AnyNetwork& network);

/// Carries out the moves of a file. Throws as `read_schedule`, and InputError when a node sends a
/// token that it does not hold.
void carry_out(const std::string& path, const network::AnyNetwork& network, load::Loads& loads);

/// Reads `node,in,out` lines as ports by node, 1 for nodes without a line. Throws InputError naming
/// file and line, also if in and out differ.
[[nodiscard]] std::vector<Tokens> read_ports(const std::string& path,
                                             const network::AnyNetwork& network);

/// A schedule that was judged.
struct JudgedSchedule {
    optimum::ScheduleVerdict verdict;
    std::string fault;  ///< names the file; empty: the schedule is valid
};

/// Judges the schedule of a file by `optimum::check_schedule`. Throws as `read_schedule` and
/// `plan_problem`.
[[nodiscard]] JudgedSchedule judge_schedule(const PlanRequest& request,
                                            const network::AnyNetwork& network,
                                            const std::string& path);

}  // namespace equipoise::catalogue
