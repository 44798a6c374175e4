#pragma once
// What an agent decides, apart from servers and time: its node program, the links as channels, and
// how many jobs are held, owed and awaited.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/agent/link_book.hpp"
#include "equipoise/agent/link_messages.hpp"
#include "equipoise/agent/site_node.hpp"
#include "equipoise/agent/site_record.hpp"
#include "equipoise/agent/tickets.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::agent {

/// Microseconds of a clock that never goes back.
using Micros = std::uint64_t;

/// What a look at the site's own stream shows.
struct Stock {
    Tokens waiting = 0;   ///< jobs that nobody has taken yet
    Tokens returned = 0;  ///< at most this many were given back and not yet taken again
};

/// How an agent behaves.
struct CoreOptions {
    Tokens leave_at_least = 0;     ///< jobs that are never offered
    Tokens batch = 1000;           ///< at most this many are offered at a time
    unsigned capacity = 1;         ///< of each direction of a link, in messages
    model::Ticks period = 8;       ///< ticks between repeated packets, on average
    Micros tick_least = 2'000;     ///< while something happens
    Micros tick_most = 1'500'000;  ///< at most, after nothing has happened for long
    std::uint64_t seed = 0;        ///< a new one each time that an agent begins
    Recorder* recorder = nullptr;  ///< of the node's events, if they are recorded
};

/// What happened, since the agent began.
struct CoreCounts {
    std::uint64_t messages_sent = 0;
    std::uint64_t messages_received = 0;
    std::uint64_t malformed = 0;
    std::uint64_t turned_away = 0;  ///< messages without a valid ticket
    std::uint64_t excess = 0;       ///< jobs that were asked for beyond what was offered
    std::uint64_t withdrawn = 0;    ///< jobs that were owed when there were none
};

// Problem: run the program of a site for the jobs of a real queue, beside workers who take jobs
//   whenever they like, over a network that loses, repeats, delays and reorders messages.
// Source: Dinitz, Dolev, Kumar 2020, Section 5, Algorithm 5, over labelled links.
// Tokens of the program: jobs in the stream and held, but for `leave_at_least` and those owed to
//   neighbours, plus those that are on their way here.
// Offers: a message that offers jobs leaves only while all that is offered is held, so that no
//   worker can take it, and can be spared; until then it is lost, as channels may lose, and
//   repeated. If there are no longer so many jobs, the offer, of which no neighbour has heard, is
//   taken back. A neighbour gets no more than it was offered, whatever it answers.
// Channels: tickets admit at most `capacity` messages a direction, whatever the network holds.
// Silence: a neighbour that answers nothing for 5 s while jobs are offered to it, or does not deal
//   for 20 s, is parted from. So is one that is silent while the site asks it for leave.
// Guarantee: neighbours whose agents run finally differ by at most one job after arrivals stop.
class Core final : private SiteWorld {
  public:
    /// What the core asks for; called from within its functions.
    class Actions {
      public:
        virtual ~Actions() = default;
        Actions() = default;
        Actions(const Actions&) = delete;
        Actions& operator=(const Actions&) = delete;
        virtual void post(Port port, const std::string& text) = 0;
    };

    /// `ends`: of the links behind its ports. The actions and the recorder must outlive it.
    Core(const CoreOptions& options, const std::vector<model::LinkEnd>& ends, Actions& actions,
         Micros now);

    // ---- what happens
    /// A text came through a port.
    void come(Port port, std::string_view text, Micros now);
    /// The own stream was looked at; the look began at this time.
    void see(const Stock& stock, Micros begun, Micros now);
    /// Jobs were taken from the stream and are held.
    void hold(Tokens jobs, Micros now);
    /// Held jobs were given back to the stream.
    void give_back(Tokens jobs);
    /// Held jobs are no longer held: their stream was made anew, or the time to hold them is over.
    void lose(Tokens jobs);
    /// Jobs that were owed to a neighbour, and carried, are stored there, or stay here after all.
    void settle(Port port, Tokens jobs, Micros now);
    /// Time has passed.
    void pass(Micros now);
    /// The same while the site rests: offers that are open end, and none begins.
    void rest(Micros now);
    /// Puts the program into an arbitrary state, from which it recovers.
    void corrupt(RandomStream& random);
    /// The site shall be left.
    void leave(Micros now);

    /// What is known of the own stream.
    [[nodiscard]] const Stock& stock() const { return stock_; }

    // ---- what is to be done
    /// How long a tick is now.
    [[nodiscard]] Micros tick() const { return tick_; }
    /// When `pass` is due.
    [[nodiscard]] Micros due() const;
    /// How many more jobs must be held.
    [[nodiscard]] Tokens wanted() const;
    /// How many jobs are held for nothing now; `unpromised`: or for offers that no neighbour knows
    /// of yet.
    [[nodiscard]] Tokens surplus(bool unpromised) const;
    /// How many jobs that are held and owed may be carried through a port now; from then on they
    /// are no longer held.
    [[nodiscard]] Tokens carry(Port port, Tokens jobs_max);
    /// Forgets what is owed, and not carried yet, because there is nothing to give.
    void withdraw_owed();

