#pragma once
// The ledger: proof that no token was lost.

#include <span>

#include "equipoise/base/tokens.hpp"

namespace equipoise::load {

/// Accounts of a run: what it began with, what was created (dummies, arrivals) and destroyed.
/// Invariant: held + in flight = opened + created - destroyed.
class Ledger {
  public:
    explicit Ledger(std::span<const Tokens> loads);

    /// Takes over the accounts of a run that was opened with fewer or more tokens than it holds
    /// now.
    void resume(Tokens created, Tokens destroyed);
    void create(Tokens tokens);
    void destroy(Tokens tokens);
    [[nodiscard]] Tokens opened() const { return opened_; }
    [[nodiscard]] Tokens created() const { return created_; }
    [[nodiscard]] Tokens destroyed() const { return destroyed_; }
    [[nodiscard]] Tokens expected() const { return opened_ + created_ - destroyed_; }
    /// Whether loads and tokens in flight add up to what is expected.
    [[nodiscard]] bool balances(std::span<const Tokens> loads, Tokens in_flight = 0) const;

  private:
    Tokens opened_ = 0;
    Tokens created_ = 0;
    Tokens destroyed_ = 0;
};

}  // namespace equipoise::load
