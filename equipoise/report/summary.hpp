#pragma once
// A run as people read it.

#include <cstddef>
#include <string>

#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// A load of a record in tokens, in decimal: whole unless the record's units are finer.
[[nodiscard]] std::string tokens_text(const model::Record& record, Tokens units);

/// What a record's network is called: a generator's spec, or a file without its folder.
[[nodiscard]] std::string network_name(const model::Record& record);

/// How text is printed.
struct TextStyle {
    bool plain = true;           ///< ASCII only: for pipes and files
    bool with_seconds = true;    ///< wall time varies from run to run
    bool with_extremes = false;  ///< of runs whose record holds every move
    bool brief = false;          ///< tables without what only some readers want
    std::size_t width = 0;       ///< of the terminal; 0: no limit. Wider tables become brief ones
};

/// "abilene.gml: 11 nodes, 14 links; 1,000 tokens, initial discrepancy 1,000".
[[nodiscard]] std::string heading(const model::Record& record);

/// One run: heading, then one line per figure, with the guarantee beside the result that it
/// concerns.
[[nodiscard]] std::string run_text(const model::Record& record, const TextStyle& style = {});

}  // namespace equipoise::report
