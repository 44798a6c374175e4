#include "equipoise/mpi/round_fabric.hpp"

#include <algorithm>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "equipoise/base/error.hpp"
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
    for (int i = 0; i < *count; ++i) {
        for (std::size_t word = 0; word < mine[i].sums.size(); ++word)
            all[i].sums[word] += mine[i].sums[word];
        for (std::size_t word = 0; word < mine[i].maxima.size(); ++word)
            all[i].maxima[word] = std::max(all[i].maxima[word], mine[i].maxima[word]);
    }
}

// The kind of an error, and its text.
constexpr char overflow = 'o';
constexpr char unsuitable = 'u';
constexpr char input = 'i';
constexpr char memory = 'm';
constexpr char other = 'x';

std::string describe(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const OverflowError& found) {
        return overflow + std::string(found.what());
    } catch (const UnsuitableError& found) {
        return unsuitable + std::string(found.what());
    } catch (const InputError& found) {
        return input + std::string(found.what());
    } catch (const std::bad_alloc&) {
        return {memory};
    } catch (const std::exception& found) {
        return other + std::string(found.what());
    } catch (...) {
        return other + std::string("an exception that is no std::exception");
    }
}

[[noreturn]] void throw_described(const std::string& described, int rank) {
    const std::string text = described.substr(1);
    switch (described.front()) {
        case overflow: {
            // It makes its line from a quantity.
            const std::size_t rest = std::string_view(OverflowError("").what()).size();
            throw OverflowError(text.substr(0, text.size() - std::min(text.size(), rest)));
        }
        case unsuitable:
            throw UnsuitableError(text);
        case input:
            throw InputError(text);
        case memory:
            throw std::bad_alloc();
        default:
            throw std::runtime_error("rank " + std::to_string(rank) + ": " + text);
    }
}

}  // namespace

RoundFabric::RoundFabric(MPI_Comm callers)
    : communicator_(callers), transport_(callers, this), messages_(communicator_) {
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

void RoundFabric::broadcast(std::vector<std::byte>& bytes) {
    std::uint64_t size = bytes.size();
    MPI_Request request = MPI_REQUEST_NULL;
    check(MPI_Ibcast(&size, 1, datatype_of<std::uint64_t>(), 0, communicator_.raw(), &request),
          "MPI_Ibcast");
    wait_for(request);
    bytes.resize(size);
    for (std::span<std::byte> rest(bytes); !rest.empty();) {
        const auto piece = rest.first(std::min(rest.size(), message_bytes_default));
        check(MPI_Ibcast(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, 0,
                         communicator_.raw(), &request),
              "MPI_Ibcast");
        wait_for(request);
        rest = rest.subspan(piece.size());
    }
}

void RoundFabric::agree(const std::exception_ptr& mine) {
    Tally ballot;
    ballot.maxima[0] = mine ? ranks() - rank() : 0;
    const std::int64_t largest = reduce(ballot).maxima[0];
    if (largest == 0) return;
    const int failed = ranks() - static_cast<int>(largest);
    std::string described = rank() == failed ? describe(mine) : "";
    std::uint64_t size = described.size();
    check(MPI_Bcast(&size, 1, datatype_of<std::uint64_t>(), failed, communicator_.raw()),
          "MPI_Bcast");
    described.resize(size);
    check(
        MPI_Bcast(described.data(), static_cast<int>(size), MPI_CHAR, failed, communicator_.raw()),
        "MPI_Bcast");
    throw_described(described, failed);
}

}  // namespace equipoise::mpi
