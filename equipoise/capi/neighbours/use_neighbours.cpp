#include "equipoise/balancer/neighbours/neighbours_only.hpp"
#include "equipoise/capi/structs.hpp"

extern "C" void equipoise_use_neighbours(void) {
    equipoise::capi::use_neighbours([](const std::string& algorithm) {
        return equipoise::balancer::neighbours_only(algorithm);
    });
}
