#pragma once
// When the nodes of a program end its phases.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/model/run/phase_end.hpp"

namespace equipoise::engine {

/// Notes the first and the last node that end each phase. Memory: a byte a node, if there are
/// phases.
class PhaseBook {
  public:
    PhaseBook(std::uint32_t phases, std::size_t nodes)
        : ends_(phases), counts_(phases, 0), ended_(phases > 0 ? nodes : 0, 0) {}

    [[nodiscard]] bool wanted() const { return !ends_.empty(); }
    /// Whether a node that has completed this many phases has completed one since it was last
    /// noted.
    [[nodiscard]] bool is_news(NodeId v, std::uint32_t ended) const { return ended > ended_[v]; }
    void note(NodeId v, std::uint32_t ended, std::uint64_t now, std::uint64_t memory_bits) {
        for (std::uint32_t phase = ended_[v]; phase < ended; ++phase) {
            model::PhaseEnd& end = ends_[phase];
            if (counts_[phase]++ == 0) end.first = now;
            if (counts_[phase] == ended_.size()) end.last = now;
            end.memory_bits = std::max(end.memory_bits, memory_bits);
        }
        ended_[v] = static_cast<std::uint8_t>(ended);
    }
    [[nodiscard]] const std::vector<model::PhaseEnd>& ends() const { return ends_; }

  private:
    std::vector<model::PhaseEnd> ends_;
    std::vector<std::size_t> counts_;  ///< nodes that have ended each
    std::vector<std::uint8_t> ended_;  ///< phases, by node
};

}  // namespace equipoise::engine
