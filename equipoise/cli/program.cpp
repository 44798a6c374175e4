#include "equipoise/cli/program.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/build_info.hpp"
#include "equipoise/cli/command.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/remedies.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"

namespace equipoise::cli {

namespace {

std::string one_line(std::string text) {
    for (char& c : text)
        if (c == '\n') c = ' ';
    while (text.ends_with(' '))
        text.pop_back();
    return text;
}

/// The names of an option or of all options of a verb: "--seed".
std::vector<std::string> options_of(const CLI::App& verb) {
    std::vector<std::string> names;
    for (const CLI::Option* option : verb.get_options())
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    return names;
}

/// "unknown option --sed: did you mean "--seed"?"
std::string unknown_option(const std::string& argument, const CLI::App& verb) {
    const std::string name = argument.substr(0, argument.find('='));
    const std::string meant = meant_by_option(argument, options_of(verb));
    const CLI::App* const program = verb.get_parent();
    return "unknown option " + name +
           (!meant.empty()       ? meant
            : program == nullptr ? ": expected a verb (see equipoise --help)"
                                 : " (see equipoise " + verb.get_name() + " --help)");
}

/// Throws InputError with similar names when the first argument should be a verb but is not.
void expect_verb(const CLI::App& program, const Command& command, int argc, char** argv) {
    if (argc < 2) return;
    const std::string word = argv[1];
    if (!word.starts_with('-')) {
        static_cast<void>(command.verb(word));
        return;
    }
    const std::vector<std::string> known = options_of(program);
    if (word == "-h" || std::find(known.begin(), known.end(), word) != known.end()) return;
    throw InputError(unknown_option(word, program));
}

/// The option of a verb that this word of the command line names alone, or null.
const CLI::Option* option_named(const CLI::App& verb, const std::string& word) {
    return word.starts_with("--") ? verb.get_option_no_throw(word) : nullptr;
}

/// Whether an operand of the verb names a file that is read, so that a file's name may follow a
/// flag.
bool reads_operand(const Command& verb) {
    const std::vector<OptionDescription> operands = verb.describe().operands;
    return std::any_of(operands.begin(), operands.end(), [](const OptionDescription& operand) {
        return operand.file == FileUse::reads;
    });
}

/// Throws InputError for values that are missing or stand apart. CLI11 takes `--json=` for
/// `--json`, `--json out.json` for a flag and an operand, and `--network --loads` for an option
/// with the value "--loads".
void expect_values(const CLI::App& program, const Command& command, int argc, char** argv) {
    const CLI::App* const verb =
        argc > 1 && argv[1][0] != '-' ? program.get_subcommand(argv[1]) : nullptr;
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word.starts_with("--") && word.find('=') == word.size() - 1)
            throw InputError(word.substr(0, word.size() - 1) +
                             ": expected a value, found an empty one");
        const CLI::Option* const option = verb == nullptr ? nullptr : option_named(*verb, word);
        if (option == nullptr || i + 1 == argc) continue;
        const std::string next = argv[i + 1];
        if (option->get_expected_min() > 0 && option_named(*verb, next) != nullptr)
            throw InputError(word + ": expected a value, found the option " + next);
        const bool like_file = !next.starts_with('-') && next.find('.') != std::string::npos &&
                               next.find(':') == std::string::npos;
        if (word == "--json" && like_file && !reads_operand(command.verb(verb->get_name())))
            throw InputError("--json: expected the name of a file behind =, found \"" + next +
                             "\" apart: did you mean \"--json=" + next + "\"?");
    }
}

/// "unexpected argument "seed=1": did you mean "--seed=1"?"
std::string unexpected_argument(const std::string& argument, const CLI::App& verb) {
    const std::string meant = meant_by_argument(argument, verb.get_name(), options_of(verb));
    return "unexpected argument \"" + argument + '"' +
           (meant.empty() ? " (see equipoise " + verb.get_name() + " --help)" : meant);
}

