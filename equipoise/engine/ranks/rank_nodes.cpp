#include "equipoise/engine/ranks/rank_nodes.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "equipoise/base/counts.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::engine {

namespace {

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
    return std::as_bytes(std::span<const T>(&value, 1));
}

Tokens read_tokens(std::span<const std::byte> body) {
    Tokens tokens = 0;
    EQUIPOISE_ASSERT(body.size() >= sizeof(tokens));
    std::memcpy(&tokens, body.data(), sizeof(tokens));
    return tokens;
}

}  // namespace

RankNodes::RankNodes(ProgramNodes& nodes, const network::Network& network,
                     std::span<const Tokens> loads, Fabric& fabric, const RankOptions& options)
    : program_(nodes),
      options_(options),
      partition_(Partition::contiguous(network.node_count(), fabric.ranks())),
      begin_(partition_.first(fabric.rank())),
      post_(fabric, nodes.traits().settles),
      nodes_(loads.size()),
      messages_(nodes.traits().message_bytes),
      boxes_(network, messages_, begin_, begin_ + static_cast<NodeId>(loads.size())),
      items_(options.item_bytes, loads.size(), boxes_.side_count()) {
    EQUIPOISE_ASSERT(loads.size() == partition_.first(fabric.rank() + 1) - begin_);
    sides_.reserve(boxes_.side_count());
    for (NodeId v = 0; v < nodes_.size(); ++v) {
        nodes_[v].tokens = loads[v];
        for (Port port = 0; port < network.degree(begin_ + v); ++port) {
            Side& side = sides_.emplace_back();
            side.neighbour = network.neighbour(begin_ + v, port);
            const auto back = network::port_to(network, side.neighbour, begin_ + v);
            EQUIPOISE_ASSERT(back.has_value());
            side.port_there = *back;
            side.has_permit = begin_ + v < side.neighbour;
        }
    }
    program_.lay_out(loads.size(), sides_.size());
}

// ---- the course of a run

std::exception_ptr RankNodes::play() {
    std::exception_ptr error;
    try {
        start();
        while (!post_.parting())
            turn();
    } catch (...) {
        // Ranks that the farewell has not reached would wait for this one, so no agreement is
        // possible.
        if (post_.parting()) throw;
        error = std::current_exception();
        post_.part(Parting::failed);
    }
    for (unsigned idle = 0; !post_.parted(); RankPost::pause(++idle))
        static_cast<void>(post_.turn([&](const Label& label, auto body) {
            audit(side_of(label.to - begin_, label.port), body);
        }));
    return error;
}

RankReport RankNodes::take_report() {
    RankReport report;
    report.figures = figures_;
    const bool complete = post_.reason() < Parting::interrupted;
    if (!complete) report.figures.links_at_odds = 0;
    for (NodeId v = 0; v < nodes_.size(); ++v) {
        Tokens load = nodes_[v].tokens;
        for (std::uint32_t at = boxes_.first(v); at < boxes_.first(v + 1); ++at) {
            const Side& side = sides_[at];
            if (!complete) load += side.given;
            const Tokens theirs = complete ? side.waiting : -side.taken;
            if (theirs != 0) report.corrections.push_back({side.neighbour, theirs});
        }
        report.loads.push_back(load);
        report.figures.time = std::max(report.figures.time, nodes_[v].clock);
        if (nodes_[v].done) ++report.figures.nodes_done;
    }
    report.events = std::move(events_);
    return report;
}

void RankNodes::start() {
    for (NodeId v = 0; v < nodes_.size(); ++v) {
        if (options_.keeps_order)
            events_.push_back({0, 0, begin_ + v, begin_ + v, model::clock_event, 0});
        resume(v);
    }
    last_tick_ = Clock::now();
}

void RankNodes::turn() {
    if (options_.interrupt.stop_requested()) {
        post_.part(Parting::interrupted);
        return;
    }
    const bool handled = post_.turn(
        [this](const Label& label, std::span<const std::byte> body) { handle(label, body); });
    if (post_.parting()) return;
    const bool acted = tick(handled) || handled;
    obey(post_.take_verdict());
    if (post_.parting()) return;
    count(acted);
    idle_turns_ = acted ? 0 : idle_turns_ + 1;
    if (!acted && post_.ranks() > 1) RankPost::pause(idle_turns_);
}

