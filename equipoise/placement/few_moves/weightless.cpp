#include "equipoise/placement/few_moves/weightless.hpp"

#include <algorithm>
#include <cstddef>
#include <map>

#include "equipoise/base/assert.hpp"
#include "equipoise/placement/matching.hpp"

namespace equipoise::placement {

namespace {

using Members = std::vector<std::size_t>;

// Divides the items that some ranks must send among others.
void divide(std::span<const std::size_t> senders, std::span<const std::size_t> receivers,
            std::span<Tokens> left, std::vector<Transfer>& transfers) {
    Tokens items = 0;
    for (const std::size_t rank : senders)
        items += left[rank];
    const auto each = static_cast<Tokens>(receivers.size());
    for (std::size_t i = 0; i < receivers.size(); ++i)
        left[receivers[i]] -= items / each + (static_cast<Tokens>(i) < items % each ? 1 : 0);
    Members all(senders.begin(), senders.end());
    all.insert(all.end(), receivers.begin(), receivers.end());
    match_among(left, all, transfers);
}

}  // namespace

std::vector<Transfer> send_weightless(std::span<const Tokens> items, std::span<const double> speeds,
                                      std::span<const int> machine) {
    std::map<int, Members> senders;
    std::map<int, Members> receivers;
    Members far;  // senders without receivers on their machine
    Members everywhere;
    for (std::size_t rank = 0; rank < items.size(); ++rank) {
        const int place = machine.empty() ? 0 : machine[rank];
        if (items[rank] > 0) senders[place].push_back(rank);
        if (speeds[rank] > 0) receivers[place].push_back(rank);
        if (speeds[rank] > 0) everywhere.push_back(rank);
    }
    std::vector<Transfer> transfers;
    std::vector<Tokens> left(items.begin(), items.end());
    for (const auto& [place, ranks] : senders) {
        const auto near = receivers.find(place);
        if (near == receivers.end())
            far.insert(far.end(), ranks.begin(), ranks.end());
        else
            divide(ranks, near->second, left, transfers);
    }
    if (!far.empty()) {
        EQUIPOISE_ASSERT(!everywhere.empty());
        divide(far, everywhere, left, transfers);
    }
    std::sort(transfers.begin(), transfers.end(), [](const Transfer& a, const Transfer& b) {
        return a.from != b.from ? a.from < b.from : a.to < b.to;
    });
    return transfers;
}

}  // namespace equipoise::placement
