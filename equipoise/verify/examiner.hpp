#pragma once
// The parts of a verification; see verify.hpp for what it promises.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/model/run/record.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/verify/known_algorithms.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise::verify {

/// Goes through a record, part by part, and notes what it finds. Later parts rely on earlier ones:
/// without sound sizes and loads nothing else is checked.
class Examiner {
  public:
    explicit Examiner(const model::Record& record) : record_(record) {}
    /// Runs all parts.
    [[nodiscard]] Report examine();

  private:
    void note(std::string name, bool passed, std::string detail) {
        report_.checks.push_back({std::move(name), passed, std::move(detail)});
    }
    /// Names fields that could have other values as far as the record shows, and why. Their
    /// description (model/run/record_fields.hpp) says that this may be.
    void leave_open(const std::vector<std::string>& fields, const std::string& why);
    /// Notes that fields were checked only against each other.
    void open_together(const std::string& what) { report_.unchecked.push_back(what); }

    [[nodiscard]] bool check_sizes();
    [[nodiscard]] bool check_loads();
    void check_network();
    void check_labels();
    void check_claims();
    [[nodiscard]] std::string wrong_of_given_rule() const;
    [[nodiscard]] bool is_in_units() const;
    void check_units();
    void check_speeds();
    void check_level();
    void check_closed();
    void check_conservation();
    void check_figures();
    void check_samples();
    [[nodiscard]] std::string problem_of_sample(const model::Sample& sample) const;
    [[nodiscard]] std::string problem_of_spacing() const;
    void check_ending();
    [[nodiscard]] std::string contradicted_ending() const;
    void check_reached();
    [[nodiscard]] bool is_reached() const;
    [[nodiscard]] bool satisfies(std::string_view asked) const;
    [[nodiscard]] bool may_end_by(std::string_view reason) const;
    [[nodiscard]] std::optional<Step> stop_part(std::string_view name) const;
    [[nodiscard]] Step quiet_steps() const;
    [[nodiscard]] Step idle_steps_at_end() const;
    void check_guarantee();
    void check_deviation();
    void check_moves();
    void check_optimum();
    void check_given();
    void check_constants();
    void check_asynchrony();
    [[nodiscard]] std::string problem_of_deliveries(const std::vector<model::Delivery>& deliveries,
                                                    std::size_t kinds) const;
    void check_world();
    [[nodiscard]] bool every_step_is_sampled() const;
    void expect_quantiles(std::string& wrong) const;
    void check_transfers();
    [[nodiscard]] std::string problem_of_rounds();
    void leave_costs_open();
    void check_level_since();
    [[nodiscard]] std::optional<Step> sampled_level_since() const;

    const model::Record& record_;
    const KnownAlgorithm* known_ = nullptr;
    std::optional<network::AnyNetwork> network_;
    std::optional<Step> level_since_;  ///< as the transfers have it, if they say so
    Report report_;
};

/// The largest load minus the smallest, in 128 bits: a record may claim anything.
[[nodiscard]] Int128 spread(const std::vector<Tokens>& loads);
/// The tokens of an account.
[[nodiscard]] Int128 booked(const std::vector<model::Transfer>& account);
/// The sum of all loads.
[[nodiscard]] Int128 sum(const std::vector<Tokens>& loads);

}  // namespace equipoise::verify
