#include <memory>
#include <string>

#include "equipoise/catalogue/registry/sheets.hpp"
#include "equipoise/cli/remedies.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"

namespace equipoise::cli {

namespace {

struct AlgorithmsVerb {
    std::string name;
    JsonArgument json;
    bool markdown = false;

    [[nodiscard]] int act() const {
        if (json.wanted()) json.emit(report::algorithms_json(catalogue::algorithm_sheets()));
        if (json.to_output()) return exit_done;
        if (markdown) {
            print(report::algorithms_markdown(catalogue::algorithm_sheets()));
        } else if (!name.empty()) {
            print(report::algorithm_text(catalogue::sheet_of(catalogue::find_algorithm(name)),
                                         text_columns()));
        } else if (!json.wanted()) {
            print(report::algorithms_text(catalogue::algorithm_sheets(), text_columns()));
        }
        return exit_done;
    }
};

}  // namespace

void add_algorithms(Command& program, Action& action) {
    Command* verb = program.add_subcommand("algorithms", "List the algorithms, or describe one");
    const auto arguments = std::make_shared<AlgorithmsVerb>();
    verb->add_option("ALGORITHM", arguments->name, "the algorithm to describe")
        ->offers(algorithm_words)
        ->refuses(complaint_of_algorithm);
    arguments->json.add_to(*verb);
    verb->add_flag("--markdown", arguments->markdown,
                   "print the table of all algorithms in Markdown");
    verb->footer("Example:\n  equipoise algorithms discrepancy-1");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
