#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/verify/certificate_parts.hpp"

namespace equipoise::verify {

namespace {

/// Shares of a unit are whole multiples of 2^-90, so that sums over all time fit.
constexpr int share_places = 90;
constexpr Int128 unit_share = Int128{1} << share_places;

/// Averagings that are played: seconds.
constexpr std::uint64_t averagings_max = 500'000'000;
/// Rows that are this near to level in sum make the interval narrow enough.
constexpr Int128 level_enough = unit_share / 1'000'000'000'000;

constexpr NodeId circuit_nodes_max = 1'000;

using Matchings = std::vector<std::vector<Ends>>;

/// A unit that began at one node, averaged by matching after matching.
class DividedUnit {
  public:
    DividedUnit(NodeId source, NodeId nodes) : row_(nodes, 0) { row_[source] = unit_share; }

    void play(const Matchings& round) {
        for (const auto& matching : round)
            for (const Ends& pair : matching) {
                Int128& one = row_[pair.tail];
                Int128& other = row_[pair.head];
                differences_ += one > other ? one - other : other - one;
                // Rounded down: off by at most a unit of 2^-90 for each matching so far.
                one = other = (one + other) / 2;
            }
    }
    /// Of all pairs so far.
    [[nodiscard]] Int128 differences() const { return differences_; }
    /// The sum of what the nodes have too much or too little.
    [[nodiscard]] Int128 unevenness() const {
        const Int128 level = unit_share / static_cast<Int128>(row_.size());
        Int128 sum = 0;
        for (const Int128 share : row_)
            sum += share > level ? share - level : level - share;
        return sum;
    }

  private:
    std::vector<Int128> row_;
    Int128 differences_ = 0;
};

struct Enclosed {
    double least = 0;
    double most = 0;
};

/// Let every row be within delta of level after some rounds. What follows adds up to at most delta
/// times the divergence Psi, since it is linear in what the row has too much. So the sum S until
/// then encloses Psi: S <= Psi <= S / (1 - delta).
std::optional<Enclosed> divergence_of(const Matchings& round, NodeId nodes) {
    std::uint64_t pairs = 0;
    for (const auto& matching : round)
        pairs += matching.size();
    std::vector<DividedUnit> rows;
    for (NodeId source = 0; source < nodes; ++source)
        rows.emplace_back(source, nodes);
    Int128 uneven = unit_share;
    std::uint64_t rounds = 0;
    std::uint64_t played = 0;
    while (uneven > level_enough) {
        if (played > averagings_max) return std::nullopt;
        const std::uint64_t more = rounds / 16 + 1;
        for (DividedUnit& row : rows)
            for (std::uint64_t i = 0; i < more; ++i)
                row.play(round);
        rounds += more;
        played += more * nodes * (pairs + 1);
        uneven = 0;
        for (const DividedUnit& row : rows)
            uneven = std::max(uneven, row.unevenness());
    }
    Int128 sum = 0;
    for (const DividedUnit& row : rows)
        sum = std::max(sum, row.differences());
    // A share is off by a unit for each matching at most, a difference by two.
    const Int128 matchings = Int128{rounds} * static_cast<Int128>(round.size());
    const Int128 rounding = 2 * matchings * Int128{rounds} * Int128{pairs};
    uneven += (matchings + 1) * static_cast<Int128>(nodes);
    constexpr double upwards = std::numeric_limits<double>::infinity();
    const double least =
        std::nextafter(std::ldexp(static_cast<double>(sum - rounding), -share_places), -upwards);
    const double most =
        std::ldexp(static_cast<double>(sum + rounding), -share_places) /
        (1 - std::nextafter(std::ldexp(static_cast<double>(uneven), -share_places), upwards));
    constexpr double few_roundings = 1e-15;
    return Enclosed{least, most * (1 + few_roundings)};
}

Matchings matchings_of(const JsonValue& list, NodeId nodes) {
    Matchings round;
    list.for_each([&](const JsonValue& one) {
        round.push_back(links_of(one, nodes));
        std::vector<bool> met(nodes, false);
        for (const Ends& pair : round.back()) {
            if (met[pair.tail] || met[pair.head]) one.refuse("pairs that share no node");
            met[pair.tail] = met[pair.head] = true;
        }
    });
    return round;
}

}  // namespace

void examine_circuit_divergence(const JsonValue& claim, const std::string& which, Report& report) {
    claim.expect_keys({"claim", "network", "nodes", "matchings", "least", "most"});
    const auto nodes = claim.at("nodes").whole<NodeId>(1, circuit_nodes_max);
    const Matchings round = matchings_of(claim.at("matchings"), nodes);
    const double least = claim.at("least").real();
    const double most = claim.at("most").real();
    const auto found = divergence_of(round, nodes);
    if (!found) {
        report.unchecked.push_back(which + ": the divergence (too many rounds to play)");
        return;
    }
    report.checks.push_back({which + ", divergence", least <= found->least && found->most <= most,
                             "from " + real_text(found->least) + " to " + real_text(found->most) +
                                 ", claimed from " + real_text(least) + " to " + real_text(most)});
}

}  // namespace equipoise::verify
