#include <memory>
#include <string>

#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"

namespace equipoise::cli {

namespace {

struct HelpVerb {
    const Command& program;
    std::string verb;

    [[nodiscard]] int act() const {
        print(verb.empty() ? program.help() : program.verb(verb).help());
        return exit_done;
    }
};

}  // namespace

void add_help(Command& program, Action& action) {
    Command* verb = program.add_subcommand("help", "Print the help of a verb, or of the program");
    const auto arguments = std::make_shared<HelpVerb>(HelpVerb{program, ""});
    verb->add_option("VERB", arguments->verb, "the verb whose options to list")->offers([&program] {
        return program.verb_words();
    });
    verb->footer("Example:\n  equipoise help run");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
