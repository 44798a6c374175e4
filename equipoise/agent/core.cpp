#include "equipoise/agent/core.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::agent {

namespace {

using Kind = SiteEvent::Kind;

}  // namespace

Core::Core(const CoreOptions& options, const std::vector<model::LinkEnd>& ends, Actions& actions,
           Micros now)
    : options_(options),
      program_(site_program(options.capacity, options.period, options.batch)),
      actions_(actions),
      now_(now),
      node_(program_, ends, options.seed, *this),
      tick_(options.tick_least),
      turn_(now),
      incarnation_(std::max<std::uint64_t>(
          RandomStream(options.seed, Purpose::program, ends.size(), 2)(), 1)) {
    for (std::size_t port = 0; port < ends.size(); ++port)
        links_.push_back({.gate = Gate(options.seed, port, options.capacity),
                          .purse = Purse(purse_patience),
                          .book = {},
                          .owed = 0,
                          .load = std::nullopt});
    if (options.recorder != nullptr)
        record({.kind = Kind::begin,
                .begun = std::make_shared<const SiteBegin>(
                    SiteBegin{.site = "",
                              .neighbours = std::vector<std::string>(ends.size()),
                              .ends = ends,
                              .seed = options.seed,
                              .incarnation = incarnation_,
                              .period = options.period,
                              .batch = options.batch})});
    node_.start();
    for (Port port = 0; port < links_.size(); ++port)
        post(port, nullptr);
}

// ---- what happens

void Core::come(Port port, std::string_view text, Micros now) {
    now_ = now;
    const std::optional<LinkMessage> message = read_link_message(text);
    if (!message) {
        ++counts_.malformed;
        return;
    }
    Link& link = links_[port];
    link.purse.fill(message->tickets);
    if (!link.gate.admits(message->ticket)) {
        if (message->ticket != 0) ++counts_.turned_away;
        if (message->ticket != 0 || message->asks)
            tell_tickets(port, false);
        else if (std::exchange(link.lost, false))
            hurry_ = std::min(hurry_, now_ + options_.tick_least);
        return;
    }
    ++counts_.messages_received;
    link.answered = false;
    link.ask_patience = purse_patience;
    const Tokens incoming_before = link.book.incoming(now_);
    link.book.hear(message->incarnation, message->crossed, now_);
    if (link.book.incoming(now_) != incoming_before) wake();
    if (message->message) {
        const Tokens load = std::clamp<Tokens>(message->message->load, 0, tokens_max);
        if (link.load != load) wake();
        link.load = load;
        record({.kind = Kind::receive,
                .port = port,
                .incarnation = message->incarnation,
                .ticket = message->ticket,
                .message = *message->message});
        node_.receive(port, *message->message);
        after_turn();
    }
    // The neighbour has used its ticket up: it is told the new one, if no message did so.
    if (!link.answered) tell_tickets(port, false);
}

void Core::see(const Stock& stock, Micros begun, Micros now) {
    now_ = now;
    const Tokens before = load();
    stock_ = stock;
    for (Link& link : links_)
        link.book.see(begun, now_);
    if (load() != before) wake();
}

void Core::hold(Tokens jobs, Micros now) {
    now_ = now;
    held_ += jobs;
    // They are counted once: the stream is looked at again only later.
    const Tokens again = std::min(jobs, stock_.returned);
    stock_.returned -= again;
    stock_.waiting = std::max<Tokens>(stock_.waiting - (jobs - again), 0);
    if (withheld_since_ == 0 || wanted() > 0) return;
    withheld_since_ = 0;
    end_time();
}

void Core::give_back(Tokens jobs) {
    lose(jobs);
    stock_.returned += jobs;
}

void Core::lose(Tokens jobs) {
    EQUIPOISE_ASSERT(jobs <= held_);
    held_ -= jobs;
}

void Core::settle(Port port, Tokens jobs, Micros now) {
    now_ = now;
    EQUIPOISE_ASSERT(jobs <= carried_);
    Link& link = links_[port];
    carried_ -= jobs;
    link.carried = std::max<Tokens>(link.carried - jobs, 0);
    link.book.settle(jobs);
    link.due = true;
    wake();
    // Until the neighbour hears of it, it counts these jobs twice: as there, and as coming.
    if (link.owed == 0 && link.carried == 0) post(port, nullptr);
}

void Core::corrupt(RandomStream& random) {
    node_.corrupt(random);
    after_turn();
}

void Core::leave(Micros now) {
    now_ = now;
    options_.leave_at_least = 0;
    leaving_since_ = now_;
    record({.kind = Kind::leave});
    node_.leave();
    wake();
}

