// The command line: parses, calls the library, prints.
#include <exception>
#include <new>
#include <stdexcept>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/program.hpp"
#include "equipoise/cli/ranks.hpp"
#include "equipoise/cli/terminal.hpp"

namespace {

constexpr const char* no_memory = "not enough memory for this instance";

int fail(const equipoise::cli::Ranks& ranks, const std::string& message) {
    ranks.complain(message);
    return equipoise::cli::exit_bad_input;
}

}  // namespace

int main(int argc, char** argv) {
    using namespace equipoise::cli;  // NOLINT(google-build-using-namespace)
    clean_up_on_signals();
    try {
        const Ranks ranks;
        try {
            return Program(ranks).run(argc, argv);
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
