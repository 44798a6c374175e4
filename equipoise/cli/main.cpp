// The command line: parses, calls the library, prints.
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

/// Throws InputError with similar names when the first argument should be a verb but is not.
void expect_verb(const CLI::App& program, int argc, char** argv) {
    if (argc < 2 || argv[1][0] == '-') return;
    const std::string word = argv[1];
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

/// An argument that CLI11 did not understand, with the nearest option of the verb.
std::string describe(const CLI::ParseError& error, const CLI::App& program) {
    std::string message = one_line(error.what());
    if (dynamic_cast<const CLI::RequiredError*>(&error) != nullptr &&
        program.get_subcommands().empty())
        return "expected a verb, found none (see equipoise --help)";
    // "Could not convert: --seed = x"
    if (const std::size_t at = message.find(": --"), equals = message.find(" = ");
        dynamic_cast<const CLI::ConversionError*>(&error) != nullptr && at != std::string::npos &&
        equals != std::string::npos)
        return message.substr(at + 2, equals - at - 2) + ": expected a whole number, found \"" +
               message.substr(equals + 3) + '"';
    const CLI::App* verb = &program;
    for (const CLI::App* chosen : program.get_subcommands())
        verb = chosen;
    if (dynamic_cast<const CLI::ExtrasError*>(&error) != nullptr) {
        std::vector<std::string> options;
        for (const CLI::Option* option : verb->get_options())
            for (const std::string& name : option->get_lnames())
                options.push_back("--" + name);
        for (const std::string& extra : verb->remaining(true)) {
            if (!extra.starts_with("--"))
                return "unexpected argument \"" + extra + "\" (see --help)";
            const std::string name = extra.substr(0, extra.find('='));
            const auto near = near_words(name, options);
            return "unknown option " + name +
                   (near.empty() ? " (see --help)" : ": did you mean " + near.front() + '?');
        }
    }
    return message;
}

int run_program(int argc, char** argv, const Ranks& ranks) {
    CLI::App program("Levels indivisible work across a network of processors by local exchanges.",
                     "equipoise");
    program.set_version_flag("--version", "equipoise " + catalogue::build_info().version);
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
