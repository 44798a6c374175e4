#include <iostream>

#include <equipoise/equipoise.hpp>

int main() {
    const auto network = equipoise::network::generate("torus:8x8", 1);
    const auto loads = equipoise::load::make_loads("spike:tokens=1000", network, 1);
    const auto run = equipoise::run("discrepancy-1", network, loads);
    std::cout << run.discrepancy() << " after " << run.steps() << " steps\n";
}
