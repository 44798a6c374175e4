#pragma once
// The options of runs, each declared once. From the declarations follow the command line with its
// help, manuals and completion, the functions of Python, the options of scenarios, the values that
// must be the same on all ranks, and the run that a checkpoint belongs to.

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "equipoise/base/ids.hpp"
#include "equipoise/catalogue/registry/parameters.hpp"
#include "equipoise/catalogue/runner/option.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/stop.hpp"
#include "equipoise/network/io/round_files.hpp"
#include "equipoise/network/structure/given_structures.hpp"
#include "equipoise/network/structure/matchings.hpp"
#include "equipoise/network/structure/node_orders.hpp"

namespace equipoise::catalogue {

/// A value that must be the same on all ranks that play a run together.
using HeldValue =
    std::variant<const bool*, const std::uint64_t*, const std::optional<Step>*, const std::string*,
                 const ParameterTexts*, const std::optional<model::StopRule>*, const load::Loads*,
                 const network::MatchingSequence*, const network::RoundWeights*,
                 const network::NodeOrder*, const network::GivenStructures*,
                 const model::FinalLoads*, const engine::Partition*, bool>;

/// Finds this value among the options of a run. Null: ranks may differ in it.
using FindHeld = HeldValue (*)(const RunOptions&, const network::GivenStructures&);

struct RunOption {
    /// Which fields the option fills on its own: none, one of RunOptions, or one of
    /// AsynchronyTexts.
    enum class Fills : std::uint8_t { nothing, field, asynchrony };

    OptionInfo info;
    OptionValue (*value)(RunRequest&) = nullptr;
    FindHeld held = nullptr;
    Fills fills = Fills::nothing;
    bool in_compare = true;  ///< whether `compare` has it too
};

/// All options, in the order of the help.
[[nodiscard]] std::span<const RunOption> options_of_runs();

/// A field of RunOptions that the program sets, not an option.
struct ProgramField {
    std::string_view name;
    FindHeld held = nullptr;
};
[[nodiscard]] std::span<const ProgramField> fields_set_by_programs();

}  // namespace equipoise::catalogue
