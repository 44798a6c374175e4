#pragma once
// The part of the verb plan that moves items between machines in waves.

#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/catalogue/studies/plan.hpp"
#include "equipoise/catalogue/studies/waves.hpp"
#include "equipoise/cli/command.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::cli {

/// The names in a comma-separated list; none for an empty text. Throws InputError.
[[nodiscard]] std::vector<std::string> node_names(const char* option, const std::string& text);

/// The options that plans of items have besides those of plans of tokens.
struct PlanItemsArguments {
    catalogue::WavesRequest request;  ///< the verb fills in the options that tokens have too

    void add_to(Command& verb);
    /// Whether items are to be planned: sizes are given, or there is no network and an option is
    /// given about how machines move items.
    [[nodiscard]] bool wanted(const std::string& network) const;
    /// Throws InputError if an option is given that plans of items do not have.
    void expect_only_for_items(const Command& verb) const;
    /// Adds the options that plans of tokens over links have too. Throws InputError if an option is
    /// given that only plans of items have.
    void add_to(catalogue::PlanRequest& request) const;
    /// The request that the options make. Throws InputError for invalid lists and numbers.
    [[nodiscard]] catalogue::WavesRequest made() const;

    [[nodiscard]] const std::string& checked() const { return check_; }

  private:
    std::string nodes_;
    std::string drain_;
    std::string tolerance_;
    std::string check_;
    std::uint64_t at_once_ = 0;
    const Option* at_once_option_ = nullptr;
};

/// Judges a schedule of tokens; returns the exit status.
[[nodiscard]] int judge_tokens(const catalogue::PlanRequest& request,
                               const network::AnyNetwork& network, const std::string& schedule,
                               const JsonArgument& json, bool quiet);

/// Where the output of plans of items goes.
struct PlanItemsOutput {
    const JsonArgument& json;
    std::string schedule;
    bool explain = false;
    bool quiet = false;
};

/// Plans or, if `schedule` names a file to check, judges it; returns the exit status.
[[nodiscard]] int plan_items(const catalogue::WavesRequest& request, const PlanItemsOutput& output);
[[nodiscard]] int judge_items(const catalogue::WavesRequest& request, const std::string& schedule,
                              const PlanItemsOutput& output);

}  // namespace equipoise::cli
