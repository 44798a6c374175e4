// Particles in a box with collisions. Gravity draws them into a corner, where cells are crowded,
// and the work of a cell grows with the square of its particles: of 4 x 4 ranks, one has it all.
//
//     mpirun -n 16 example_particles_in_a_box [steps [times.csv]]
//
// plays the same steps four times. Every rank works on the cells of its own block of the box
// (none); cells change their rank in every step (rebalance), or when it pays (advisor); or cells
// keep their home, and only the work on them is lent (lend). All end with the same particles, bit
// for bit. Printed are the sums over all steps of the busiest rank's processor time, and the time
// that balancing took.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <optional>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/advisor.hpp>
#include <equipoise/balancer/balancer.hpp>
#include <equipoise/balancer/lend.hpp>

namespace {

namespace balancer = equipoise::balancer;

constexpr int cells_a_side = 192;
constexpr int particles_in_all = 90000;
constexpr double diameter = 0.0003;  // of a particle; the box has side 1
constexpr double time_step = 0.01;
constexpr int tilt_step = 70;  // the box is tilted then, and the crowd slides to another corner

struct Particle {
    std::int64_t number = 0;
    std::array<double, 2> place = {};
    std::array<double, 2> velocity = {};
};

// A piece of work, which any rank can do.
struct Cell {
    int number = 0;
    std::vector<Particle> particles;

    // Pairs to look at, and particles to move.
    [[nodiscard]] double cost() const {
        const auto count = static_cast<double>(particles.size());
        return count * count / 2 + 40 * count;
    }
};

struct CellSerialiser {
    static void save(const Cell& cell, balancer::ByteWriter& out) {
        out.put(cell.number);
        out.put(cell.particles);
    }
    static Cell load(balancer::ByteReader& in) {
        const int number = in.get<int>();
        return {number, in.get_vector<Particle>()};
    }
};

int cell_at(const std::array<double, 2>& place) {
    const auto index = [](double along) {
        return std::clamp(static_cast<int>(along * cells_a_side), 0, cells_a_side - 1);
    };
    return index(place[1]) * cells_a_side + index(place[0]);
}

// Equal discs that approach each other exchange their velocities along the line between them.
void collide(Particle& a, Particle& b) {
    const std::array<double, 2> apart = {b.place[0] - a.place[0], b.place[1] - a.place[1]};
    const double squared = apart[0] * apart[0] + apart[1] * apart[1];
    if (squared >= diameter * diameter || squared == 0) return;
    const double closing =
        (b.velocity[0] - a.velocity[0]) * apart[0] + (b.velocity[1] - a.velocity[1]) * apart[1];
    if (closing >= 0) return;
    for (const std::size_t axis : {0U, 1U}) {
        const double exchanged = closing / squared * apart[axis];
        a.velocity[axis] += exchanged;
        b.velocity[axis] -= exchanged;
    }
}

// The work of one step on one cell. The order of its particles is that of their numbers, so that
// the outcome does not depend on who brought them.
void advance(Cell& cell, int step) {
    const std::array<double, 2> gravity = {step < tilt_step ? -1.0 : 1.0, -1.0};
    std::vector<Particle>& all = cell.particles;
    std::sort(all.begin(), all.end(),
              [](const Particle& a, const Particle& b) { return a.number < b.number; });
    for (std::size_t i = 0; i < all.size(); ++i)
        for (std::size_t j = i + 1; j < all.size(); ++j)
            collide(all[i], all[j]);
    for (Particle& particle : all) {
        for (const std::size_t axis : {0U, 1U}) {
            double& at = particle.place[axis];
            double& speed = particle.velocity[axis];
            speed += time_step * gravity[axis];
            at += time_step * speed;
            if (at < 0 || at > 1) speed = -speed;
            at = std::clamp(at < 0 ? -at : at > 1 ? 2 - at : at, 0.0, 1.0);
        }
    }
}

// The ranks of a Cartesian topology, each the home of a block of cells.
struct Ranks {
    MPI_Comm box = MPI_COMM_NULL;
    int rank = 0;
    int size = 0;
    std::array<int, 2> sides = {0, 0};

