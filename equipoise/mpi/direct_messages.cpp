#include "equipoise/mpi/direct_messages.hpp"

#include <algorithm>

#include "equipoise/base/assert.hpp"
#include "equipoise/mpi/direct_copy.hpp"
#include "equipoise/mpi/error.hpp"
#include "equipoise/mpi/messages.hpp"

namespace equipoise::mpi {

namespace {

constexpr int notice_tag = 3;
constexpr int reply_tag = 4;
constexpr int rest_tag = 5;

bool is_complete(MPI_Request& request) {
    int complete = 0;
    check(MPI_Test(&request, &complete, MPI_STATUS_IGNORE), "MPI_Test");
    return complete != 0;
}

}  // namespace

void DirectMessages::expect(std::size_t messages) {
    spare_leaving_.resize(spare_leaving_.size() + messages);
    spare_arriving_.resize(spare_arriving_.size() + messages);
}

// Nodes of a list do not move, as MPI requires.
template <class Message>
Message& DirectMessages::begin(std::list<Message>& under_way, std::list<Message>& spare) {
    if (spare.empty()) spare.emplace_back();
    spare.front() = {};
    under_way.splice(under_way.end(), spare, spare.begin());
    return under_way.back();
}

void DirectMessages::send(int to, std::span<const std::byte> bytes) {
    Leaving& leaving = begin(leaving_, spare_leaving_);
    leaving.to = to;
    leaving.bytes = bytes;
    leaving.address = reinterpret_cast<std::uintptr_t>(bytes.data());
    check(MPI_Irecv(leaving.reply.data(), 2, MPI_UINT64_T, to, reply_tag, communicator_.raw(),
                    &leaving.request),
          "MPI_Irecv");
    check(MPI_Isend(&leaving.address, 1, MPI_UINT64_T, to, notice_tag, communicator_.raw(),
                    &leaving.notice),
          "MPI_Isend");
}

void DirectMessages::receive(int from, std::uint64_t bytes, std::span<std::byte> room,
                             const TakeBytes* take) {
    EQUIPOISE_ASSERT(take != nullptr ? !room.empty() : room.size() == bytes);
    Arriving& arriving = begin(arriving_, spare_arriving_);
    arriving.from = from;
    arriving.bytes = bytes;
    arriving.room = room;
    arriving.take = take;
    check(MPI_Irecv(&arriving.address, 1, MPI_UINT64_T, from, notice_tag, communicator_.raw(),
                    &arriving.request),
          "MPI_Irecv");
}

void DirectMessages::receive_from_mpi(int from, int tag, std::span<std::byte> room,
                                      const TakeBytes& take) {
    Arriving& arriving = begin(arriving_, spare_arriving_);
    arriving.from = from;
    arriving.stage = Arriving::Stage::whole;
    arriving.bytes = room.size();
    arriving.room = room;
    arriving.take = &take;
    check(MPI_Irecv(room.data(), static_cast<int>(room.size()), MPI_BYTE, from, tag,
                    communicator_.raw(), &arriving.request),
          "MPI_Irecv");
}

bool DirectMessages::advance() {
    bool some = false;
    for (auto leaving = leaving_.begin(); leaving != leaving_.end();) {
        const auto now = leaving++;
        if (!advance(*now)) continue;
        some = true;
        if (now->all_there) spare_leaving_.splice(spare_leaving_.begin(), leaving_, now);
    }
    if (arriving_.empty() || !advance(arriving_.front())) return some;
    if (arriving_.front().stage == Arriving::Stage::replied)
        spare_arriving_.splice(spare_arriving_.begin(), arriving_, arriving_.begin());
    return true;
}

bool DirectMessages::advance(Leaving& leaving) {
    if (!is_complete(leaving.request)) return false;
    if (!leaving.answered) {
        leaving.answered = true;
        check(MPI_Wait(&leaving.notice, MPI_STATUS_IGNORE), "MPI_Wait");  // it was answered
    }
    const auto [copied, piece_bytes] = leaving.reply;
    const auto rest = leaving.bytes.subspan(static_cast<std::size_t>(copied + leaving.sent));
    leaving.all_there = rest.empty();
    if (leaving.all_there) return true;
    const auto piece = rest.first(std::min<std::uint64_t>(rest.size(), piece_bytes));
    check(MPI_Isend(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, leaving.to, rest_tag,
                    communicator_.raw(), &leaving.request),
          "MPI_Isend");
    leaving.sent += piece.size();
    return true;
}

bool DirectMessages::advance(Arriving& arriving) {
    using Stage = Arriving::Stage;
    switch (arriving.stage) {
        case Stage::told:
            if (!is_complete(arriving.request)) return false;
            arriving.stage = Stage::copied;
            return true;
        case Stage::copied:
            return copy_piece(arriving);
        case Stage::rest:
            if (!is_complete(arriving.request)) return false;
            accept(arriving, next_piece(arriving));
            begin_rest(arriving);
            return true;
        case Stage::whole:
            if (!is_complete(arriving.request)) return false;
            (*arriving.take)(arriving.room);
            arriving.stage = Stage::replied;
            return true;
        case Stage::replied:
            break;
    }
    return false;
}

// A receiver with `take` gets whole pieces.
bool DirectMessages::copy_piece(Arriving& arriving) {
    const std::span<std::byte> piece = next_piece(arriving);
    const std::size_t copied = copy_from_process(communicator_.direct_partner(arriving.from),
                                                 arriving.address + arriving.come, piece);
    const bool refused = copied < piece.size();
    if (!refused || arriving.take == nullptr) accept(arriving, piece.first(copied));
    if (!refused && arriving.come < arriving.bytes) return true;
    arriving.reply = {arriving.come, piece_bytes(arriving)};
    check(MPI_Isend(arriving.reply.data(), 2, MPI_UINT64_T, arriving.from, reply_tag,
                    communicator_.raw(), &arriving.reply_request),
          "MPI_Isend");
    begin_rest(arriving);
    return true;
}

void DirectMessages::begin_rest(Arriving& arriving) {
    if (arriving.come == arriving.bytes) {
        check(MPI_Wait(&arriving.reply_request, MPI_STATUS_IGNORE),
              "MPI_Wait");  // a word: it has left
        arriving.stage = Arriving::Stage::replied;
        return;
    }
    arriving.stage = Arriving::Stage::rest;
    const std::span<std::byte> piece = next_piece(arriving);
    check(MPI_Irecv(piece.data(), static_cast<int>(piece.size()), MPI_BYTE, arriving.from, rest_tag,
                    communicator_.raw(), &arriving.request),
          "MPI_Irecv");
}

std::size_t DirectMessages::piece_bytes(const Arriving& arriving) {
    return arriving.take != nullptr ? arriving.room.size() : message_bytes_patient;
}

std::span<std::byte> DirectMessages::next_piece(const Arriving& arriving) {
    const std::span<std::byte> room =
        arriving.take != nullptr ? arriving.room
                                 : arriving.room.subspan(static_cast<std::size_t>(arriving.come));
    const std::uint64_t left = arriving.bytes - arriving.come;
    return room.first(std::min<std::uint64_t>(left, piece_bytes(arriving)));
}

void DirectMessages::accept(Arriving& arriving, std::span<const std::byte> piece) {
    if (arriving.take != nullptr) (*arriving.take)(piece);
    arriving.come += piece.size();
}

}  // namespace equipoise::mpi
