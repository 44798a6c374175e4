#include "equipoise/capi/in_place.hpp"

#include <algorithm>
#include <cstdint>
#include <new>

#include "equipoise/balancer/columns.hpp"
#include "equipoise/balancer/moving.hpp"

namespace equipoise::capi {

namespace {

std::size_t row_bytes(Tokens items, std::size_t item_size) {
    if (static_cast<std::uint64_t>(items) > PTRDIFF_MAX / item_size) throw std::bad_alloc();
    return static_cast<std::size_t>(items) * item_size;
}

std::byte* first_row(const InPlaceMove::Array& array) {
    return static_cast<std::byte*>(array.array->now());
}

}  // namespace

InPlaceMove::InPlaceMove(const balancer::Plan& plan, std::span<const Array> arrays)
    : plan_(plan),
      count_(arrays.size()),
      messages_(plan.communicator(), plan.message_bytes_max(), mpi::Within::directly) {
    std::copy(arrays.begin(), arrays.end(), arrays_.begin());
}

void InPlaceMove::take_memory() {
    const balancer::RankMoves& moves = plan_.rounds().front();
    // Items that leave are sent from the array itself if nothing arrives at their places.
    const bool old_stays = !moves.scattered() && balancer::detail::moves_in_place(moves);
    for (std::size_t i = 0; i < count_; ++i) {
        const std::size_t size = arrays_[i].item_size;
        buffers_[i].take_memory(moves, size, old_stays);
        for (const auto* parcels : {&moves.sends, &moves.receives})
            for (const balancer::Parcel& parcel : *parcels)
                messages_.expect(row_bytes(parcel.items, size));
    }
    if (moves.size_after <= moves.size_before) return;
    for (const Array& array : arrays())
        array.array->resize(row_bytes(moves.size_after, array.item_size));
}

void InPlaceMove::begin(engine::LocalFailure& failure) {
    failure.guard([&] { take_memory(); });
    plan_.agree_to_move(failure, [&] {
        std::array<balancer::Column, 2> columns = {};
        for (std::size_t i = 0; i < count_; ++i)
            columns[i].row_bytes = arrays_[i].item_size;
        return balancer::describe(std::span(columns).first(count_));
    });
    for (std::size_t i = 0; i < count_; ++i) {
        std::byte* const rows = first_row(arrays_[i]);
        buffers_[i].send(rows, messages_);
        buffers_[i].shift_kept(rows);
        buffers_[i].receive(rows, messages_);
    }
}

void InPlaceMove::end() {
    messages_.wait();
    const balancer::RankMoves& moves = plan_.rounds().front();
    for (std::size_t i = 0; i < count_; ++i) {
        buffers_[i].unpack(first_row(arrays_[i]));
        if (moves.size_after >= moves.size_before) continue;
        try {
            arrays_[i].array->resize(static_cast<std::size_t>(moves.size_after) *
                                     arrays_[i].item_size);
        } catch (const std::bad_alloc&) {  // NOLINT(bugprone-empty-catch): it stays longer
        }
    }
}

}  // namespace equipoise::capi
