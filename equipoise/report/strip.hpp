#pragma once
// A run on a small network, step by step, as one picture.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// Most steps of which pictures are drawn.
inline constexpr std::size_t strip_steps_max = 60;

/// Steps in ascending order, numbered from 1: steps and ranges of them, "1..6,9", or "moves": all
/// steps in which tokens move. Throws InputError for another text, a step that the run did not
/// take, or too many.
[[nodiscard]] std::vector<Step> steps_from_text(std::string_view text, const model::Record& record);

/// One picture for each of these steps: the loads before it in the nodes, and the tokens that
/// cross links in it as arrows, with their number; in the end the loads after the last of these
/// steps. Links that a given schedule makes active are drawn thicker. With `messages`, those that
/// carry no tokens are dashed arrows in the step in which they arrive. Throws InputError unless the
/// record is full and its network small, and for messages unless it holds them.
[[nodiscard]] std::string strip_svg(const model::Record& record, std::span<const Step> steps,
                                    bool messages = false);

}  // namespace equipoise::report