// Advances the local clock and fires timers that are due; returns whether there were any.
bool RankNodes::tick(bool handled) {
    drop_stale_timers();
    if (post_.congested()) return false;  // what nodes would repeat has not been heard yet
    if (!handled && !timers_.empty() && post_.ranks() == 1) {
        now_ = std::max(now_, timers_.front().due);
    } else if (handled || Clock::now() - last_tick_ >= idle_tick) {
        ++now_;
        last_tick_ = Clock::now();
    }
    bool ended = false;
    for (; !timers_.empty() && timers_.front().due <= now_; drop_stale_timers()) {
        const NodeId v = timers_.front().node;
        timers_.pop();
        ended = true;
        nodes_[v].time_over = true;
        note(v, nodes_[v].clock + 1, model::clock_event);
        resume(v);
    }
    return ended;
}

void RankNodes::drop_stale_timers() {
    while (!timers_.empty() && (timers_.front().number != nodes_[timers_.front().node].timer ||
                                nodes_[timers_.front().node].done))
        timers_.pop();
}

// ---- rounds of counting

// Joins a round if there is nothing to do, and now and then if programs never fall silent.
void RankNodes::count(bool acted) {
    constexpr std::uint64_t turns_a_round = 8;
    if (!post_.may_join()) return;
    if (program_.traits().settles) {
        if (acted && ++turns_acted_ % turns_a_round != 0) return;
        if (comparing_ && compared_ < sides_.size()) return;
    } else if (acted || !timers_.empty()) {
        return;
    }
    RankCount mine;
    mine.open = timers_.empty() ? 0 : 1;
    mine.moved = moved_;
    mine.in_doubt = in_doubt_;
    mine.items = items_under_way_;
    mine.unsettled = std::exchange(unsettled_, 0);
    compared_ = 0;
    comparing_ = false;
    post_.join(mine);
}

void RankNodes::obey(RankPost::Verdict verdict) {
    using Verdict = RankPost::Verdict;
    if (verdict == Verdict::go_on) return;
    if (verdict == Verdict::compare) return send_comparisons();
    for (std::uint32_t at = 0; at < sides_.size(); ++at)
        put(at, Content::audit, 0, bytes_of(sides_[at].given));
    post_.part(verdict == Verdict::quiet ? Parting::quiet : Parting::settled);
}

void RankNodes::send_comparisons() {
    comparing_ = true;
    std::vector<std::byte> body;
    for (NodeId v = 0; v < nodes_.size(); ++v)
        for (std::uint32_t at = boxes_.first(v); at < boxes_.first(v + 1); ++at) {
            const auto tokens = bytes_of(nodes_[v].tokens);
            const std::size_t port_bytes = program_.traits().port_bytes;
            const std::span port(program_.port_memory() + at * port_bytes, port_bytes);
            body.assign(tokens.begin(), tokens.end());
            body.insert(body.end(), port.begin(), port.end());
            put(at, Content::comparison, 0, body);
        }
}

void RankNodes::compare(NodeId v, std::uint32_t side, std::span<const std::byte> body) {
    ++compared_;
    const std::span<const std::byte> port_there = body.subspan(sizeof(Tokens));
    EQUIPOISE_ASSERT(port_there.size() == program_.traits().port_bytes);
    if (!program_.settled(nodes_[v].tokens, side, read_tokens(body), port_there.data()))
        ++unsettled_;
}

void RankNodes::audit(std::uint32_t side, std::span<const std::byte> body) {
    if (sides_[side].taken + sides_[side].waiting != read_tokens(body)) ++figures_.links_at_odds;
}

// ---- what arrives

void RankNodes::handle(const Label& label, std::span<const std::byte> body) {
    const NodeId v = label.to - begin_;
    const std::uint32_t side = side_of(v, label.port);
    switch (label.content) {
        case Content::message:
            return arrive(v, side, label.clock, body);
        case Content::acquisition:
        case Content::reservation:
            return answer(v, side, label.content);
        case Content::permit:
            sides_[side].has_permit = true;
            return be_answered(v, side, label.clock, true);
        case Content::busy:
            return be_answered(v, side, label.clock, false);
        case Content::items:
            --items_under_way_;
            return add_items(v, body);
        case Content::comparison:
            return compare(v, side, body);
        case Content::audit:
            return audit(side, body);
    }
}

