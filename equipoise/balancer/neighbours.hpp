#pragma once
// Plans whose items move only between neighbours of the communicator's topology.

#include <span>
#include <string>
#include <vector>

#include "equipoise/balancer/plan_data.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/communicator.hpp"

namespace equipoise::balancer {

/// Fills in transfers and rounds: the algorithm of the catalogue is run on the network of ranks,
/// its net flows are what moves. Not collective, the same on every rank. Throws InputError as
/// equipoise::run does, and if the algorithm leaves a rank with a negative number of items or moves
/// fractions of items.
void plan_over_links(const std::vector<Ends>& links, std::span<const Tokens> counts,
                     std::span<const double> speeds, const std::string& algorithm,
                     Plan::Data& plan);

}  // namespace equipoise::balancer
