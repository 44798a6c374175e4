#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/agent/nats.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/runner/build_info.hpp"
#include "equipoise/cli/render.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"

namespace equipoise::cli {

namespace {

int act(const JsonArgument& json) {
    const catalogue::BuildInfo& info = catalogue::build_info();
    if (json.wanted()) {
        nlohmann::ordered_json object = object_of_schema("equipoise-doctor");
        object.update({{"version", info.version},
                       {"compiler", info.compiler},
                       {"build", info.configuration},
                       {"openmp", info.openmp},
                       {"threads", info.threads},
                       {"mpi", info.mpi},
                       {"metis", info.metis},
                       {"clp", info.clp},
                       {"brotli", info.brotli},
                       {"yaml", info.yaml},
                       {"hiredis", info.hiredis},
                       {"nats", agent::is_built_in()},
                       {"rsvg", has_rsvg()}});
        json.emit(json_text(object, 2) + '\n');
    }
    if (json.to_output()) return exit_done;
    const auto line = [](const char* name, const std::string& value) {
        print(fmt::format("{:<10} {}\n", name, value));
    };
    line("equipoise", info.version);
    line("compiler", info.compiler);
    line("build", info.configuration);
    line("threads",
         info.openmp ? fmt::format("{} (OpenMP)", info.threads) : "1 (built without OpenMP)");
    line("MPI", info.mpi ? "yes" : "no");
    line("METIS", info.metis ? "yes" : "no");
    line("Clp", info.clp ? "yes" : "no");
    line("brotli", info.brotli ? "yes" : "no");
    line("yaml-cpp", info.yaml ? "yes" : "no");
    line("hiredis", info.hiredis ? "yes" : "no");
    line("libnats", agent::is_built_in() ? "yes" : "no");
    line("librsvg", has_rsvg() ? "yes" : "no");
    line("algorithms", std::to_string(catalogue::algorithms().size()));
    return exit_done;
}

}  // namespace

void add_doctor(Command& program, Action& action) {
    Command* verb = program.add_subcommand("doctor", "Show what this build is made of");
    const auto json = std::make_shared<JsonArgument>();
    json->add_to(*verb);
    verb->footer("Example: equipoise doctor --json");
    verb->callback([json, &action] { action = [json] { return act(*json); }; });
}

}  // namespace equipoise::cli