// Books the arrival of a message, sent when its sender's clock was `sent`, and resumes the node if
// it waits for this message.
void RankNodes::arrive(NodeId v, std::uint32_t side, std::uint64_t sent,
                       std::span<const std::byte> body) {
    EQUIPOISE_ASSERT(body.size() == program_.traits().message_bytes);
    const model::MessageBytes message = program_.view(body.data());
    Node& node = nodes_[v];
    node.clock = std::max(node.clock, sent) + 1;
    ++figures_.events;
    sides_[side].waiting += message.tokens;
    if (options_.keeps_order)
        events_.push_back(
            {sent, node.clock, sides_[side].neighbour, begin_ + v, message.kind, message.tokens});
    const model::Ask& ask = node.ask;
    // Nothing that came before ends the wait of a waiting node, so only this message can.
    if (!boxes_.arrive(node.ready, side, messages_.store(message)) || !node.suspended ||
        ask.verb != model::Ask::Verb::receive || !ask.kinds.contains(message.kind) ||
        (ask.port != model::any_port && side != side_of(v, ask.port)))
        return;
    node.found = side;
    resume(v);
}

void RankNodes::receive(NodeId v, std::uint32_t side, model::Reception& received) {
    const std::uint32_t message = boxes_.take(nodes_[v].ready, side);
    const Tokens carried = messages_.tokens(message);
    messages_.take(message, received.bytes);
    received.port = side - boxes_.first(v);
    if (carried == 0) return;
    sides_[side].waiting -= carried;
    take(v, side, carried);
}

// ---- tokens and items

void RankNodes::send(NodeId v, Port port, const model::MessageBytes& message) {
    EQUIPOISE_ASSERT(message.tokens >= 0 && message.tokens <= nodes_[v].tokens);
    ++figures_.messages;
    if (program_.traits().counts_bits)
        figures_.largest_message_bits = std::max<std::uint64_t>(
            figures_.largest_message_bits, program_.message_bits(message.bytes));
    const std::uint32_t side = side_of(v, port);
    if (message.tokens > 0) give(v, side, message.tokens);
    put(side, Content::message, nodes_[v].clock,
        {static_cast<const std::byte*>(message.bytes), program_.traits().message_bytes});
}

void RankNodes::book(NodeId v, Port port, Tokens leaving) {
    EQUIPOISE_ASSERT(leaving <= nodes_[v].tokens);
    if (leaving > 0) give(v, side_of(v, port), leaving);
    if (leaving < 0) take(v, side_of(v, port), -leaving);
}

// Tokens leave a node towards the other end of a link, and as many items with them.
void RankNodes::give(NodeId v, std::uint32_t side, Tokens tokens) {
    nodes_[v].tokens -= tokens;
    sides_[side].given += tokens;
    count_up(figures_.exchanges, static_cast<std::uint64_t>(tokens), "number of exchanges");
    ++moved_;
    in_doubt_ -= tokens;
    if (!items_.any()) return;
    items_.owe(v, side, static_cast<std::uint64_t>(tokens));
    send_items(v, side);
}

void RankNodes::take(NodeId v, std::uint32_t side, Tokens tokens) {
    nodes_[v].tokens += tokens;
    sides_[side].taken += tokens;
    ++moved_;
    in_doubt_ += tokens;
}

void RankNodes::send_items(NodeId v, std::uint32_t side) {
    for (auto bytes = items_.pay(v, side); !bytes.empty(); bytes = items_.pay(v, side)) {
        ++moved_;
        ++items_under_way_;
        put(side, Content::items, 0, bytes);
    }
}

void RankNodes::add_items(NodeId v, std::span<const std::byte> bytes) {
    items_.add(v, bytes);
    for (std::uint32_t at = boxes_.first(v); items_.owes(v) && at < boxes_.first(v + 1); ++at)
        send_items(v, at);
}

// ---- waits and channels

bool RankNodes::poll(NodeId v, Port port, model::KindSet kinds, model::Reception& received) {
    const std::uint32_t in = boxes_.find(v, nodes_[v].ready, port, kinds);
    if (in == none) return false;
    receive(v, in, received);
    return true;
}

