// Boost.MPI: its communicator is passed as it is, and what Boost.Serialization can archive travels.
// Run it on 4 ranks.
// Look at how few tasks move; those that stay are not archived.

#include <cstdio>
#include <string>
#include <vector>

#include <boost/mpi/collectives.hpp>
#include <boost/mpi/communicator.hpp>
#include <boost/mpi/environment.hpp>
#include <boost/serialization/string.hpp>
#include <boost/serialization/vector.hpp>

#include <equipoise/balancer/balancer.hpp>
#include <equipoise/balancer/boost_serialiser.hpp>

// What the program has anyway.
struct Task {
    std::string name;
    std::vector<double> samples;

    template <class Archive>
    void serialize(Archive& archive, unsigned /*version*/) {
        archive& name& samples;
    }
};

// The glue begins.
equipoise::balancer::Report level(const boost::mpi::communicator& world, std::vector<Task>& tasks,
                                  std::vector<double>& costs) {
    return equipoise::balancer::rebalance(world, tasks, costs, {},
                                          equipoise::balancer::BoostSerialiser<Task>());
}
// The glue ends.

int main(int argc, char** argv) {
    const boost::mpi::environment environment(argc, argv);
    const boost::mpi::communicator world;
    std::vector<Task> tasks;
    std::vector<double> costs;
    for (int i = 0; i < 10 * (world.rank() + 1); ++i) {
        tasks.push_back({"task " + std::to_string(i) + " of rank " + std::to_string(world.rank()),
                         std::vector<double>(static_cast<std::size_t>(i), 0.5)});
        costs.push_back(i);
    }
    const auto report = level(world, tasks, costs);
    if (world.rank() == 0)
        std::printf(
            "%lld tasks moved; largest cost %g instead of %g, and no plan has less than %g\n",
            static_cast<long long>(report.moved), report.largest, report.largest_before,
            report.largest_at_least);
    bool whole = true;
    for (std::size_t i = 0; i < tasks.size(); ++i)
        whole = whole && tasks[i].samples.size() == static_cast<std::size_t>(costs[i]) &&
                tasks[i].name.starts_with("task " + std::to_string(tasks[i].samples.size()) + " ");
    const int all = boost::mpi::all_reduce(world, whole ? static_cast<int>(tasks.size()) : -1000,
                                           std::plus<>());
    if (world.rank() == 0) std::printf("%d tasks are whole\n", all);
}
