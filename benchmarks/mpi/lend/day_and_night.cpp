// Physics of columns of air on ranks that own boxes of the globe, over a day: lit columns cost five
// times dark ones. The largest rank's processor time a step, without balancing, in the usual way
// and with items lent, one after the other in each step. Ends with an error if results differ in a
// single bit.
//
// The usual way: every rank has a fixed partner on the other side of the globe, lit where it is
// dark. The heavier of the two gives its heaviest half for the lighter's lightest half, unless the
// larger load of the two would grow.
//
// usage: mpirun -n R day_and_night [COLUMNS [SWEEPS]]     (R 2 or a multiple of 4)

#include "tests/support/day_and_night.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <ctime>
#include <numeric>
#include <optional>
#include <string_view>
#include <tuple>
#include <vector>

#include <mpi.h>

#include <equipoise/balancer/lend.hpp>

namespace {

using equipoise::test::Box;
using equipoise::test::Profile;
using equipoise::test::Site;
using Sites = std::vector<Site>;
using Profiles = std::vector<Profile>;

constexpr int hours = 24;
constexpr int steps_an_hour = 4;

double processor_seconds() {
    timespec now{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct Column {
    Site site;
    Profile state;
};

class Model {
  public:
    Model(std::size_t columns, int sweeps, int rank, int ranks)
        : sweeps_(sweeps), box_(rank, ranks), sites_(box_.sites(columns)), states_(columns) {
        for (std::size_t i = 0; i < columns; ++i)
            states_[i].fill(0.1 * static_cast<double>(i % 7));
    }

    // Each way returns the heating of the rank's own columns, and notes the seconds of its work.
    Profiles alone(double hour, double& work) { return worked(sites_, states_, hour, work); }

    Profiles swapped(double hour, double& work) {
        std::vector<double> costs(sites_.size());
        for (std::size_t i = 0; i < costs.size(); ++i)
            costs[i] = equipoise::test::cost_of(sites_[i], hour);
        std::vector<std::size_t> order(costs.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::stable_sort(order.begin(), order.end(),
                         [&](std::size_t a, std::size_t b) { return costs[a] < costs[b]; });
        const std::size_t half = order.size() / 2;
        const auto sum = [&](std::size_t first, std::size_t last) {
            double cost = 0;
            for (std::size_t i = first; i < last; ++i)
                cost += costs[order[i]];
            return cost;
        };
        // All, the lightest half, the heaviest half.
        const double mine[] = {sum(0, order.size()), sum(0, half),
                               sum(order.size() - half, order.size())};
        double theirs[3];
        const int partner = box_.opposite();
        MPI_Sendrecv(mine, 3, MPI_DOUBLE, partner, 0, theirs, 3, MPI_DOUBLE, partner, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        const bool heavier = mine[0] > theirs[0];
        const double change = heavier ? theirs[1] - mine[2] : theirs[2] - mine[1];
        const double larger = std::max(mine[0], theirs[0]);
        if (mine[0] == theirs[0] || std::max(mine[0] + change, theirs[0] - change) > larger)
            return alone(hour, work);
        const std::size_t first = heavier ? order.size() - half : 0;
        std::vector<Column> given(half);
        std::vector<Column> taken(half);
        for (std::size_t i = 0; i < half; ++i)
            given[i] = {sites_[order[first + i]], states_[order[first + i]]};
        exchange(given, taken, partner);
        Sites sites(sites_.size());
        Profiles states(states_.size());
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < order.size(); ++i)
            if (i < first || i >= first + half) places.push_back(order[i]);
        for (std::size_t i = 0; i < places.size(); ++i) {
            sites[i] = sites_[places[i]];
            states[i] = states_[places[i]];
        }
        for (std::size_t i = 0; i < half; ++i) {
            sites[places.size() + i] = taken[i].site;
            states[places.size() + i] = taken[i].state;
        }
        const Profiles changes = worked(sites, states, hour, work);
        const Profiles for_partner(changes.end() - static_cast<std::ptrdiff_t>(half),
                                   changes.end());
        Profiles from_partner(half);
        exchange(for_partner, from_partner, partner);
        Profiles own(changes.size());
        for (std::size_t i = 0; i < places.size(); ++i)
            own[places[i]] = changes[i];
        for (std::size_t i = 0; i < half; ++i)
            own[order[first + i]] = from_partner[i];
        return own;
    }

    Profiles lent(double hour, bool plan, double& work) {
        using namespace equipoise::balancer;
        if (plan) {
            std::vector<double> costs;
            for (const Site& site : sites_)
                costs.push_back(equipoise::test::cost_of(site, hour));
            loan_.reset();
            loan_.emplace(lend_copies(MPI_COMM_WORLD, std::tie(sites_, states_),
                                      {.policy = Policy::weighted, .weights = costs}));
        } else {
            loan_->lend_again();
        }
        Profiles changes = worked(sites_, states_, hour, work);
        loan_->give_back(changes);
        return changes;
    }

    // Processor time that the last way spent in waiting for others to end their work.
    [[nodiscard]] double waited() const { return waited_; }

    void advance(const Profiles& changes) {
        for (std::size_t i = 0; i < changes.size(); ++i)
            for (std::size_t level = 0; level < changes[i].size(); ++level)
                states_[i][level] += changes[i][level];
    }

  private:
    Profiles worked(const Sites& sites, const Profiles& states, double hour, double& work) {
        const double began = processor_seconds();
        Profiles changes(sites.size());
        for (std::size_t i = 0; i < sites.size(); ++i)
            changes[i] = equipoise::test::heating(sites[i], states[i], hour, sweeps_);
        const double ended = processor_seconds();
        work = ended - began;
        MPI_Barrier(MPI_COMM_WORLD);
        waited_ = processor_seconds() - ended;
        return changes;
    }
    template <class Item>
    static void exchange(const std::vector<Item>& given, std::vector<Item>& taken, int partner) {
        const int bytes = static_cast<int>(given.size() * sizeof(Item));
        MPI_Sendrecv(given.data(), bytes, MPI_BYTE, partner, 0, taken.data(), bytes, MPI_BYTE,
                     partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }

    int sweeps_;
    double waited_ = 0;
    Box box_;
    Sites sites_;
    Profiles states_;
    std::optional<equipoise::balancer::Loan> loan_;
};

// 0 if it is no number.
long argument(int count, char** values, int which, long otherwise) {
    if (which >= count) return otherwise;
    const std::string_view text = values[which];
    long number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

}  // namespace

int main(int count, char** values) {
    MPI_Init(&count, &values);
    int rank = 0;
    int ranks = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const auto columns = static_cast<std::size_t>(argument(count, values, 1, 500));
    const int sweeps = static_cast<int>(argument(count, values, 2, 20));
    if ((ranks != 2 && ranks % 4 != 0) || columns < 1 || sweeps < 1) {
        if (rank == 0)
            std::fprintf(
                stderr,
                "expected 2 ranks or a multiple of 4, and numbers of columns and sweeps of at "
                "least 1\n");
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    Model model(columns, sweeps, rank, ranks);
    double work[3] = {};  // of the largest rank, summed over steps, by way
    double all[3] = {};   // the same with what balancing takes
    double average = 0;
    for (int step = 0; step < hours * steps_an_hour; ++step) {
        const double hour = step / steps_an_hour;
        Profiles changes[3];
        for (int way = 0; way < 3; ++way) {
            MPI_Barrier(MPI_COMM_WORLD);
            double mine[2] = {};
            const double began = processor_seconds();
            changes[way] = way == 0   ? model.alone(hour, mine[0])
                           : way == 1 ? model.swapped(hour, mine[0])
                                      : model.lent(hour, step % steps_an_hour == 0, mine[0]);
            mine[1] = processor_seconds() - began - model.waited();
            double most[2];
            MPI_Allreduce(mine, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
            work[way] += most[0];
            all[way] += most[1];
            double sum = 0;
            MPI_Allreduce(mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
            if (way == 0) average += sum / ranks;
        }
        if (changes[0] != changes[1] || changes[0] != changes[2]) {
            std::fprintf(stderr, "rank %d: results differ at step %d\n", rank, step);
            MPI_Abort(MPI_COMM_WORLD, 1);
        }
        model.advance(changes[0]);
    }
    if (rank == 0) {
        const char* const names[] = {"no balancing", "usual way", "lend"};
        std::printf("%-14s %26s %20s %22s\n", "", "largest rank's work, ms", "over the average",
                    "with balancing, ms");
        for (int way = 0; way < 3; ++way)
            std::printf("%-14s %26.2f %20.3f %22.2f\n", names[way],
                        1e3 * work[way] / (hours * steps_an_hour), work[way] / average,
                        1e3 * all[way] / (hours * steps_an_hour));
    }
    MPI_Finalize();
}