void Core::pass(Micros now) {
    now_ = now;
    part_from_silent();
    if (withheld_since_ != 0 && now_ >= withheld_since_ + withheld_max) withdraw_offers();
    const Micros due_at = turn_due();
    if (now_ < due_at) return;
    late_ = std::max(late_ / 2, std::min(now_ - std::max(due_at, turn_), late_max));
    // Where all is level and nothing has changed, nobody waits for the next turn.
    const bool idle = now_ >= woken_ + awake_for && node_.offered() == 0 && level();
    const Micros growth = idle ? 4 : 2;
    if (hurry_ > now_) tick_ = std::min(growth * tick_, tick_most());
    hurry_ = never;
    end_time();
    for (Port port = 0; port < links_.size(); ++port)
        if (links_[port].due) post(port, nullptr);
}

void Core::rest(Micros now) {
    now_ = now;
    if (!any_offered_) return;
    withdraw_offers();
    part_from_silent();
}

void Core::end_time() {
    record({.kind = Kind::time_over});
    node_.end_time();
    after_turn();
    timed_ = now_;
    timed_patience_ = node_.patience();
}

Micros Core::turn_due() const {
    // Whoever hears much from neighbours has no silence: packets of offers are repeated all the
    // same, as the time of a node may be over at any moment.
    const Micros own =
        any_offered_ ? timed_ + timed_patience_ * tick_ : turn_ + node_.patience() * tick_;
    return std::min(own, hurry_);
}

void Core::withdraw_offers() {
    withheld_since_ = 0;
    for (Port port = 0; port < links_.size(); ++port) {
        if (links_[port].promised || links_[port].offered == 0) continue;
        record({.kind = Kind::withdraw, .port = port});
        node_.withdraw(port);
    }
    watch_offers();
}

void Core::part_from_silent() {
    for (Port port = 0; port < links_.size(); ++port) {
        Link& link = links_[port];
        const bool offers = link.offered_since != 0;
        const Micros silent_since =
            std::max({link.book.heard(), link.offered_since, leaving_since_});
        if (!offers && (leaving_since_ == 0 || link.parted > silent_since)) continue;
        if (now_ < silent_since + silence_max &&
            (!offers ||
             (now_ < link.offered_since + offer_max && node_.offered(port) <= options_.batch)))
            continue;
        link.parted = now_;
        // It may have accepted what it was offered: its answer may come for the next offer.
        if (link.promised)
            link.unanswered = std::min(link.unanswered + node_.offered(port), options_.batch);
        record({.kind = Kind::part, .port = port});
        node_.part(port);
        link.load.reset();
    }
    watch_offers();
}

void Core::after_turn() {
    turn_ = now_;
    watch_offers();
}

void Core::watch_offers() {
    any_offered_ = false;
    for (Port port = 0; port < links_.size(); ++port) {
        Link& link = links_[port];
        link.offered = node_.offered(port);
        if (link.offered == 0) {
            link.promised = false;
            link.offered_since = 0;
        } else {
            any_offered_ = true;
            if (link.offered_since == 0) link.offered_since = now_;
        }
    }
}

void Core::wake() {
    tick_ = std::min(std::max(options_.tick_least, late_), options_.tick_most);
    woken_ = now_;
}

Micros Core::tick_most() const {
    // A deal takes several turns, as labels are drawn. A turn speaks to all neighbours: so that a
    // site sends no more a second, it takes its turns as much slower as it has more than two. Turns
    // that come late tell that the machine has no time for as many.
    if (now_ < woken_ + awake_for && (node_.offered() > 0 || !level()))
        return std::clamp(std::max<Micros>(links_.size() * options_.tick_least / 2, late_),
                          options_.tick_least, options_.tick_most);
    if (node_.offered() > 0) return std::min<Micros>(16 * options_.tick_least, options_.tick_most);
    if (!level()) return std::min<Micros>(32 * options_.tick_least, options_.tick_most);
    return options_.tick_most;
}

// ---- what is to be done

Micros Core::due() const {
    Micros due = turn_due();
    if (any_offered_) due = std::min(due, now_ + silence_max / 8);
    if (withheld_since_ != 0) due = std::min(due, withheld_since_ + withheld_max);
    return due;
}

Tokens Core::wanted() const {
    return std::max<Tokens>(node_.offered() + owed() - held_, 0);
}

Tokens Core::needed() const {
    Tokens sum = owed();
    for (Port port = 0; port < links_.size(); ++port)
        if (links_[port].promised) sum += std::min(node_.offered(port), options_.batch);
    return sum;
}

Tokens Core::surplus(bool unpromised) const {
    const Tokens kept = unpromised ? needed() : node_.offered() + owed();
    return std::max<Tokens>(held_ - kept, 0);
}

Tokens Core::carry(Port port, Tokens jobs_max) {
    Link& link = links_[port];
    const Tokens jobs = std::min({link.owed, held_, jobs_max});
    link.owed -= jobs;
    held_ -= jobs;
    carried_ += jobs;
    link.carried += jobs;
    return jobs;
}

