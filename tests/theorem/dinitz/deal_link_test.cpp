// Dinitz, Dolev, Kumar 2020, Section 5: the labelled deal link, repaired, and the printed data
// link, over everything that a channel of capacity k can do.

#include "equipoise/programs/deal_link.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <ios>
#include <unordered_set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/printed_link.hpp"

namespace equipoise::programs {
namespace {

/// What channels do besides losing packets.
struct Channels {
    std::size_t capacity = 1;
    bool reorders = false;
    bool duplicates = false;
};

/// The most that went wrong on any one path through the configurations.
struct Worst {
    std::uint64_t phantoms = 0;    ///< offers taken that were not open, or were taken before
    std::uint64_t omissions = 0;   ///< offers acknowledged that were not taken
    std::uint64_t violations = 0;  ///< both
    std::uint64_t books = 0;       ///< offers on which both ends booked different sums
    std::uint64_t late = 0;        ///< any of these after the second acknowledgement
    std::uint64_t offers = 0;      ///< acknowledged, in all
    std::size_t configurations = 0;
};

[[nodiscard]] std::vector<LabelledLink::Stamp> stamps(const LabelledLink& link,
                                                      const LabelledLink::Sender& sender) {
    std::vector<LabelledLink::Stamp> all;
    for (unsigned label = 0; label < link.packets(); ++label)
        all.push_back({static_cast<std::uint8_t>(label), sender.bit});
    return all;
}
[[nodiscard]] std::vector<test::PrintedLink::Stamp> stamps(
    const test::PrintedLink& /*link*/, const test::PrintedLink::Sender& sender) {
    return {{sender.bit}};
}

/// Writes fields of a few bits each into one word.
class Packing {
  public:
    void add(std::uint64_t field, unsigned bits) {
        ASSERT_LT(field, std::uint64_t{1} << bits);
        word_ = (word_ << bits) | field;
        bits_ += bits;
        ASSERT_LE(bits_, 64U);
    }
    [[nodiscard]] std::uint64_t word() const { return word_; }

  private:
    std::uint64_t word_ = 0;
    unsigned bits_ = 0;
};
void pack(const LabelledLink::Sender& sender, Packing& packing) {
    packing.add(sender.open ? 1 : 0, 1);
    packing.add(sender.bit ? 1 : 0, 1);
    packing.add(static_cast<std::uint64_t>(sender.offer.amount), 1);
    packing.add(static_cast<std::uint64_t>(sender.deal), 1);
    packing.add(sender.acknowledged, 3);
}
void pack(const LabelledLink::Receiver& receiver, Packing& packing) {
    packing.add(receiver.last ? 1 : 0, 1);
    packing.add(static_cast<std::uint64_t>(receiver.offer.amount), 1);
    packing.add(static_cast<std::uint64_t>(receiver.deal), 1);
    packing.add(receiver.collected, 3);
}
void pack(const LabelledLink::Stamp& stamp, Packing& packing) {
    packing.add(stamp.bit ? 1 : 0, 1);
    packing.add(stamp.label, 2);
}
void pack(const test::PrintedLink::Sender& sender, Packing& packing) {
    packing.add(sender.open ? 1 : 0, 1);
    packing.add(sender.bit ? 1 : 0, 1);
    packing.add(static_cast<std::uint64_t>(sender.offer.amount), 1);
    packing.add(static_cast<std::uint64_t>(sender.deal), 1);
    packing.add(sender.acknowledgements, 3);
}
void pack(const test::PrintedLink::Receiver& receiver, Packing& packing) {
    packing.add(static_cast<std::uint64_t>(receiver.offer.amount), 1);
    packing.add(static_cast<std::uint64_t>(receiver.deal), 1);
    packing.add(receiver.ahead, 2);
    packing.add(receiver.fresh ? 1 : 0, 1);
}
void pack(const test::PrintedLink::Stamp& stamp, Packing& packing) {
    packing.add(stamp.bit ? 1 : 0, 1);
}

/// One direction of a link, with offers of 0 or 1 tokens that are taken whole, and everything that
/// can happen to it.
template <class Link>
class LinkWorlds {
  public:
    using Stamp = typename Link::Stamp;
    struct Packet {
        Stamp stamp = {};
        Tokens amount = 0;
    };
    struct World {
        typename Link::Sender sender;
        typename Link::Receiver receiver;
        std::vector<Packet> forth;  ///< offers, the one sent first in front
        std::vector<Packet> back;   ///< deals
        bool taken = false;         ///< the open offer
        Tokens in_doubt = 0;
        std::uint64_t offers = 0;  ///< acknowledged, up to `clean_after`
        std::uint64_t phantoms = 0;
        std::uint64_t omissions = 0;
        std::uint64_t books = 0;
    };

