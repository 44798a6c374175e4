#include "equipoise/mpi/messages.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/mpi/error.hpp"
#include "equipoise/mpi/waiting.hpp"

namespace equipoise::mpi {

namespace {

constexpr int piece_tag = 1;

// Cuts bytes into pieces of at most `bytes_max` and calls `begin(piece, request)` for each, with a
// new request.
template <class Byte, class Begin>
void begin_pieces(std::span<Byte> bytes, std::size_t bytes_max, std::vector<MPI_Request>& requests,
                  const Begin& begin) {
    while (!bytes.empty()) {
        const auto piece = bytes.first(std::min(bytes.size(), bytes_max));
        requests.push_back(MPI_REQUEST_NULL);
        begin(piece, &requests.back());
        bytes = bytes.subspan(piece.size());
    }
}

}  // namespace

Messages::Messages(const Communicator& communicator, std::size_t bytes_max)
    : communicator_(communicator.raw()), bytes_max_(bytes_max) {
    EQUIPOISE_ASSERT(bytes_max >= 1 && bytes_max <= message_bytes_limit);
}

Messages::~Messages() {
    if (!requests_.empty())
        MPI_Waitall(static_cast<int>(requests_.size()), requests_.data(), MPI_STATUSES_IGNORE);
}

void Messages::expect(std::uint64_t bytes) {
    expected_ += static_cast<std::size_t>((bytes + bytes_max_ - 1) / bytes_max_);
    requests_.reserve(expected_);
}

void Messages::send(int to, std::span<const std::byte> bytes) {
    begin_pieces(bytes, bytes_max_, requests_, [&](auto piece, MPI_Request* request) {
        check(MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, piece_tag,
                        communicator_, request),
              "MPI_Isend");
    });
}

void Messages::receive(int from, std::span<std::byte> bytes) {
    begin_pieces(bytes, bytes_max_, requests_, [&](auto piece, MPI_Request* request) {
        check(MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, from, piece_tag,
                        communicator_, request),
              "MPI_Irecv");
    });
}

void Messages::wait() {
    std::vector<MPI_Request> waited = std::exchange(requests_, {});
    expected_ = 0;
    wait_for(waited);
    waited.clear();
    requests_ = std::move(waited);  // keeps its memory
}

}  // namespace equipoise::mpi
