#include "equipoise/balancer/moving.hpp"

#include <algorithm>
#include <numeric>

#include "equipoise/base/figures.hpp"
#include "equipoise/base/large_pages.hpp"

namespace equipoise::balancer {

namespace detail {

void expect_planned_size(const Plan& plan, std::size_t found, engine::LocalFailure& failure) {
    if (failure.failed() || static_cast<Tokens>(found) == plan.size_before()) return;
    failure.guard([&] {
        std::string text = "expected a vector of the planned size ";
        text += std::to_string(plan.size_before());
        text += ", found ";
        text += std::to_string(found);
        throw InputError(text);
    });
}

std::string items_of(std::size_t bytes) {
    return "items of " + counted(std::uint64_t{bytes}, "byte");
}

bool arrives_in_order(const RankMoves& moves) {
    if (moves.scattered()) return false;
    Tokens place = 0;
    for (const Parcel& parcel : moves.receives) {
        if (place == moves.kept_to) place += moves.kept;
        if (parcel.first != place) return false;
        place += parcel.items;
    }
    if (place == moves.kept_to) place += moves.kept;
    return place == moves.size_after;
}

std::size_t bytes_to_reserve(std::size_t bytes) {
    return equipoise::bytes_to_reserve(bytes);
}

void prepare_memory(void* memory, std::size_t reserved, std::size_t used) {
    prefer_large_pages(memory, reserved, used);
}

void touch_memory(void* memory, std::size_t bytes) {
    touch_pages(memory, bytes);
}

Stay stay(const Plan& plan) {
    const std::span<const RankMoves> rounds = plan.rounds();
    if (rounds.empty()) return {0, plan.size_before()};
    if (!rounds.front().leaving.empty()) return {};
    Stay stay{rounds.front().kept_from, rounds.front().kept};
    if (rounds.size() > 1) stay.first = 0;
    for (const RankMoves& moves : rounds)
        stay.count = std::min(stay.count, moves.kept);
    return stay;
}

bool keeps_all(const Plan& plan) {
    const std::span<const RankMoves> rounds = plan.rounds();
    return std::all_of(rounds.begin(), rounds.end(), [](const RankMoves& moves) {
        return moves.sends.empty() && moves.receives.empty();
    });
}

Tokens size_peak(std::span<const RankMoves> rounds) {
    Tokens peak = 0;
    for (const RankMoves& moves : rounds)
        peak = std::max(peak, moves.scattered() ? std::max(moves.size_before, moves.size_after)
                                                : moves.size_before + moves.received());
    return peak;
}

bool moves_in_place(const RankMoves& moves) {
    const bool one_way = moves.sends.empty() || moves.receives.empty();
    return one_way && (moves.kept == 0 || (moves.kept_from == 0 && moves.kept_to == 0));
}

// In plans of several rounds the last items leave, and none comes back.
RankMoves whole_trip(const Plan& plan) {
    if (plan.rounds().size() == 1) return plan.rounds().front();
    RankMoves moves;
    moves.size_before = plan.size_before();
    moves.size_after = plan.size_after();
    moves.kept = stay(plan).count;
    if (moves.sent() > 0) moves.sends = {{0, moves.kept, moves.sent()}};
    if (moves.received() > 0) moves.receives = {{0, moves.kept, moves.received()}};
    return moves;
}

std::vector<placement::Run> kept_runs(const Plan& plan) {
    return placement::kept_runs(whole_trip(plan));
}

std::vector<Arrival> arrivals(const Plan& plan, std::size_t items) {
    const RankMoves moves = whole_trip(plan);
    std::vector<Arrival> arrivals(items);
    const Tokens front = moves.kept > 0 ? moves.kept_to : 0;
    for (std::size_t i = 0; i < items; ++i) {
        const auto number = static_cast<Tokens>(i);
        const Tokens consecutive = number < front ? number : number + moves.kept;
        arrivals[i] = {moves.arriving.empty() ? consecutive : moves.arriving[i], i};
    }
    if (!moves.arriving.empty())
        std::sort(arrivals.begin(), arrivals.end(),
                  [](const Arrival& one, const Arrival& other) { return one.place < other.place; });
    return arrivals;
}

}  // namespace detail

namespace {

// The place of an item among the items that leave in some round; if they are scattered, `place`
// already counts these alone.
std::size_t place_among_leaving(Tokens place, const detail::Stay& stay) {
    return static_cast<std::size_t>(place < stay.first ? place : place - stay.count);
}

std::uint64_t bytes_in(std::span<const std::uint64_t> sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::uint64_t{0});
}

}  // namespace

