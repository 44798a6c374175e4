#pragma once
// Agreement among the ranks of a communicator, reported as CollectiveError.
//
//     engine::LocalFailure failure;
//     failure.guard([&] { buffer = pack(items); });   // may throw here alone
//     agree(communicator, failure);   // throws the same CollectiveError on every rank, or nowhere

#include "equipoise/engine/agreement.hpp"
#include "equipoise/mpi/communicator.hpp"
#include "equipoise/mpi/error.hpp"

namespace equipoise::mpi {

/// Throws the CollectiveError that reports a failure.
[[noreturn]] void throw_collective_error(const engine::RankFailure& found);

/// engine::agree: one MPI_Allreduce if nothing has failed. Throws CollectiveError.
engine::Ballot agree(const Communicator& communicator, const engine::LocalFailure& failure,
                     const engine::Ballot& mine = {});

}  // namespace equipoise::mpi
