#include "equipoise/balancer/packing.hpp"

#include <algorithm>
#include <cstring>

namespace equipoise::balancer {

using placement::Layout;
using placement::Parcel;
using placement::Run;

namespace {

// Calls `each(place, row, rows)` for every stretch of consecutive places: the rows of the packed
// array from `row` on belong at `place`.
template <class Each>
void for_stretches(std::span<const Tokens> places, const Each& each) {
    for (std::size_t row = 0; row < places.size();) {
        std::size_t end = row + 1;
        while (end < places.size() && places[end] == places[end - 1] + 1)
            ++end;
        each(places[row], static_cast<Tokens>(row), static_cast<Tokens>(end - row));
        row = end;
    }
}

}  // namespace

void Packing::take_memory(const Layout& layout, std::size_t row_bytes, bool old_stays) {
    layout_ = &layout;
    row_bytes_ = row_bytes;
    if (!layout.leaving.empty() || (!old_stays && !layout.sends.empty()))
        leaving_ = std::make_unique_for_overwrite<std::byte[]>(bytes(layout.sent()));
    if (!layout.arriving.empty())
        arriving_ = std::make_unique_for_overwrite<std::byte[]>(bytes(layout.received()));
    kept_ = placement::kept_runs(layout);
}

void Packing::send(const std::byte* rows, mpi::Messages& messages) const {
    Tokens packed = 0;
    if (!layout_->leaving.empty())
        for_stretches(layout_->leaving, [&](Tokens place, Tokens row, Tokens count) {
            std::memcpy(leaving_.get() + bytes(row), rows + bytes(place), bytes(count));
        });
    for (const Parcel& parcel : layout_->sends) {
        const std::byte* from = rows + bytes(parcel.first);
        if (leaving_) {
            std::byte* const to = leaving_.get() + bytes(packed);
            if (layout_->leaving.empty()) std::memcpy(to, from, bytes(parcel.items));
            from = to;
        }
        messages.send(parcel.rank, {from, bytes(parcel.items)});
        packed += parcel.items;
    }
}

void Packing::receive(std::byte* rows, mpi::Messages& messages) const {
    std::byte* const to = arriving_ ? arriving_.get() : rows;
    for (const Parcel& parcel : layout_->receives)
        messages.receive(parcel.rank, {to + bytes(parcel.first), bytes(parcel.items)});
}

void Packing::unpack(std::byte* rows) const {
    for_stretches(layout_->arriving, [&](Tokens place, Tokens row, Tokens count) {
        std::memcpy(rows + bytes(place), arriving_.get() + bytes(row), bytes(count));
    });
}

// What stays keeps its order, so that no run is written over one that has yet to move: a run that
// moves to the front ends before later runs begin, and begins after earlier ones that move to the
// end. These go last, from the last to the first.
void Packing::shift_kept(std::byte* rows) const {
    const auto shift = [&](const Run& run) {
        std::memmove(rows + bytes(run.to), rows + bytes(run.from), bytes(run.items));
    };
    for (const Run& run : kept_)
        if (run.to < run.from) shift(run);
    for (auto run = kept_.rbegin(); run != kept_.rend(); ++run)
        if (run->to > run->from) shift(*run);
}

}  // namespace equipoise::balancer
