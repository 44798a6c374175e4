#pragma once
// Runs as people read them: one in full, several side by side.

#include <span>
#include <string>

#include "equipoise/model/run/record.hpp"
#include "equipoise/report/optimum.hpp"

namespace equipoise::report {

/// A load of a record in tokens, in decimal: whole unless the record's units are finer.
[[nodiscard]] std::string tokens_text(const model::Record& record, Tokens units);

/// What a record's network is called: a generator's spec, or a file without its folder.
[[nodiscard]] std::string network_name(const model::Record& record);

/// How text is printed.
struct TextStyle {
    bool plain = true;         ///< ASCII only: for pipes and files
    bool with_seconds = true;  ///< wall time varies from run to run
};

/// "abilene.gml: 11 nodes, 14 links; 1,000 tokens, initial discrepancy 1,000".
[[nodiscard]] std::string heading(const model::Record& record);

/// One run: heading, then a line a figure, the guarantee beside the result it speaks of.
[[nodiscard]] std::string run_text(const model::Record& record, const TextStyle& style = {});

/// Runs on one network side by side: heading, table, and notes on models and guarantees. With an
/// optimum, how many times as many steps and exchanges a run took, where that can be said.
[[nodiscard]] std::string compare_text(std::span<const model::Record> records,
                                       const TextStyle& style = {},
                                       const Optimum* optimum = nullptr);

/// The same figures as CSV with a header line; with an optimum in two more columns its steps and
/// exchanges, where runs can be measured against them.
[[nodiscard]] std::string compare_csv(std::span<const model::Record> records,
                                      bool with_optimum = false);

}  // namespace equipoise::report
