#include "equipoise/engine/same_on_ranks.hpp"

#include <cstddef>
#include <vector>

#include "equipoise/base/error.hpp"

namespace equipoise::engine {

namespace {

/// Where a rank holds something else than rank 0; `rank` 0: nowhere.
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

std::exception_ptr named(const std::exception_ptr& failure, int rank) {
    const std::string name = "rank " + std::to_string(rank) + ": ";
    try {
        std::rethrow_exception(failure);
    } catch (const UnsuitableError& error) {
        return std::make_exception_ptr(UnsuitableError(name + error.what()));
    } catch (const InputError& error) {
        return std::make_exception_ptr(InputError(name + error.what()));
    } catch (...) {
        return std::current_exception();
    }
}

}  // namespace

void expect_same(Fabric& fabric, std::span<const Held> held) {
    if (fabric.ranks() == 1) return;
    std::vector<std::uint64_t> digests;
    for (const Held& thing : held)
        digests.push_back(thing.digest);
    const std::vector<std::uint64_t> by_rank =
        values_of<std::uint64_t>(fabric.gather(std::as_bytes(std::span(digests))));
    Difference found = first_difference(by_rank, held.size());
    broadcast_value(fabric, found);
    if (found.rank == 0) return;
    throw InputError("the " + held[found.which].name + " differ from rank to rank: those of rank " +
                     std::to_string(found.rank) +
                     " are not those of rank 0; expected the same options, and the same files on "
                     "all machines");
}

void agree_on_tries(Fabric& fabric, std::exception_ptr mine) {
    const std::int64_t failed = sum_of(fabric, mine ? 1 : 0);
    if (failed == 0) return;
    if (mine && failed < fabric.ranks()) mine = named(mine, fabric.rank());
    fabric.agree(mine);
}

}  // namespace equipoise::engine
