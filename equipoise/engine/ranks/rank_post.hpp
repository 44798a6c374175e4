#pragma once
// The messages between the ranks of a run of node programs: labelled contents in parcels, rounds of
// counting that detect the end, and farewells.

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/engine/fabric.hpp"

namespace equipoise::engine {

/// What the ranks count, summed over all of them.
struct RankCount {
    std::int64_t sent = 0;       ///< contents put into the post
    std::int64_t received = 0;   ///< contents taken out of it
    std::int64_t open = 0;       ///< ranks that may act without receiving anything
    std::int64_t moved = 0;      ///< bookings of tokens and of items, and `changes`; never falls
    std::int64_t in_doubt = 0;   ///< tokens that one end of a link alone has booked
    std::int64_t items = 0;      ///< contents with items that are under way
    std::int64_t unsettled = 0;  ///< sides of links over which tokens may still move

    void operator+=(const RankCount& other);
};

/// Why the ranks part, the most serious reason last: ranks with different reasons agree on that
/// one.
enum class Parting : std::uint8_t { none, quiet, settled, interrupted, failed };

// Problem: all ranks must learn that nothing is under way and no rank will send again.
// Model: messages between ranks first in, first out; counts are added up over a binary tree of
//   ranks.
// Source: Mattern 1987, "Algorithms for distributed termination detection", four counters.
// Guarantee: a run is quiet when two successive rounds of counting find no rank open and all four
//   numbers (sent and received in each) equal: then nothing was under way when the first ended.
//   Programs that never fall silent are settled when tokens stood still (`moved` equal, none in
//   doubt) between two rounds and every link was found settled from both ends in between: all ranks
//   then hold what was compared at the moment when the first of the two rounds ended.
// Cost: 2(P - 1) parcels a round; a rank joins when it has nothing to do. Parting: P - 1 parcels a
//   rank, so that no parcel stays behind.
class RankPost {
  public:
    enum class Content : std::uint32_t {
        message,
        acquisition,  ///< asks for a channel
        reservation,  ///< asks for a channel, or the answer that it is busy
        permit,       ///< gives a channel away
        busy,         ///< refuses it
        items,
        comparison,
        audit,
    };
    /// What precedes the body of a content.
    struct Label {
        NodeId to = no_node;
        Port port = 0;            ///< of the receiving node
        std::uint64_t clock = 0;  ///< the sending node's
        Content content = Content::message;
        std::uint32_t bytes = 0;  ///< of the body
    };
    enum class Verdict : std::uint8_t { go_on, compare, quiet, settled };

    /// `settles`: whether rounds may end in a comparison of all links.
    RankPost(Fabric& fabric, bool settles);

    [[nodiscard]] int rank() const { return fabric_.rank(); }
    [[nodiscard]] int ranks() const { return fabric_.ranks(); }

    /// Puts a content into the next parcel to a rank, which may be this one.
    void put(int to, const Label& label, const void* body) {
        std::vector<std::byte>& parcel = parcel_to(to);
        const std::size_t at = parcel.size();
        parcel.resize(at + sizeof(Label) + label.bytes);
        std::memcpy(parcel.data() + at, &label, sizeof(Label));
        if (label.bytes > 0) std::memcpy(parcel.data() + at + sizeof(Label), body, label.bytes);
        ++sent_;
        if (parcel.size() > parcel_bytes_wanted) send_if_taken(to);
    }
    /// Sends the contents that were put, and passes those that have arrived to `handle(label,
    /// body)`; once this rank parts, it only audits. Returns false when nothing has arrived.
    template <class Handle>
    bool turn(const Handle& handle) {
        flush();
        std::vector<Parcel> parcels = collect();
        for (const Parcel& parcel : parcels) {
            std::size_t at = 1;
            while (at < parcel.bytes.size()) {
                Label label;
                std::memcpy(&label, parcel.bytes.data() + at, sizeof(Label));
                at += sizeof(Label);
                ++received_;
                if (!parting_ || label.content == Content::audit)
                    handle(label, std::span(parcel.bytes).subspan(at, label.bytes));
                at += label.bytes;
            }
        }
        return !parcels.empty();
    }

    /// Whether some rank does not keep up with the contents put for it: anything that can wait
    /// should then wait.
    [[nodiscard]] bool congested() const { return congested_; }

    /// Whether this rank may join a round of counting.
    [[nodiscard]] bool may_join() const { return !joined_ && !parting_; }
    /// Joins a round; `sent` and `received` are filled in here.
    void join(RankCount mine);
    /// The result of the last round, once.
    [[nodiscard]] Verdict take_verdict() { return std::exchange(verdict_, Verdict::go_on); }

    /// Sends the contents that were put, says farewell to all ranks and passes on nothing more.
    void part(Parting reason);
    [[nodiscard]] bool parting() const { return parting_; }
    /// Whether every rank has said farewell: nothing is under way to this one.
    [[nodiscard]] bool parted() const { return parting_ && farewells_ + 1 == ranks(); }
    /// The most serious reason of all ranks, once they have parted.
    [[nodiscard]] Parting reason() const { return reason_; }

    /// Yields the processor for a moment: a longer one, the longer there has been nothing to do.
    static void pause(unsigned idle_turns);

  private:
    static constexpr std::size_t parcel_bytes_wanted = std::size_t{1} << 20U;
    static constexpr std::size_t parcel_bytes_kept = std::size_t{1} << 28U;
    enum class Kind : std::uint8_t { contents, count, verdict, farewell };

    [[nodiscard]] std::vector<std::byte>& parcel_to(int to) {
        std::vector<std::byte>& parcel = outgoing_[static_cast<std::size_t>(to)];
        if (parcel.empty()) {
            parcel.push_back(static_cast<std::byte>(Kind::contents));
            waiting_.push_back(to);
        }
        return parcel;
    }
    void send(int to);
    void send_if_taken(int to);
    void flush();
    [[nodiscard]] std::vector<Parcel> collect();
    void handle_control(const Parcel& parcel);
    void send_control(int to, Kind kind, const void* body, std::size_t bytes);
    void finish_own_part();
    void spread(Verdict verdict);
    [[nodiscard]] Verdict judge(const RankCount& all);
    template <class Visit>
    void for_each_child(Visit visit) const;

    Fabric& fabric_;
    bool settles_;
    std::vector<std::vector<std::byte>> outgoing_;  ///< by rank
    std::vector<int> waiting_;                      ///< ranks for which a parcel is being filled
    bool congested_ = false;
    std::vector<Parcel> own_;  ///< from this rank to itself
    std::int64_t sent_ = 0;
    std::int64_t received_ = 0;

    bool joined_ = false;
    int children_joined_ = 0;
    RankCount sum_;
    Verdict verdict_ = Verdict::go_on;
    std::optional<RankCount> previous_;  ///< on rank 0: the last round
    bool compared_ = false;              ///< on rank 0: links were compared since the last round

    bool parting_ = false;
    Parting reason_ = Parting::none;  ///< the most serious one heard
    int farewells_ = 0;
};

}  // namespace equipoise::engine