    Ranks() {
        MPI_Comm_size(MPI_COMM_WORLD, &size);
        MPI_Dims_create(size, 2, sides.data());
        const std::array<int, 2> walls = {0, 0};
        MPI_Cart_create(MPI_COMM_WORLD, 2, sides.data(), walls.data(), 0, &box);
        MPI_Comm_rank(box, &rank);
    }
    [[nodiscard]] int home(int cell) const {
        const std::array<int, 2> block = {cell % cells_a_side * sides[0] / cells_a_side,
                                          cell / cells_a_side * sides[1] / cells_a_side};
        int found = 0;
        MPI_Cart_rank(box, block.data(), &found);
        return found;
    }
};

// A number in [0, 1) that depends on nothing but `seed`.
double drawn(std::uint64_t seed) {
    seed = (seed + 1) * 0x9e3779b97f4a7c15U;
    seed = (seed ^ (seed >> 30U)) * 0xbf58476d1ce4e5b9U;
    seed = (seed ^ (seed >> 27U)) * 0x94d049bb133111ebU;
    return static_cast<double>((seed ^ (seed >> 31U)) >> 11U) * 0x1p-53;
}

// The cells that this rank holds, and who holds which.
struct Box {
    std::vector<Cell> cells;
    std::vector<int> holder;  // by cell
};

Box filled_box(const Ranks& ranks) {
    Box box;
    box.holder.resize(std::size_t{cells_a_side} * cells_a_side);
    std::vector<std::size_t> place(box.holder.size());
    for (int cell = 0; cell < cells_a_side * cells_a_side; ++cell) {
        const auto index = static_cast<std::size_t>(cell);
        box.holder[index] = ranks.home(cell);
        place[index] = box.cells.size();
        if (box.holder[index] == ranks.rank) box.cells.push_back({cell, {}});
    }
    // Gravity has been at work for long: heights are distributed as those of air.
    const auto height = [](std::uint64_t seed) {
        return std::min(-0.05 * std::log(1 - drawn(seed)), 0.999);
    };
    for (std::int64_t number = 0; number < particles_in_all; ++number) {
        const auto seed = static_cast<std::uint64_t>(4 * number);
        const Particle particle = {number,
                                   {height(seed), height(seed + 1)},
                                   {0.8 * drawn(seed + 2) - 0.4, 0.8 * drawn(seed + 3) - 0.4}};
        const auto cell = static_cast<std::size_t>(cell_at(particle.place));
        if (box.holder[cell] == ranks.rank) box.cells[place[cell]].particles.push_back(particle);
    }
    return box;
}

// Particles that left their cell go to whoever holds the cell that they are in now.
void hand_over(const Ranks& ranks, Box& box) {
    std::vector<std::vector<Particle>> leaving(static_cast<std::size_t>(ranks.size));
    std::vector<std::size_t> place(box.holder.size());
    for (std::size_t at = 0; at < box.cells.size(); ++at) {
        Cell& cell = box.cells[at];
        place[static_cast<std::size_t>(cell.number)] = at;
        const auto gone = std::partition(
            cell.particles.begin(), cell.particles.end(),
            [&](const Particle& particle) { return cell_at(particle.place) == cell.number; });
        for (auto particle = gone; particle != cell.particles.end(); ++particle) {
            const int to = box.holder[static_cast<std::size_t>(cell_at(particle->place))];
            leaving[static_cast<std::size_t>(to)].push_back(*particle);
        }
        cell.particles.erase(gone, cell.particles.end());
    }
    const auto count = static_cast<std::size_t>(ranks.size);
    std::vector<int> sent(count), sent_from(count), received(count), received_from(count);
    std::vector<Particle> out;
    for (std::size_t to = 0; to < count; ++to) {
        sent[to] = static_cast<int>(leaving[to].size() * sizeof(Particle));
        sent_from[to] = static_cast<int>(out.size() * sizeof(Particle));
        out.insert(out.end(), leaving[to].begin(), leaving[to].end());
    }
    MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, ranks.box);
    std::partial_sum(received.begin(), received.end() - 1, received_from.begin() + 1);
    const int bytes = received_from.back() + received.back();
    std::vector<Particle> in(static_cast<std::size_t>(bytes) / sizeof(Particle));
    MPI_Alltoallv(out.data(), sent.data(), sent_from.data(), MPI_BYTE, in.data(), received.data(),
                  received_from.data(), MPI_BYTE, ranks.box);
    for (const Particle& particle : in) {
        const auto cell = static_cast<std::size_t>(cell_at(particle.place));
        box.cells[place[cell]].particles.push_back(particle);
    }
}

// Tells every rank who holds which cell.
void announce(const Ranks& ranks, Box& box) {
    std::vector<int> held(box.holder.size(), 0);
    for (const Cell& cell : box.cells)
        held[static_cast<std::size_t>(cell.number)] = ranks.rank;
    MPI_Allreduce(held.data(), box.holder.data(), static_cast<int>(held.size()), MPI_INT, MPI_MAX,
                  ranks.box);
}

