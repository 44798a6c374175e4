#pragma once
// How many copies items need, so that no machine holds more than a level.

#include <cstdint>
#include <vector>

#include "equipoise/replication/problem.hpp"

namespace equipoise::replication {

/// What follows, in every allowed placement, from a machine's having exactly `slots` different
/// items, each with at most `copies_most` copies.
class LevelNeeds {
  public:
    explicit LevelNeeds(const Problem& problem);

    [[nodiscard]] std::uint32_t copies_most() const { return copies_most_; }
    /// The least that `copies` copies on one machine carry together.
    [[nodiscard]] Tokens least_on_machine(std::uint32_t copies) const { return least_[copies]; }
    /// The most that the smallest of `copies` copies on one machine can carry, where the machine
    /// holds at most `level`; below 0: `level` is out of reach. 1 <= copies <= slots.
    [[nodiscard]] Tokens most_of_smallest(Tokens level, std::uint32_t copies) const;
    /// The fewest copies of a load of which none carries more than `most`; `copies_most() + 1`
    /// where there are none.
    [[nodiscard]] std::uint32_t copies_for(Tokens load, Tokens most) const;
    /// The fewest copies with more than `most_of_smallest(level, beside + 1)` in any allowed
    /// placement whose largest machine is at most `level`. At most `beside` of them fit on a
    /// machine. More than there are slots: `level` is out of reach. Cost O(items log items).
    [[nodiscard]] std::uint64_t large_copies(Tokens level, std::uint32_t beside) const;

  private:
    const Problem& problem_;
    std::uint32_t copies_most_ = 0;
    std::vector<Tokens> least_;  ///< by number of copies
};

}  // namespace equipoise::replication
