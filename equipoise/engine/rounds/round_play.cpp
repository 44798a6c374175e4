#include "equipoise/engine/rounds/round_play.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/large_pages.hpp"
#include "equipoise/engine/kernels/grid_links.hpp"
#include "equipoise/engine/parts/active_links.hpp"

namespace equipoise::engine {

namespace {

// The place of each sum and each maximum in the tally of a step, and in the tally at the start.
enum Sum : std::size_t { exchanges, messages, created, destroyed, failures, unfinished };
enum Maximum : std::size_t {
    steep,
    interrupted,
    wanted,
    highest,
    lowest,
    uneven,
    wished,
};
enum MaximumAtStart : std::size_t { watched, transfers_wanted };

constexpr std::int64_t low_half = 0xffffffff;

bool plays_with_others(const Part& part, const RoundOptions& options) {
    return !part.whole() && options.fabric->ranks() > 1;
}

// Allocates memory for loads that are about to be filled in, in large pages where they fit.
void take_memory(load::Loads& loads, NodeId count) {
    const std::size_t bytes = count * sizeof(Tokens);
    loads.reserve(bytes_to_reserve(bytes) / sizeof(Tokens));
    prefer_large_pages(loads.data(), loads.capacity() * sizeof(Tokens), bytes);
}

}  // namespace

RoundPlay::RoundPlay(LoadedPart&& loaded, const RoundOptions& options, Step round_length,
                     bool may_owe)
    : fabric_(loaded.part.whole() ? nullptr : options.fabric),
      options_(options),
      workers_(
          Workers::of(options.body == Body::reference || plays_with_others(loaded.part, options)
                          ? 1
                          : options.threads,
                      options.items_per_thread_min)),
      part_(std::move(loaded.part)),
      loads_(expect_one_a_node(std::move(loaded.own_loads), part_.own_count())),
      round_length_(round_length),
      asked_(options.interrupt),
      start_known_(loaded.all_known),
      whole_(std::move(loaded.all_loads)) {
    expect_speeds(options.speeds, part_.node_count());
    if (options_.keeper != nullptr && options_.environment != nullptr)
        throw UnsuitableError("a run in which tokens, nodes or links come and go cannot be saved");
    guard([&] {
        expect_ascending();
        take_up_loads();
    });
    const bool changes = options_.environment != nullptr && options_.environment->changes_network();
    if (alone()) {
        speeds_ = options_.speeds;
        control_.emplace(options_, round_length, may_owe, loads_);
        resume_books();
        wants_transfers_ = control_->wants_transfers();
        if (changes) live_.emplace(part_.graph());
        return;
    }
    if (changes)
        throw UnsuitableError(
            "nodes and links come and go only in runs of one process: churn cannot be used where "
            "several ranks play");
    options_.interrupt = interrupt_.get_token();
    if (fabric_->rank() != 0) options_.observers = {};
    Fabric::Tally mine;
    for (const model::Observer* observer : options_.observers) {
        if (observer->wants_transfers()) mine.maxima[transfers_wanted] = 1;
        if (observer->wants_loads() || observer->wants_transfers()) mine.maxima[watched] = 1;
    }
    const Fabric::Tally all = fabric_->reduce(mine);
    wants_transfers_ = all.maxima[transfers_wanted] != 0;
    watched_ = all.maxima[watched] != 0;
    // Nobody is shown the loads of the start.
    if (!watched_ && options_.final_loads == model::FinalLoads::apart) whole_ = {};
    guard([&] {
        if (options_.stop.one_balanced) neighbours_.emplace(part_, links_to_others(part_));
    });
    open_books(round_length, may_owe);
}

RoundPlay::~RoundPlay() = default;

// The books are opened with two numbers that stand for all loads: the sum of those above 0 and the
// sum of those below.
void RoundPlay::open_books(Step round_length, bool may_owe) {
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
    const Fabric::Tally all = fabric_->reduce(mine);
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
    resume_books();
}

void RoundPlay::make_room() {
    loads_.resize(part_.local_count());
    if (alone() || options_.speeds.empty()) return;
    for (NodeId node = static_cast<NodeId>(local_speeds_.size()); node < part_.local_count();
         ++node)
        local_speeds_.push_back(options_.speeds[part_.global(node)]);
    speeds_ = local_speeds_;
}

void RoundPlay::note(std::uint64_t key, const Ends& ends, Tokens flow, Step now) {
    if (flow == 0) return;
    const model::Transfer transfer =
        model::transfer_of(now, part_.global(ends.tail), part_.global(ends.head), flow);
    if (alone())
        transfers_.push_back(transfer);
    else
        keyed_.push_back({key, transfer});
}

void RoundPlay::begin_halo(const HaloPlan& plan) {
    const PackedLoads loads = loads_now();
    const std::array<Values, 2> both = {Values{loads.all(), loads.load_bytes()}, states()};
    begin_nodes(plan, both);
}

void RoundPlay::finish_halo(const HaloPlan& plan) {
    const PackedLoads loads = loads_now();
    const std::array<Values, 2> both = {Values{loads.all(), loads.load_bytes()}, states()};
    finish_nodes(plan, both);
}

void RoundPlay::begin_nodes(const HaloPlan& plan, std::span<const Values> values) {
    if (alone()) return;
    std::size_t size = 0;
    for (const Values& of : values)
        size += of.size;
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
        for (const Values& of : values)
            for (const NodeId node : peer.send)
                to = std::copy_n(of.bytes.data() + node * of.size, of.size, to);
        out.push_back({peer.rank, sent_[i]});
        in.push_back({peer.rank, received_[i]});
    }
    fabric_->begin_exchange(out, in);
}