    static constexpr std::uint64_t books_max = 7;
    static constexpr std::uint64_t clean_after = 2;

    LinkWorlds(const Link& link, Channels channels) : link_(link), channels_(channels) {}

    /// Adds a configuration to begin from.
    void begin_from(World world) { enter(std::move(world)); }
    /// Takes a number of random steps from a configuration, each time one of all that can happen.
    void walk(World world, RandomStream& random, std::uint64_t steps) {
        walks_ = true;
        for (; steps > 0; --steps) {
            follow(world);
            world = std::move(open_[static_cast<std::size_t>(random.below(open_.size()))]);
            open_.clear();
        }
    }
    [[nodiscard]] const Worst& worst() const { return worst_; }
    /// Visits everything reachable, unless both ends have booked `books_max` offers differently on
    /// one path: there would be no end to it.
    Worst explore() {
        while (!open_.empty() && worst_.books < books_max) {
            const World world = std::move(open_.back());
            open_.pop_back();
            follow(world);
        }
        worst_.configurations = seen_.size();
        return worst_;
    }

  private:
    void enter(World world) {
        world.offers = std::min<std::uint64_t>(world.offers, clean_after);
        world.phantoms = std::min<std::uint64_t>(world.phantoms, 7);
        world.omissions = std::min<std::uint64_t>(world.omissions, 7);
        worst_.violations = std::max(worst_.violations, world.phantoms + world.omissions);
        worst_.phantoms = std::max(worst_.phantoms, world.phantoms);
        worst_.omissions = std::max(worst_.omissions, world.omissions);
        worst_.books = std::max(worst_.books, world.books);
        if (walks_ || seen_.insert(packed(world)).second) open_.push_back(std::move(world));
    }

    [[nodiscard]] static std::uint64_t packed(const World& world) {
        Packing packing;
        pack(world.sender, packing);
        pack(world.receiver, packing);
        for (const auto* channel : {&world.forth, &world.back}) {
            packing.add(channel->size(), 2);
            for (const Packet& packet : *channel) {
                pack(packet.stamp, packing);
                packing.add(static_cast<std::uint64_t>(packet.amount), 1);
            }
        }
        packing.add(world.taken ? 1 : 0, 1);
        packing.add(static_cast<std::uint64_t>(world.in_doubt), 4);
        packing.add(world.offers, 3);
        packing.add(world.phantoms, 3);
        packing.add(world.omissions, 3);
        packing.add(world.books, 3);
        return packing.word();
    }

    void follow(const World& world) {
        if (!world.sender.open)
            for (const Tokens amount : {0, 1}) {
                World next = world;
                Link::begin(next.sender, {amount, 0, false});
                enter(std::move(next));
            }
        else if (world.forth.size() < channels_.capacity)
            for (const Stamp& stamp : stamps(link_, world.sender)) {
                World next = world;
                next.forth.push_back({stamp, world.sender.offer.amount});
                enter(std::move(next));
            }
        pass(world, world.forth, &World::forth,
             [this](World& next, const Packet& packet) { arrive(next, packet); });
        pass(world, world.back, &World::back,
             [this](World& next, const Packet& packet) { answer(next, packet); });
    }
    /// A packet is lost or arrives, and may stay in the channel when it arrives.
    template <class Arrive>
    void pass(const World& world, const std::vector<Packet>& channel,
              std::vector<Packet> World::*queue, Arrive arrive) {
        for (std::size_t i = 0; i < channel.size(); ++i) {
            const auto at = static_cast<std::ptrdiff_t>(i);
            World lost = world;
            (lost.*queue).erase((lost.*queue).begin() + at);
            if (i == 0 || channels_.reorders) {
                World arrived = lost;
                arrive(arrived, channel[i]);
                enter(std::move(arrived));
                if (channels_.duplicates) {
                    World doubled = world;
                    arrive(doubled, channel[i]);
                    enter(std::move(doubled));
                }
            }
            enter(std::move(lost));
        }
    }
    void arrive(World& world, const Packet& packet) {
        const Offer offer{packet.amount, 0, false};
        if (link_.collect(world.receiver, packet.stamp, offer)) {
            world.receiver.deal = offer.amount;
            world.in_doubt = std::min<Tokens>(world.in_doubt + offer.amount, 15);
            const bool right = world.sender.open && !world.taken && offer == world.sender.offer;
            if (right)
                world.taken = true;
            else
                note_phantom(world);
        }
        if (link_.answers(world.receiver, packet.stamp) && world.back.size() < channels_.capacity)
            world.back.push_back({packet.stamp, world.receiver.deal});
    }
    void note_phantom(World& world) {
        ++world.phantoms;
        if (world.offers == clean_after) ++worst_.late;
    }
    void answer(World& world, const Packet& packet) {
        if (link_.acknowledge(world.sender, packet.stamp, packet.amount) != Progress::done) return;
        if (!world.taken) ++world.omissions;
        if (world.in_doubt != world.sender.deal) ++world.books;
        if (world.offers == clean_after && (!world.taken || world.in_doubt != world.sender.deal))
            ++worst_.late;
        world.taken = false;
        world.in_doubt = 0;
        ++world.offers;
        ++worst_.offers;
    }

