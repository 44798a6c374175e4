// Rounds of first-order diffusion on any stored network, with loads that fit 16 bits and with loads
// that need 32, compared with the equivalent sparse matrix-vector product in doubles by Eigen; all
// take turns on two threads, and medians are compared, by wall time and by processor time.
//
// Usage: diffusion_irregular [SPEC [numbering [repetitions]]]. SPEC: a generator's spec or a file;
// default: a power law with 4 million nodes and 32 million links, which takes minutes to build.
// `numbering`: "natural" (default) or "shuffled" (random numbers), for both; or the name of an
// order (`run --reorder`), which only the rounds use, as such or after "shuffled-".

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <Eigen/Sparse>

#include "benchmarks/diffusion_matrix.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/engine/parts/partition.hpp"
#include "equipoise/engine/parts/solo_fabric.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/network/structure/node_orders.hpp"
#include "equipoise/protocols/diffusion.hpp"

namespace {

using namespace equipoise;
using benchmarks::median;

constexpr int threads = 2;

/// Seconds of all repetitions.
struct Times {
    std::vector<double> wall;
    std::vector<double> processor;

    template <class Work>
    void add(const Work& work) {
        processor.push_back(benchmarks::processor_seconds_of(
            [&] { wall.push_back(benchmarks::seconds_of(work)); }));
    }
    void report(const char* name, const Times& product) const {
        std::printf(
            "%-26s %8.4f s, %8.4f s of processors; the product takes %5.2f and %5.2f times "
            "as long\n",
            name, median(wall), median(processor), median(product.wall) / median(wall),
            median(product.processor) / median(processor));
    }
};

network::Network shuffled(const network::Network& network) {
    std::vector<NodeId> number(network.node_count());
    std::iota(number.begin(), number.end(), NodeId{0});
    RandomStream random(1, Purpose::sampling);
    for (std::size_t i = number.size(); i > 1; --i)
        std::swap(number[i - 1], number[random.below(i)]);
    std::vector<Ends> links;
    links.reserve(network.link_count());
    for (const auto [tail, head] : network.links())
        links.push_back({number[tail], number[head]});
    return {network.node_count(), std::move(links)};
}

load::Loads random_loads(NodeId nodes, std::uint64_t below) {
    RandomStream random(1, Purpose::loads);
    load::Loads loads(nodes);
    for (Tokens& load : loads)
        load = static_cast<Tokens>(random.below(below));
    return loads;
}

int compare(const std::string& spec, const std::string& numbering, int repetitions) {
    network::AnyNetwork any =
        network::names_generator(spec) ? network::generate(spec, 1) : network::read(spec, {});
    if (any.stored() == nullptr)
        any = network::AnyNetwork(network::Network(any.node_count(), network::all_links(any)));
    const std::string random = "shuffled";
    const bool is_random = numbering.starts_with(random);
    if (is_random) any = network::AnyNetwork(shuffled(*any.stored()));
    const network::Network& network = *any.stored();
    std::printf("%s, %s numbers: %u nodes, %llu links, degrees %u to %u, %d threads\n",
                spec.c_str(), numbering.c_str(), network.node_count(),
                static_cast<unsigned long long>(network.link_count()), network.degree_min(),
                network.degree_max(), threads);

    engine::SoloFabric fabric;
    engine::Partition partition = engine::Partition::contiguous(network.node_count(), 1);
    engine::RoundOptions options;
    options.threads = threads;
    if (numbering != "natural" && numbering != random) {
        const std::string order = numbering.substr(is_random ? random.size() + 1 : 0);
        const double seconds = benchmarks::seconds_of([&] {
            partition =
                partition.in_order(network::node_order(any, network::node_order_from_word(order)));
        });
        std::printf("reordered in %.2f s\n", seconds);
        options.fabric = &fabric;
        options.partition = &partition;
    }

    Times product;
    Times narrow;
    Times medium;
    {
        const benchmarks::Matrix matrix(network);
        const load::Loads start = random_loads(network.node_count(), 1000);
        const std::vector<double> x(start.begin(), start.end());
        std::vector<double> y(x.size());
        Eigen::setNbThreads(threads);
        const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> eigen_matrix(
            matrix.rows, matrix.rows, static_cast<std::ptrdiff_t>(matrix.values.size()),
            matrix.starts.data(), matrix.places.data(), matrix.values.data());
        const Eigen::Map<const Eigen::VectorXd> eigen_x(x.data(), matrix.rows);
        Eigen::Map<Eigen::VectorXd> eigen_y(y.data(), matrix.rows);
        model::AllLinks schedule(network);
        engine::EdgeRounds in_16(protocols::Diffusion{}, schedule, start, network, options);
        // Far enough apart to need 32 bits for longer than is measured.
        engine::EdgeRounds in_32(protocols::Diffusion{}, schedule,
                                 random_loads(network.node_count(), std::uint64_t{1} << 30U),
                                 network, options);
        for (int repetition = 0; repetition < repetitions; ++repetition) {
            product.add([&] { eigen_y.noalias() = eigen_matrix * eigen_x; });
            narrow.add([&] { in_16.step(); });
            medium.add([&] { in_32.step(); });
        }
        const auto [least, most] = std::minmax_element(in_32.loads().begin(), in_32.loads().end());
        if (*most - *least <= engine::word_most<std::uint16_t>)
            std::printf("(the last rounds of these no longer needed 32 bits)\n");
    }
    product.report("Eigen product", product);
    narrow.report("round, loads below 1,000", product);
    medium.report("round, loads below 2^30", product);
    return 0;
}

}  // namespace

int main(int count, char** arguments) {
    try {
        return compare(count > 1 ? arguments[1] : "preferential-attachment:n=4000000,k=8",
                       count > 2 ? arguments[2] : "natural",
                       count > 3 ? std::atoi(arguments[3]) : 9);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "diffusion_irregular: %s\n", error.what());
        return 2;
    }
}
