#pragma once
// Deal links: an offer goes one way and its deal comes back, exactly once, over unreliable
// channels.

#include <bit>
#include <cstdint>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::programs {

/// The message of a proposer to a neighbour.
struct Offer {
    Tokens amount = 0;     ///< at most this many tokens; 0 only reports the load
    Tokens level = 0;      ///< TentativeLoad: what the proposer is left with if all are taken
    bool closing = false;  ///< asks for permission to leave instead: a deal of 1 agrees
    friend bool operator==(const Offer&, const Offer&) = default;
};

// Problem: both ends of a link learn the same deal of every offer, each exactly once.
// Model: asynchronous; a proposer repeats a packet until it is acknowledged. A link has four steps:
//   begin (a new offer, after the last one was acknowledged), stamp (the packet to send next),
//   collect (of a packet that came; true: deliver the offer, then keep its deal in the receiver)
//   and acknowledge (of an acknowledgement that came; done: the offer's deal is known).
//
// Every deal link has these types and members; a sender and a receiver of all zeros fit each other.
// `Offered` is what it carries: an `Offer`, or what has the same members and more.

/// What an acknowledgement leads to.
enum class Progress : std::uint8_t {
    none,
    more,  ///< another packet is needed
    done,  ///< the deal is known
};

/// A deal link over channels that lose, duplicate and reorder packets and hold any number of them:
/// offers are numbered.
///
/// Source: errata of Dinitz, Dolev, Kumar 2020, Algorithm 5.
/// Guarantee: exactly once from a clean start. Not self-stabilising: unbounded channels may hold
///   any number of forged packets.
/// Cost: a number at each end, and the deal.
template <class Offered>
class SequenceLinkOf {
  public:
    struct Stamp {
        std::uint64_t number;
        [[nodiscard]] unsigned bits() const {
            return static_cast<unsigned>(std::bit_width(number));
        }
        bool operator==(const Stamp&) const = default;
    };
    struct Sender {
        Offered offer;
        Tokens deal = 0;
        std::uint64_t number = 0;
        bool open = false;  ///< an offer is not yet acknowledged
    };
    struct Receiver {
        Tokens deal = 0;  ///< of the last delivered offer
        std::uint64_t number = 0;
    };

    /// How many packets of an offer must get through in each direction.
    [[nodiscard]] static unsigned packets() { return 1; }
    static void begin(Sender& sender, const Offered& offer) {
        EQUIPOISE_ASSERT(!sender.open);
        sender.offer = offer;
        ++sender.number;
        sender.open = true;
    }
    [[nodiscard]] static Stamp stamp(const Sender& sender, const RandomStream& /*random*/) {
        return {sender.number};
    }
    [[nodiscard]] static bool collect(Receiver& receiver, const Stamp& stamp,
                                      const Offered& /*offer*/) {
        if (stamp.number != receiver.number + 1) return false;
        ++receiver.number;
        return true;
    }
    /// Whether a packet with this stamp is answered.
    [[nodiscard]] static bool answers(const Receiver& receiver, const Stamp& stamp) {
        return stamp.number == receiver.number;
    }
    [[nodiscard]] static Progress acknowledge(Sender& sender, const Stamp& stamp, Tokens deal) {
        if (!sender.open || stamp.number != sender.number) return Progress::none;
        sender.deal = deal;
        sender.open = false;
        return Progress::done;
    }
};

/// A deal link over channels that lose, duplicate and reorder packets and hold at most `capacity` =
/// k of them in each direction: packets <offer, bit, label>, labels 0 to k.
///
/// Source: Dinitz, Dolev, Kumar 2020, Section 5, repaired: the printed link counts 2k + 1
///   acknowledgements without labels, and a duplicated one counts twice.
/// Guarantee: exactly once from a clean start; from any state of both ends and of the channels,
///   exactly once after the second acknowledgement, for every k (proof:
///   docs/algorithms/self-stabilising.md). On first-in-first-out channels without duplication it is
///   exact at any capacity.
/// How: the receiver delivers an offer with a new bit when it has k + 1 labels of it and has met no
///   packet of the last bit among them: one of them was not in the channel when the offer began. It
///   answers only packets of the last delivered bit, with their label and the deal; the sender goes
///   on when it has k + 1 labels of one deal.
template <class Offered>
class LabelledLinkOf {
  public:
    static constexpr unsigned capacity_max = 62;

