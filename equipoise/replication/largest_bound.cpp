// What the largest machine holds at least: sums over all machines, the copies of which each machine
// has as many as slots, and hosts.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/plural.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/replication/bounds.hpp"
#include "equipoise/replication/groups_on_hosts.hpp"
#include "equipoise/replication/level_needs.hpp"
#include "equipoise/replication/words.hpp"

namespace equipoise::replication {

namespace {

class LargestBound {
  public:
    explicit LargestBound(const Problem& problem)
        : problem_(problem),
          needs_(problem),
          total_(std::accumulate(problem.loads.begin(), problem.loads.end(), Tokens{0})) {}

    Bound best() {
        bound_ = {ceil_divide(total_, Tokens{problem_.machines}),
                  "all experts together, spread evenly over the GPUs"};
        for (std::uint32_t beside = 0; beside < problem_.slots; ++beside)
            raise(
                [&](Tokens level) {
                    return needs_.large_copies(level, beside) <=
                           std::uint64_t{beside} * problem_.machines;
                },
                [&] { return copies_reason(beside); });
        if (problem_.groups != 0 && problem_.hosts > 1)
            raise([&](Tokens level) { return groups_fit(level); }, [&] { return groups_reason(); });
        return std::move(bound_);
    }

  private:
    /// Raises the bound to the least level that `fits` does not rule out. All levels below one that
    /// is ruled out are, too.
    void raise(const std::function<bool(Tokens)>& fits,
               const std::function<std::string()>& reason) {
        if (fits(bound_.at_least)) return;
        Tokens low = bound_.at_least;  // ruled out
        Tokens high = low;
        while (high < total_ && !fits(high)) {
            low = high;
            high = std::min(std::max(2 * high, Tokens{1}), total_);
        }
        while (high - low > 1) {
            const Tokens middle = low + (high - low) / 2;
            (fits(middle) ? high : low) = middle;
        }
        bound_.at_least = low + 1;
        bound_.reason = reason();
    }

    /// Why the level just below the bound is out of reach.
    [[nodiscard]] std::string copies_reason(std::uint32_t beside) const {
        const Tokens level = bound_.at_least - 1;
        if (beside == 0) {
            const auto heaviest = std::max_element(problem_.loads.begin(), problem_.loads.end());
            const Tokens most = needs_.most_of_smallest(level, 1);
            if (needs_.copies_for(*heaviest, most) > needs_.copies_most())
                return "expert " + std::to_string(heaviest - problem_.loads.begin()) + " carries " +
                       times_mean(problem_, *heaviest) +
                       " times the mean of a GPU and has at most " +
                       with_noun(needs_.copies_most(), "copy", "copies") +
                       ", each beside the least that the other slots of a GPU can hold";
            std::uint64_t slots = 0;
            for (const Tokens load : problem_.loads)
                slots += needs_.copies_for(load, most);
            return "with less, experts would need " + std::to_string(slots) +
                   " copies, and there are " + std::to_string(problem_.all_slots()) + " slots";
        }
        return "with less, at most " + with_noun(beside, "copy", "copies").append(" above ") +
               times_mean(problem_, needs_.most_of_smallest(level, beside + 1)) +
               " times the mean would fit on a GPU, " +
               std::to_string(std::uint64_t{beside} * problem_.machines) +
               " in all, and however many copies experts have there are at least " +
               std::to_string(needs_.large_copies(level, beside));
    }

    [[nodiscard]] bool groups_fit(Tokens level) const {
        return GroupsOnHosts(problem_, needs_, level).fit(effort);
    }
    [[nodiscard]] std::string groups_reason() const {
        return "whichever " + with_noun(problem_.groups / problem_.hosts, "group", "groups") +
               " of experts each host has, the experts of some host carry more than its GPUs "
               "would hold with less, or need more copies than it has slots";
    }

    static constexpr std::uint64_t effort = 5'000;  ///< groups placed, for one level

    const Problem& problem_;
    LevelNeeds needs_;
    Tokens total_;
    Bound bound_;
};

}  // namespace

Bound largest_at_least(const Problem& problem) {
    return LargestBound(problem).best();
}

}  // namespace equipoise::replication
