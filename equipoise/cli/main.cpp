// The command line: parses, calls the library, prints.
#include <algorithm>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/catalogue/runner/build_info.hpp"
#include "equipoise/cli/command.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"

namespace equipoise::cli {

namespace {

constexpr const char* no_memory = "not enough memory for this instance";

int fail(const Ranks& ranks, const std::string& message) {
    ranks.complain(message);
    return exit_bad_input;
}

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
    const std::string near = did_you_mean(name, options_of(verb));
    const CLI::App* const program = verb.get_parent();
    return "unknown option " + name +
           (!near.empty()        ? near
            : program == nullptr ? ": expected a verb (see equipoise --help)"
                                 : " (see equipoise " + verb.get_name() + " --help)");
}

/// Throws InputError with similar names when the first argument should be a verb but is not.
void expect_verb(const CLI::App& program, int argc, char** argv) {
    if (argc < 2) return;
    const std::string word = argv[1];
    if (word.starts_with('-')) {
        const std::vector<std::string> known = options_of(program);
        if (word == "-h" || std::find(known.begin(), known.end(), word) != known.end()) return;
        throw InputError(unknown_option(word, program));
    }
    std::vector<std::string> verbs;
    for (const CLI::App* verb : program.get_subcommands({})) {
        if (verb->get_name() == word) return;
        verbs.push_back(verb->get_name());
    }
    throw InputError("unknown verb \"" + word + '"' + suggestion(word, verbs));
}

/// CLI11 takes `--json=` for `--json`.
void expect_values(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        const std::string word = argv[i];
        if (word.starts_with("--") && word.find('=') == word.size() - 1)
            throw InputError(word.substr(0, word.size() - 1) +
                             ": expected a value, found an empty one");
    }
}

/// What CLI11 complains of, in our words.
std::string describe(const CLI::ParseError& error, const CLI::App& program) {
    const std::string message = one_line(error.what());
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
                                          : "unexpected argument \"" + extra + "\" " + see;
    return message;
}

int run_program(int argc, char** argv, const Ranks& ranks) {
    CLI::App program("Levels indivisible work across a network of processors by local exchanges.",
                     "equipoise");
    word_help(program);
    program.set_version_flag("--version", "equipoise " + catalogue::build_info().version,
                             "print the version");
    program.require_subcommand(1);
    program.footer(
        "Examples:\n  equipoise run threshold-2 --network torus:8x8 --loads spike:tokens=1000\n  "
        "equipoise compare --network net.gml --loads spike:tokens=1000\n  equipoise "
        "algorithms\n\nExit status: 0 done, 1 the requested state was not reached or a check "
        "failed, 2 bad input.");
    Action action;
    Command command(program);
    add_run(command, action, ranks);
    add_compare(command, action, ranks);
    add_plan(command, action);
    add_generate(command, action, ranks);
    add_algorithms(command, action);
    add_analyze(command, action);
    add_conjecture(command, action);
    add_verify(command, action);
    add_report(command, action);
    add_plot(command, action);
    add_sweep(command, action);
    add_trace(command, action);
    add_doctor(command, action);
    add_mpi_info(command, action, ranks);
    int status = exit_done;
    try {
        ranks.expect_same_arguments(argc, argv);
        expect_verb(program, argc, argv);
        expect_values(argc, argv);
        program.parse(argc, argv);
        status =
            action.for_all_ranks() ? action() : ranks.status_of_first([&] { return action(); });
    } catch (const CLI::CallForVersion&) {
        print(program.version() + '\n');
    } catch (const CLI::CallForAllHelp&) {
        print(program.help("", CLI::AppFormatMode::All));
    } catch (const CLI::CallForHelp&) {
        print(program.help());
    } catch (const CLI::ParseError& error) {
        return fail(ranks, describe(error, program));
    }
    ranks.first(finish_output);
    return ranks.own_status(status);
}

}  // namespace

}  // namespace equipoise::cli

int main(int argc, char** argv) {
    using namespace equipoise::cli;  // NOLINT(google-build-using-namespace)
    clean_up_on_signals();
    try {
        const Ranks ranks;
        try {
            return run_program(argc, argv, ranks);
        } catch (const equipoise::InputError& error) {
            return fail(ranks, error.what());
        } catch (const std::bad_alloc&) {
            return fail(ranks, no_memory);
        } catch (const std::length_error&) {
            return fail(ranks, no_memory);
        } catch (const std::exception& error) {
            return fail(ranks, error.what());
        }
    } catch (const std::exception& error) {
        complain(error.what());
        return exit_bad_input;
    }
}