/// CLI11's complaint, in our words.
std::string describe_error(const CLI::ParseError& error, const CLI::App& program) {
    std::string message = one_line(error.what());
    const CLI::App* verb = &program;
    for (const CLI::App* chosen : program.get_subcommands())
        verb = chosen;
    const std::string see =
        "(see equipoise " + (verb == &program ? "" : verb->get_name() + ' ') + "--help)";
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr) {
        if (verb == &program) return "expected a verb, found none " + see;
        return verb->get_name() + ": expected " + message.substr(0, message.find(" is required")) +
               ", found none " + see;
    }
    const std::string option = message.substr(0, message.find(':'));
    if (dynamic_cast<const CLI::ArgumentMismatch*>(&error) != nullptr)
        return option + (message.find("At Most") == std::string::npos
                             ? ": expected a value, found none"
                             : ": expected once, found several times");
    // "Could not convert: --quiet = x"
    if (const std::size_t at = message.find(": --"), equals = message.find(" = ");
        dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && at != std::string::npos &&
        equals != std::string::npos)
        return message.substr(at + 2, equals - at - 2) + ": expected no value, found \"" +
               message.substr(equals + 3) + '"';
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr)
        for (const std::string& extra : verb->remaining(true))
            return extra.starts_with('-') ? unknown_option(extra, *verb)
                                          : unexpected_argument(extra, *verb);
    return message;
}

}  // namespace

struct Program::Parser {
    CLI::App app{"Levels indivisible work across a network of processors by local exchanges.",
                 "equipoise"};
    Command command{app};
    Action action;
};

Program::Program(const Ranks& ranks) : ranks_(ranks), parser_(std::make_unique<Parser>()) {
    CLI::App& app = parser_->app;
    word_help(app, help_columns());
    app.set_version_flag("--version", "equipoise " + catalogue::build_info().version,
                         "print the version");
    app.require_subcommand(1);
    app.footer(
        "Examples:\n  equipoise run threshold-2 --network torus:8x8 --loads spike:tokens=1000\n  "
        "equipoise compare --network net.gml --loads spike:tokens=1000\n  equipoise reassign "
        "shards.csv --machines machines.csv --drain host-3\n  equipoise algorithms\n\nequipoise "
        "help VERB lists the options of a verb, with examples.\n\nExit "
        "status: 0 done, 1 the requested state was not reached or a check "
        "failed, 2 bad input.");
    Command& command = parser_->command;
    Action& action = parser_->action;
    add_run(command, action, ranks);
    add_compare(command, action, ranks);
    add_plan(command, action);
    add_reassign(command, action);
    add_experts(command, action);
    add_generate(command, action, ranks);
    add_algorithms(command, action);
    add_analyze(command, action);
    add_conjecture(command, action);
    add_verify(command, action);
    add_report(command, action);
    add_plot(command, action);
    add_sweep(command, action);
    add_worst(command, action);
    add_trace(command, action);
    add_agent(command, action);
    add_doctor(command, action);
    add_mpi_info(command, action, ranks);
    add_help(command, action);
}

Program::~Program() = default;

CommandDescription Program::describe() const {
    return parser_->command.describe();
}

int Program::run(int argc, char** argv) {
    CLI::App& app = parser_->app;
    const Action& action = parser_->action;
    int status = exit_done;
    try {
        ranks_.expect_same_arguments(argc, argv);
        expect_verb(app, parser_->command, argc, argv);
        expect_values(app, parser_->command, argc, argv);
        app.parse(argc, argv);
        status =
            action.for_all_ranks() ? action() : ranks_.status_of_first([&] { return action(); });
    } catch (const CLI::CallForVersion&) {
        print(app.version() + '\n');
    } catch (const CLI::CallForAllHelp&) {
        print(app.help("", CLI::AppFormatMode::All));
    } catch (const CLI::CallForHelp&) {
        print(app.help());
    } catch (const CLI::ParseError& error) {
        throw InputError(describe_error(error, app));
    }
    ranks_.first(finish_output);
    return ranks_.own_status(status);
}

}  // namespace equipoise::cli
