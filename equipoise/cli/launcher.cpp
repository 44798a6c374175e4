#include "equipoise/cli/launcher.hpp"

#include <cstdlib>
#include <initializer_list>

#include "equipoise/base/line_source.hpp"

namespace equipoise::cli {

namespace {

/// The first of these variables that holds a number.
std::optional<std::uint64_t> number_in(std::initializer_list<const char*> names) {
    for (const char* name : names)
        if (const char* text = std::getenv(name); text != nullptr)
            if (const auto number = whole_number(text)) return number;
    return std::nullopt;
}

}  // namespace

Launch launch_of_environment() {
    Launch launch;
    const auto rank = number_in({"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK"});
    launch.processes = number_in({"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"});
    launch.by_launcher = rank || launch.processes;
    launch.rank = rank.value_or(0);
    // PMIx does not give the size. The size of srun's step is used only with PMIx, since scripts
    // inherit it.
    if (launch.by_launcher && !launch.processes)
        launch.processes = number_in({"SLURM_STEP_NUM_TASKS"});
    return launch;
}

}  // namespace equipoise::cli