void RoundPlay::finish_nodes(const HaloPlan& plan, std::span<const Values> values) {
    if (alone()) return;
    fabric_->finish_exchange();
    for (std::size_t i = 0; i < plan.peers.size(); ++i) {
        const std::byte* from = received_[i].data();
        for (const Values& of : values)
            for (const NodeId node : plan.peers[i].receive) {
                std::copy_n(from, of.size, of.bytes.data() + node * of.size);
                from += of.size;
            }
    }
}

// Loads arrive in the order of ranks, and are then sorted by node.
void RoundPlay::bring_loads(To to) {
    std::vector<Fabric::Outgoing> out;
    std::vector<Fabric::Incoming> in;
    const int self = fabric_->rank();
    const auto receives = [&](int rank) { return to == To::every_rank || rank == 0; };
    guard([&] {
        if (receives(self)) {
            if (whole_.empty()) take_memory(whole_, part_.node_count());
            whole_.resize(part_.node_count());
        }
        NodeId first = 0;
        for (int rank = 0; rank < fabric_->ranks(); ++rank) {
            const NodeId count = part_.partition().size_of(rank);
            if (rank != self && receives(rank)) out.push_back({rank, std::as_bytes(loads())});
            if (receives(self)) {
                const auto room = std::span(whole_).subspan(first, count);
                if (rank == self)
                    std::copy(loads().begin(), loads().end(), room.begin());
                else
                    in.push_back({rank, std::as_writable_bytes(room)});
            }
            first += count;
        }
    });
    agree();
    fabric_->begin_exchange(out, in);
    fabric_->finish_exchange();
    guard([&] {
        const std::span<const NodeId> places = part_.partition().nodes_by_rank();
        if (places.empty() || !receives(self)) return;
        load::Loads sorted(whole_.size());
        for (std::size_t i = 0; i < whole_.size(); ++i)
            sorted[places[i]] = whole_[i];
        whole_ = std::move(sorted);
    });
    agree();
}

std::span<const Tokens> RoundPlay::all_loads() {
    if (alone()) return loads_;
    bring_loads(To::every_rank);
    return whole_;
}

// At the start of a round: tokens, nodes and links come and go.
void RoundPlay::change_world() {
    if (options_.environment == nullptr) return;
    if (live_) {
        for (const NodeId node : control_->begin_step(loads_, *live_, transfers_))
            restart(node);
    } else if (alone()) {
        control_->begin_step(loads_);
    } else if (control_->costs().steps % round_length_ == 0) {
        static_cast<void>(all_loads());
        control_->begin_step(whole_);
        for (NodeId node = 0; node < part_.own_count(); ++node)
            loads_[node] = whole_[part_.global(node)];
    }
}

// Whether a link of an own node, within the part or to other ranks, has ends that differ by more
// than one.
bool RoundPlay::is_steep_node(NodeId node, Reach reach) {
    const PackedLoads loads = loads_now();
    const auto steep = [&](NodeId other) {
        return part_.owns(other) == (reach == Reach::inner) && is_steep(loads[node] - loads[other]);
    };
    if (part_.graph().grid() == nullptr) {
        const auto row = part_.rows().of(node);
        return std::any_of(row.begin(), row.end(), steep);
    }
    // The rows of a grid would take more memory than its loads.
    for (Port port = 0; port < part_.degree(node); ++port)
        if (steep(part_.local(part_.neighbour(node, port)))) return true;
    return false;
}

