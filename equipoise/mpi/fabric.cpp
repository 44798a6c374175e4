#include "equipoise/mpi/fabric.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/mpi/error.hpp"
#include "equipoise/mpi/waiting.hpp"

namespace equipoise::mpi {

namespace {

// MPI can keep only a limited number of requests at a time.
constexpr std::size_t leaving_max = 8;
constexpr int parcel_tag = 2;  // other messages on this communicator use other tags

}  // namespace

Fabric::Fabric(MPI_Comm callers)
    : communicator_(callers),
      messages_(communicator_, message_bytes_patient),
      leaving_(static_cast<std::size_t>(communicator_.size())) {}

Fabric::~Fabric() {
    for (std::deque<Leaving>& leaving : leaving_)
        for (Leaving& parcel : leaving)
            MPI_Wait(&parcel.request, MPI_STATUS_IGNORE);
}

Fabric::Tally Fabric::reduce(const Tally& mine) {
    Tally all;
    MPI_Request request = MPI_REQUEST_NULL;
    communicator_.begin_reduce(mine, all, request);
    wait_for(request);
    return all;
}

void Fabric::broadcast(std::span<std::byte> bytes, int from) {
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

void Fabric::begin_exchange(std::span<const Outgoing> out, std::span<const Incoming> in) {
    for (const auto& [from, bytes] : in)
        messages_.receive(from, bytes);
    for (const auto& [to, bytes] : out)
        messages_.send(to, bytes);
}

void Fabric::finish_exchange() {
    messages_.wait();
}

void Fabric::send(int to, std::vector<std::byte> bytes) {
    EQUIPOISE_ASSERT(to != rank() && bytes.size() <= engine::parcel_bytes_max);
    Leaving& parcel = leaving_[static_cast<std::size_t>(to)].emplace_back();
    parcel.bytes = std::move(bytes);
    check(MPI_Isend(parcel.bytes.data(), static_cast<int>(parcel.bytes.size()), MPI_BYTE, to,
                    parcel_tag, communicator_.raw(), &parcel.request),
          "MPI_Isend");
}

bool Fabric::takes(int to) {
    std::deque<Leaving>& leaving = leaving_[static_cast<std::size_t>(to)];
    forget_those_that_left(leaving);
    return leaving.size() < leaving_max;
}

void Fabric::forget_those_that_left(std::deque<Leaving>& leaving) {
    int left = 1;
    while (!leaving.empty() && left != 0) {
        check(MPI_Test(&leaving.front().request, &left, MPI_STATUS_IGNORE), "MPI_Test");
        if (left != 0) leaving.pop_front();
    }
}

bool Fabric::receive(engine::Parcel& parcel) {
    int found = 0;
    MPI_Message message = MPI_MESSAGE_NULL;
    MPI_Status status;
    check(MPI_Improbe(MPI_ANY_SOURCE, parcel_tag, communicator_.raw(), &found, &message, &status),
          "MPI_Improbe");
    if (found == 0) return false;
    int bytes = 0;
    check(MPI_Get_count(&status, MPI_BYTE, &bytes), "MPI_Get_count");
    parcel.from = status.MPI_SOURCE;
    parcel.bytes.resize(static_cast<std::size_t>(bytes));
    check(MPI_Mrecv(parcel.bytes.data(), bytes, MPI_BYTE, &message, MPI_STATUS_IGNORE),
          "MPI_Mrecv");
    return true;
}

}  // namespace equipoise::mpi
