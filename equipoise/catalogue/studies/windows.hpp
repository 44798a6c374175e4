#pragma once
// Files with the proofs of plans: writing and checking them.

#include <cstdint>
#include <string>

#include "equipoise/catalogue/studies/plan.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise {
class TimedStop;
}  // namespace equipoise

namespace equipoise::catalogue {

/// Writes the proof of a plan, and the problem that it is about. Throws InputError when there is no
/// proof (optimum::windows_file) or the file cannot be written.
void write_windows(const std::string& path, const PlannedInstance& made,
                   const network::AnyNetwork& network);

/// Writes out the moves of a plan that has only windows (optimum::window_schedule); does nothing
/// for others. Throws InputError when there are too many moves, or when none are found within the
/// memory and before the end.
void write_out_schedule(PlannedInstance& made, std::uint64_t memory_bytes, const TimedStop& end);

/// Re-checks the text of such a file without the search that found the plan: the digest, the
/// network, the target (if it follows from the loads), that the flow respects ports, stocks,
/// capacities and target (optimum::check_flow), that the cut's gates let too little pass
/// (optimum::check_cut, check_certificate), and that the steps are those that flow and cut prove.
/// Throws InputError, naming `origin`, if the text is not such a file; contradictions are failed
/// checks.
[[nodiscard]] verify::Report verify_windows(const std::string& text, const std::string& origin);

}  // namespace equipoise::catalogue
