#include "equipoise/engine/fabric.hpp"

#include <algorithm>

namespace equipoise::engine {

// The sizes of all ranks' contributions on rank 0; on any other rank the size of its own.
void Fabric::make_lists() {
    const auto count = static_cast<std::size_t>(ranks());
    sizes_.resize(rank() == 0 ? count : 1);
    out_.assign(rank() == 0 ? 0 : 1, {});
    in_.clear();
    if (rank() != 0) return;
    for (std::size_t from = 1; from < count; ++from)
        in_.push_back({static_cast<int>(from), {}});
}

void Fabric::gather(std::span<const std::byte> mine, const MakeRoom& make_room) {
    if (!has_lists_) together(*this, [&] { make_lists(); });
    has_lists_ = true;
    const std::span sizes(sizes_);
    sizes.front() = mine.size();
    for (Outgoing& message : out_)
        message.bytes = std::as_bytes(sizes);
    for (std::size_t i = 0; i < in_.size(); ++i)
        in_[i].bytes = std::as_writable_bytes(sizes.subspan(i + 1, 1));
    begin_exchange(out_, in_);
    finish_exchange();

    const bool first = rank() == 0;
    std::span<std::byte> room;
    together(*this, [&] {
        std::uint64_t total = 0;
        for (const std::uint64_t size : sizes)
            total += size;
        room = make_room(first ? static_cast<std::size_t>(total) : 0);
    });
    for (Outgoing& message : out_)
        message.bytes = mine;
    if (first) {
        std::copy(mine.begin(), mine.end(), room.begin());
        room = room.subspan(mine.size());
    }
    for (std::size_t i = 0; i < in_.size(); ++i) {
        in_[i].bytes = room.first(static_cast<std::size_t>(sizes[i + 1]));
        room = room.subspan(in_[i].bytes.size());
    }
    begin_exchange(out_, in_);
    finish_exchange();
}

std::vector<std::byte> Fabric::gather(std::span<const std::byte> mine) {
    std::vector<std::byte> all;
    gather(mine, [&](std::size_t bytes) {
        all.resize(bytes);
        return std::span(all);
    });
    return all;
}

}  // namespace equipoise::engine