    Link link_;
    Channels channels_;
    Worst worst_;
    std::unordered_set<std::uint64_t> seen_;
    std::vector<World> open_;
    bool walks_ = false;  ///< and may visit a configuration again
};

template <class Link>
Worst from_a_clean_start(const Channels& channels) {
    LinkWorlds<Link> worlds(Link(static_cast<unsigned>(channels.capacity)), channels);
    worlds.begin_from({});
    return worlds.explore();
}

/// From every state of both ends and of two channels of capacity 1.
template <class Link>
Worst from_any_state(bool duplicates, const std::vector<typename Link::Sender>& senders,
                     const std::vector<typename Link::Receiver>& receivers,
                     const std::vector<typename Link::Stamp>& stamps) {
    using Worlds = LinkWorlds<Link>;
    std::vector<std::vector<typename Worlds::Packet>> contents(1);
    for (const auto& stamp : stamps)
        for (const Tokens amount : {0, 1})
            contents.push_back({{stamp, amount}});
    Worlds worlds(Link(1), {1, false, duplicates});
    for (const auto& sender : senders)
        for (const auto& receiver : receivers)
            for (const auto& forth : contents)
                for (const auto& back : contents) {
                    typename Worlds::World world;
                    world.sender = sender;
                    world.receiver = receiver;
                    world.forth = forth;
                    world.back = back;
                    worlds.begin_from(std::move(world));
                }
    return worlds.explore();
}

Worst labelled_from_any_state() {
    std::vector<LabelledLink::Sender> senders;
    std::vector<LabelledLink::Receiver> receivers;
    for (const Tokens amount : {0, 1})
        for (const Tokens deal : {0, 1})
            for (const std::uint64_t labels : {0U, 1U, 2U})
                for (const bool bit : {false, true}) {
                    for (const bool open : {false, true})
                        senders.push_back({{amount, 0, false}, deal, labels, bit, open});
                    receivers.push_back({{amount, 0, false}, deal, labels, bit});
                }
    return from_any_state<LabelledLink>(true, senders, receivers,
                                        {{0, false}, {0, true}, {1, false}, {1, true}});
}

Worst printed_from_any_state(bool duplicates) {
    std::vector<test::PrintedLink::Sender> senders;
    std::vector<test::PrintedLink::Receiver> receivers;
    for (const Tokens amount : {0, 1})
        for (const Tokens deal : {0, 1})
            for (const bool bit : {false, true}) {
                for (std::uint8_t acknowledgements = 0; acknowledgements <= 2; ++acknowledgements)
                    for (const bool open : {false, true})
                        senders.push_back({{amount, 0, false}, deal, acknowledgements, bit, open});
                for (std::uint8_t ahead = 0; ahead <= 1; ++ahead)
                    receivers.push_back({{amount, 0, false}, deal, ahead, false, bit});
            }
    return from_any_state<test::PrintedLink>(duplicates, senders, receivers, {{false}, {true}});
}

void expect_exactly_once(std::size_t capacity) {
    const Worst worst = from_a_clean_start<LabelledLink>({capacity, true, true});
    EXPECT_EQ(worst.violations, 0U);
    EXPECT_EQ(worst.books, 0U);
    EXPECT_GT(worst.configurations, 500U);
}
TEST(LabelledLink, IsExactlyOnceFromACleanStartWhateverAChannelOfCapacityOneDoes) {
    expect_exactly_once(1);
}
TEST(LabelledLinkLong, IsExactlyOnceFromACleanStartWhateverAChannelOfCapacityTwoDoes) {
    expect_exactly_once(2);
}

TEST(LabelledLink, GoesWrongThreeTimesAtMostFromAnyStateAndNeverAfterTheSecondAcknowledgement) {
    const Worst worst = labelled_from_any_state();
    EXPECT_EQ(worst.violations, 3U);
    EXPECT_EQ(worst.books, 2U);
    EXPECT_EQ(worst.late, 0U);
}

/// One direction of a link whose channels keep their order, lose nothing and begin empty, with
/// offers of 0 to 3 tokens, taken whole.
class OrderlyLink {
  public:
    OrderlyLink(const LabelledLink& link, const LabelledLink::Sender& sender,
                const LabelledLink::Receiver& receiver)
        : link_(link), sender_(sender), receiver_(receiver) {}