// Looks at all own nodes, beginning with the one that was last found steep.
bool RoundPlay::any_steep_node(Reach reach) {
    const network::Grid* const grid = part_.graph().grid();
    if (grid != nullptr && part_.partition().consecutive() && part_.own_count() > 0) {
        if (reach == Reach::inner) {
            const auto found =
                steep_node({*grid, part_.global(0), part_.own_count()}, loads_now(), steep_node_);
            steep_node_ = found.value_or(steep_node_);
            return found.has_value();
        }
        const PackedLoads loads = loads_now();
        const auto cut = links_to_others(part_);
        return std::any_of(cut.begin(), cut.end(), [&](const auto& link) {
            return is_steep(loads[link.first] - loads[link.second]);
        });
    }
    for (NodeId i = 0; i < part_.own_count(); ++i) {
        if (is_steep_node(steep_node_, reach)) return true;
        if (++steep_node_ == part_.own_count()) steep_node_ = 0;
    }
    return false;
}

RoundPlay::Standing RoundPlay::stand(const StepTotals& totals, Step steps) {
    Standing mine;
    mine.totals = totals;
    const Step done = control_->costs().steps + steps;
    guard([&] { mine.finished = finished(done); });
    if (options_.keeper != nullptr && steps > 0) {
        model::Costs costs = control_->costs();
        costs.steps += steps;
        guard([&] { mine.wish = options_.keeper->wish(costs); });
    }
    mine.highest = mine.lowest = -tokens_max;
    if (part_.own_count() > 0) {
        LoadRange own = range_;
        if (steps > 0) guard([&] { own = look_at_own(totals); });
        mine.highest = own.most;
        mine.lowest = -own.least;
    }
    if (alone()) return mine;
    mine.interrupted = asked_.stop_requested();
    mine.observed = steps > 0 && watched_ && control_->observed_after(steps);
    if (options_.stop.one_balanced && done % round_length_ == 0 && part_.own_count() > 0)
        guard([&] { mine.uneven = is_steep_node(steep_node_, Reach::inner); });
    return mine;
}

// Sums up over all ranks what each did and the state it is in.
RoundPlay::Standing RoundPlay::sum_up(const Standing& mine) {
    if (alone()) return mine;
    Fabric::Tally sent;
    guard([&] {  // the sum over the ranks must not leave 64 bits
        if (mine.totals.exchanges / ends_counted() >
            count_max / static_cast<std::uint64_t>(fabric_->ranks()))
            throw OverflowError("number of exchanges");
        sent.sums[exchanges] = static_cast<std::int64_t>(mine.totals.exchanges);
    });
    sent.sums[messages] = static_cast<std::int64_t>(mine.totals.messages);
    sent.sums[created] = mine.totals.created;
    sent.sums[destroyed] = mine.totals.destroyed;
    sent.sums[failures] = failure_ ? 1 : 0;
    sent.maxima[steep] = mine.totals.steep ? 1 : 0;
    sent.sums[unfinished] = mine.finished ? 0 : 1;
    sent.maxima[interrupted] = mine.interrupted ? 1 : 0;
    sent.maxima[wanted] = mine.observed ? 1 : 0;
    sent.maxima[highest] = mine.highest;
    sent.maxima[lowest] = mine.lowest;
    sent.maxima[uneven] = mine.uneven ? 1 : 0;
    sent.maxima[wished] = static_cast<std::int64_t>(mine.wish);
    const Fabric::Tally all = fabric_->reduce(sent);
    if (all.sums[failures] != 0) agree();
    if (all.maxima[interrupted] != 0) interrupt_.request_stop();
    Standing standing;
    standing.totals.exchanges = static_cast<std::uint64_t>(all.sums[exchanges]);
    standing.totals.messages = static_cast<std::uint64_t>(all.sums[messages]);
    standing.totals.created = all.sums[created];
    standing.totals.destroyed = all.sums[destroyed];
    standing.totals.steep = all.maxima[steep] != 0;
    standing.finished = all.sums[unfinished] == 0;
    standing.observed = all.maxima[wanted] != 0;
    standing.highest = all.maxima[highest];
    standing.lowest = all.maxima[lowest];
    standing.uneven = all.maxima[uneven] != 0;
    standing.wish = static_cast<Keeper::Wish>(all.maxima[wished]);
    return standing;
}

void RoundPlay::gather_transfers() {
    const std::vector<std::byte> bytes =
        fabric_->gather(std::as_bytes(std::span<const KeyedTransfer>(keyed_)));
    guard([&] {
        std::vector<KeyedTransfer> all = values_of<KeyedTransfer>(bytes);
        std::sort(all.begin(), all.end(),
                  [](const KeyedTransfer& a, const KeyedTransfer& b) { return a.key < b.key; });
        for (const KeyedTransfer& keyed : all)
            transfers_.push_back(keyed.transfer);
    });
}

