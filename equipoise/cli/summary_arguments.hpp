#pragma once
// `--interval`, `--confidence`, `--quantiles`, and what else `sweep --summary` asks.

#include <string>
#include <vector>

#include "equipoise/cli/command.hpp"
#include "equipoise/report/studies/summary.hpp"

namespace equipoise::cli {

/// How the spread over seeds is shown.
struct SpreadArguments {
    std::string interval;
    std::string confidence;
    std::string quantiles;

    void add_to(Command& verb);
    /// Throws InputError.
    void fill(report::SummaryOptions& options) const;
};

struct SummaryArguments {
    std::string target;  ///< "-" for standard output
    std::string of;
    std::string by;
    std::string against;
    SpreadArguments spread;

    void add_to(Command& verb);
    [[nodiscard]] bool given() const { return !target.empty(); }
    [[nodiscard]] bool to_output() const { return target == "-"; }
    /// Throws InputError if another option than `--summary` was given.
    void expect_nothing_asked() const;
    /// Throws InputError, also if the file's name does not say in which form to write.
    [[nodiscard]] report::SummaryOptions options() const;
    /// Throws InputError if the summary would be written over this file.
    void expect_other_file(const std::string& path) const;
    /// Prints the summary, or writes it to the file.
    void emit(const report::Summary& summary) const;
};

}  // namespace equipoise::cli
