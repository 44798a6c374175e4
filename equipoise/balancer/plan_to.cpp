// The plan that brings every item to the rank that the caller names.
#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/balancer/gathering.hpp"
#include "equipoise/balancer/plan.hpp"
#include "equipoise/balancer/plan_data.hpp"
#include "equipoise/balancer/planner.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/messages.hpp"
#include "equipoise/placement/rank_moves.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::balancer {

namespace {

struct Departures {
    std::vector<placement::Departure> items;
    std::vector<std::int64_t> words;  ///< the number of items here, then (to, items) by rank

    template <class Number>
    Departures(std::span<const Number> ranks, const mpi::Communicator& communicator) {
        std::vector<Tokens> counts(static_cast<std::size_t>(communicator.size()));
        for (std::size_t place = 0; place < ranks.size(); ++place) {
            if (ranks[place] < 0 || ranks[place] >= communicator.size())
                throw InputError("expected items for ranks 0 to " +
                                 std::to_string(communicator.size() - 1) + ", found one for rank " +
                                 std::to_string(ranks[place]));
            const int to = static_cast<int>(ranks[place]);
            if (to == communicator.rank()) continue;
            ++counts[static_cast<std::size_t>(to)];
            items.push_back({static_cast<Tokens>(place), to});
        }
        words.push_back(static_cast<std::int64_t>(ranks.size()));
        for (std::size_t to = 0; to < counts.size(); ++to) {
            if (counts[to] == 0) continue;
            words.push_back(static_cast<std::int64_t>(to));
            words.push_back(counts[to]);
        }
    }
};

template <class Number>
Plan plan_to_numbers(MPI_Comm callers, std::span<const Number> ranks, std::size_t message_bytes_max,
                     engine::LocalFailure failure) {
    const double started = MPI_Wtime();
    const mpi::Communicator communicator(callers);
    std::optional<Departures> departures;
    failure.guard([&] {
        if (message_bytes_max < 1 || message_bytes_max > mpi::message_bytes_limit)
            throw InputError("expected messages of 1 to 2^31 - 1 bytes, found " +
                             std::to_string(message_bytes_max));
        departures.emplace(ranks, communicator);
    });
    std::span<const std::int64_t> mine;
    if (departures) mine = departures->words;
    constexpr const char* call = "a plan to given ranks";
    const Gathered all = gather_all(communicator, mine, failure, call);
    std::shared_ptr<Plan::Data> data;
    failure.guard([&] {
        data = std::make_shared<Plan::Data>(communicator);
        data->message_bytes_max = message_bytes_max;
        data->size_before = static_cast<Tokens>(ranks.size());
        std::vector<Tokens> sizes(all.counts.size());
        std::vector<Tokens> after(sizes.size());
        for (std::size_t from = 0; from < sizes.size(); ++from) {
            const std::span<const std::int64_t> words = all.of(from);
            after[from] += sizes[from] = words[0];
            for (std::size_t word = 1; word < words.size(); word += 2) {
                data->transfers.push_back(
                    {static_cast<int>(from), static_cast<int>(words[word]), words[word + 1]});
                after[from] -= words[word + 1];
                after[static_cast<std::size_t>(words[word])] += words[word + 1];
            }
        }
        data->rounds = {placement::moves_of(departures->items, data->transfers, communicator.rank(),
                                            data->size_before)};
        Report& report = data->report;
        report.policy = Policy::given;
        report.ranks = communicator.size();
        report.minimum = placement::surplus(sizes, after);
        report.rounds = data->transfers.empty() ? 0 : 1;
        note_counts(sizes, *data);
        data->slowest_before = {slowest(std::vector<double>(sizes.begin(), sizes.end()), {})};
        data->slowest_after = {slowest(std::vector<double>(after.begin(), after.end()), {})};
        report.seconds_planning = MPI_Wtime() - started;
    });
    mpi::agree(communicator, failure,
               {.must_be_equal = message_bytes_max, .describe = [&] {
                    return call + (", messages of at most " + std::to_string(message_bytes_max)) +
                           " bytes";
                }});
    return Plan::of(std::move(data));
}

}  // namespace

Plan plan_to(MPI_Comm callers, std::span<const int> ranks, std::size_t message_bytes_max,
             engine::LocalFailure failure) {
    return plan_to_numbers(callers, ranks, message_bytes_max, failure);
}

Plan plan_to_wide(MPI_Comm callers, std::span<const std::int64_t> ranks,
                  std::size_t message_bytes_max, engine::LocalFailure failure) {
    return plan_to_numbers(callers, ranks, message_bytes_max, failure);
}

}  // namespace equipoise::balancer
