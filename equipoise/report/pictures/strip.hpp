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

/// What is drawn besides loads and moves.
struct StripOptions {
    /// Messages that carry no tokens, as dashed arrows in the step in which they arrive.
    bool messages = false;
    /// The nodes at which observers begin (observer_walks.hpp). Each has a ring around the node
    /// where it is; a step that changes its load says so; a picture before all others has the
    /// colours of the links.
    std::vector<NodeId> observers = {};
};

/// One picture for each of these steps: the loads before it in the nodes, and the tokens that
/// cross links in it as arrows, with their number; in the end the loads after the last of these
/// steps. Links that a given schedule makes active are drawn thicker. Throws InputError unless the
/// record is full and its network small, for messages unless it holds them, and for observers as
/// ObserverWalks.
[[nodiscard]] std::string strip_svg(const model::Record& record, std::span<const Step> steps,
                                    const StripOptions& options = {});

}  // namespace equipoise::report