void Core::withdraw_owed() {
    for (Link& link : links_) {
        counts_.withdrawn += static_cast<std::uint64_t>(link.owed);
        link.book.settle(std::exchange(link.owed, 0));
        link.due = true;
    }
}

// ---- how it stands

Tokens Core::owed() const {
    Tokens sum = 0;
    for (const Link& link : links_)
        sum += link.owed;
    return sum;
}

Tokens Core::incoming() const {
    Tokens sum = 0;
    for (const Link& link : links_)
        sum += link.book.incoming(now_);
    return sum;
}

Tokens Core::backlog() const {
    return std::max<Tokens>(stock_.waiting + stock_.returned + held_ - owed(), 0);
}

std::optional<Tokens> Core::load_of(Port port) const {
    return is_alive(port) ? links_[port].load : std::nullopt;
}

bool Core::is_alive(Port port) const {
    const Micros heard = links_[port].book.heard();
    return heard != 0 && now_ < heard + alive_for;
}

bool Core::level() const {
    if (owed() > 0 || carried_ > 0 || incoming() > 0) return false;
    const Tokens own = load();
    for (Port port = 0; port < links_.size(); ++port) {
        const std::optional<Tokens> load = load_of(port);
        if (load && (own - *load > 1 || *load - own > 1)) return false;
    }
    return true;
}

// ---- the world of the node

Tokens Core::tokens() const {
    const Tokens tokens = load();
    record({.kind = Kind::tokens, .tokens = tokens});
    return tokens;
}

Tokens Core::load() const {
    return std::max<Tokens>(backlog() - options_.leave_at_least, 0) + incoming();
}

void Core::send(Port port, const Message& message) {
    if (offers_jobs(message)) {
        if (!covers(port, std::min(message.amount, tokens_max))) {
            if (withheld_since_ == 0) withheld_since_ = now_;
            return record({.kind = Kind::send, .port = port, .message = message});
        }
        links_[port].promised = true;
    }
    post(port, &message);
}

bool Core::covers(Port port, Tokens amount) const {
    if (links_[port].promised) return needed() <= held_;
    const Tokens all = needed() + amount;
    // Jobs that are still to come are none that can be spared.
    return all <= held_ && all - owed() <= std::max<Tokens>(backlog() - options_.leave_at_least, 0);
}

void Core::hand_over(Port port, Tokens tokens) {
    record({.kind = Kind::give, .port = port, .tokens = tokens});
    // The program believes what an acknowledgement says.
    Link& link = links_[port];
    const Tokens offered = link.promised ? link.offered : 0;
    const Tokens jobs = std::min({tokens, offered + link.unanswered, options_.batch});
    link.unanswered -= std::max<Tokens>(jobs - offered, 0);
    counts_.excess = std::min(counts_.excess + static_cast<std::uint64_t>(tokens - jobs),
                              static_cast<std::uint64_t>(counted_max));
    link.offered_since = 0;  // the next one, if there is one, is new
    link.promised = false;
    link.owed += jobs;
    link.book.give(jobs);
    if (jobs > 0) wake();
}

void Core::take_over(Port port, Tokens tokens) {
    record({.kind = Kind::take, .port = port, .tokens = tokens});
    links_[port].book.take(tokens);
    taken_ = std::min(taken_ + tokens, counted_max);
    wake();
}

void Core::post(Port port, const Message* message) {
    Link& link = links_[port];
    LinkMessage out = message_for(port);
    out.ticket = link.purse.take(now_);
    // Before it leaves: what a neighbour receives is in the record.
    if (message != nullptr)
        record({.kind = Kind::send, .port = port, .ticket = out.ticket, .message = *message});
    if (out.ticket == 0) {
        link.lost = true;
        return tell_tickets(port, true);
    }
    link.due = false;
    if (message != nullptr) out.message = *message;
    post(port, out);
}

void Core::tell_tickets(Port port, bool asks) {
    Link& link = links_[port];
    // Not for every message of a flood; and ever less often where answers are slow.
    Micros& last = asks ? link.asked : link.told;
    if (last != 0 && now_ < last + (asks ? link.ask_patience : options_.tick_least)) return;
    last = now_;
    if (asks) link.ask_patience = std::min(2 * link.ask_patience, ask_patience_most);
    LinkMessage out = message_for(port);
    out.asks = asks;
    post(port, out);
}

LinkMessage Core::message_for(Port port) const {
    LinkMessage message;
    message.incarnation = incarnation_;
    message.tickets = links_[port].gate.tickets();
    message.crossed = links_[port].book.crossed();
    return message;
}

void Core::post(Port port, const LinkMessage& message) {
    links_[port].answered = true;
    ++counts_.messages_sent;
    actions_.post(port, written(message));
}

}  // namespace equipoise::agent
