#pragma once
// The command line as manuals, completion and pages describe it.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "equipoise/base/spec_info.hpp"

namespace equipoise::cli {

/// The words that a value can be or begin with. Called only by code that describes options.
using Words = std::function<std::vector<SpecInfo>()>;

enum class FileUse : std::uint8_t { none, reads, writes };

struct OptionDescription {
    std::vector<std::string> names;  ///< "-o", "--output", or one word of an operand: "RECORD"
    std::string value;               ///< SPEC, WORD, FILE, ...; empty: a flag
    bool value_may_lack = false;     ///< --json[=FILE]
    std::string help;                ///< one line
    std::string group;               ///< the heading above it; empty: none of its own
    bool required = false;
    bool repeatable = false;
    FileUse file = FileUse::none;  ///< what the value may name
    std::string file_prefix;       ///< what precedes the file's name: "replay:"
    std::vector<SpecInfo> words;   ///< what the value may be
};

/// The program, or one of its verbs.
struct CommandDescription {
    std::string name;   ///< "equipoise", "run"
    std::string help;   ///< one line
    std::string usage;  ///< "equipoise run [OPTIONS] [ALGORITHM]"
    std::vector<OptionDescription> operands;
    std::vector<OptionDescription> options;
    std::string footer;
    std::vector<CommandDescription> verbs;
};

}  // namespace equipoise::cli
