#pragma once
// The parts of a verification; see verify.hpp for what it promises.

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "equipoise/model/run/record.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise::verify {

/// Walks through a record, part after part, and notes what it finds. Later parts rely on earlier
/// ones: without sound sizes and loads nothing else is looked at.
class Examiner {
  public:
    explicit Examiner(const model::Record& record) : record_(record) {}
    /// Runs all parts.
    [[nodiscard]] Report examine();

  private:
    void note(std::string name, bool passed, std::string detail) {
        report_.checks.push_back({std::move(name), passed, std::move(detail)});
    }
    [[nodiscard]] bool check_sizes();
    [[nodiscard]] bool check_loads();
    void check_network();
    void check_conservation();
    void check_figures();
    void check_samples();
    void check_ending();
    [[nodiscard]] std::string contradicted_ending() const;
    [[nodiscard]] bool may_end_by(std::string_view reason) const;
    [[nodiscard]] std::optional<Step> stop_part(std::string_view name) const;
    [[nodiscard]] Step quiet_steps() const;
    [[nodiscard]] Step idle_steps_at_end() const;
    void check_guarantee();
    void check_deviation();
    void check_transfers();
    void list_unchecked();

    const model::Record& record_;
    std::optional<network::AnyNetwork> network_;
    Report report_;
};

/// The largest load minus the smallest, in 128 bits: a record may claim anything.
[[nodiscard]] Int128 spread(const std::vector<Tokens>& loads);
/// The sum of all loads.
[[nodiscard]] Int128 sum(const std::vector<Tokens>& loads);

}  // namespace equipoise::verify
