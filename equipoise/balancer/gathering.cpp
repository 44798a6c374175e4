#include "equipoise/balancer/gathering.hpp"

#include <array>
#include <limits>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/mpi/agreement.hpp"

namespace equipoise::balancer {

Gathered gather_all(const mpi::Communicator& communicator, std::span<const std::int64_t> mine,
                    engine::LocalFailure failure, std::string_view call) {
    const auto ranks = static_cast<std::size_t>(communicator.size());
    Gathered all;
    std::vector<std::int64_t> counts;
    failure.guard([&] {
        counts.resize(ranks);
        all.counts.resize(ranks);
        all.firsts.resize(ranks);
    });
    mpi::agree(communicator, failure, call);
    const std::array own = {static_cast<std::int64_t>(mine.size())};
    communicator.all_gather(own, counts);
    failure.guard([&] {
        std::int64_t total = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            if (counts[rank] > std::numeric_limits<int>::max() - total)
                throw InputError("expected at most 2^31 - 1 words in a gathering, found more");
            all.counts[rank] = static_cast<int>(counts[rank]);
            all.firsts[rank] = static_cast<int>(total);
            total += counts[rank];
        }
        all.words.resize(static_cast<std::size_t>(total));
    });
    mpi::agree(communicator, failure, call);
    communicator.all_gather(mine, all.words, all.counts, all.firsts);
    return all;
}

}  // namespace equipoise::balancer
