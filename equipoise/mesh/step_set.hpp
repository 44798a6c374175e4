#pragma once
// A set of steps, kept as spans.

#include <map>

#include "equipoise/base/ids.hpp"

namespace equipoise::mesh {

/// Steps that parts of a mesh mark independently and in any order; a step that several parts mark
/// counts once.
class StepSet {
  public:
    /// Marks the steps first, ..., end - 1. Cost: O(log spans), plus the spans that it merges.
    void add(Step first, Step end);
    /// How many steps are marked.
    [[nodiscard]] Step size() const { return size_; }
    void clear();

  private:
    std::map<Step, Step> spans_;  ///< end by first; apart from each other
    Step size_ = 0;
};

}  // namespace equipoise::mesh
