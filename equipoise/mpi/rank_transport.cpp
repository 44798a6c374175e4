#include "equipoise/mpi/rank_transport.hpp"

#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/error.hpp"

namespace equipoise::mpi {

namespace {

// MPI has only so many requests at a time.
constexpr std::size_t leaving_max = 8;
constexpr int parcel_tag = 2;  // other messages on the same communicator have their own

}  // namespace

RankTransport::RankTransport(MPI_Comm callers, engine::Fabric* fabric)
    : communicator_(callers),
      fabric_(fabric),
      leaving_(static_cast<std::size_t>(communicator_.size())) {}

RankTransport::~RankTransport() {
    for (std::deque<Leaving>& leaving : leaving_)
        for (Leaving& parcel : leaving)
            MPI_Wait(&parcel.request, MPI_STATUS_IGNORE);
}

void RankTransport::send(int to, std::vector<std::byte> bytes) {
    EQUIPOISE_ASSERT(to != rank() && bytes.size() <= engine::parcel_bytes_max);
    Leaving& parcel = leaving_[static_cast<std::size_t>(to)].emplace_back();
    parcel.bytes = std::move(bytes);
    check(MPI_Isend(parcel.bytes.data(), static_cast<int>(parcel.bytes.size()), MPI_BYTE, to,
                    parcel_tag, communicator_.raw(), &parcel.request),
          "MPI_Isend");
}

bool RankTransport::takes(int to) {
    std::deque<Leaving>& leaving = leaving_[static_cast<std::size_t>(to)];
    forget_those_that_left(leaving);
    return leaving.size() < leaving_max;
}

void RankTransport::forget_those_that_left(std::deque<Leaving>& leaving) {
    int left = 1;
    while (!leaving.empty() && left != 0) {
        check(MPI_Test(&leaving.front().request, &left, MPI_STATUS_IGNORE), "MPI_Test");
        if (left != 0) leaving.pop_front();
    }
}

bool RankTransport::receive(engine::Parcel& parcel) {
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

void RankTransport::agree(const std::exception_ptr& mine) {
    if (fabric_ != nullptr) return fabric_->agree(mine);
    LocalFailure failure;
    if (mine) failure.guard(Failure::user_code, [&] { std::rethrow_exception(mine); });
    static_cast<void>(mpi::agree(communicator_, failure));
}

}  // namespace equipoise::mpi
