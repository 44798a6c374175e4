#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "equipoise/capi/structs.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"

namespace {

equipoise::balancer::Options neighbours_only(const std::string& algorithm) {
    // A misspelt name is an error even if nothing has to move.
    static_cast<void>(equipoise::catalogue::find_algorithm(algorithm));
    return equipoise::balancer::neighbours_only(algorithm);
}

}  // namespace

extern "C" void equipoise_use_neighbours(void) {
    equipoise::capi::use_neighbours(neighbours_only);
}
