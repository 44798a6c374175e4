#pragma once
// A run as people read it.

#include <cstddef>
#include <map>
#include <string>

#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// A load of a record in tokens, in decimal: whole unless the record's units are finer.
[[nodiscard]] std::string tokens_text(const model::Record& record, Tokens units);

/// The name of a record's network: a generator's spec, or a file without its folder.
[[nodiscard]] std::string network_name(const model::Record& record);

/// How text is printed.
struct TextStyle {
    bool plain = true;           ///< ASCII only: for pipes and files
    bool with_seconds = true;    ///< wall time varies from run to run
    bool with_extremes = false;  ///< only for runs whose record holds every move
    bool with_recovery = false;  ///< likewise, for runs with churn
    bool brief = false;          ///< tables without columns that only some readers want
    std::size_t width = 0;  ///< of lines; 0: no limit. Running text wraps, wide tables become brief
    /// Parameters that have these values go without saying.
    std::map<std::string, std::string> usual_parameters = {};
};

/// "abilene.gml: 11 nodes, 14 links; 1,000 tokens, initial discrepancy 1,000".
[[nodiscard]] std::string heading(const model::Record& record);

/// The cost of holding the nodes in another order, and its gain.
struct Reordering {
    std::string order;
    double seconds = 0;      ///< to find the order
    double read_before = 0;  ///< nanoseconds to read a neighbour's load, by number; on a sample
    double read_after = 0;   ///< the same in this order
};

/// "nodes reordered (degrees) in 1.2 s; reading a neighbour's load takes 2.1 ns, by number 4.5 ns".
[[nodiscard]] std::string reordering_line(const Reordering& reordering);

/// One run: heading, then one line per figure, with the guarantee beside the result that it
/// concerns.
[[nodiscard]] std::string run_text(const model::Record& record, const TextStyle& style = {});

}  // namespace equipoise::report
