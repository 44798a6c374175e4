#pragma once
// What `reassign` answers: a plan for a request, or what a given schedule does.

#include <cstdint>
#include <functional>
#include <stop_token>
#include <string>

#include "equipoise/catalogue/studies/reassign.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::catalogue {

using report::ReassignAnswer;

/// How a caller follows and ends the search.
struct ReassignControl {
    std::stop_token stop;
    /// Told now and then, by one thread, the best score so far and the iterations done.
    std::function<void(const reassign::Score&, std::uint64_t)> progress;
    /// Told of the problem before the search, which it may prevent by an exception.
    std::function<void(const report::ReassignInstance&)> read = {};
};

/// Makes the problem and plans it (reassign::make_plan). Throws as both do.
[[nodiscard]] ReassignAnswer answer_reassign(const ReassignRequest& request,
                                             const ReassignControl& control = {});

/// Replays the schedule of a file, or of the text "check", from where the items are, and says of
/// the result what a plan says; only what could relax rules is not searched. Throws as
/// `make_problem`, and InputError for lines that cannot be read.
[[nodiscard]] ReassignAnswer judge_reassign(const ReassignRequest& request,
                                            const std::string& schedule);

}  // namespace equipoise::catalogue
