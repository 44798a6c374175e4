#include "equipoise/engine/parts/part_play.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::engine {

namespace {

// Words of a tally.
enum Sum : std::size_t { exchanges, messages, created, destroyed, failures };
enum Maximum : std::size_t {
    steep,
    unfinished,
    interrupted,
    wanted,
    highest,
    lowest,
    uneven,
    watched
};

constexpr std::int64_t low_half = 0xffffffff;

}  // namespace

PartPlay::PartPlay(Part part, std::span<const Tokens> own_loads, const RoundOptions& options,
                   Step round_length, bool may_owe)
    : fabric_(*options.fabric),
      options_(options),
      part_(std::move(part)),
      loads_(own_loads.begin(), own_loads.end()),
      round_length_(round_length),
      asked_(options.interrupt) {
    EQUIPOISE_ASSERT(own_loads.size() == part_.own_count());
    options_.interrupt = interrupt_.get_token();
    if (fabric_.rank() != 0) options_.observers = {};
    Fabric::Tally mine;
    mine.maxima[watched] = options_.observers.empty() ? 0 : 1;
    for (const model::Observer* observer : options_.observers)
        if (observer->wants_transfers()) mine.maxima[wanted] = 1;
    const Fabric::Tally all = fabric_.reduce(mine);
    wants_transfers_ = all.maxima[wanted] != 0;
    watched_ = all.maxima[watched] != 0;
    guard([&] { look_around(); });
    open_books(round_length, may_owe);
}

void PartPlay::look_around() {
    if (!options_.stop.one_balanced) return;
    rows_.emplace(part_);
    neighbours_ = HaloPlan(part_, links_to_others(part_));
}

// The control's books are opened with two numbers that stand for all loads: what is above and what
// is below 0.
void PartPlay::open_books(Step round_length, bool may_owe) {
    std::array<Tokens, 2> opening = {0, 0};
    guard([&] {
        for (const Tokens load : loads_) {
            Tokens& account = opening[load < 0 ? 1 : 0];
            account = checked_add(account, load);
        }
    });
    Fabric::Tally mine;
    mine.sums = {opening[0] >> 32U,     opening[0] & low_half, opening[1] >> 32U,
                 opening[1] & low_half, failure_ ? 1 : 0,      0};
    const Fabric::Tally all = fabric_.reduce(mine);
    if (all.sums[failures] != 0) agree();
    for (std::size_t side = 0; side < 2; ++side) {
        const Int128 account = Int128{all.sums[2 * side]} * (low_half + 1) + all.sums[2 * side + 1];
        if (account > tokens_max || account < -tokens_max)
            throw OverflowError("total number of tokens");
        opening[side] = static_cast<Tokens>(account);
    }
    RoundOptions books = options_;
    books.speeds = {};
    control_.emplace(books, round_length, may_owe, opening);
}

void PartPlay::begin_halo(const HaloPlan& plan) {
    const std::span<const std::byte> states = state_bytes();
    const std::size_t state = state_size();
    const std::size_t size = sizeof(Tokens) + state;
    if (sent_.size() < plan.peers.size()) {
        sent_.resize(plan.peers.size());
        received_.resize(plan.peers.size());
    }
    std::vector<Fabric::Outgoing> out;
    std::vector<Fabric::Incoming> in;
    for (std::size_t i = 0; i < plan.peers.size(); ++i) {
        const HaloPlan::Peer& peer = plan.peers[i];
        sent_[i].resize(peer.send.size() * size);
        received_[i].resize(peer.receive.size() * size);
        std::byte* to = sent_[i].data();
        for (const NodeId node : peer.send) {
            std::memcpy(to, &loads_[node], sizeof(Tokens));
            to += sizeof(Tokens);
            if (state == 0) continue;
            std::memcpy(to, states.data() + node * state, state);
            to += state;
        }
        out.push_back({peer.rank, sent_[i]});
        in.push_back({peer.rank, received_[i]});
    }
    fabric_.begin_exchange(out, in);
}

void PartPlay::finish_halo(const HaloPlan& plan) {
    fabric_.finish_exchange();
    const std::span<std::byte> states = state_bytes();
    const std::size_t state = state_size();
    for (std::size_t i = 0; i < plan.peers.size(); ++i) {
        const std::byte* from = received_[i].data();
        for (const NodeId node : plan.peers[i].receive) {
            std::memcpy(&loads_[node], from, sizeof(Tokens));
            from += sizeof(Tokens);
            if (state == 0) continue;
            std::memcpy(states.data() + node * state, from, state);
            from += state;
        }
    }
}

// Gathers all loads at rank 0.
void PartPlay::gather_loads() {
    const auto own = std::span<const Tokens>(loads_).first(part_.own_count());
    const std::vector<std::byte> bytes = fabric_.gather(std::as_bytes(own));
    guard([&] {
        whole_ = values_of<Tokens>(bytes);
        const std::span<const NodeId> places = part_.partition().nodes_by_rank();
        if (places.empty() || whole_.empty()) return;
        load::Loads sorted(whole_.size());
        for (std::size_t i = 0; i < whole_.size(); ++i)
            sorted[places[i]] = whole_[i];
        whole_ = std::move(sorted);
    });
}

std::span<const Tokens> PartPlay::all_loads() {
    gather_loads();
    broadcast_values(fabric_, whole_);
    return whole_;
}

// At the start of a round: tokens come and go.
void PartPlay::arrive() {
    if (options_.environment == nullptr || control_->costs().steps % round_length_ != 0) return;
    static_cast<void>(all_loads());
    control_->begin_step(whole_);
    for (NodeId node = 0; node < part_.own_count(); ++node)
        loads_[node] = whole_[part_.global(node)];
}

