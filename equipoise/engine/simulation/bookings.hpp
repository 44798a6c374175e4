#pragma once
// The books of programs whose messages carry no tokens: which node took over how many, and whether
// both ends agree.

#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::engine {

/// Tokens that were made (positive) or lost at a node.
struct Made {
    NodeId node = no_node;
    Tokens tokens = 0;
};

/// Tokens change owners when one end of a link takes them over. Until the other end hands over the
/// same number, they are in doubt: both ends hold them. A hand-over closes the account of its
/// direction; any difference between the two ends was made or lost, and counts as a violation. A
/// side here is that of the end that hands over. Memory: 12 bytes a side, from the first booking
/// on.
class Bookings {
  public:
    [[nodiscard]] Tokens in_doubt() const { return in_doubt_; }
    [[nodiscard]] Tokens in_doubt(std::uint32_t side) const {
        return accounts_.empty() ? 0 : accounts_[side].in_doubt;
    }
    /// The number of a side's hand-overs that differed from what the other end had taken.
    [[nodiscard]] std::uint32_t violations(std::uint32_t side) const {
        return accounts_.empty() ? 0 : accounts_[side].violations;
    }

    void take_over(std::size_t sides, std::uint32_t side, Tokens tokens) {
        if (accounts_.empty()) accounts_.resize(sides);
        accounts_[side].in_doubt += tokens;
        in_doubt_ += tokens;
    }
    /// The tokens made (positive) or lost (negative).
    Tokens hand_over(std::size_t sides, std::uint32_t side, Tokens tokens) {
        if (accounts_.empty()) accounts_.resize(sides);
        Account& account = accounts_[side];
        const Tokens made = account.in_doubt - tokens;
        if (made != 0) ++account.violations;
        in_doubt_ -= account.in_doubt;
        account.in_doubt = 0;
        return made;
    }

  private:
    struct Account {
        Tokens in_doubt = 0;
        std::uint32_t violations = 0;
    };
    std::vector<Account> accounts_;
    Tokens in_doubt_ = 0;
};

}  // namespace equipoise::engine