bool RankNodes::begin(NodeId v, const model::Ask& ask) {
    using Verb = model::Ask::Verb;
    Node& node = nodes_[v];
    node.ask = ask;
    node.found = ask.verb == Verb::receive ? boxes_.find(v, node.ready, ask.port, ask.kinds) : none;
    node.time_over = false;
    ++node.timer;
    if (ask.verb == Verb::receive && node.found != none) return true;
    if ((ask.verb == Verb::reserve || ask.verb == Verb::acquire) &&
        ask_for_channel(v, side_of(v, ask.port)))
        return true;
    node.suspended = true;
    if (ask.within != model::for_ever)
        timers_.push(now_ + ask.within, {now_ + ask.within, v, node.timer});
    return false;
}

bool RankNodes::end(NodeId v, model::Reception& received) {
    Node& node = nodes_[v];
    node.suspended = false;
    if (node.ask.verb == model::Ask::Verb::reserve) return node.granted;
    if (node.ask.verb != model::Ask::Verb::receive) return true;
    if (node.found == none) return false;
    receive(v, node.found, received);
    return true;
}

// Whether the channel is now held; if not, the other end has been asked for it.
bool RankNodes::ask_for_channel(NodeId v, std::uint32_t side) {
    Node& node = nodes_[v];
    EQUIPOISE_ASSERT(!sides_[side].held);
    if (!sides_[side].has_permit) {
        const bool reserves = node.ask.verb == model::Ask::Verb::reserve;
        put(side, reserves ? Content::reservation : Content::acquisition, node.clock, {});
        return false;
    }
    sides_[side].held = true;
    node.granted = true;
    note(v, std::max<std::uint64_t>(node.clock, 1), model::granted_event);
    return true;
}

void RankNodes::release(NodeId v, Port port) {
    const std::uint32_t side = side_of(v, port);
    EQUIPOISE_ASSERT(sides_[side].held);
    sides_[side].held = false;
    if (sides_[side].wanted) give_permit(v, side);
}

// Replies to the other end, which asks for the channel.
void RankNodes::answer(NodeId v, std::uint32_t side, Content content) {
    EQUIPOISE_ASSERT(sides_[side].has_permit);
    if (!sides_[side].held)
        give_permit(v, side);
    else if (content == Content::reservation)
        put(side, Content::busy, nodes_[v].clock, {});
    else
        sides_[side].wanted = true;
}

void RankNodes::give_permit(NodeId v, std::uint32_t side) {
    sides_[side].has_permit = false;
    sides_[side].wanted = false;
    put(side, Content::permit, nodes_[v].clock, {});
}

void RankNodes::be_answered(NodeId v, std::uint32_t side, std::uint64_t sent, bool granted) {
    sides_[side].held = granted;
    nodes_[v].granted = granted;
    note(v, std::max(nodes_[v].clock, sent) + 1,
         granted ? model::granted_event : model::refused_event);
    resume(v);
}

// ---- nodes

void RankNodes::put(std::uint32_t side, Content content, std::uint64_t clock,
                    std::span<const std::byte> body) {
    const NodeId to = sides_[side].neighbour;
    post_.put(
        partition_.owner(to),
        {to, sides_[side].port_there, clock, content, static_cast<std::uint32_t>(body.size())},
        body.data());
}

// Notes an event of a node other than the arrival of a message.
void RankNodes::note(NodeId v, std::uint64_t time, std::uint32_t event) {
    nodes_[v].clock = time;
    ++figures_.events;
    if (options_.keeps_order) events_.push_back({time, time, begin_ + v, begin_ + v, event, 0});
}

void RankNodes::resume(NodeId v) {
    const bool begun = std::exchange(nodes_[v].begun, true);
    const model::Turn turn = begun ? model::Turn::proceed : model::Turn::start;
    const std::uint64_t changes = program_.changes(v);
    const bool ended =
        program_.take_turn(*this, v, {boxes_.first(v), degree(v)}, turn, nodes_[v].ask);
    moved_ += program_.changes(v) == changes ? 0 : 1;
    if (!ended) return;
    nodes_[v].done = true;
    nodes_[v].suspended = false;
}

}  // namespace equipoise::engine
