#include "equipoise/cli/live_cluster.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <string_view>

#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/read_bytes.hpp"
#include "equipoise/catalogue/studies/carry_out_plan.hpp"
#include "equipoise/catalogue/studies/live_slots.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/report/answers/carried_out.hpp"

namespace equipoise::cli {

namespace {

/// The first line of a file, byte by byte.
std::string password_in(const std::string& file) {
    std::string text = read_bytes(file, [](std::string_view, std::size_t) {});
    text.resize(std::min(text.find('\n'), text.size()));
    if (text.ends_with('\r')) text.pop_back();
    if (text.empty()) throw InputError(file + ":1: expected a password, found nothing");
    return text;
}

}  // namespace

void LiveArguments::add_to(Command& verb) {
    verb.group("Redis Cluster");
    verb.add_option("--user", user, "the user of its servers (default: their default user)");
    verb.add_option("--password-file", password_file,
                    "a file whose first line is the password (default: what the environment "
                    "variable REDISCLI_AUTH holds)")
        ->reads_file();
    verb.add_flag("--execute", execute,
                  "carry the plan out: move slots with their keys, while clients go on; open slots "
                  "are finished or closed first; Ctrl-C ends it after the slots under way, and the "
                  "same command goes on from there; --at-once (128) and --rates bound it");
    verb.add_flag("--dry-run", dry_run,
                  "print the commands that would carry the plan out; with --quiet nothing else");
}

void LiveArguments::complete(catalogue::ReassignRequest& request) const {
    request.user = user;
    const bool live = catalogue::is_live(request);
    if (!password_file.empty()) {
        if (!live)
            throw InputError(
                "--password-file: expected the slots of a Redis Cluster (redis://HOST:PORT), "
                "found " +
                printable(request.items));
        request.password = password_in(password_file);
    } else if (const char* const password = std::getenv("REDISCLI_AUTH");
               live && password != nullptr) {
        request.password = password;
    }
}

const char* LiveArguments::acting() const {
    return execute ? "--execute" : dry_run ? "--dry-run" : nullptr;
}

void LiveArguments::expect_fit(const catalogue::ReassignRequest& request, const std::string& check,
                               bool json_to_output) const {
    if (acting() == nullptr) return;
    catalogue::expect_request_to_carry_out(acting(), request);
    if (execute && dry_run)
        throw InputError(
            "--execute: expected no --dry-run beside it, which moves nothing, found both");
    if (!check.empty())
        throw InputError(std::string(acting()) +
                         ": cannot be used with --check, which plans nothing");
    if (dry_run && json_to_output)
        throw InputError(
            "--dry-run: expected --json=FILE, as commands go to standard output, found --json");
}

void LiveArguments::expect_fit(const report::ReassignInstance& instance) const {
    if (acting() != nullptr) catalogue::expect_instance_to_carry_out(acting(), instance);
}

namespace {

/// Calls `act` with a control that shows how far it is, unless `quiet`, and ends on Ctrl-C.
template <typename Act>
redis::CarriedOut with_control(bool quiet, const Act& act) {
    const InterruptGuard interrupt;
    RewrittenLine line(quiet);
    catalogue::CarryOutControl control;
    control.stop = interrupt.token();
    if (line.shown())
        control.progress = [&](const redis::CarryOutProgress& progress) {
            line.show(report::progress_words(progress) +
                      (control.stop.stop_requested() ? ", ending after the slots under way" : ""));
        };
    if (!quiet)
        control.note = [&](const std::string& text) {
            line.show("");
            note(text);
        };
    return act(control);
}

}  // namespace

redis::CarriedOut settle_live(const catalogue::ReassignRequest& request, bool quiet) {
    return with_control(quiet, [&](const catalogue::CarryOutControl& control) {
        redis::CarriedOut done = catalogue::settle_open_slots(request, control);
        done.interrupted = control.stop.stop_requested();
        return done;
    });
}

redis::CarriedOut carry_out_live(const catalogue::ReassignRequest& request,
                                 const report::ReassignAnswer& answer, bool quiet) {
    return with_control(quiet, [&](const catalogue::CarryOutControl& control) {
        return catalogue::carry_out_plan(request, answer, control);
    });
}

}  // namespace equipoise::cli
