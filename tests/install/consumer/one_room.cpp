// A program outside the project: a spike on a path of three nodes, measured.
#include <equipoise/load/loads.hpp>
#include <equipoise/network/network.hpp>

int main() {
    const equipoise::network::Network path(3, {{0, 1}, {1, 2}});
    const equipoise::load::Loads loads = {9, 0, 3};
    const bool right = equipoise::load::total(loads) == 12 &&
                       equipoise::load::discrepancy(loads) == 9 &&
                       equipoise::load::local_imbalance(path, loads) == 9 && path.degree_max() == 2;
    return right ? 0 : 1;
}
