#include "equipoise/mpi/round_fabric.hpp"

#include <algorithm>
#include <cstdint>

#include "equipoise/mpi/datatype.hpp"
#include "equipoise/mpi/error.hpp"
#include "equipoise/mpi/waiting.hpp"

namespace equipoise::mpi {

namespace {

using Tally = engine::Fabric::Tally;

constexpr int words_per_tally = 14;
static_assert(sizeof(Tally) == words_per_tally * sizeof(std::int64_t));

// Adds one tally to another. MPI asks for exactly this signature.
// NOLINTNEXTLINE(readability-non-const-parameter)
void add_tallies(void* brought, void* total, int* count, MPI_Datatype* /*type*/) {
    const Tally* mine = static_cast<const Tally*>(brought);
    Tally* all = static_cast<Tally*>(total);
    for (int i = 0; i < *count; ++i)
        all[i] += mine[i];
}

}  // namespace

RoundFabric::RoundFabric(MPI_Comm callers)
    : communicator_(callers),
      transport_(callers, this),
      messages_(communicator_, message_bytes_patient) {
    check(MPI_Type_contiguous(words_per_tally, MPI_INT64_T, &tally_type_), "MPI_Type_contiguous");
    check(MPI_Type_commit(&tally_type_), "MPI_Type_commit");
    check(MPI_Op_create(add_tallies, 1, &tally_operation_), "MPI_Op_create");
}

RoundFabric::~RoundFabric() {
    int finalised = 0;
    MPI_Finalized(&finalised);
    if (finalised != 0) return;
    MPI_Op_free(&tally_operation_);
    MPI_Type_free(&tally_type_);
}

Tally RoundFabric::reduce(const Tally& mine) {
    Tally all;
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Iallreduce(&mine, &all, 1, tally_type_, tally_operation_, communicator_.raw(),
                         &request),
          "MPI_Iallreduce");
    wait_for(request);
    return all;
}

void RoundFabric::begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) {
    for (const auto& [from, bytes] : in)
        messages_.receive(from, bytes);
    for (const auto& [to, bytes] : out)
        messages_.send(to, bytes);
}

void RoundFabric::finish_exchange() {
    messages_.wait();
}

std::vector<std::byte> RoundFabric::gather(std::span<const std::byte> mine) {
    const MPI_Datatype word = datatype_of<std::uint64_t>();
    const std::uint64_t size = mine.size();
    std::vector<std::uint64_t> sizes(rank() == 0 ? static_cast<std::size_t>(ranks()) : 0);
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Igather(&size, 1, word, sizes.data(), 1, word, 0, communicator_.raw(), &request),
          "MPI_Igather");
    wait_for(request);
    std::uint64_t total = 0;
    for (const std::uint64_t bytes : sizes)
        total += bytes;
    std::vector<std::byte> all(total);
    if (rank() != 0) {
        messages_.send(0, mine);
    } else {
        std::copy(mine.begin(), mine.end(), all.begin());
        std::span<std::byte> room = std::span(all).subspan(mine.size());
        for (std::size_t from = 1; from < sizes.size(); ++from) {
            messages_.receive(static_cast<int>(from), room.first(sizes[from]));
            room = room.subspan(sizes[from]);
        }
    }
    messages_.wait();
    return all;
}

void RoundFabric::broadcast(std::span<std::byte> bytes, int from) {
    while (!bytes.empty()) {
        const auto piece = bytes.first(std::min(bytes.size(), message_bytes_patient));
        MPI_Request request = MPI_REQUEST_NULL;
        check(MPI_Ibcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, from,
                         communicator_.raw(), &request),
              "MPI_Ibcast");
        wait_for(request);
        bytes = bytes.subspan(piece.size());
    }
}

}  // namespace equipoise::mpi
