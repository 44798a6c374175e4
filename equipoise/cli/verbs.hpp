#pragma once
// The verbs; each has a file of its own.

#include "equipoise/cli/options.hpp"

namespace equipoise::cli {

class Ranks;

/// Each adds its verb to the program; when it is the chosen one, `action` is set. Those
/// that several processes run together are given their ranks.
void add_run(Command& program, Action& action, const Ranks& ranks);
void add_compare(Command& program, Action& action, const Ranks& ranks);
void add_plan(Command& program, Action& action);
void add_reassign(Command& program, Action& action);
void add_experts(Command& program, Action& action);
void add_generate(Command& program, Action& action, const Ranks& ranks);
void add_algorithms(Command& program, Action& action);
void add_analyze(Command& program, Action& action);
void add_conjecture(Command& program, Action& action);
void add_verify(Command& program, Action& action);
void add_plot(Command& program, Action& action);
void add_report(Command& program, Action& action);
void add_sweep(Command& program, Action& action);
void add_worst(Command& program, Action& action);
void add_trace(Command& program, Action& action);
void add_agent(Command& program, Action& action);
void add_doctor(Command& program, Action& action);
/// The program must outlive the verb.
void add_help(Command& program, Action& action);
void add_mpi_info(Command& program, Action& action, const Ranks& ranks);

}  // namespace equipoise::cli
