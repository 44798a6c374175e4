// A plan as lists, for programs that move their items themselves.
#include <vector>

#include "equipoise/balancer/plan.hpp"
#include "equipoise/balancer/plan_data.hpp"
#include "equipoise/placement/exchange.hpp"

namespace equipoise::balancer {

placement::Routes Plan::routes() const {
    const mpi::Communicator& ranks = communicator();
    if (rounds().size() == 1)
        return placement::routes_of(rounds().front(), transfers(), ranks.size());
    return placement::routes_of(transfers(), data_->round_ends, ranks.rank(), ranks.size(),
                                size_before());
}

std::vector<int> Plan::destinations() const {
    return placement::destinations_of(routes(), communicator().rank());
}

}  // namespace equipoise::balancer
