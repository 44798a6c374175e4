#pragma once
// Equipoise: levels indivisible work across a network of processors by local exchanges.
//
//     #include <equipoise/equipoise.hpp>
//
//     const auto network = equipoise::network::generate("torus:8x8", 0);
//     equipoise::Loads loads(network.node_count(), 0);
//     loads[0] = 1000;
//     const auto run = equipoise::run("discrepancy-1", network, loads);
//     run.write("run.json");  // and run.loads(), run.steps(), run.discrepancy()

#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/optimum/plan.hpp"

namespace equipoise {

using catalogue::Outcome;
using catalogue::RunOptions;
using load::Loads;
using network::AnyNetwork;
using network::Network;

using catalogue::run;

}  // namespace equipoise
