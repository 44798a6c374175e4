#include "equipoise/placement/order_sizes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/placement/targets.hpp"

namespace equipoise::placement {

namespace {

// Items that come from elsewhere: from another machine, then from another rank.
using Foreign = std::pair<Tokens, Tokens>;

constexpr Foreign unreached = {std::numeric_limits<Tokens>::max(), 0};

// The floor of a rank's share, and whether the share is larger.
struct Share {
    Tokens floor = 0;
    bool more = false;
};

std::vector<Share> shares_of(Tokens items, std::span<const double> speeds, std::size_t ranks) {
    std::vector<std::uint64_t> whole = whole_speeds(speeds);
    if (whole.empty()) whole.assign(ranks, 1);
    const UInt128 sum = std::accumulate(whole.begin(), whole.end(), UInt128{0});
    if (sum == 0) throw InputError("expected a speed above 0 for at least one rank");
    std::vector<Share> shares(ranks);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const UInt128 product = static_cast<UInt128>(items) * whole[rank];
        shares[rank] = {static_cast<Tokens>(product / sum), product % sum != 0};
    }
    return shares;
}

// How many of the first items are at home on a rank, and on its machine. Positions may be asked for
// in any order; nearby ones cost little.
class HomeCounts {
  public:
    HomeCounts(std::span<const Tokens> counts, std::span<const int> machine, std::size_t rank)
        : counts_(counts), machine_(machine), rank_(rank) {}

    // Of the first `position` items: those that are not on this machine, and not on this rank.
    Foreign foreign_before(Tokens position) {
        while (at_ < counts_.size() && begin_ + counts_[at_] <= position) {
            if (machine_[at_] == machine_[rank_]) here_ += counts_[at_];
            begin_ += counts_[at_++];
        }
        while (begin_ > position) {
            begin_ -= counts_[--at_];
            if (machine_[at_] == machine_[rank_]) here_ -= counts_[at_];
        }
        const bool inside = at_ < counts_.size();
        const Tokens machine =
            here_ + (inside && machine_[at_] == machine_[rank_] ? position - begin_ : Tokens{0});
        Tokens own = at_ > rank_ ? counts_[rank_] : Tokens{0};
        if (at_ == rank_) own = position - begin_;
        return {position - machine, position - own};
    }

  private:
    std::span<const Tokens> counts_;
    std::span<const int> machine_;
    std::size_t rank_;
    std::size_t at_ = 0;  // the rank that holds the item at the position
    Tokens begin_ = 0;    // where its items begin
    Tokens here_ = 0;     // items of lower ranks that are at home on the machine
};

Foreign sum(const Foreign& before, const Foreign& begin, const Foreign& end) {
    return {before.first + end.first - begin.first, before.second + end.second - begin.second};
}

}  // namespace

std::vector<Tokens> order_sizes(std::span<const Tokens> counts, std::span<const double> speeds,
                                std::span<const int> machine) {
    const std::size_t ranks = counts.size();
    const Tokens items = total(counts);
    const std::vector<Share> shares = shares_of(items, speeds, ranks);
    Tokens floors = 0;
    for (const Share& share : shares)
        floors += share.floor;
    const auto odd = static_cast<std::size_t>(items - floors);
    // For each number of ceilings dealt so far: the fewest foreign items, and for each rank whether
    // it got one.
    std::vector<Foreign> least(odd + 1, unreached);
    std::vector<Foreign> next(odd + 1);
    std::vector<std::vector<bool>> ceiling(ranks, std::vector<bool>(odd + 1, false));
    least[0] = {0, 0};
    Tokens before = 0;
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        HomeCounts begins(counts, machine, rank);
        HomeCounts ends(counts, machine, rank);
        std::fill(next.begin(), next.end(), unreached);
        for (std::size_t dealt = 0; dealt <= std::min(odd, rank); ++dealt) {
            if (least[dealt] == unreached) continue;
            const Tokens begin = before + static_cast<Tokens>(dealt);
            const Foreign foreign = begins.foreign_before(begin);
            for (std::size_t more = 0; more <= (shares[rank].more && dealt < odd ? 1U : 0U);
                 ++more) {
                const Tokens end = begin + shares[rank].floor + static_cast<Tokens>(more);
                const Foreign found = sum(least[dealt], foreign, ends.foreign_before(end));
                if (found >= next[dealt + more]) continue;
                next[dealt + more] = found;
                ceiling[rank][dealt + more] = more == 1;
            }
        }
        before += shares[rank].floor;
        least.swap(next);
    }
    EQUIPOISE_ASSERT(least[odd] != unreached);
    std::vector<Tokens> sizes(ranks);
    std::size_t dealt = odd;
    for (std::size_t rank = ranks; rank-- > 0;) {
        const bool more = ceiling[rank][dealt];
        sizes[rank] = shares[rank].floor + (more ? 1 : 0);
        dealt -= more ? 1 : 0;
    }
    return sizes;
}

}  // namespace equipoise::placement
