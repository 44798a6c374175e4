#include "equipoise/agent/replay.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include <nlohmann/json.hpp>

#include "equipoise/agent/site_node.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::agent {

namespace {

using Kind = SiteEvent::Kind;

/// Why a record cannot be what happened.
struct Refusal {
    std::string text;
};

std::string text_of(const SiteEvent& event) {
    return json_text(written(event));
}

/// One direction of a link.
struct Channel {
    struct Sent {
        std::uint64_t incarnation = 0;
        std::uint64_t ticket = 0;
        Message message = {};
    };
    std::deque<Sent> messages;  ///< that may still arrive, in the order in which they were sent
    /// Deals that the receiver took and the sender has not handed over yet.
    std::deque<Tokens> deals;
    unsigned lives = 0;        ///< of its ends, that have sent or received something
    bool interrupted = false;  ///< an end has forgotten the other
};

struct Network {
    std::map<std::pair<std::string, std::string>, Channel> channels;  ///< by sender and receiver
    std::map<std::string, const SiteRecord*> records;                 ///< by site
    Replay replay;
};

/// One site, whose node runs as far as its record and its neighbours have come.
class ReplayedSite final : private SiteWorld {
  public:
    ReplayedSite(const SiteRecord& record, Network& network)
        : record_(record), network_(network), cursor_(std::make_unique<Cursor>()) {}

    /// Plays what can be played. Returns whether that is anything. Throws Refusal.
    bool play() {
        const std::size_t before = cursor_->next;
        while (!is_over() && step()) {
        }
        return cursor_->next != before;
    }
    [[nodiscard]] bool is_over() const { return cursor_->next == record_.events.size(); }
    /// Whether the message that its record waits for is nowhere in the sender's.
    [[nodiscard]] bool waits_in_vain() const {
        const SiteEvent& event = record_.events[cursor_->next];
        const SiteRecord& sender = *network_.records.at(begin_->neighbours[event.port]);
        return std::none_of(sender.events.begin(), sender.events.end(), [&](const SiteEvent& sent) {
            return sent.kind == Kind::send && sent.ticket == event.ticket &&
                   sent.message == event.message;
        });
    }
    [[nodiscard]] std::string why_stuck() const {
        const SiteEvent& event = record_.events[cursor_->next];
        return place(cursor_->next) + ": expected a message that " +
               begin_->neighbours[event.port] + " had sent, after those received before, found " +
               text_of(event);
    }

  private:
    struct Cursor {
        std::size_t next = 0;
        Tokens tokens = 0;
        bool is_cut = false;  ///< the rest of the life's last turn is missing
    };

    // ---- the world of the node
    [[nodiscard]] Tokens tokens() const override {
        if (is_next(Kind::tokens)) cursor_->tokens = take_next().tokens;
        return cursor_->tokens;
    }
    void send(Port port, const Message& message) override {
        // The host alone knows the ticket, and whether there was one.
        const std::uint64_t ticket = is_next(Kind::send) ? record_.events[cursor_->next].ticket : 0;
        if (!expect({.kind = Kind::send, .port = port, .ticket = ticket, .message = message}) ||
            ticket == 0)
            return;
        ++network_.replay.sent;
        speak(port);
        to(port).messages.push_back({begin_->incarnation, ticket, message});
    }
    void hand_over(Port port, Tokens tokens) override {
        if (!expect({.kind = Kind::give, .port = port, .tokens = tokens}) || tokens == 0) return;
        network_.replay.given += tokens;
        Channel& channel = to(port);
        if (!is_whole(channel, port)) return;
        if (channel.deals.empty() || channel.deals.front() != tokens)
            throw Refusal{place(cursor_->next - 1) + ": expected a deal that " +
                          begin_->neighbours[port] + " took, which is " +
                          (channel.deals.empty() ? std::string("none")
                                                 : std::to_string(channel.deals.front())) +
                          ", found " + std::to_string(tokens)};
        channel.deals.pop_front();
    }
    void take_over(Port port, Tokens tokens) override {
        if (!expect({.kind = Kind::take, .port = port, .tokens = tokens}) || tokens == 0) return;
        network_.replay.taken += tokens;
        Channel& channel = from(port);
        if (is_whole(channel, port)) channel.deals.push_back(tokens);
    }

    // ---- the record
    [[nodiscard]] std::string place(std::size_t event) const {
        return record_.file + ':' + std::to_string(event + 1);
    }
    [[nodiscard]] bool life_is_over() const {
        return is_over() || record_.events[cursor_->next].kind == Kind::begin;
    }
    [[nodiscard]] bool is_next(Kind kind) const {
        return !cursor_->is_cut && !is_over() && record_.events[cursor_->next].kind == kind;
    }
    void skip_next() const {
        ++network_.replay.events;
        ++cursor_->next;
    }
    [[nodiscard]] const SiteEvent& take_next() const {
        skip_next();
        return record_.events[cursor_->next - 1];
    }
    /// The next event is this one. Returns false if the life ended first.
    bool expect(const SiteEvent& event) {
        cursor_->is_cut = cursor_->is_cut || life_is_over();
        if (cursor_->is_cut) return false;
        const SiteEvent& found = record_.events[cursor_->next];
        if (event != found)
            throw Refusal{place(cursor_->next) + ": expected " + text_of(event) + ", found " +
                          text_of(found)};
        skip_next();
        return true;
    }

