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

Messages::Messages(const Communicator& communicator, std::size_t bytes_max, Within within)
    : communicator_(communicator), bytes_max_(bytes_max), within_(within), direct_(communicator) {
    EQUIPOISE_ASSERT(bytes_max >= 1 && bytes_max <= message_bytes_limit);
}

Messages::~Messages() {
    if (requests_.empty() && direct_.idle()) return;
    try {
        wait();
    } catch (...) {  // a destructor cannot report it
    }
}

void Messages::expect(std::uint64_t bytes, std::size_t messages) {
    const std::size_t piece = std::min(bytes_max_, message_bytes_patient);
    expected_ += static_cast<std::size_t>(bytes / piece) + messages;
    requests_.reserve(expected_);
    if (within_ == Within::directly) direct_.expect(messages);
}

bool Messages::directly(int partner, std::uint64_t bytes) const {
    return within_ == Within::directly && bytes >= direct_bytes_min &&
           communicator_.direct_partner(partner) != 0;
}

// Within a machine a message advances only while both ends check for it, and they sleep meanwhile.
std::size_t Messages::piece_bytes_max(int partner) const {
    const bool near = within_ == Within::directly && communicator_.shares_machine(partner);
    return near ? std::min(bytes_max_, message_bytes_patient) : bytes_max_;
}

void Messages::send(int to, std::span<const std::byte> bytes) {
    if (directly(to, bytes.size())) return direct_.send(to, bytes);
    begin_pieces(bytes, piece_bytes_max(to), requests_, [&](auto piece, MPI_Request* request) {
        check(MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, to, piece_tag,
                        communicator_.raw(), request),
              "MPI_Isend");
    });
}

void Messages::receive(int from, std::span<std::byte> bytes) {
    if (directly(from, bytes.size())) return direct_.receive(from, bytes.size(), bytes, nullptr);
    begin_pieces(bytes, piece_bytes_max(from), requests_, [&](auto piece, MPI_Request* request) {
        check(MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, from, piece_tag,
                        communicator_.raw(), request),
              "MPI_Irecv");
    });
}

void Messages::receive(int from, std::uint64_t bytes, std::span<std::byte> room,
                       const TakeBytes& take) {
    if (directly(from, bytes)) return direct_.receive(from, bytes, room, &take);
    // One request each: such messages are shorter than any piece.
    EQUIPOISE_ASSERT(bytes == room.size() && bytes <= piece_bytes_max(from));
    if (bytes > 0) direct_.receive_from_mpi(from, piece_tag, room, take);
}

void Messages::wait() {
    std::vector<MPI_Request> waited = std::exchange(requests_, {});
    expected_ = 0;
    std::span<MPI_Request> requests(waited);
    for (Patience patience; !direct_.idle();) {
        const bool some = look_at(requests) == Progress::some;
        if (direct_.advance() || some)
            patience = {};
        else
            patience.pause();
    }
    wait_for(requests);
    waited.clear();
    requests_ = std::move(waited);  // keeps its memory
}

}  // namespace equipoise::mpi