bool PartPlay::steep_arc(bool inner) const {
    for (NodeId node = 0; node < part_.own_count(); ++node)
        for (const NodeId other : rows_->of(node))
            if (part_.owns(other) == inner && is_steep(loads_[node] - loads_[other])) return true;
    return false;
}

// What this rank did in `steps` steps, and how it stands after them.
Fabric::Tally PartPlay::tally(const StepTotals& totals, Step steps) {
    Fabric::Tally mine;
    guard([&] {  // the sum over the ranks must not leave 64 bits
        if (totals.exchanges > count_max / static_cast<std::uint64_t>(fabric_.ranks()))
            throw OverflowError("number of exchanges");
        mine.sums[exchanges] = static_cast<std::int64_t>(totals.exchanges);
    });
    mine.sums[messages] = static_cast<std::int64_t>(totals.messages);
    mine.sums[created] = totals.created;
    mine.sums[destroyed] = totals.destroyed;
    const Step done = control_->costs().steps + steps;
    const bool round_ends = done % round_length_ == 0;
    mine.maxima[steep] = totals.steep ? 1 : 0;
    guard([&] { mine.maxima[unfinished] = finished(done) ? 0 : 1; });
    mine.maxima[wanted] = steps > 0 && control_->observed_after(steps) ? 1 : 0;
    mine.maxima[highest] = mine.maxima[lowest] = -tokens_max;
    if (options_.stop.discrepancy && round_ends)
        for (NodeId node = 0; node < part_.own_count(); ++node) {
            mine.maxima[highest] = std::max(mine.maxima[highest], loads_[node]);
            mine.maxima[lowest] = std::max(mine.maxima[lowest], -loads_[node]);
        }
    if (rows_ && round_ends) mine.maxima[uneven] = steep_arc(true) ? 1 : 0;
    return mine;
}

Fabric::Tally PartPlay::reduce(const Fabric::Tally& mine) {
    Fabric::Tally sent = mine;
    sent.sums[failures] = failure_ ? 1 : 0;
    sent.maxima[interrupted] = asked_.stop_requested() ? 1 : 0;
    const Fabric::Tally all = fabric_.reduce(sent);
    if (all.sums[failures] != 0) agree();
    if (all.maxima[interrupted] != 0) interrupt_.request_stop();
    return all;
}

std::vector<model::Transfer> PartPlay::gather_transfers() {
    const std::vector<std::byte> bytes =
        fabric_.gather(std::as_bytes(std::span<const KeyedTransfer>(transfers_)));
    std::vector<model::Transfer> in_order;
    guard([&] {
        std::vector<KeyedTransfer> all = values_of<KeyedTransfer>(bytes);
        std::sort(all.begin(), all.end(),
                  [](const KeyedTransfer& a, const KeyedTransfer& b) { return a.key < b.key; });
        for (const KeyedTransfer& keyed : all)
            in_order.push_back(keyed.transfer);
    });
    return in_order;
}

void PartPlay::book(const Fabric::Tally& all) {
    StepTotals totals;
    totals.exchanges = static_cast<std::uint64_t>(all.sums[exchanges]) / ends_counted();
    totals.messages = static_cast<std::uint64_t>(all.sums[messages]);
    totals.created = all.sums[created];
    totals.destroyed = all.sums[destroyed];
    totals.steep = all.maxima[steep] != 0;
    std::vector<model::Transfer> moved;
    whole_.clear();
    if (all.maxima[wanted] != 0) {
        gather_loads();
        if (wants_transfers_) moved = gather_transfers();
    }
    // An error in the books is every rank's; an observer's is rank 0's alone.
    guard([&] { control_->end_step(totals, step_length(), whole_, moved); });
}

// No two neighbours differ by more than 1: first within shares, then, where none was found, across.
bool PartPlay::one_balanced(const Fabric::Tally& all) {
    if (all.maxima[uneven] != 0) return false;
    begin_halo(neighbours_);
    finish_halo(neighbours_);
    Fabric::Tally mine;
    mine.maxima[uneven] = steep_arc(false) ? 1 : 0;
    return reduce(mine).maxima[uneven] == 0;
}

std::optional<model::StopReason> PartPlay::reason_to_stop(const Fabric::Tally& all) {
    return control_->reason_to_stop(
        all.maxima[unfinished] == 0,
        [&] { return all.maxima[highest] + all.maxima[lowest] <= *options_.stop.discrepancy; },
        [&] { return one_balanced(all); });
}

RoundOutcome PartPlay::run_in_pieces() {
    start();
    make_room();
    if (watched_) gather_loads();
    guard([&] { control_->start(whole_); });
    std::optional<model::StopReason> reason;
    if (part_.link_count() == 0 && options_.environment == nullptr)
        reason = model::StopReason::nothing_to_do;
    Fabric::Tally all = reduce(tally({}, 0));
    while (!reason) {
        reason = reason_to_stop(all);
        if (reason) break;
        arrive();
        transfers_.clear();
        const StepTotals totals = play(control_->costs().steps);
        all = reduce(tally(totals, step_length()));
        book(all);
    }
    whole_.clear();
    if (watched_) gather_loads();
    guard([&] { control_->finish(whole_); });
    agree();
    return {{loads_.begin(), loads_.begin() + part_.own_count()},
            control_->costs(),
            control_->ledger().created(),
            control_->ledger().destroyed(),
            *reason};
}

RoundOutcome PartPlay::run() {
    RoundOutcome outcome = run_in_pieces();
    const std::span<const Tokens> all = all_loads();
    outcome.loads.assign(all.begin(), all.end());
    return outcome;
}

}  // namespace equipoise::engine