    struct Stamp {
        std::uint8_t label;
        bool bit;
        [[nodiscard]] unsigned bits() const {
            return 1 + static_cast<unsigned>(std::bit_width(label));
        }
        bool operator==(const Stamp&) const = default;
    };
    struct Sender {
        Offered offer;
        Tokens deal = 0;                 ///< as the acknowledgements under way say
        std::uint64_t acknowledged = 0;  ///< set of their labels
        bool bit = false;                ///< of the last offer
        bool open = false;               ///< an offer is not yet acknowledged
    };
    struct Receiver {
        Offered offer;                ///< under way
        Tokens deal = 0;              ///< of the last delivered offer
        std::uint64_t collected = 0;  ///< set of labels of the offer under way
        bool last = false;            ///< bit of the last delivered offer
    };

    explicit LabelledLinkOf(unsigned capacity) : capacity_(capacity) {
        EQUIPOISE_ASSERT(capacity <= capacity_max);
    }

    [[nodiscard]] unsigned packets() const { return capacity_ + 1; }
    static void begin(Sender& sender, const Offered& offer) {
        EQUIPOISE_ASSERT(!sender.open);
        sender.offer = offer;
        sender.bit = !sender.bit;
        sender.acknowledged = 0;
        sender.open = true;
    }
    /// Takes back an offer of which no packet was sent.
    static void withdraw(Sender& sender) {
        EQUIPOISE_ASSERT(sender.open);
        sender.bit = !sender.bit;
        sender.open = false;
    }
    /// A random label: with a fixed order full channels might always drop the same label. All
    /// labels are drawn, as packets already in the channel may have acknowledged some of them.
    [[nodiscard]] Stamp stamp(const Sender& sender, RandomStream random) const {
        return {arbitrary_label(random), sender.bit};
    }
    [[nodiscard]] bool collect(Receiver& receiver, const Stamp& stamp, const Offered& offer) const {
        if (stamp.label > capacity_) return false;
        if (stamp.bit == receiver.last) {
            receiver.collected = 0;  // if they were of an offer under way, this packet would be old
            return false;
        }
        if (offer != receiver.offer) receiver.collected = 0;
        receiver.offer = offer;
        receiver.collected = with(receiver.collected, stamp.label);
        if (receiver.collected != labels()) return false;
        receiver.last = stamp.bit;
        receiver.collected = 0;
        return true;
    }
    [[nodiscard]] bool answers(const Receiver& receiver, const Stamp& stamp) const {
        return stamp.bit == receiver.last && stamp.label <= capacity_;
    }
    [[nodiscard]] Progress acknowledge(Sender& sender, const Stamp& stamp, Tokens deal) const {
        if (!sender.open || stamp.bit != sender.bit || stamp.label > capacity_)
            return Progress::none;
        if (deal != sender.deal) sender.acknowledged = 0;
        sender.deal = deal;
        const std::uint64_t before = sender.acknowledged;
        sender.acknowledged = with(sender.acknowledged, stamp.label);
        if (sender.acknowledged != labels())
            return sender.acknowledged == before ? Progress::none : Progress::more;
        sender.open = false;
        return Progress::done;
    }

    // ---- arbitrary states, for transient faults: every bit of every set and label
    void corrupt(RandomStream& random, Sender& sender, const Offered& offer, Tokens deal) const {
        sender = {offer, deal, arbitrary_set(random), random.coin(), random.coin()};
    }
    void corrupt(RandomStream& random, Receiver& receiver, const Offered& offer,
                 Tokens deal) const {
        receiver = {offer, deal, arbitrary_set(random), random.coin()};
    }
    [[nodiscard]] Stamp arbitrary_stamp(RandomStream& random) const {
        const bool any = random.below(4) == 0;
        const auto label = any ? static_cast<std::uint8_t>(random()) : arbitrary_label(random);
        return {label, random.coin()};
    }

  private:
    [[nodiscard]] std::uint64_t labels() const { return (std::uint64_t{1} << (capacity_ + 1)) - 1; }
    /// Adds a label to a set. A set that is already complete, or has bits that stand for no label,
    /// can only come from an arbitrary start: it counts as empty.
    [[nodiscard]] std::uint64_t with(std::uint64_t set, std::uint8_t label) const {
        return (set < labels() ? set : 0) | std::uint64_t{1} << label;
    }
    [[nodiscard]] std::uint8_t arbitrary_label(RandomStream& random) const {
        return static_cast<std::uint8_t>(random.below(capacity_ + 1));
    }
    /// Half of what it draws are sets of labels, which are harder to tell from genuine ones.
    [[nodiscard]] std::uint64_t arbitrary_set(RandomStream& random) const {
        return random() & (random.coin() ? labels() : ~std::uint64_t{0});
    }

    unsigned capacity_;
};

using SequenceLink = SequenceLinkOf<Offer>;
using LabelledLink = LabelledLinkOf<Offer>;

}  // namespace equipoise::programs