PackedItems::PackedItems(const Plan& plan)
    : plan_(plan),
      stay_(detail::stay(plan)),
      messages_(plan.communicator(), plan.message_bytes_max(), mpi::Within::directly) {}

void PackedItems::begin() {
    if (!plan_.rounds().empty()) begin_round(plan_.rounds().front());
}

void PackedItems::end() {
    bool first = true;
    for (const RankMoves& moves : plan_.rounds()) {
        if (!first) begin_round(moves);
        end_round(moves);
        first = false;
    }
}

void PackedItems::begin_round(const RankMoves& moves) {
    exchange_sizes(moves);
    engine::LocalFailure failure;
    failure.guard([&] { make_room(); });
    mpi::agree(plan_.communicator(), failure, "sending packed items");
    send_and_receive(moves);
}

void PackedItems::take_memory() {
    Tokens arriving_max = 0;
    for (const RankMoves& moves : plan_.rounds()) {
        arriving_max = std::max(arriving_max, moves.received());
        for (const auto* parcels : {&moves.sends, &moves.receives}) {
            for (const Parcel& parcel : *parcels)
                messages_.expect(static_cast<std::uint64_t>(parcel.items) * sizeof(std::uint64_t));
        }
    }
    arriving_sizes_.reserve(static_cast<std::size_t>(arriving_max));
}

void PackedItems::exchange_sizes(const RankMoves& moves) {
    arriving_sizes_.resize(static_cast<std::size_t>(moves.received()));
    std::span<std::uint64_t> room(arriving_sizes_);
    for (const Parcel& parcel : moves.receives) {
        const auto items = static_cast<std::size_t>(parcel.items);
        messages_.receive(parcel.rank, std::as_writable_bytes(room.first(items)));
        room = room.subspan(items);
    }
    for (const Parcel& parcel : moves.sends) {
        const auto sizes = std::span<const std::uint64_t>(sizes_).subspan(
            place_among_leaving(parcel.first, stay_), static_cast<std::size_t>(parcel.items));
        messages_.send(parcel.rank, std::as_bytes(sizes));
    }
    messages_.wait();
}

void PackedItems::make_room() {
    const std::uint64_t arriving = bytes_in(arriving_sizes_);
    arriving_bytes_.resize(static_cast<std::size_t>(arriving));
    bytes_.reserve(bytes_.size() + static_cast<std::size_t>(arriving));
    sizes_.reserve(sizes_.size() + arriving_sizes_.size());
    messages_.expect(bytes_.size() + arriving,
                     2 * static_cast<std::size_t>(plan_.communicator().size()));
}

void PackedItems::send_and_receive(const RankMoves& moves) {
    std::span<std::byte> room(arriving_bytes_);
    std::span<const std::uint64_t> sizes(arriving_sizes_);
    for (const Parcel& parcel : moves.receives) {
        const auto items = static_cast<std::size_t>(parcel.items);
        const auto bytes = static_cast<std::size_t>(bytes_in(sizes.first(items)));
        messages_.receive(parcel.rank, room.first(bytes));
        room = room.subspan(bytes);
        sizes = sizes.subspan(items);
    }
    std::size_t place = 0;    // of the next item, in sizes_
    std::uint64_t first = 0;  // where the bytes of that item begin
    const std::span<const std::uint64_t> leaving(sizes_);
    for (const Parcel& parcel : moves.sends) {
        const std::size_t wanted = place_among_leaving(parcel.first, stay_);
        first += bytes_in(leaving.subspan(place, wanted - place));
        const auto items = static_cast<std::size_t>(parcel.items);
        const std::uint64_t bytes = bytes_in(leaving.subspan(wanted, items));
        messages_.send(parcel.rank,
                       std::span<const std::byte>(bytes_).subspan(static_cast<std::size_t>(first),
                                                                  static_cast<std::size_t>(bytes)));
        first += bytes;
        place = wanted + items;
    }
}

// The departed items occupy the end of `bytes_`, or all of it in plans of one round.
void PackedItems::end_round(const RankMoves& moves) {
    messages_.wait();
    const auto sent = static_cast<std::size_t>(moves.sent());
    const std::size_t rest = sizes_.size() - sent;
    const std::uint64_t rest_bytes = bytes_in(std::span<const std::uint64_t>(sizes_).first(rest));
    sizes_.resize(rest);
    bytes_.resize(static_cast<std::size_t>(rest_bytes));
    sizes_.insert(sizes_.end(), arriving_sizes_.begin(), arriving_sizes_.end());
    bytes_.insert(bytes_.end(), arriving_bytes_.begin(), arriving_bytes_.end());
}

}  // namespace equipoise::balancer
