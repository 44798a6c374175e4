#pragma once
// How long searches for flows may go on.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <stop_token>
#include <utility>

namespace equipoise::optimum {

/// Work is counted in looks at arcs, so that a limit ends a search at the same place whenever it is
/// repeated; a token may also ask to stop at any time.
class FlowBudget {
  public:
    static constexpr std::uint64_t unlimited = std::numeric_limits<std::uint64_t>::max();

    explicit FlowBudget(std::stop_token stop = {}, std::uint64_t looks = unlimited)
        : stop_(std::move(stop)), looks_(looks) {}

    /// Notes work that was done. Returns whether more may follow.
    bool spend(std::uint64_t looks) {
        if (looks_ != unlimited) looks_ -= std::min(looks, looks_);
        return !is_over();
    }
    [[nodiscard]] bool is_over() const { return looks_ == 0 || stop_.stop_requested(); }

  private:
    std::stop_token stop_;
    std::uint64_t looks_;
};

}  // namespace equipoise::optimum
