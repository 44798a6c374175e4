#include "equipoise/balancer/row_buffers.hpp"

#include <algorithm>
#include <cstring>

namespace equipoise::balancer {

using placement::Parcel;
using placement::RankMoves;
using placement::Run;

void pack(const RankMoves& moves, std::size_t row_bytes, const std::byte* rows, std::byte* packed) {
    const auto copy = [&](Tokens place, Tokens row, Tokens count) {
        std::memcpy(packed + static_cast<std::size_t>(row) * row_bytes,
                    rows + static_cast<std::size_t>(place) * row_bytes,
                    static_cast<std::size_t>(count) * row_bytes);
    };
    for_stretches(moves.leaving, copy);
    if (!moves.leaving.empty()) return;
    Tokens row = 0;
    for (const Parcel& parcel : moves.sends) {
        copy(parcel.first, row, parcel.items);
        row += parcel.items;
    }
}

void unpack(const RankMoves& moves, std::size_t row_bytes, const std::byte* packed,
            std::byte* rows) {
    const auto copy = [&](Tokens place, Tokens row, Tokens count) {
        std::memcpy(rows + static_cast<std::size_t>(place) * row_bytes,
                    packed + static_cast<std::size_t>(row) * row_bytes,
                    static_cast<std::size_t>(count) * row_bytes);
    };
    for_stretches(moves.arriving, copy);
    if (!moves.arriving.empty()) return;
    Tokens row = 0;
    for (const Parcel& parcel : moves.receives) {
        copy(parcel.first, row, parcel.items);
        row += parcel.items;
    }
}

// Rows that stay keep their order, so that no run is written over one that has yet to move: a run
// that moves to the front ends before later runs begin, and begins after earlier ones that move to
// the end. These go last, from the last to the first.
void shift(std::span<const Run> kept, std::size_t row_bytes, std::byte* rows) {
    const auto move = [&](const Run& run) {
        std::memmove(rows + static_cast<std::size_t>(run.to) * row_bytes,
                     rows + static_cast<std::size_t>(run.from) * row_bytes,
                     static_cast<std::size_t>(run.items) * row_bytes);
    };
    for (const Run& run : kept)
        if (run.to < run.from) move(run);
    for (auto run = kept.rbegin(); run != kept.rend(); ++run)
        if (run->to > run->from) move(*run);
}

void RowBuffers::take_memory(const RankMoves& moves, std::size_t row_bytes, bool old_stays) {
    moves_ = &moves;
    row_bytes_ = row_bytes;
    if (!moves.leaving.empty() || (!old_stays && !moves.sends.empty()))
        leaving_ = std::make_unique_for_overwrite<std::byte[]>(bytes(moves.sent()));
    if (!moves.arriving.empty())
        arriving_ = std::make_unique_for_overwrite<std::byte[]>(bytes(moves.received()));
    kept_ = placement::kept_runs(moves);
}

void RowBuffers::send(const std::byte* rows, mpi::Messages& messages) const {
    if (leaving_) pack(*moves_, row_bytes_, rows, leaving_.get());
    Tokens packed = 0;
    for (const Parcel& parcel : moves_->sends) {
        const std::byte* const from =
            leaving_ ? leaving_.get() + bytes(packed) : rows + bytes(parcel.first);
        messages.send(parcel.rank, {from, bytes(parcel.items)});
        packed += parcel.items;
    }
}

void RowBuffers::receive(std::byte* rows, mpi::Messages& messages) const {
    std::byte* const to = arriving_ ? arriving_.get() : rows;
    for (const Parcel& parcel : moves_->receives)
        messages.receive(parcel.rank, {to + bytes(parcel.first), bytes(parcel.items)});
}

void RowBuffers::unpack(std::byte* rows) const {
    if (arriving_) balancer::unpack(*moves_, row_bytes_, arriving_.get(), rows);
}

}  // namespace equipoise::balancer