// A number that is the same for equal particles, in whatever order and wherever they are.
std::uint64_t digest(const Ranks& ranks, const Box& box) {
    std::uint64_t sum = 0;
    for (const Cell& cell : box.cells) {
        for (const Particle& particle : cell.particles) {
            std::array<std::uint64_t, 5> words = {};
            std::memcpy(words.data(), &particle, sizeof particle);
            std::uint64_t mixed = 0;
            for (const std::uint64_t word : words)
                mixed = (mixed ^ word) * 0x9e3779b97f4a7c15U + (mixed >> 29U);
            sum += mixed;
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, ranks.box);
    return sum;
}

double processor_seconds() {
    timespec now = {};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double work(std::vector<Cell>& cells, int step) {
    const double started = processor_seconds();
    for (Cell& cell : cells)
        advance(cell, step);
    return processor_seconds() - started;
}

std::vector<double> costs_of(const std::vector<Cell>& cells) {
    std::vector<double> costs(cells.size());
    std::transform(cells.begin(), cells.end(), costs.begin(),
                   [](const Cell& cell) { return cell.cost(); });
    return costs;
}

struct Outcome {
    std::vector<double> steps;    // processor seconds of the rank that works longest
    equipoise::Tokens moved = 0;  // cells that came to another rank, lent ones there and back
    double balancing = 0;         // seconds in the balancer, on this rank
    std::uint64_t particles = 0;
};

// One way to share the work; `before` and `after` each step's work, which takes `seconds` here.
struct Way {
    virtual ~Way() = default;
    virtual void before(const Ranks& /*ranks*/, Box& /*box*/, Outcome& /*outcome*/) {}
    virtual void after(const Ranks& /*ranks*/, Box& /*box*/, double /*seconds*/,
                       Outcome& /*outcome*/) {}
};

// Cells change their rank for good.
balancer::Report rebalance(const Ranks& ranks, Box& box, Outcome& outcome) {
    std::vector<double> costs = costs_of(box.cells);
    const balancer::Report report =
        balancer::rebalance(ranks.box, box.cells, costs, {.tolerance = 0.05}, CellSerialiser());
    announce(ranks, box);
    outcome.moved += report.moved;
    return report;
}

struct Rebalance : Way {
    void before(const Ranks& ranks, Box& box, Outcome& outcome) override {
        rebalance(ranks, box, outcome);
    }
};

struct Advised : Way {
    explicit Advised(const Ranks& ranks) : advisor(ranks.box) {}
    void after(const Ranks& ranks, Box& box, double seconds, Outcome& outcome) override {
        advisor.step(seconds);
        if (advisor.worth_it()) advisor.balanced(rebalance(ranks, box, outcome));
    }
    balancer::Advisor advisor;
};

// Cells keep their home; only the work on them is lent. A plan serves for five steps.
struct Lend : Way {
    void before(const Ranks& ranks, Box& box, Outcome& outcome) override {
        if (step++ % 5 == 0) {
            const std::vector<double> costs = costs_of(box.cells);
            loan.emplace(balancer::lend(
                ranks.box, box.cells,
                {.policy = balancer::Policy::weighted, .weights = costs, .tolerance = 0.05},
                CellSerialiser()));
        } else {
            loan->lend_again();
        }
        outcome.moved += 2 * loan->report().moved;
    }
    void after(const Ranks& /*ranks*/, Box& /*box*/, double /*seconds*/,
               Outcome& /*outcome*/) override {
        loan->give_back();
    }
    std::optional<balancer::Loan> loan;
    int step = 0;
};

Outcome play(const Ranks& ranks, Way& way, int steps) {
    Box box = filled_box(ranks);
    Outcome outcome;
    for (int step = 0; step < steps; ++step) {
        double began = MPI_Wtime();
        way.before(ranks, box, outcome);
        outcome.balancing += MPI_Wtime() - began;
        const double seconds = work(box.cells, step);
        double slowest = 0;
        MPI_Allreduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, ranks.box);
        outcome.steps.push_back(slowest);
        began = MPI_Wtime();
        way.after(ranks, box, seconds, outcome);
        outcome.balancing += MPI_Wtime() - began;
        hand_over(ranks, box);
    }
    outcome.particles = digest(ranks, box);
    return outcome;
}

}  // namespace

int main(int argc, char** argv) {
    MPI_Init(&argc, &argv);
    const int steps = argc > 1 ? std::atoi(argv[1]) : 100;
    bool same = true;
    {
        const Ranks ranks;
        std::FILE* const table = argc > 2 && ranks.rank == 0 ? std::fopen(argv[2], "w") : nullptr;
        if (table != nullptr) std::fputs("way,step,milliseconds\n", table);
        std::optional<Outcome> first;
        const auto sum = [](const Outcome& outcome) {
            return 1e3 * std::accumulate(outcome.steps.begin(), outcome.steps.end(), 0.0);
        };
        const auto show = [&](const char* name, Way&& way) {
            const Outcome outcome = play(ranks, way, steps);
            if (!first) first = outcome;
            same = same && outcome.particles == first->particles;
            if (ranks.rank == 0)
                std::printf("%-9s %8.1f ms, %4.1f times as fast; %8lld moves of cells, %.0f ms\n",
                            name, sum(outcome), sum(*first) / sum(outcome),
                            static_cast<long long>(outcome.moved), 1e3 * outcome.balancing);
            for (std::size_t step = 0; table != nullptr && step < outcome.steps.size(); ++step)
                std::fprintf(table, "%s,%zu,%.6f\n", name, step + 1, 1e3 * outcome.steps[step]);
        };
        show("none", Way());
        show("rebalance", Rebalance());
        show("lend", Lend());
        show("advisor", Advised(ranks));
        if (ranks.rank == 0)
            std::puts(same ? "all end with the same particles" : "the particles differ");
        if (table != nullptr) std::fclose(table);
    }
    MPI_Finalize();
    return same ? 0 : 1;
}