void RoundPlay::book(const Standing& all) {
    StepTotals totals = all.totals;
    totals.exchanges /= ends_counted();
    if (alone()) {
        const bool looked_at = live_ && control_->observed_after(step_length());
        return control_->end_step(totals, step_length(), loads_, transfers_,
                                  looked_at ? live_->components() : std::span<const NodeId>{});
    }
    if (all.observed) {
        bring_loads(To::rank_0);
        if (wants_transfers_) gather_transfers();
        agree();  // a rank that had booked nothing would stop at another step than the others
    }
    // An error in the books occurs on every rank; an error of an observer on rank 0 alone.
    guard([&] { control_->end_step(totals, step_length(), seen(all.observed), transfers_); });
}

// No two neighbours differ by more than 1: checked first within parts, then across. Most checks
// fail at once for the node that failed last; only if not are all looked at.
bool RoundPlay::one_balanced(const Standing& all) {
    if (all.uneven) return false;
    for (const Reach reach : {Reach::inner, Reach::cut}) {
        if (reach == Reach::cut) exchange_halo(*neighbours_);
        Standing mine;
        guard([&] { mine.uneven = any_steep_node(reach); });
        if (sum_up(mine).uneven) return false;
    }
    return true;
}

std::optional<model::StopReason> RoundPlay::reason_to_stop(const Standing& all) {
    if (live_) return control_->reason_to_stop(*live_, loads_, all.finished);
    if (alone()) return control_->reason_to_stop(part_.graph(), loads_, all.finished);
    return control_->reason_to_stop(
        all.finished, [&] { return range_.most - range_.least <= *options_.stop.discrepancy; },
        [&] { return one_balanced(all); });
}

void RoundPlay::step() {
    transfers_.clear();
    keyed_.clear();
    gap_ = gap_ || !range_known_;
    change_world();
    const StepTotals totals = play(control_->costs().steps);
    standing_ = sum_up(stand(totals, step_length()));
    take_range(standing_);
    control_->note_least_load(range_.least);
    book(standing_);
    if (range_known_) note_discrepancy();
}

void RoundPlay::watch(void (RunControl::*tell)(std::span<const Tokens>), bool brought) {
    if (alone()) return ((*control_).*tell)(loads_);
    guard([&] { ((*control_).*tell)(seen(brought)); });
}

RoundOutcome RoundPlay::play_out() {
    if (!alone() && watched_ && !start_known_) bring_loads(To::rank_0);
    watch(&RunControl::start, watched_);
    std::optional<model::StopReason> reason;
    if (part_.link_count() == 0 && options_.environment == nullptr)
        reason = model::StopReason::nothing_to_do;
    const bool fits = unwatched() && packs();
    if (fits) fit_width();
    standing_ = sum_up(stand({}, 0));
    Step played = 0;
    while (!reason) {
        reason = reason_to_stop(standing_);
        if (reason) break;
        step();
        // Loads fall while they are levelled: they are examined after 8, 16, 32, ... steps.
        if (fits && ++played >= 8 && (played & (played - 1)) == 0 && width_ != Width::two)
            fit_width();
        if (standing_.wish >= Keeper::Wish::look) {
            know_range();
            guard([&] { options_.keeper->look(control_->costs(), range_.least, range_.most); });
        }
        if (standing_.wish >= Keeper::Wish::save) save();
    }
    know_range();
    if (options_.keeper != nullptr && options_.keeper->saves()) save();
    set_width(Width::eight);
    const model::FinalLoads wanted = options_.final_loads;
    const bool brings = !alone() && (watched_ || wanted != model::FinalLoads::apart);
    if (brings)
        bring_loads(wanted == model::FinalLoads::on_every_rank ? To::every_rank : To::rank_0);
    // Whoever hears about the end has the ledger compared with what was brought.
    watch(&RunControl::finish, brings && !options_.observers.empty());
    agree();
    return {{},
            control_->costs(),
            control_->ledger().created(),
            control_->ledger().destroyed(),
            *reason,
            body(),
            control_->least_load(),
            control_->level_since()};
}

RoundOutcome RoundPlay::run() {
    RoundOutcome outcome = play_out();
    if (alone()) {
        outcome.loads.assign(loads().begin(), loads().end());
        return outcome;
    }
    outcome.final_loads = options_.final_loads;
    const bool whole_here =
        options_.final_loads == model::FinalLoads::on_every_rank ||
        (options_.final_loads == model::FinalLoads::on_rank_0 && fabric_->rank() == 0);
    if (whole_here) {
        outcome.loads = std::move(whole_);
    } else if (options_.final_loads == model::FinalLoads::apart) {
        outcome.discrepancy = range_.most - range_.least;
        // Moved, since a copy would double the memory of a run. The room of the halo stays
        // allocated.
        loads_.resize(part_.own_count());
        outcome.loads = std::move(loads_);
    }
    return outcome;
}

}  // namespace equipoise::engine
