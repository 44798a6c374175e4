#include "equipoise/engine/ranks/rank_post.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace equipoise::engine {

namespace {

// The most parcels taken in one turn, so that a rank that is flooded gets to send, too.
constexpr std::size_t parcels_a_turn = 256;

}  // namespace

void RankCount::operator+=(const RankCount& other) {
    sent += other.sent;
    received += other.received;
    open += other.open;
    moved += other.moved;
    in_doubt += other.in_doubt;
    items += other.items;
    unsettled += other.unsettled;
}

RankPost::RankPost(Fabric& fabric, bool settles)
    : fabric_(fabric), settles_(settles), outgoing_(static_cast<std::size_t>(fabric.ranks())) {}

// ---- contents

void RankPost::send(int to) {
    std::vector<std::byte> parcel;
    parcel.swap(outgoing_[static_cast<std::size_t>(to)]);
    std::erase(waiting_, to);
    if (to == rank())
        own_.push_back({to, std::move(parcel)});
    else
        fabric_.send(to, std::move(parcel));
}

void RankPost::send_if_taken(int to) {
    const std::size_t bytes = outgoing_[static_cast<std::size_t>(to)].size();
    if (to == rank() || bytes > parcel_bytes_kept || fabric_.takes(to)) send(to);
}

void RankPost::flush() {
    for (std::size_t i = waiting_.size(); i > 0; --i)
        send_if_taken(waiting_[i - 1]);
    congested_ = !waiting_.empty();
}

std::vector<Parcel> RankPost::collect() {
    std::vector<Parcel> arrived = std::exchange(own_, {});
    Parcel parcel;
    while (arrived.size() < parcels_a_turn && fabric_.receive(parcel)) {
        EQUIPOISE_ASSERT(!parcel.bytes.empty());
        if (parcel.bytes.front() == static_cast<std::byte>(Kind::contents))
            arrived.push_back(std::move(parcel));
        else
            handle_control(parcel);
    }
    return arrived;
}

void RankPost::send_control(int to, Kind kind, const void* body, std::size_t bytes) {
    std::vector<std::byte> parcel(1 + bytes);
    parcel[0] = static_cast<std::byte>(kind);
    if (bytes > 0) std::memcpy(parcel.data() + 1, body, bytes);
    fabric_.send(to, std::move(parcel));
}

void RankPost::handle_control(const Parcel& parcel) {
    const std::byte* const body = parcel.bytes.data() + 1;
    switch (static_cast<Kind>(parcel.bytes.front())) {
        case Kind::count: {
            RankCount count;
            EQUIPOISE_ASSERT(parcel.bytes.size() == 1 + sizeof(count));
            std::memcpy(&count, body, sizeof(count));
            sum_ += count;
            ++children_joined_;
            finish_own_part();
            return;
        }
        case Kind::verdict:
            spread(static_cast<Verdict>(*body));
            return;
        case Kind::farewell: {
            const auto theirs = static_cast<Parting>(*body);
            reason_ = std::max(reason_, theirs);
            ++farewells_;
            // In the other cases a verdict is on its way to this rank as well; here it parts at
            // once.
            if (!parting_ && theirs > Parting::settled) part(theirs);
            return;
        }
        case Kind::contents:
            EQUIPOISE_ASSERT(false);
    }
}

// ---- rounds of counting

template <class Visit>
void RankPost::for_each_child(Visit visit) const {
    for (int child = 2 * rank() + 1; child <= 2 * rank() + 2 && child < ranks(); ++child)
        visit(child);
}

void RankPost::join(RankCount mine) {
    EQUIPOISE_ASSERT(may_join());
    mine.sent = sent_;
    mine.received = received_;
    sum_ += mine;
    joined_ = true;
    finish_own_part();
}

// Sends counts up the tree once the whole branch has joined.
void RankPost::finish_own_part() {
    int children = 0;
    for_each_child([&](int /*child*/) { ++children; });
    if (!joined_ || children_joined_ < children || parting_) return;
    if (rank() == 0)
        spread(judge(sum_));
    else
        send_control((rank() - 1) / 2, Kind::count, &sum_, sizeof(sum_));
}

void RankPost::spread(Verdict verdict) {
    for_each_child(
        [&](int child) { send_control(child, Kind::verdict, &verdict, sizeof(verdict)); });
    joined_ = false;
    children_joined_ = 0;
    sum_ = {};
    verdict_ = verdict;
}

RankPost::Verdict RankPost::judge(const RankCount& all) {
    const std::optional<RankCount> before = std::exchange(previous_, all);
    const bool compared = std::exchange(compared_, false);
    if (!before) return Verdict::go_on;
    if (before->open == 0 && all.open == 0 && all.sent == all.received &&
        before->sent == all.sent && before->received == all.received)
        return Verdict::quiet;
    const bool still =
        settles_ && before->moved == all.moved && all.in_doubt == 0 && all.items == 0;
    if (still && compared && all.unsettled == 0) return Verdict::settled;
    compared_ = still;
    return still ? Verdict::compare : Verdict::go_on;
}

// ---- parting

void RankPost::part(Parting reason) {
    EQUIPOISE_ASSERT(!parting_);
    while (!waiting_.empty())
        send(waiting_.back());
    parting_ = true;
    reason_ = std::max(reason_, reason);
    for (int to = 0; to < ranks(); ++to)
        if (to != rank()) send_control(to, Kind::farewell, &reason, sizeof(reason));
}

void RankPost::pause(unsigned idle_turns) {
    // Sleeps: if processors are few, a sleeping rank is woken in time; one that yields waits for
    // all others.
    if (idle_turns < 8)
        std::this_thread::yield();
    else
        std::this_thread::sleep_for(std::chrono::microseconds(std::min(idle_turns, 200U)));
}

}  // namespace equipoise::engine
