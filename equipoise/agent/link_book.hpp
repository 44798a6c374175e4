#pragma once
// What crosses a link as this end has booked it, and what of it is still on its way.

#include <algorithm>
#include <cstdint>

#include "equipoise/agent/link_messages.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::agent {

// Problem: a node owns what it was dealt from the moment that its program takes it over, but the
//   jobs follow later, and either agent may forget everything in between.
// How: each end counts since its agent began; every admitted message of the neighbour tells its
//   counts. What was taken over here and is not settled there is on its way. Counts that stay
//   apart, because one end forgot a deal, are set to the giver's, who alone has the jobs.

/// One end of a link. Times are in microseconds.
class LinkBook {
  public:
    /// Counts that differ for so long, and through so many messages, differ for good.
    static constexpr std::uint64_t patience = 5'000'000;
    static constexpr unsigned messages_least = 4;
    /// A neighbour that is silent for longer than this sends nothing any more.
    static constexpr std::uint64_t silence_max = 10'000'000;

    /// No more jobs than this are believed to be on their way: a batch is never larger.
    static constexpr Tokens incoming_max = 100'000;

    // ---- given
    [[nodiscard]] const Crossed& crossed() const { return mine_; }
    void give(Tokens tokens) { mine_.given += tokens; }
    void settle(Tokens tokens) { mine_.settled = std::min(mine_.settled + tokens, mine_.given); }

    // ---- taken
    void take(Tokens tokens) { taken_ = std::min(taken_ + tokens, counted_max); }
    /// What the neighbour says in an admitted message.
    void hear(std::uint64_t incarnation, const Crossed& theirs, std::uint64_t now) {
        if (incarnation != incarnation_) {
            incarnation_ = incarnation;
            theirs_ = theirs;
            taken_ = theirs.given;
            seen_ = theirs.settled;
            settled_ = theirs.settled;
        }
        theirs_.given = std::max(theirs_.given, theirs.given);
        if (theirs.settled > theirs_.settled && settled_ <= seen_) {
            settled_ = theirs.settled;
            settled_at_ = now;
        }
        theirs_.settled = std::max(theirs_.settled, theirs.settled);
        heard_ = now;
        mend(now);
    }
    /// The own stream was looked at, which began at this time: jobs that were settled before count
    /// as jobs of the stream from now on.
    void see(std::uint64_t begun, std::uint64_t now) {
        if (settled_at_ <= begun) seen_ = std::max(seen_, settled_);
        if (settled_at_ <= begun && theirs_.settled > seen_) {
            settled_ = theirs_.settled;
            settled_at_ = now;
        }
    }
    /// How many jobs are still to come, at this time.
    [[nodiscard]] Tokens incoming(std::uint64_t now) const {
        if (now > heard_ + silence_max) return 0;
        return std::clamp<Tokens>(taken_ - seen_, 0, incoming_max);
    }
    [[nodiscard]] std::uint64_t heard() const { return heard_; }
    /// How many jobs were expected although the neighbour never gave them.
    [[nodiscard]] Tokens forgotten() const { return forgotten_; }

  private:
    void mend(std::uint64_t now) {
        const Tokens apart = taken_ - theirs_.given;
        if (apart == 0 || apart != apart_) {
            apart_ = apart;
            apart_since_ = now;
            messages_ = 0;
            return;
        }
        if (++messages_ < messages_least || now < apart_since_ + patience) return;
        forgotten_ += std::max<Tokens>(apart, 0);
        taken_ = theirs_.given;
        apart_ = 0;
    }

    Crossed mine_;
    std::uint64_t incarnation_ = 0;  ///< of the neighbour's agent
    Crossed theirs_;
    Tokens seen_ = 0;     ///< of those settled: they count as jobs of the stream
    Tokens settled_ = 0;  ///< will count as soon as a look begins that is later than `settled_at_`
    std::uint64_t settled_at_ = 0;
    Tokens taken_ = 0;
    Tokens forgotten_ = 0;
    Tokens apart_ = 0;  ///< taken - given, as it was at `apart_since_` and ever since
    std::uint64_t apart_since_ = 0;
    unsigned messages_ = 0;
    std::uint64_t heard_ = 0;
};

}  // namespace equipoise::agent
