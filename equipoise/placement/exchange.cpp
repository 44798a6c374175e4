#include "equipoise/placement/exchange.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::placement {

namespace {

void sort_by_rank(std::vector<Parcel>& parcels) {
    std::stable_sort(parcels.begin(), parcels.end(),
                     [](const Parcel& one, const Parcel& other) { return one.rank < other.rank; });
}

std::size_t as_index(int rank) {
    return static_cast<std::size_t>(rank);
}

// Items of one rank that are neighbours there and travel together. Places are counted from the end
// of that rank's old vector (the last item is at -1), whose length other ranks do not know.
struct Batch {
    int origin = 0;
    Tokens first = 0;
    Tokens items = 0;
};

// What every rank holds above those of its own items that have never left.
class Journeys {
  public:
    explicit Journeys(int ranks)
        : arrived_(as_index(ranks)),
          left_(as_index(ranks)),
          under_way_(as_index(ranks)),
          leave_(as_index(ranks)) {}

    void play(std::span<const Transfer> round) {
        for (const Transfer& transfer : round)
            leave_[as_index(transfer.from)] += transfer.items;
        for (const Transfer& transfer : round)
            take_off(transfer.from, std::exchange(leave_[as_index(transfer.from)], 0));
        for (const Transfer& transfer : round)
            bring(transfer);
    }

    [[nodiscard]] std::span<const Batch> arrived(int rank) const {
        return arrived_[as_index(rank)];
    }
    /// How many of a rank's own items have left it at some time.
    [[nodiscard]] Tokens left(int rank) const { return left_[as_index(rank)]; }

  private:
    // The last items of a rank, the last batch first.
    void take_off(int rank, Tokens items) {
        std::vector<Batch>& held = arrived_[as_index(rank)];
        std::vector<Batch>& taken = under_way_[as_index(rank)];
        while (items > 0 && !held.empty()) {
            Batch& last = held.back();
            const Tokens some = std::min(items, last.items);
            last.items -= some;
            taken.push_back({last.origin, last.first + last.items, some});
            if (last.items == 0) held.pop_back();
            items -= some;
        }
        if (items == 0) return;
        left_[as_index(rank)] += items;
        taken.push_back({rank, -left_[as_index(rank)], items});
    }
    void bring(const Transfer& transfer) {
        std::vector<Batch>& taken = under_way_[as_index(transfer.from)];
        for (Tokens wanted = transfer.items; wanted > 0;) {
            EQUIPOISE_ASSERT(!taken.empty());
            Batch& next = taken.back();
            const Tokens some = std::min(wanted, next.items);
            append(arrived_[as_index(transfer.to)], {next.origin, next.first, some});
            next.first += some;
            next.items -= some;
            if (next.items == 0) taken.pop_back();
            wanted -= some;
        }
    }
    static void append(std::vector<Batch>& held, const Batch& batch) {
        if (!held.empty() && held.back().origin == batch.origin &&
            held.back().first + held.back().items == batch.first)
            held.back().items += batch.items;
        else
            held.push_back(batch);
    }

    std::vector<std::vector<Batch>> arrived_;
    std::vector<Tokens> left_;
    std::vector<std::vector<Batch>> under_way_;
    std::vector<Tokens> leave_;
};

Tokens largest(const std::vector<Tokens>& counts) {
    return counts.empty() ? 0 : *std::max_element(counts.begin(), counts.end());
}

// The items that arrive at a rank, in the order in which their owners send them.
struct Arrival {
    int origin = 0;
    Tokens first = 0;  // at the origin
    Tokens place = 0;  // here
    Tokens items = 0;
};

}  // namespace

Routes routes_of(const RankMoves& moves, std::span<const Transfer> transfers, int ranks) {
    Routes routes = {moves.sends,
                     moves.receives,
                     kept_runs(moves),
                     moves.leaving,
                     moves.arriving,
                     moves.size_before,
                     0};
    sort_by_rank(routes.sends);
    sort_by_rank(routes.receives);
    std::vector<Tokens> sent(as_index(ranks));
    std::vector<Tokens> received(as_index(ranks));
    for (const Transfer& transfer : transfers) {
        sent[as_index(transfer.from)] += transfer.items;
        received[as_index(transfer.to)] += transfer.items;
    }
    routes.most = std::max(largest(sent), largest(received));
    return routes;
}

Routes routes_of(std::span<const Transfer> transfers, std::span<const std::size_t> round_ends,
                 int rank, int ranks, Tokens size) {
    Journeys journeys(ranks);
    std::size_t begin = 0;
    for (const std::size_t end : round_ends) {
        journeys.play(transfers.subspan(begin, end - begin));
        begin = end;
    }
    EQUIPOISE_ASSERT(begin == transfers.size());

    Routes routes;
    routes.size_before = size;
    const Tokens stayed = size - journeys.left(rank);
    EQUIPOISE_ASSERT(stayed >= 0);
    if (stayed > 0) routes.kept.push_back({0, 0, stayed});
    std::vector<Tokens> sent(as_index(ranks));
    std::vector<Tokens> received(as_index(ranks));
    std::vector<Arrival> arrivals;
    for (int holder = 0; holder < ranks; ++holder) {
        Tokens place = stayed;
        for (const Batch& batch : journeys.arrived(holder)) {
            if (batch.origin != holder) {
                sent[as_index(batch.origin)] += batch.items;
                received[as_index(holder)] += batch.items;
            }
            if (holder == rank && batch.origin == rank)
                routes.kept.push_back({size + batch.first, place, batch.items});
            else if (holder == rank)
                arrivals.push_back({batch.origin, batch.first, place, batch.items});
            else if (batch.origin == rank)
                routes.sends.push_back({holder, size + batch.first, batch.items});
            place += batch.items;
        }
    }
    std::sort(routes.kept.begin(), routes.kept.end(),
              [](const Run& one, const Run& other) { return one.from < other.from; });
    std::sort(routes.sends.begin(), routes.sends.end(), [](const Parcel& one, const Parcel& other) {
        return std::tie(one.rank, one.first) < std::tie(other.rank, other.first);
    });
    std::sort(arrivals.begin(), arrivals.end(), [](const Arrival& one, const Arrival& other) {
        return std::tie(one.origin, one.first) < std::tie(other.origin, other.first);
    });
    for (const Arrival& arrival : arrivals)
        routes.receives.push_back({arrival.origin, arrival.place, arrival.items});
    routes.most = std::max(largest(sent), largest(received));
    return routes;
}

std::vector<int> destinations_of(const Routes& routes, int rank) {
    std::vector<int> destinations(static_cast<std::size_t>(routes.size_before), rank);
    for (const Parcel& parcel : routes.sends)
        for (Tokens place = parcel.first; place < parcel.first + parcel.items; ++place) {
            const Tokens item =
                routes.leaving.empty() ? place : routes.leaving[static_cast<std::size_t>(place)];
            destinations[static_cast<std::size_t>(item)] = parcel.rank;
        }
    return destinations;
}

void expect_counts_up_to(Tokens largest, Tokens most) {
    if (most <= largest) return;
    throw InputError("expected at most " + std::to_string(largest) +
                     " items that a rank sends or receives, for counts of this type, found " +
                     std::to_string(most));
}

}  // namespace equipoise::placement
