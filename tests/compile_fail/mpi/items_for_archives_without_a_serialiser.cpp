// Items that an archive can take need the serialiser for it.
// expected: pass CerealSerialiser<T>() after the options
// expected: equipoise/balancer/boost_serialiser.hpp
#include <string>
#include <vector>

#include "equipoise/balancer/balancer.hpp"

namespace {

struct Task {
    std::string name;
#if defined(MISTAKE)
    template <class Archive>
    void save(Archive& archive, unsigned /*version*/) const {
        archive << name;
    }
#endif
};
struct AsText {
    static void save(const Task& task, equipoise::balancer::ByteWriter& out) { out.put(task.name); }
    static Task load(equipoise::balancer::ByteReader& in) { return {in.get_string()}; }
};

[[maybe_unused]] void level(std::vector<Task>& tasks) {
#if defined(MISTAKE)
    equipoise::balancer::rebalance(MPI_COMM_WORLD, tasks);
#else
    equipoise::balancer::rebalance(MPI_COMM_WORLD, tasks, {}, AsText());
#endif
}

}  // namespace
