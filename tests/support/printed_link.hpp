#pragma once
// The data link as the paper prints it, to show where it fails.

#include <cstdint>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/programs/deal_link.hpp"

namespace equipoise::test {

/// Dinitz, Dolev, Kumar 2020, Section 5: an offer is sent as <offer, 0> until 2k + 1
/// acknowledgements have come, which carry no label, and then as <offer, 1> until as many have
/// come. The receiver delivers when a packet with bit 1 follows the same offer with bit 0, and then
/// ignores the next k packets. Has the members of `programs::LabelledLink`; acknowledgements carry
/// the deal.
class PrintedLink {
  public:
    struct Stamp {
        bool bit;
        [[nodiscard]] static unsigned bits() { return 1; }
    };
    struct Sender {
        programs::Offer offer;
        Tokens deal = 0;
        std::uint8_t acknowledgements = 0;
        bool bit = false;
        bool open = false;
    };
    struct Receiver {
        programs::Offer offer;  ///< of the last packet
        Tokens deal = 0;
        std::uint8_t ahead = 0;  ///< packets still to pass over
        bool silent = false;     ///< the last packet was passed over
        bool fresh = false;      ///< the last packet's bit was 0 and may be followed by a delivery
    };

    explicit PrintedLink(unsigned capacity) : capacity_(capacity) {}

    [[nodiscard]] unsigned packets() const { return 2 * (2 * capacity_ + 1); }
    static void begin(Sender& sender, const programs::Offer& offer) {
        EQUIPOISE_ASSERT(!sender.open);
        sender = {offer, 0, 0, false, true};
    }
    [[nodiscard]] static Stamp stamp(const Sender& sender, const RandomStream& /*random*/) {
        return {sender.bit};
    }
    [[nodiscard]] bool collect(Receiver& receiver, const Stamp& stamp,
                               const programs::Offer& offer) const {
        receiver.silent = receiver.ahead > 0;
        if (receiver.silent) {
            --receiver.ahead;
            return false;
        }
        const bool delivers = stamp.bit && receiver.fresh && offer == receiver.offer;
        receiver.offer = offer;
        receiver.fresh = !stamp.bit;
        if (delivers) receiver.ahead = static_cast<std::uint8_t>(capacity_);
        return delivers;
    }
    [[nodiscard]] static bool answers(const Receiver& receiver, const Stamp& /*stamp*/) {
        return !receiver.silent;
    }
    [[nodiscard]] programs::Progress acknowledge(Sender& sender, const Stamp& /*stamp*/,
                                                 Tokens deal) const {
        using programs::Progress;
        if (!sender.open) return Progress::none;
        sender.deal = deal;
        if (++sender.acknowledgements < 2 * capacity_ + 1) return Progress::more;
        sender.acknowledgements = 0;
        sender.open = !sender.bit;
        sender.bit = true;
        return sender.open ? Progress::more : Progress::done;
    }

    // ---- arbitrary states, for transient faults
    void corrupt(RandomStream& random, Sender& sender, const programs::Offer& offer,
                 Tokens deal) const {
        sender = {offer, deal, static_cast<std::uint8_t>(random.below(2 * capacity_ + 1)),
                  random.coin(), random.coin()};
    }
    void corrupt(RandomStream& random, Receiver& receiver, const programs::Offer& offer,
                 Tokens deal) const {
        receiver = {offer, deal, static_cast<std::uint8_t>(random.below(capacity_ + 1)), false,
                    random.coin()};
    }
    [[nodiscard]] static Stamp arbitrary_stamp(RandomStream& random) { return {random.coin()}; }

  private:
    unsigned capacity_;
};

}  // namespace equipoise::test
