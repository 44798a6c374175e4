#include "equipoise/verify/verify.hpp"

#include <memory>
#include <string>

#include "equipoise/base/json.hpp"
#include "equipoise/catalogue/studies/verify_text.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/report/answers/verification.hpp"

namespace equipoise::cli {

namespace {

struct VerifyVerb {
    std::string path;
    JsonArgument json;
    bool quiet = false;

    [[nodiscard]] int act() const {
        const verify::Report checks = catalogue::verify_text(read_json_text(path), path);
        if (json.wanted()) json.emit(report::verification_json(checks));
        if (!json.to_output() && !quiet) print(report::verification_text(checks));
        return checks.passed() ? exit_done : exit_not_reached;
    }
};

}  // namespace

void add_verify(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "verify", "Check a record from its numbers alone, without the algorithms that made it");
    const auto arguments = std::make_shared<VerifyVerb>();
    verb->add_option(
            "RECORD", arguments->path,
            "a file that run --record or plan --windows wrote, the JSON list of "
            "conjecture, states that are kept for ever (equipoise-kept), or claims of a page of "
            "results (equipoise-certificate)")
        ->required()
        ->reads_file();
    arguments->json.add_to(*verb);
    verb->add_flag("--quiet", arguments->quiet, "print nothing but errors");
    verb->footer("Example:\n  equipoise verify run.json");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
