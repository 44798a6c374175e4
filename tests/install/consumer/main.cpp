// A program outside the project: the library's five-line use.
#include <numeric>

#include <equipoise/equipoise.hpp>

int main() {
    const auto network = equipoise::network::generate("torus:8x8", 0);
    equipoise::Loads loads(network.node_count(), 0);
    loads[0] = 1000;
    const auto run = equipoise::run("discrepancy-1", network, loads);
    const auto tokens =
        std::accumulate(run.loads().begin(), run.loads().end(), equipoise::Tokens{0});
    return run.discrepancy() <= 1 && tokens == 1000 ? 0 : 1;
}
