#pragma once
// A run on a small network, step by step, as one picture.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// The largest number of steps that are drawn.
inline constexpr std::size_t strip_steps_max = 60;

/// Steps in ascending order, numbered from 1: single steps and ranges, "1..6,9", or "moves" for all
/// steps in which tokens move. Throws InputError for any other text, for a step that the run did
/// not take, and for too many steps.
[[nodiscard]] std::vector<Step> steps_from_text(std::string_view text, const model::Record& record);

/// Drawn besides loads and moves.
struct StripOptions {
    /// Messages that carry no tokens, as dashed arrows in the step in which they arrive.
    bool messages = false;
    /// The nodes at which observers begin (observer_walks.hpp). Each is a ring around the node
    /// where it is; the picture of a step that changes its load says so; an additional first
    /// picture shows the colours of the links.
    std::vector<NodeId> observers = {};
};

/// One picture for each of these steps: the loads before the step in the nodes, and as arrows the
/// tokens that cross links in it, with their number; at the end the loads after the last of these
/// steps. Links that a given schedule makes active are drawn thicker. Throws InputError unless the
/// record is full and its network small; if messages are wanted, unless the record holds them; for
/// observers as ObserverWalks.
[[nodiscard]] std::string strip_svg(const model::Record& record, std::span<const Step> steps,
                                    const StripOptions& options = {});

}  // namespace equipoise::report
