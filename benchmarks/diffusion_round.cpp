// A round of first-order diffusion on a random 8-regular network, compared with the equivalent
// sparse matrix-vector product in doubles (Eigen and, if installed, GraphBLAS); and rounds of
// deal-agreement 2 and 3, compared with the round of diffusion: the first rounds, in which most
// nodes still deal, and the mean until no node deals. Each is also given as the bytes it must move
// divided by the bandwidth of an array copy, and rounds of deal-agreement relative to the two plain
// gathers that they cannot avoid: of loads, and of what all neighbours announce. All take turns on
// two threads, and medians are compared.
//
// Usage: diffusion_round [nodes [repetitions]]. The target is for 4,000,000 nodes, where loads and
// vectors do not fit into near caches; building that network takes a while.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include <Eigen/Sparse>
#if __has_include(<GraphBLAS.h>)
// This header leaves the linkage of its functions to the files that include it.
extern "C" {
#include <GraphBLAS.h>
}
#define EQUIPOISE_GRAPHBLAS 1
#endif

#include "benchmarks/diffusion_matrix.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/deal_agreement_3.hpp"
#include "equipoise/protocols/diffusion.hpp"

namespace {

using namespace equipoise;
using benchmarks::Matrix;
using benchmarks::median;
using benchmarks::seconds_of;

constexpr int threads = 2;
constexpr Port degree = 8;

#ifdef EQUIPOISE_GRAPHBLAS
/// The same product by GraphBLAS.
class GraphBlasProduct {
  public:
    GraphBlasProduct(const Matrix& matrix, const std::vector<double>& x) {
        GrB_init(GrB_NONBLOCKING);
        GxB_Global_Option_set(GxB_GLOBAL_NTHREADS, threads);
        const auto size = static_cast<GrB_Index>(matrix.rows);
        std::vector<GrB_Index> row_of(matrix.places.size());
        for (std::size_t row = 0; row + 1 < matrix.starts.size(); ++row)
            std::fill(row_of.begin() + matrix.starts[row], row_of.begin() + matrix.starts[row + 1],
                      row);
        const std::vector<GrB_Index> columns(matrix.places.begin(), matrix.places.end());
        GrB_Matrix_new(&matrix_, GrB_FP64, size, size);
        GrB_Matrix_build_FP64(matrix_, row_of.data(), columns.data(), matrix.values.data(),
                              matrix.values.size(), GrB_PLUS_FP64);
        GrB_Vector_new(&x_, GrB_FP64, size);
        GrB_Vector_new(&y_, GrB_FP64, size);
        for (std::size_t i = 0; i < x.size(); ++i)
            GrB_Vector_setElement_FP64(x_, x[i], i);
        GrB_Matrix_wait(matrix_, GrB_MATERIALIZE);
        GrB_Vector_wait(x_, GrB_MATERIALIZE);
    }
    ~GraphBlasProduct() {
        GrB_Matrix_free(&matrix_);
        GrB_Vector_free(&x_);
        GrB_Vector_free(&y_);
        GrB_finalize();
    }
    GraphBlasProduct(const GraphBlasProduct&) = delete;
    GraphBlasProduct& operator=(const GraphBlasProduct&) = delete;
    void operator()() const {
        GrB_mxv(y_, nullptr, nullptr, GrB_PLUS_TIMES_SEMIRING_FP64, matrix_, x_, nullptr);
        GrB_Vector_wait(y_, GrB_MATERIALIZE);
    }

