#pragma once
// Loads of a run at chosen moments, from its record.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::report {

/// Tokens that moved, arrived or were consumed in one step.
struct Event {
    Step step = 0;
    NodeId from = no_node;  ///< no_node: created
    NodeId to = no_node;    ///< no_node: destroyed
    Tokens tokens = 0;
};

/// All transfers, creations and destructions of a record in the order of their steps; empty unless
/// they lead from the first loads of the record to its last ones.
[[nodiscard]] std::vector<Event> events_of(const model::Record& record);

using FrameVisitor = std::function<void(Step step, std::span<const Tokens> loads)>;

/// Shows the loads after each of these numbers of steps, in ascending order, from the `events` of
/// `events_of`. Cost O(events + moments * nodes).
void visit_moments(const model::Record& record, std::span<const Event> events,
                   std::span<const Step> moments, const FrameVisitor& visit);

/// Shows the loads at up to `frames_max` (at least 2) moments in ascending order, the first and the
/// last among them: from `events` (those of `events_of`) if there are any, otherwise from the
/// samples that hold loads. Cost O(events + frames * nodes).
void visit_frames(const model::Record& record, std::span<const Event> events,
                  std::size_t frames_max, const FrameVisitor& visit);

/// Metrics over time.
struct Curve {
    std::vector<Step> steps;
    std::vector<Tokens> discrepancies;
    std::vector<double> potentials;  ///< n * sum x^2 - T^2
};

/// The metrics at up to `points_max` (at least 2) moments, the first and the last among them.
[[nodiscard]] Curve curve_of(const model::Record& record, std::span<const Event> events,
                             std::size_t points_max);

/// Appends whole numbers as little-endian groups of 7 bits, the last one without the high bit.
class VariableBytes {
  public:
    void add(std::uint64_t value);
    /// Small negative numbers become small too: 0, -1, 1, -2 are added as 0, 1, 2, 3.
    void add_signed(std::int64_t value);
    /// Adds the differences to `previous` (same length); a run of zeros is written as 0 and its
    /// length minus one.
    void add_differences(std::span<const Tokens> previous, std::span<const Tokens> now);
    [[nodiscard]] std::string base64() const;

  private:
    std::vector<std::uint8_t> bytes_;
};

}  // namespace equipoise::report
