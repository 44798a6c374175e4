// Networks and loads from files, by the names that people use.
// Build: the target example_read_a_file, or as examples/README.md says.
// Look at make_instance(), which takes files and specs alike, and at the line for a wrong file.

#include <iomanip>
#include <iostream>
#include <string>

#include <equipoise/base/error.hpp>
#include <equipoise/equipoise.hpp>

int main(int argc, char** argv) {
    const std::string folder = argc > 1 ? argv[1] : "examples/networks";
    const auto [network, loads] = equipoise::catalogue::make_instance(
        {.spec = folder + "/abilene.gml"}, "spike:tokens=770,node=Denver");
    const auto run = equipoise::run("deal-agreement-2", network, loads);
    std::cout << std::left;
    for (equipoise::NodeId node = 0; node < network.node_count(); ++node)
        std::cout << std::setw(16) << network.name(node) << std::setw(5) << loads[node]
                  << run.loads()[node] << '\n';
    std::cout << "after " << run.steps() << " steps; promised: neighbours differ by at most 1\n";
    try {
        static_cast<void>(equipoise::catalogue::make_instance({.spec = "torus:8x8"},
                                                              "spike:tokens=770,node=Denver"));
    } catch (const equipoise::InputError& error) {
        std::cout << "elsewhere: " << error.what() << '\n';
    }
}
