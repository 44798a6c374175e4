#include <memory>
#include <string>
#include <vector>

#include "equipoise/cli/html_argument.hpp"
#include "equipoise/cli/verbs.hpp"
#include "equipoise/model/run/record_json.hpp"

namespace equipoise::cli {

namespace {

struct ReportVerb {
    std::vector<std::string> paths;
    HtmlArgument html;

    [[nodiscard]] int act() const {
        html.emit(model::read_records(paths));
        return exit_done;
    }
};

}  // namespace

void add_report(Command& program, Action& action) {
    Command* verb = program.add_subcommand("report", "Show records of runs on one page");
    const auto arguments = std::make_shared<ReportVerb>();
    verb->add_option("RECORD", arguments->paths, "files that run --record wrote")
        ->required()
        ->reads_file();
    arguments->html.add_to(*verb)->required();
    verb->footer("Example:\n  equipoise report first.json second.json --html runs.html");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
