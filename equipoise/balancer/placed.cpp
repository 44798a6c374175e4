#include "equipoise/balancer/placed.hpp"

#include <span>

#include "equipoise/base/error.hpp"

namespace equipoise::balancer {

void PlacedMove::begin(engine::LocalFailure& failure) {
    failure.guard([&] {
        packed_.pack([&](Tokens place, ByteWriter& out) { items_->pack(place, out); });
        kept_ = detail::kept_runs(plan_);
    });
    plan_.agree_to_move(failure, [] { return "packed items"; });
    packed_.begin();
}

void PlacedMove::end() {
    packed_.end();
    engine::LocalFailure failure;
    unpack(failure);
    try {
        mpi::agree(plan_.communicator(), failure, "unpacking what has arrived");
    } catch (...) {
        while (unpacked_ > 0)
            items_->discard(places_[--unpacked_]);
        throw;
    }
    put_together();
}

void PlacedMove::unpack(engine::LocalFailure& failure) {
    failure.guard([&] {
        places_.resize(packed_.items());
        for (const detail::Arrival& arrival : detail::arrivals(plan_, packed_.items()))
            places_[arrival.number] = arrival.place;
        packed_.unpack([&](std::span<const std::byte> bytes) {
            ByteReader reader(bytes);
            items_->unpack(places_[unpacked_], reader);
            ++unpacked_;
            if (reader.left() != 0)
                throw InputError("unpacking leaves bytes of an item that packing wrote");
        });
    });
}

void PlacedMove::put_together() const noexcept {
    if (plan_.rounds().empty()) {
        for (Tokens place = 0; place < plan_.size_before(); ++place)
            items_->keep(place, place);
        return;
    }
    Tokens next = 0;
    const auto leave_before = [&](Tokens end) {
        while (next < end)
            items_->leave(next++);
    };
    for (const placement::Run& run : kept_) {
        leave_before(run.from);
        for (; next < run.from + run.items; ++next)
            items_->keep(next, run.to + next - run.from);
    }
    leave_before(plan_.size_before());
}

}  // namespace equipoise::balancer
