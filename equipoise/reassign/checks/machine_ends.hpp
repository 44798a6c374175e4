#pragma once
// The ends of machines, at each of which moves share a rate.

#include <cstddef>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::reassign {

/// Numbers the ends: first those at which machines give, then those at which they take. In half
/// duplex a machine takes at the end at which it gives. The problem outlives it.
class MachineEnds {
  public:
    explicit MachineEnds(const Problem& problem) : problem_(problem) {}

    [[nodiscard]] std::size_t count() const { return std::size_t{2} * problem_.machine_count(); }
    [[nodiscard]] std::size_t giving(MachineId machine) const { return machine; }
    [[nodiscard]] std::size_t taking(MachineId machine) const {
        return machine + (problem_.half_duplex ? std::size_t{0} : problem_.machine_count());
    }
    [[nodiscard]] bool gives(std::size_t end) const { return end < problem_.machine_count(); }
    [[nodiscard]] MachineId machine(std::size_t end) const {
        return static_cast<MachineId>(gives(end) ? end : end - problem_.machine_count());
    }
    /// What may pass the end in a wave, of `Problem::copied`.
    [[nodiscard]] Tokens rate(std::size_t end) const {
        const std::vector<Tokens>& rates = gives(end) ? problem_.gives : problem_.takes;
        return rates.empty() ? tokens_max : rates[machine(end)];
    }
    /// How long an amount takes to pass the end; 0 where no rates a second are known.
    [[nodiscard]] double seconds(std::size_t end, Tokens amount) const {
        const std::vector<double>& rates =
            gives(end) ? problem_.gives_a_second : problem_.takes_a_second;
        return amount == 0 || rates.empty() ? 0 : static_cast<double>(amount) / rates[machine(end)];
    }

  private:
    const Problem& problem_;
};

/// Whether rates a second are known.
[[nodiscard]] inline bool knows_seconds(const Problem& problem) {
    return !problem.gives_a_second.empty() || !problem.takes_a_second.empty();
}

}  // namespace equipoise::reassign
