#pragma once
// The verbs; each has a file of its own.

#include "equipoise/cli/options.hpp"

namespace equipoise::cli {

/// Each adds its verb to the program; when it is the chosen one, `action` is set.
void add_run(CLI::App& program, Action& action);
void add_compare(CLI::App& program, Action& action);
void add_generate(CLI::App& program, Action& action);
void add_algorithms(CLI::App& program, Action& action);
void add_verify(CLI::App& program, Action& action);
void add_report(CLI::App& program, Action& action);
void add_sweep(CLI::App& program, Action& action);
void add_doctor(CLI::App& program, Action& action);

}  // namespace equipoise::cli
