#pragma once
// What was done of a plan for the slots of a Redis Cluster, in words.

#include <string>

#include "equipoise/adapters/redis/carry_out.hpp"
#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::report {

/// Whether all of the plan was done, and nothing was left open.
[[nodiscard]] bool is_complete(const redis::CarriedOut& done);

/// How far it is: "312 of 8,191 slots, 1.20 GB of 5.62 GB, 14 s to go".
[[nodiscard]] std::string progress_words(const redis::CarryOutProgress& progress);

/// What was moved, finished and left, in lines of at most 80 columns. Ends with a newline.
[[nodiscard]] std::string carried_out_text(const ReassignAnswer& answer);

}  // namespace equipoise::report
