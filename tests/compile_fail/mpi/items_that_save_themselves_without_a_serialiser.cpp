// Items do not become their own serialisers.
// expected: items that save themselves need a serialiser that calls them
#include <string>
#include <vector>

#include "equipoise/balancer/balancer.hpp"

namespace {

struct Task {
    std::string name;
    void save(equipoise::balancer::ByteWriter& out) const { out.put(name); }
    static Task load(equipoise::balancer::ByteReader& in) { return {in.get_string()}; }
};
struct S {
    static void save(const Task& item, equipoise::balancer::ByteWriter& out) { item.save(out); }
    static Task load(equipoise::balancer::ByteReader& in) { return Task::load(in); }
};

[[maybe_unused]] void level(std::vector<Task>& tasks) {
#if defined(MISTAKE)
    equipoise::balancer::rebalance(MPI_COMM_WORLD, tasks);
#else
    equipoise::balancer::rebalance(MPI_COMM_WORLD, tasks, {}, S());
#endif
}

}  // namespace
