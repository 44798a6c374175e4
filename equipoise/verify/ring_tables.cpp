#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/verify/certificate_parts.hpp"

namespace equipoise::verify {

namespace {

constexpr std::size_t table_entries_max = 8;
/// Rounds within which loads of the claims repeat by far.
constexpr std::uint64_t ring_rounds_max = 1'000'000;

/// One more token to a side for each residue whose bit is set, the first residue's the highest.
using Bits = std::uint32_t;

/// The rule of a pair of tables on a ring: q D + r tokens, of which q go each way, and one more
/// where the table says so.
class RingPlay {
  public:
    RingPlay(std::size_t entries, Bits left, Bits right, std::vector<Tokens> loads)
        : entries_(entries), left_(left), right_(right), loads_(std::move(loads)) {}

    void round() {
        const std::size_t nodes = loads_.size();
        std::vector<Tokens> next(nodes, 0);
        for (std::size_t node = 0; node < nodes; ++node) {
            const Tokens load = loads_[node];
            const auto divisor = static_cast<Tokens>(entries_);
            const Tokens each = floor_divide(load, divisor);
            const Bits bit = Bits{1}
                             << (entries_ - 1 - static_cast<std::size_t>(load - each * divisor));
            const Tokens to_left = each + ((left_ & bit) != 0 ? 1 : 0);
            const Tokens to_right = each + ((right_ & bit) != 0 ? 1 : 0);
            next[node == 0 ? nodes - 1 : node - 1] += to_left;
            next[node + 1 == nodes ? 0 : node + 1] += to_right;
            next[node] += load - to_left - to_right;
        }
        loads_ = std::move(next);
    }
    [[nodiscard]] const std::vector<Tokens>& loads() const { return loads_; }
    [[nodiscard]] bool uneven() const {
        const auto [least, most] = std::minmax_element(loads_.begin(), loads_.end());
        return *most - *least >= 2;
    }

  private:
    std::size_t entries_;
    Bits left_;
    Bits right_;
    std::vector<Tokens> loads_;
};

/// Whether a state with a discrepancy of 2 or more comes back.
bool keeps_two(RingPlay play) {
    // Where the loads are after 2^k rounds they may be again before as many more.
    for (std::uint64_t rounds = 1; rounds <= ring_rounds_max; rounds *= 2) {
        const std::vector<Tokens> mark = play.loads();
        bool uneven = play.uneven();
        for (std::uint64_t i = 0; i < rounds; ++i) {
            play.round();
            if (play.loads() == mark) return uneven;
            uneven = uneven || play.uneven();
        }
    }
    return false;
}

Bits bits_of(const JsonValue& value, std::size_t entries) {
    const std::string text = value.text();
    if (text.size() != entries || text.find_first_not_of("01") != std::string::npos)
        value.refuse("a table of " + std::to_string(entries) + " zeros and ones");
    Bits bits = 0;
    for (const char digit : text)
        bits = bits * 2 + (digit == '1' ? 1 : 0);
    return bits;
}

}  // namespace

void examine_ring_tables(const JsonValue& claim, const std::string& which, Report& report) {
    claim.expect_keys({"claim", "entries", "starts", "left_over"});
    const auto entries = claim.at("entries").whole<std::size_t>(1, table_entries_max);
    std::vector<std::vector<Tokens>> starts;
    claim.at("starts").for_each([&](const JsonValue& start) {
        constexpr NodeId ring_nodes_max = 100;
        const std::size_t nodes = start.size("loads of three nodes or more");
        if (nodes < 3 || nodes > ring_nodes_max) start.refuse("loads of 3 to 100 nodes");
        starts.push_back(by_node<Tokens>(start, static_cast<NodeId>(nodes), 0, load_max));
    });
    std::vector<std::pair<Bits, Bits>> left_over;
    claim.at("left_over").for_each([&](const JsonValue& pair) {
        if (pair.size("a pair of tables") != 2) pair.refuse("a pair of tables");
        const JsonValue left = pair.at(0);
        const JsonValue right = pair.at(1);
        left_over.emplace_back(std::minmax({bits_of(left, entries), bits_of(right, entries)}));
    });
    std::size_t pairs = 0;
    std::size_t open = 0;
    const Bits tables = Bits{1} << entries;
    for (Bits left = 0; left < tables; ++left)
        for (Bits right = left; right < tables; ++right) {
            ++pairs;
            const bool excepted = std::find(left_over.begin(), left_over.end(),
                                            std::pair(left, right)) != left_over.end();
            if (excepted) continue;
            if (std::none_of(starts.begin(), starts.end(), [&](const auto& start) {
                    return keeps_two({entries, left, right, start});
                }))
                ++open;
        }
    const std::string others = std::to_string(left_over.size()) + " are left over";
    report.checks.push_back(
        {which + ", " + std::to_string(entries) + " entries", open == 0,
         open == 0 ? std::to_string(pairs - left_over.size()) + " of " + std::to_string(pairs) +
                         " pairs of tables keep 2 or more from one of the loads, " + others
                   : std::to_string(open) + " more pairs of tables come to less than 2"});
}

}  // namespace equipoise::verify
