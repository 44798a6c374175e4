#pragma once
// The options by which `reassign` works on a Redis Cluster that is running.

#include <string>

#include "equipoise/adapters/redis/carry_out.hpp"
#include "equipoise/catalogue/studies/reassign.hpp"
#include "equipoise/cli/command.hpp"
#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::cli {

struct LiveArguments {
    std::string user;
    std::string password_file;
    bool execute = false;
    bool dry_run = false;

    void add_to(Command& verb);
    /// Sets the user and the password, which is read from its file or else taken from the
    /// environment. Throws InputError.
    void complete(catalogue::ReassignRequest& request) const;
    /// Throws InputError unless a plan for the request can be carried out, or its commands be
    /// shown, if that is asked for; `check` is the schedule to be judged in place of a plan.
    void expect_fit(const catalogue::ReassignRequest& request, const std::string& check,
                    bool json_to_output) const;
    /// The same for what was read.
    void expect_fit(const report::ReassignInstance& instance) const;

  private:
    /// "--execute" or "--dry-run"; nothing if neither is asked for.
    [[nodiscard]] const char* acting() const;
};

/// Finishes or closes the slots that somebody left open. Throws InputError.
[[nodiscard]] redis::CarriedOut settle_live(const catalogue::ReassignRequest& request, bool quiet);

/// Carries a plan out until Ctrl-C; tells on standard error how far it is, and what it meets,
/// unless `quiet`. Throws InputError.
[[nodiscard]] redis::CarriedOut carry_out_live(const catalogue::ReassignRequest& request,
                                               const report::ReassignAnswer& answer, bool quiet);

}  // namespace equipoise::cli