    // ---- how it stands
    [[nodiscard]] Tokens backlog() const;  ///< jobs in the stream and held, but those owed
    [[nodiscard]] Tokens held() const { return held_; }
    [[nodiscard]] Tokens offered() const { return node_.offered(); }
    [[nodiscard]] Tokens owed() const;
    [[nodiscard]] Tokens carried() const { return carried_; }
    [[nodiscard]] Tokens incoming() const;
    /// The load that a neighbour told last; nothing if it is not heard from.
    [[nodiscard]] std::optional<Tokens> load_of(Port port) const;
    [[nodiscard]] bool is_alive(Port port) const;
    /// Whether the site and every neighbour that is heard from differ by at most one.
    [[nodiscard]] bool level() const;
    [[nodiscard]] bool left() const { return node_.ended(); }
    [[nodiscard]] const CoreCounts& counts() const { return counts_; }
    [[nodiscard]] Tokens taken() const { return taken_; }

  private:
    static constexpr Micros purse_patience = 100'000;
    static constexpr Micros ask_patience_most = Purse::growth_max * purse_patience;

    struct Link {
        Gate gate;
        Purse purse;
        LinkBook book;
        Tokens owed = 0;           ///< handed over by the program, not carried yet
        Tokens carried = 0;        ///< on their way to the neighbour
        Tokens offered = 0;        ///< after the last turn
        Tokens unanswered = 0;     ///< offered before the site parted from the neighbour
        bool promised = false;     ///< the neighbour may know of what is offered
        Micros offered_since = 0;  ///< 0: nothing is offered
        Micros parted = 0;         ///< when the neighbour was last parted from
        std::optional<Tokens> load;
        Micros told = 0;   ///< when tickets were last told apart from other messages
        Micros asked = 0;  ///< when the neighbour was last asked for its tickets
        Micros ask_patience = purse_patience;  ///< and after how long it is asked again
        bool due = false;       ///< counts have changed that the neighbour must learn
        bool lost = false;      ///< a message was lost for want of a ticket
        bool answered = false;  ///< something was sent since the last message was let in
    };

    static constexpr Micros never = ~Micros{0};
    static constexpr Micros silence_max = 5'000'000;
    static constexpr Micros offer_max = 20'000'000;
    static constexpr Micros alive_for = 40'000'000;
    static constexpr Micros withheld_max = 300'000;
    static constexpr Micros awake_for = 2'000'000;
    static constexpr Micros late_max = 100'000;

    // ---- the world of the node
    [[nodiscard]] Tokens tokens() const override;
    /// The same, for the core itself.
    [[nodiscard]] Tokens load() const;
    void record(const SiteEvent& event) const {
        if (options_.recorder != nullptr) options_.recorder->note(event);
    }
    void send(Port port, const Message& message) override;
    void hand_over(Port port, Tokens tokens) override;
    void take_over(Port port, Tokens tokens) override;

    /// Sends a message of the program, or the counts alone.
    void post(Port port, const Message* message);
    void post(Port port, const LinkMessage& message);
    /// Sends the tickets alone, which needs none; `asks`: and asks for the neighbour's.
    void tell_tickets(Port port, bool asks);
    [[nodiscard]] LinkMessage message_for(Port port) const;
    /// How long a tick may become now.
    [[nodiscard]] Micros tick_most() const;
    /// The node's time is over.
    void end_time();
    /// When it will be.
    [[nodiscard]] Micros turn_due() const;
    void after_turn();
    /// Something happened: neighbours shall hear soon.
    void wake();
    /// Jobs that must be held: promised to neighbours, or owed to them.
    [[nodiscard]] Tokens needed() const;
    void part_from_silent();
    /// Whether an offer of this amount through this port may leave.
    [[nodiscard]] bool covers(Port port, Tokens amount) const;
    /// Takes back offers that no neighbour knows of, since there are no longer jobs for them.
    void withdraw_offers();
    void watch_offers();

    CoreOptions options_;
    Program program_;
    Actions& actions_;
    Micros now_;
    std::vector<Link> links_;
    SiteNode node_;
    Stock stock_;
    Tokens held_ = 0;     ///< taken from the stream, not carried yet
    Tokens carried_ = 0;  ///< on their way to neighbours
    Tokens taken_ = 0;
    Micros tick_;
    Micros woken_ = 0;  ///< when something last happened
    Micros late_ = 0;   ///< how late the last turns came
    Micros turn_ = 0;   ///< when the node took its last turn
    Micros timed_ = 0;  ///< when its time was over last
    model::Ticks timed_patience_ = 0;
    Micros hurry_ = never;  ///< when its time is over in any case
    bool any_offered_ = false;
    Micros leaving_since_ = 0;   ///< 0: the site stays
    Micros withheld_since_ = 0;  ///< when an offer was first not sent for want of held jobs; or 0
    std::uint64_t incarnation_;
    CoreCounts counts_;
};

}  // namespace equipoise::agent