    /// Lets the sender go on until its offer is acknowledged; returns whether 199 packets were
    /// enough.
    bool acknowledge() {
        for (unsigned packet = 0; sender_.open && packet < 199; ++packet)
            pass({static_cast<std::uint8_t>(packet % link_.packets()), sender_.bit});
        return !sender_.open;
    }
    /// Whether a new offer is taken once and acknowledged with what was taken.
    bool deals(Tokens amount) {
        link_.begin(sender_, {amount, 0, false});
        delivered_ = 0;
        return acknowledge() && delivered_ == 1 && sender_.deal == amount;
    }
    [[nodiscard]] bool open() const { return sender_.open; }

  private:
    void pass(const LabelledLink::Stamp& stamp) {
        if (link_.collect(receiver_, stamp, sender_.offer)) {
            receiver_.deal = sender_.offer.amount;
            ++delivered_;
        }
        if (link_.answers(receiver_, stamp))
            static_cast<void>(link_.acknowledge(sender_, stamp, receiver_.deal));
    }

    LabelledLink link_;
    LabelledLink::Sender sender_;
    LabelledLink::Receiver receiver_;
    int delivered_ = 0;
};

void expect_heals(const LabelledLink& link, const LabelledLink::Sender& sender,
                  const LabelledLink::Receiver& receiver) {
    OrderlyLink orderly(link, sender, receiver);
    ASSERT_TRUE(orderly.acknowledge())
        << std::hex << "sets " << sender.acknowledged << " and " << receiver.collected;
    for (const Tokens amount : {1, 1, 0, 2}) {
        const bool exact = orderly.deals(amount);
        ASSERT_FALSE(orderly.open())
            << std::hex << "sets " << sender.acknowledged << " and " << receiver.collected;
        if (amount != 1) {
            ASSERT_TRUE(exact);
        }
    }
}

/// Every pattern of the low byte, alone and below bits that stand for no label.
TEST(LabelledLink, RecoversFromEveryBitPatternOfItsSetsOfLabels) {
    std::vector<std::uint64_t> sets;
    for (std::uint64_t low = 0; low < 256; ++low)
        for (const std::uint64_t high : {0U, 1U << 8U, 1U << 31U})
            sets.push_back(low | high);
    for (unsigned bit = 0; bit < 64; ++bit)
        sets.push_back(std::uint64_t{1} << bit);
    sets.push_back(~std::uint64_t{0});
    RandomStream random(1, Purpose::sampling);
    for (const unsigned capacity : {1U, 2U, 3U, 7U, LabelledLink::capacity_max})
        for (const std::uint64_t set : sets)
            for (unsigned flags = 0; flags < 8; ++flags) {
                const std::uint64_t other = random.coin() ? set : random();
                const bool bit = (flags & 1U) != 0;
                const bool last = (flags & 2U) != 0;
                expect_heals(LabelledLink(capacity), {{1, 0, false}, 1, set, bit, flags >= 4},
                             {{1, 0, false}, 1, other, last});
                expect_heals(LabelledLink(capacity), {{1, 0, false}, 1, other, bit, flags >= 4},
                             {{1, 0, false}, 1, set, last});
            }
}

/// A configuration in which every bit is random, except that channels hold at most `capacity`
/// packets.
LinkWorlds<LabelledLink>::World random_world(const LabelledLink& link, std::size_t capacity,
                                             RandomStream& random) {
    const auto coin = [&] { return static_cast<Tokens>(random.below(2)); };
    LinkWorlds<LabelledLink>::World world;
    link.corrupt(random, world.sender, {coin(), 0, false}, coin());
    link.corrupt(random, world.receiver, {coin(), 0, false}, coin());
    for (auto* channel : {&world.forth, &world.back})
        for (auto count = random.below(capacity + 1); count > 0; --count)
            channel->push_back({link.arbitrary_stamp(random), coin()});
    return world;
}
void walk_randomly(std::uint64_t from, std::uint64_t to) {
    std::uint64_t clean = 0;  // walks that went on after the second acknowledgement
    for (std::uint64_t seed = from; seed < to; ++seed) {
        RandomStream random(seed, Purpose::sampling);
        const auto capacity = static_cast<std::size_t>(1 + seed % 3);
        const LabelledLink link(static_cast<unsigned>(capacity));
        LinkWorlds<LabelledLink> worlds(link, {capacity, true, true});
        worlds.walk(random_world(link, capacity, random), random, 600);
        ASSERT_EQ(worlds.worst().late, 0U) << "seed " << seed;
        ASSERT_LE(worlds.worst().books, 2U) << "seed " << seed;
        clean += worlds.worst().offers > 2 ? 1 : 0;
    }
    EXPECT_GT(2 * clean, to - from);
}
TEST(LabelledLink, IsExactAfterTheSecondAcknowledgementAtAnyCapacityWhateverChannelsDo) {
    walk_randomly(0, 60);
}
TEST(LabelledLinkLong, IsExactAfterTheSecondAcknowledgementAtAnyCapacityWhateverChannelsDo) {
    walk_randomly(60, 20'000);
}

/// Capacity 2. A packet of every offer waits in the channel until the next offer is nearly
/// acknowledged, and completes two labels of its own that the receiver collected before. If these
/// were kept, every offer would be taken one offer late for ever, and its deal booked two late.
TEST(LabelledLink, DoesNotCompleteAnOfferWithLabelsFromBeforeItAnsweredTheNextOne) {
    constexpr std::array<std::uint8_t, 3> first_labels = {0, 1, 2};
    constexpr std::array<std::uint8_t, 6> all_labels = {0, 1, 2, 0, 1, 2};
    const LabelledLink link(2);
    LabelledLink::Sender sender;
    LabelledLink::Receiver receiver;
    receiver.offer = {1, 0, false};  // labels 0 and 1 of an offer before the first
    receiver.collected = 3;
    receiver.last = true;
    Offer late{1, 0, false};  // label 2 of which is in the channel
    std::uint64_t wrong = 0;
    for (Tokens amount = 1; amount <= 20; ++amount) {
        const Offer offer{amount, 0, false};
        LabelledLink::begin(sender, offer);
        const bool bit = sender.bit;
        std::vector<std::pair<std::uint8_t, Tokens>> back;
        Tokens taken = 0;
        const auto send = [&](std::uint8_t label, bool of, const Offer& what) {
            const LabelledLink::Stamp stamp{label, of};
            if (link.collect(receiver, stamp, what)) taken += receiver.deal = what.amount;
            if (of == bit && link.answers(receiver, stamp)) back.emplace_back(label, receiver.deal);
        };
        for (const std::uint8_t label : first_labels)
            send(label, bit, offer);
        send(2, !bit, late);
        for (const std::uint8_t label : all_labels)
            if (label != 2 || receiver.last == bit) send(label, bit, offer);
        for (const auto& [label, deal] : back)
            static_cast<void>(link.acknowledge(sender, {label, bit}, deal));
        ASSERT_FALSE(sender.open);
        if (taken != amount || sender.deal != amount) ++wrong;
        late = offer;
    }
    EXPECT_LE(wrong, 2U);
}

TEST(PrintedLink, IsExactlyOnceFromACleanStartOnOrderlyChannelsOnly) {
    for (const std::size_t capacity : {1U, 2U})
        EXPECT_EQ(from_a_clean_start<test::PrintedLink>({capacity, false, false}).violations, 0U);
    using Worlds = LinkWorlds<test::PrintedLink>;
    EXPECT_EQ(from_a_clean_start<test::PrintedLink>({1, false, true}).books, Worlds::books_max);
    EXPECT_EQ(from_a_clean_start<test::PrintedLink>({2, true, false}).books, Worlds::books_max);
}

TEST(PrintedLink, AllowsOnePhantomAndOneOmissionFromAnyStateAndAnyNumberWithDuplication) {
    const Worst orderly = printed_from_any_state(false);
    EXPECT_EQ(orderly.phantoms, 1U);
    EXPECT_EQ(orderly.omissions, 1U);
    EXPECT_EQ(orderly.violations, 2U);
    EXPECT_EQ(orderly.late, 0U);
    EXPECT_EQ(printed_from_any_state(true).books, LinkWorlds<test::PrintedLink>::books_max);
}

}  // namespace
}  // namespace equipoise::programs
