#pragma once
// The way back from a plan, as a schedule.

#include <span>
#include <string>

#include "equipoise/reassign/input/instance.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// The way back as lines of a schedule: copies that were made are dropped, then the moves of others
/// are undone, copies that were dropped are made again, in as many waves more as rates need, and at
/// last leaders change back.
[[nodiscard]] std::string way_back_text(const Instance& instance, std::span<const Move> moves,
                                        std::span<const LeaderChange> leaders);

}  // namespace equipoise::reassign
