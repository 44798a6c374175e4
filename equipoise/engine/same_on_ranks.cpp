#include "equipoise/engine/same_on_ranks.hpp"

#include <cstddef>
#include <vector>

#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::engine {

namespace {

/// The first thing in which a rank differs from rank 0; `rank` 0: there is none.
struct Difference {
    std::uint64_t which = 0;
    std::uint64_t rank = 0;
};

Difference first_difference(std::span<const std::uint64_t> by_rank, std::size_t things) {
    for (std::size_t which = 0; which < things; ++which)
        for (std::size_t at = which + things; at < by_rank.size(); at += things)
            if (by_rank[at] != by_rank[which]) return {which, at / things};
    return {};
}

}  // namespace

void expect_same(Fabric& fabric, std::span<const Held> held) {
    if (fabric.ranks() == 1) return;
    Digest all;
    for (const Held& thing : held)
        all.add(thing.digest);
    Ballot ballot;
    ballot.must_be_equal = all.value();
    Ballot answer;
    if (!find_failure(fabric, {}, ballot, answer)) return;

    std::vector<std::uint64_t> digests;
    together(fabric, [&] {
        for (const Held& thing : held)
            digests.push_back(thing.digest);
    });
    const std::vector<std::byte> bytes =
        fabric.gather(std::as_bytes(std::span<const std::uint64_t>(digests)));
    Difference found;
    on_first(fabric,
             [&] { found = first_difference(values_of<std::uint64_t>(bytes), held.size()); });
    broadcast_value(fabric, found);
    throw InputError("the " + held[found.which].name + " differ from rank to rank: those of rank " +
                     std::to_string(found.rank) +
                     " are not those of rank 0; expected the same options, and the same files on "
                     "all machines");
}

void agree_on_tries(Council& council, const std::exception_ptr& mine) {
    if (council.ranks() == 1) return council.agree(mine);
    Ballot answer;
    auto found = find_failure(council, LocalFailure(mine), {}, answer);
    if (!found) return;
    if (found->failed < council.ranks()) found->failure.name_rank(found->rank);
    council.raise(*found);
}

}  // namespace equipoise::engine
