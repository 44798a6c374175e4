#pragma once
// What benchmarks of diffusion compare it with: the product of the diffusion matrix and a vector.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::benchmarks {

template <class Work>
double seconds_of(const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    work();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The same in processor time of all threads.
template <class Work>
double processor_seconds_of(const Work& work) {
    const std::clock_t begin = std::clock();
    work();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

inline double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

/// The diffusion matrix under Metropolis weights in compressed rows: 1 / (max(deg u, deg v) + 1)
/// for the link u-v, the rest on the diagonal.
struct Matrix {
    explicit Matrix(const network::Network& network)
        : rows(static_cast<std::ptrdiff_t>(network.node_count())) {
        const std::size_t entries = 2 * network.link_count() + network.node_count();
        starts.reserve(std::size_t{network.node_count()} + 1);
        places.reserve(entries);
        values.reserve(entries);
        starts.push_back(0);
        for (NodeId node = 0; node < network.node_count(); ++node) {
            double kept = 1;
            for (const NodeId other : network.neighbours(node))
                kept -= weight(network, node, other);
            bool passed = false;
            for (const NodeId other : network.neighbours(node)) {
                if (!passed && other > node) add(node, kept);
                passed = passed || other > node;
                add(other, weight(network, node, other));
            }
            if (!passed) add(node, kept);
            starts.push_back(static_cast<int>(places.size()));
        }
    }

    std::ptrdiff_t rows;
    std::vector<int> starts;
    std::vector<int> places;
    std::vector<double> values;

  private:
    [[nodiscard]] static double weight(const network::Network& network, NodeId node, NodeId other) {
        return 1.0 / (1.0 + std::max(network.degree(node), network.degree(other)));
    }
    void add(NodeId place, double value) {
        places.push_back(static_cast<int>(place));
        values.push_back(value);
    }
};

}  // namespace equipoise::benchmarks
