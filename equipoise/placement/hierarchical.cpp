#include "equipoise/placement/hierarchical.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

#include "equipoise/placement/matching.hpp"

namespace equipoise::placement {

namespace {

using Members = std::vector<std::size_t>;

// The members of each group, in the order of the groups' numbers.
std::vector<Members> groups_among(std::span<const std::size_t> members, std::span<const int> name) {
    std::map<int, Members> groups;
    for (const std::size_t rank : members)
        groups[name[rank]].push_back(rank);
    std::vector<Members> found;
    found.reserve(groups.size());
    for (auto& [group, ranks] : groups)
        found.push_back(std::move(ranks));
    return found;
}

// Deals out the items that level shares leave open.
class OddItems {
  public:
    explicit OddItems(const Demand& demand)
        : counts_(demand.counts),
          shares_(level_shares(demand)),
          open_(counts_.size(), false),
          savings_(counts_.size(), 0) {
        for (const std::size_t rank : shares_.open)
            open_[rank] = true;
    }

    // Notes that each item that a group holds above its ranks' shares saves a move out of the group
    // when dealt to it, which counts more than all savings noted before.
    void note_savings(std::span<const std::size_t> group) {
        Tokens surplus = 0;
        Members open;
        for (const std::size_t rank : group) {
            surplus += counts_[rank] - shares_.least[rank];
            if (open_[rank]) open.push_back(rank);
        }
        for (const std::size_t rank : best(std::move(open), surplus))
            savings_[rank] += level_;
    }
    void go_up() { level_ *= 2; }

    std::vector<Tokens> deal() && {
        for (const std::size_t rank : best(shares_.open, shares_.odd))
            ++shares_.least[rank];
        return std::move(shares_.least);
    }

  private:
    // The ranks that are the first to get an item.
    [[nodiscard]] Members best(Members ranks, Tokens items) const {
        std::sort(ranks.begin(), ranks.end(), [&](std::size_t a, std::size_t b) {
            if (savings_[a] != savings_[b]) return savings_[a] > savings_[b];
            return counts_[a] != counts_[b] ? counts_[a] > counts_[b] : a < b;
        });
        ranks.resize(static_cast<std::size_t>(
            std::clamp(items, Tokens{0}, static_cast<Tokens>(ranks.size()))));
        return ranks;
    }

    std::span<const Tokens> counts_;
    LevelShares shares_;
    std::vector<bool> open_;
    std::vector<int> savings_;
    int level_ = 1;
};

}  // namespace

std::vector<Tokens> hierarchical_targets(const Demand& demand, const Places& places) {
    OddItems odd(demand);
    const std::vector<std::size_t> everyone = all_ranks(demand.counts.size());
    for (const std::size_t rank : everyone)
        odd.note_savings({&rank, 1});
    odd.go_up();
    const std::vector<Members> machines = groups_among(everyone, places.machine);
    for (const Members& machine : machines) {
        for (const Members& socket : groups_among(machine, places.socket))
            odd.note_savings(socket);
    }
    odd.go_up();
    for (const Members& machine : machines)
        odd.note_savings(machine);
    return std::move(odd).deal();
}

std::vector<Transfer> match_hierarchically(std::span<const Tokens> counts,
                                           std::span<const Tokens> targets, const Places& places) {
    std::vector<Tokens> left = above_targets(counts, targets);
    std::vector<Transfer> transfers;
    const std::vector<std::size_t> everyone = all_ranks(counts.size());
    for (const Members& machine : groups_among(everyone, places.machine)) {
        for (const Members& socket : groups_among(machine, places.socket))
            match_among(left, socket, transfers);
        match_among(left, machine, transfers);
    }
    match_among(left, everyone, transfers);
    std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
        return a.from != b.from ? a.from < b.from : a.to < b.to;
    });
    return transfers;
}

Tokens surplus_of_groups(std::span<const Tokens> counts, std::span<const Tokens> targets,
                         std::span<const int> group) {
    Tokens sum = 0;
    for (const Members& members : groups_among(all_ranks(counts.size()), group)) {
        Tokens above = 0;
        for (const std::size_t rank : members)
            above += counts[rank] - targets[rank];
        sum += std::max(Tokens{0}, above);
    }
    return sum;
}

}  // namespace equipoise::placement
