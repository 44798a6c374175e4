// A bag of tasks of very different size: every rank finds tasks, and all ranks share the work.
//
// A task carries its data with it, so that it travels through a serialiser, and its cost is known
// beforehand, so that costs are levelled instead of numbers.

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/balancer.hpp>

namespace {

using equipoise::balancer::ByteReader;
using equipoise::balancer::ByteWriter;

struct Task {
    std::string name;
    std::vector<double> matrix;  // side * side numbers

    [[nodiscard]] std::size_t side() const {
        return static_cast<std::size_t>(std::lround(std::sqrt(matrix.size())));
    }
    // In multiplications.
    [[nodiscard]] double cost() const { return std::pow(side(), 3); }
};

struct TaskSerialiser {
    static void save(const Task& task, ByteWriter& out) {
        out.put(task.name);
        out.put(task.matrix);
    }
    [[nodiscard]] static Task load(ByteReader& in) {
        Task task;
        task.name = in.get_string();
        task.matrix = in.get_vector<double>();
        return task;
    }
};

// The lower the rank, the larger its tasks.
std::vector<Task> find_tasks(int rank) {
    std::vector<Task> tasks;
    for (int i = 0; i < 24; ++i) {
        const auto side = static_cast<std::size_t>((10 + 7 * i % 60) / (rank + 1));
        tasks.push_back({"task " + std::to_string(i) + " of rank " + std::to_string(rank),
                         std::vector<double>(side * side, 1.0 / static_cast<double>(side))});
    }
    return tasks;
}

// The sum of all entries of the matrix times itself: here, its side.
double work(const Task& task) {
    const std::size_t side = task.side();
    double sum = 0;
    for (std::size_t row = 0; row < side; ++row)
        for (std::size_t column = 0; column < side; ++column)
            for (std::size_t i = 0; i < side; ++i)
                sum += task.matrix[row * side + i] * task.matrix[i * side + column];
    return sum;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    std::vector<Task> tasks = find_tasks(rank);
    std::vector<double> costs;
    costs.reserve(tasks.size());
    for (const Task& task : tasks)
        costs.push_back(task.cost());

    // The costs move with their tasks.
    const auto report =
        equipoise::balancer::rebalance(MPI_COMM_WORLD, tasks, costs, {}, TaskSerialiser());
    if (rank == 0)
        std::printf("cost of a rank: %.0f to %.0f before, %.0f to %.0f after; %lld tasks moved\n",
                    report.weight_before.least, report.weight_before.most,
                    report.weight_after.least, report.weight_after.most,
                    static_cast<long long>(report.moved));

    double mine = 0;
    for (const Task& task : tasks)
        mine += work(task);
    double all = 0;
    MPI_Reduce(&mine, &all, 1, MPI_DOUBLE, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0) std::printf("result: %.1f\n", all);
    MPI_Finalize();
}