    // ---- the links
    [[nodiscard]] Channel& to(Port port) const {
        return network_.channels[{begin_->site, begin_->neighbours[port]}];
    }
    [[nodiscard]] Channel& from(Port port) const {
        return network_.channels[{begin_->neighbours[port], begin_->site}];
    }
    [[nodiscard]] bool knows(Port port) const {
        return network_.records.contains(begin_->neighbours[port]);
    }
    [[nodiscard]] bool is_whole(const Channel& channel, Port port) const {
        return knows(port) && !channel.interrupted;
    }
    void interrupt(Port port) const {
        to(port).interrupted = true;
        from(port).interrupted = true;
    }

    /// Something of this life crosses a link. A node that has said and heard nothing is as new.
    void speak(Port port) {
        if (has_spoken_[port]) return;
        has_spoken_[port] = true;
        for (Channel* channel : {&to(port), &from(port)})
            channel->interrupted = channel->interrupted || ++channel->lives > 2;
    }

    // ---- what reaches the node
    bool step() {
        const std::size_t at = cursor_->next;
        const SiteEvent& event = record_.events[at];
        if (event.kind == Kind::receive && !arrive(event)) return false;
        skip_next();
        switch (event.kind) {
            case Kind::begin:
                begin(event);
                break;
            case Kind::receive:
                speak(event.port);
                node_->receive(event.port, event.message);
                break;
            case Kind::time_over:
                node_->end_time();
                break;
            case Kind::part:
                node_->part(event.port);
                interrupt(event.port);
                break;
            case Kind::withdraw:
                node_->withdraw(event.port);
                break;
            case Kind::leave:
                node_->leave();
                break;
            case Kind::end:
                break;
            case Kind::tokens:
            case Kind::send:
            case Kind::give:
            case Kind::take:
                throw Refusal{place(at) + ": expected what reaches the node, found " +
                              text_of(event)};
        }
        return true;
    }
    void begin(const SiteEvent& event) {
        ++network_.replay.lives;
        begin_ = event.begun;
        *cursor_ = {.next = cursor_->next, .tokens = 0, .is_cut = false};
        node_.reset();
        program_.emplace(site_program(1, begin_->period, begin_->batch));
        node_ = std::make_unique<SiteNode>(*program_, begin_->ends, begin_->seed,
                                           static_cast<SiteWorld&>(*this));
        has_spoken_.assign(begin_->ends.size(), false);
        node_->start();
    }
    /// The message comes out of the channel, if it is there; those before it are lost.
    bool arrive(const SiteEvent& event) {
        if (!knows(event.port)) {
            ++network_.replay.unchecked;
            ++network_.replay.received;
            return true;
        }
        std::deque<Channel::Sent>& messages = from(event.port).messages;
        const auto found =
            std::find_if(messages.begin(), messages.end(), [&](const Channel::Sent& sent) {
                return sent.incarnation == event.incarnation && sent.ticket == event.ticket &&
                       sent.message == event.message;
            });
        if (found == messages.end()) return false;
        messages.erase(messages.begin(), found + 1);
        ++network_.replay.received;
        return true;
    }

    const SiteRecord& record_;
    Network& network_;
    std::unique_ptr<Cursor> cursor_;  ///< moves when the node asks, too
    std::shared_ptr<const SiteBegin> begin_;
    std::vector<bool> has_spoken_;  ///< by port
    std::optional<Program> program_;
    std::unique_ptr<SiteNode> node_;
};

void play_all(std::vector<std::unique_ptr<ReplayedSite>>& sites) {
    for (bool going = true; going;) {
        going = false;
        for (const auto& site : sites)
            going = site->play() || going;
    }
    // One that waits in vain makes others wait.
    for (const bool in_vain : {true, false})
        for (const auto& site : sites)
            if (!site->is_over() && (!in_vain || site->waits_in_vain()))
                throw Refusal{site->why_stuck()};
}

}  // namespace

Replay replay_fleet(const std::vector<SiteRecord>& records) {
    Network network;
    std::vector<std::unique_ptr<ReplayedSite>> sites;
    for (const SiteRecord& record : records) {
        if (record.events.empty()) continue;
        EQUIPOISE_ASSERT(record.events.front().kind == Kind::begin);
        network.records[record.events.front().begun->site] = &record;
        sites.push_back(std::make_unique<ReplayedSite>(record, network));
    }
    network.replay.sites = sites.size();
    try {
        play_all(sites);
    } catch (const Refusal& refusal) {
        network.replay.refusal = refusal.text;
    }
    return network.replay;
}

std::string replay_text(const Replay& replay, std::size_t sites) {
    const auto number = [](auto count) {
        return report::grouped(static_cast<std::int64_t>(count));
    };
    std::string text = "records of " + number(replay.sites) + " of " + number(sites) + " sites, " +
                       number(replay.lives) + " lives, " + number(replay.events) + " events\n" +
                       number(replay.sent) + " messages sent, " + number(replay.received) +
                       " received; " + number(replay.taken) + " tokens taken, " +
                       number(replay.given) + " given\n";
    if (replay.unchecked > 0)
        text += number(replay.unchecked) + " messages came from sites without a record\n";
    if (!replay.refusal.empty()) return text + "refused: " + replay.refusal + '\n';
    return text + "every site did what its program does\n";
}

}  // namespace equipoise::agent
