#pragma once
// Agreement among the ranks of a communicator, reported as CollectiveError.
//
//     engine::LocalFailure failure;
//     failure.guard([&] { buffer = pack(items); });   // may throw here alone
//     agree(communicator, failure, "a plan");   // throws the same CollectiveError on every rank,
//                                               // or nowhere

#include <cstdint>
#include <span>
#include <string_view>

#include "equipoise/engine/agreement.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/mpi/error.hpp"

namespace equipoise::mpi {

/// Throws the CollectiveError that reports a failure.
[[noreturn]] void throw_collective_error(const engine::RankFailure& found);

/// A digest of a text that must be the same on all ranks.
[[nodiscard]] std::uint64_t digest_of(std::string_view text);

/// engine::agree: one MPI_Allreduce (Communicator::vote) if nothing has failed. Throws
/// CollectiveError. The ballot has a description, so that ranks that make different calls learn
/// which calls the others make. Afterwards `communicator.brought` has the words of every rank if
/// votes bring words.
engine::Ballot agree(const Communicator& communicator, const engine::LocalFailure& failure,
                     const engine::Ballot& mine, std::span<const std::int64_t> words = {});
/// The same if the ranks need only make the same call, which `call` names.
void agree(const Communicator& communicator, const engine::LocalFailure& failure,
           std::string_view call);

}  // namespace equipoise::mpi
