// The options of a node program look at the speeds where they are.
// expected: deleted function
// expected: View<
#include <vector>

#include "equipoise/mpi/run_program.hpp"

namespace {

[[maybe_unused]] equipoise::mpi::ProgramOptions options(
    const std::vector<equipoise::Tokens>& speeds) {
#if defined(MISTAKE)
    return {.speeds = std::vector<equipoise::Tokens>(speeds)};
#else
    return {.speeds = speeds};
#endif
}

}  // namespace