  private:
    GrB_Matrix matrix_ = nullptr;
    GrB_Vector x_ = nullptr;
    GrB_Vector y_ = nullptr;
};
#endif

void report(const char* name, double seconds, double diffusion, double bytes, double copy_rate) {
    std::printf("%-26s %8.4f s  %5.2f of a diffusion round  %5.2f of copy bandwidth\n", name,
                seconds, seconds / diffusion, bytes / seconds / copy_rate);
}

/// Reads a word of every neighbour of every node, fetched ahead as rounds do.
template <class Word>
void gather(const engine::Workers& workers, const network::Network& network,
            const std::vector<Word>& words, std::vector<std::uint32_t>& sums) {
    const std::span<const NodeId> neighbours = network.row_neighbours();
    engine::for_each_block(workers, sums.size(), [&](std::uint64_t begin, std::uint64_t end) {
        for (std::uint64_t node = begin; node < end; ++node) {
            const std::uint64_t later = std::min<std::uint64_t>(node + 24, end - 1);
            std::uint32_t sum = 0;
            for (std::uint64_t port = 0; port < degree; ++port) {
                __builtin_prefetch(words.data() + neighbours[later * degree + port]);
                sum += words[neighbours[node * degree + port]][0];
            }
            sums[node] = sum;
        }
    });
}

/// Average seconds of a round, until one in which nothing moves.
template <class Rounds>
double mean_until_quiet(Rounds& rounds) {
    std::uint64_t moved = 0;
    int played = 0;
    const double seconds = seconds_of([&] {
        do {
            moved = rounds.costs().exchanges;
            rounds.step();
            ++played;
        } while (rounds.costs().exchanges != moved);
    });
    return seconds / played;
}

/// Seconds of all repetitions.
struct Times {
    std::vector<double> copy;
    std::vector<double> gathers;
    std::vector<double> eigen;
    std::vector<double> graphblas;  ///< empty if it is not installed
    std::vector<double> diffusion;
    std::vector<double> deals_2;
    std::vector<double> deals_3;
    double run_2 = 0;  ///< a round on average, until quiet
    double run_3 = 0;
};

/// What each must move at least: a product, every entry and column and both vectors; a round of
/// diffusion, every neighbour and 16-bit load, and the new loads in 16 and in 64 bits; a round of
/// deal-agreement, every neighbour twice and its port once, loads twice, announcements of 3 bytes,
/// a deal of 8 bytes for each node both ways, and the new loads.
void summarise(const Times& times, double nodes) {
    const double arcs = nodes * degree;
    const double copy_rate = 2.0 * sizeof(double) * (arcs + nodes) / median(times.copy);
    const double round = median(times.diffusion);
    const double product_bytes = 12 * (arcs + nodes) + 16 * nodes;
    std::printf("random-regular, %.0f nodes, degree %u, %d threads, copy %.2f GB/s\n", nodes,
                degree, threads, copy_rate / 1e9);
    double best = median(times.eigen);
    report("Eigen product", best, round, product_bytes, copy_rate);
    if (!times.graphblas.empty()) {
        report("GraphBLAS product", median(times.graphblas), round, product_bytes, copy_rate);
        best = std::min(best, median(times.graphblas));
    }
    report("diffusion round", round, round, 4 * arcs + 12 * nodes, copy_rate);
    const double deal_bytes = 9 * arcs + 36 * nodes;
    const double floor = median(times.gathers);
    report("the two gathers of deals", floor, round, 8 * arcs + 13 * nodes, copy_rate);
    report("deal-agreement-2 round", median(times.deals_2), round, deal_bytes, copy_rate);
    report("  mean until quiet", times.run_2, round, deal_bytes, copy_rate);
    report("deal-agreement-3 round", median(times.deals_3), round, deal_bytes, copy_rate);
    report("  mean until quiet", times.run_3, round, deal_bytes, copy_rate);
    std::printf("deal-agreement against its two gathers: %.2f and %.2f times their seconds\n",
                median(times.deals_2) / floor, median(times.deals_3) / floor);
    std::printf("diffusion against the faster product: %.2f times its speed (wanted: 2.0)\n",
                best / round);
}

}  // namespace

int main(int count, char** arguments) {
    const std::uint64_t nodes = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 500'000;
    const int repetitions = count > 2 ? std::atoi(arguments[2]) : 5;
    const network::AnyNetwork any = network::generate(
        "random-regular:n=" + std::to_string(nodes) + ",d=" + std::to_string(degree), 1);
    const network::Network& network = *any.stored();
    RandomStream random(1, Purpose::loads);
    load::Loads loads(network.node_count());
    for (Tokens& load : loads)
        load = static_cast<Tokens>(random.below(1000));

    const Matrix matrix(network);
    const std::vector<double> x(loads.begin(), loads.end());
    std::vector<double> y(x.size());
    Eigen::setNbThreads(threads);
    const Eigen::Map<const Eigen::SparseMatrix<double, Eigen::RowMajor>> eigen_matrix(
        matrix.rows, matrix.rows, static_cast<std::ptrdiff_t>(matrix.values.size()),
        matrix.starts.data(), matrix.places.data(), matrix.values.data());
    const Eigen::Map<const Eigen::VectorXd> eigen_x(x.data(), matrix.rows);
    Eigen::Map<Eigen::VectorXd> eigen_y(y.data(), matrix.rows);

    engine::RoundOptions options;
    options.threads = threads;
    model::AllLinks schedule(network);
    engine::EdgeRounds diffusion(protocols::Diffusion{}, schedule, loads, network, options);
    engine::DealRounds deals_2(protocols::DealAgreement2{}, loads, network, options);
    engine::DealRounds deals_3(protocols::DealAgreement3{}, loads, network, options);
#ifdef EQUIPOISE_GRAPHBLAS
    const GraphBlasProduct graphblas(matrix, x);
#endif
    const engine::Workers workers = engine::Workers::of(threads, 1);
    std::vector<double> target(matrix.values.size());
    const std::vector<std::array<std::uint16_t, 1>> load_words(loads.size());
    const std::vector<std::array<std::uint8_t, 3>> announced(loads.size());
    std::vector<std::uint32_t> sums(loads.size());

    Times times;
    for (int repetition = 0; repetition < repetitions; ++repetition) {
        times.copy.push_back(seconds_of([&] {
            engine::for_each_block(
                workers, target.size(), [&](std::uint64_t begin, std::uint64_t end) {
                    std::memcpy(target.data() + begin, matrix.values.data() + begin,
                                (end - begin) * sizeof(double));
                });
        }));
        times.eigen.push_back(seconds_of([&] { eigen_y.noalias() = eigen_matrix * eigen_x; }));
#ifdef EQUIPOISE_GRAPHBLAS
        times.graphblas.push_back(seconds_of([&] { graphblas(); }));
#endif
        times.gathers.push_back(seconds_of([&] {
            gather(workers, network, load_words, sums);
            gather(workers, network, announced, sums);
        }));
        times.diffusion.push_back(seconds_of([&] { diffusion.step(); }));
        times.deals_2.push_back(seconds_of([&] { deals_2.step(); }));
        times.deals_3.push_back(seconds_of([&] { deals_3.step(); }));
    }

    times.run_2 = mean_until_quiet(deals_2);
    times.run_3 = mean_until_quiet(deals_3);
    summarise(times, static_cast<double>(network.node_count()));
    return 0;
}
