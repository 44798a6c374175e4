#pragma once
// Which slots may go next: between pairs of masters of which none gives and takes.

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "equipoise/adapters/redis/cluster.hpp"

namespace equipoise::redis {

/// Slots of one pair that go together.
struct Batch {
    MasterId from = no_master;
    MasterId to = no_master;
    std::vector<std::uint32_t> moves;  ///< their numbers
};

/// The moves that are ready, by pair, and what is under way. For one thread at a time.
///
/// No master gives while it takes: two that send to each other would wait for each other. Nor does
/// it give once it has taken. By taking it raises its configuration epoch; two that do so at once
/// may get the same one, and the servers then raise one of them again. If that one gave a slot at
/// that moment, what it said before would count for more than the claim of the new owner, which
/// would delete the keys that it had just got.
class BatchSchedule {
  public:
    /// `slots_at_once` slots at most are under way at each end of a master, in two batches where
    /// that is more than one: while one waits for its answers, the servers have the other.
    BatchSchedule(std::size_t masters, std::uint64_t slots_at_once)
        : giving_(masters, 0),
          taking_(masters, 0),
          took_(masters, false),
          at_once_(slots_at_once) {}

    /// A move may go from now on.
    void add(std::uint32_t move, MasterId from, MasterId to, std::uint64_t bytes);

    /// The next batch, of the pair with most bytes left that may go; nothing if none may now. Those
    /// who have nothing to give take first, so that few must wait for another round; once nothing
    /// else is left, the master that has least to give.
    [[nodiscard]] std::optional<Batch> take();

    /// A batch is over.
    void end(const Batch& batch);

    [[nodiscard]] bool is_idle() const { return under_way_ == 0; }
    /// Whether some slots could only go from masters that took some.
    [[nodiscard]] bool has_waiting() const { return !waiting_.empty(); }

  private:
    struct Waiting {
        std::vector<std::pair<std::uint32_t, std::uint64_t>> moves;  ///< with their bytes
        std::uint64_t bytes = 0;
    };

    /// The bytes that a master is still to give in this round.
    [[nodiscard]] std::uint64_t to_give(MasterId master) const;
    [[nodiscard]] bool has_to_give(MasterId master) const;
    /// How many slots of a pair may begin now.
    [[nodiscard]] std::uint64_t room(MasterId from, MasterId to) const;

    std::map<std::pair<MasterId, MasterId>, Waiting> waiting_;
    std::vector<std::uint64_t> giving_;  ///< slots, by master
    std::vector<std::uint64_t> taking_;
    std::vector<bool> took_;
    std::uint64_t at_once_;
    std::uint64_t under_way_ = 0;
};

}  // namespace equipoise::redis
