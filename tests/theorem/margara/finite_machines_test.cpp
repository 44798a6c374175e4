// Is constant memory enough (Margara, Pistocchi, Vassura 2004, Section 6, question 1)?
//
// Theorem (docs/results/margara-2004.md, "The open questions"). Let nodes be finite machines that
// see of their pile of tokens only whether it is empty, and take turns on the tree of two nodes,
// one message under way at a time. With s states and g kinds of signals beside the token no machine
// levels every load: one of 2 J + 2 tokens at the latest stays uneven, J = 2 s^2 (g + 2).
//
// The search goes through all machines at once: a table is filled in only where some play needs it,
// and what is left open stands for all its completions. For small sizes every machine is played
// again, whole, by code that shares nothing with the search.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise::test::finite_machines {
namespace {

struct Size {
    unsigned states;
    unsigned signals;
};

// What arrives or is sent: 0 nothing, 1 .. signals a signal, token_of(size) a token.
unsigned token_of(Size size) {
    return size.signals + 1;
}

/// J: what two machines and the message between them can be, and whose turn it is.
unsigned joint_states(Size size) {
    return 2 * size.states * size.states * (size.signals + 2);
}

struct Act {
    unsigned state;
    unsigned send;
};

/// What a machine does, by its state, whether its pile is empty, and what has arrived.
struct Table {
    explicit Table(Size size)
        : size(size), acts(std::size_t{size.states} * 2 * (size.signals + 2)) {}
    [[nodiscard]] std::size_t entry(unsigned state, bool empty, unsigned arrived) const {
        return (std::size_t{state} * 2 + (empty ? 1 : 0)) * (size.signals + 2) + arrived;
    }
    /// Whether a play can come to it: with a token that has arrived no pile is empty.
    [[nodiscard]] bool possible(std::size_t place) const {
        return !(empty(place) && place % (size.signals + 2) == token_of(size));
    }
    [[nodiscard]] bool empty(std::size_t place) const {
        return place / (size.signals + 2) % 2 == 1;
    }
    /// An empty pile has no token to send.
    [[nodiscard]] unsigned choices(std::size_t place) const {
        return size.states * (size.signals + (empty(place) ? 1 : 2));
    }
    [[nodiscard]] Act choice(std::size_t place, unsigned number) const {
        const unsigned sends = size.signals + (empty(place) ? 1 : 2);
        return {number / sends, number % sends};
    }

    Size size;
    std::vector<std::optional<Act>> acts;  ///< nothing: not needed yet
};

struct Load {
    unsigned first;
    unsigned second;
};

enum class Verdict { even, uneven, undecided };

struct Played {
    Verdict verdict;
    std::size_t missing = 0;  ///< an entry that was needed
};

/// Plays until a configuration comes back; even if the loads differ by at most 1 from then on.
Played play(const Table& table, Load load) {
    unsigned piles[2] = {load.first, load.second};
    unsigned states[2] = {0, 0};
    unsigned turn = 0;
    unsigned arrived = 0;
    using Configuration = std::tuple<unsigned, unsigned, unsigned, unsigned, unsigned>;
    std::map<Configuration, std::size_t> seen;
    std::vector<bool> level;
    while (true) {
        const Configuration now{piles[0], states[0], states[1], turn, arrived};
        const auto [before, is_new] = seen.try_emplace(now, level.size());
        if (!is_new) {
            const auto from = level.begin() + static_cast<std::ptrdiff_t>(before->second);
            return {std::all_of(from, level.end(), [](bool even) { return even; })
                        ? Verdict::even
                        : Verdict::uneven};
        }
        level.push_back(std::max(piles[0], piles[1]) - std::min(piles[0], piles[1]) <= 1);
        const std::size_t place = table.entry(states[turn], piles[turn] == 0, arrived);
        if (!table.acts[place]) return {Verdict::undecided, place};
        const Act act = *table.acts[place];
        states[turn] = act.state;
        arrived = act.send;
        if (act.send == token_of(table.size)) {
            --piles[turn];
            ++piles[1 - turn];
        }
        turn = 1 - turn;
    }
}

std::vector<Load> loads_in_order(unsigned tokens_most) {
    std::vector<Load> loads;
    for (unsigned tokens = 0; tokens <= tokens_most; ++tokens)
        for (unsigned second = 0; second <= tokens; ++second)
            loads.push_back({tokens - second, second});
    return loads;
}

/// By the least number of tokens of a load that stays uneven: how many machines.
using Failures = std::map<unsigned, std::uint64_t>;

class Search {
  public:
    explicit Search(Size size) : loads_(loads_in_order(2 * joint_states(size) + 2)), table_(size) {
        go_on(0);
    }
    [[nodiscard]] const Failures& failures() const { return failures_; }
    [[nodiscard]] std::uint64_t tables() const { return tables_; }
    [[nodiscard]] bool all_fail() const { return all_fail_; }

  private:
    /// All completions of the table, which levels the loads before this one.
    void go_on(std::size_t load) {
        while (load < loads_.size()) {
            const Played played = play(table_, loads_[load]);
            if (played.verdict == Verdict::undecided) {
                for (unsigned i = 0; i < table_.choices(played.missing); ++i) {
                    table_.acts[played.missing] = table_.choice(played.missing, i);
                    go_on(load);
                }
                table_.acts[played.missing].reset();
                return;
            }
            if (played.verdict == Verdict::uneven) {
                ++tables_;
                failures_[loads_[load].first + loads_[load].second] += completions();
                return;
            }
            ++load;
        }
        all_fail_ = false;
    }
    [[nodiscard]] std::uint64_t completions() const {
        std::uint64_t count = 1;
        for (std::size_t place = 0; place < table_.acts.size(); ++place)
            if (!table_.acts[place] && table_.possible(place)) count *= table_.choices(place);
        return count;
    }

    std::vector<Load> loads_;
    Table table_;
    Failures failures_;
    std::uint64_t tables_ = 0;
    bool all_fail_ = true;
};

std::uint64_t power(std::uint64_t base, unsigned exponent) {
    std::uint64_t product = 1;
    for (unsigned i = 0; i < exponent; ++i)
        product *= base;
    return product;
}

/// How many machines of a size there are, by the formula of the page.
std::uint64_t machines(Size size) {
    const unsigned empty = size.states * (size.signals + 1);
    const unsigned full = size.states * (size.signals + 2);
    return power(empty, empty) * power(full, full);
}

std::uint64_t counted(const Failures& failures) {
    std::uint64_t sum = 0;
    for (const auto& [tokens, count] : failures)
        sum += count;
    return sum;
}

TEST(FiniteMachines, OfSmallSizesEachLeaveSomeLoadOfTwoNodesUneven) {
    const std::map<std::pair<unsigned, unsigned>, Failures> page = {
        {{1, 0}, {{2, 4}}},
        {{1, 1}, {{2, 104}, {4, 4}}},
        {{1, 2}, {{2, 6'558}, {4, 354}}},
        {{2, 0}, {{2, 1'024}}},
        {{2, 1}, {{2, 11'434'076}, {3, 3'767}, {4, 506'008}, {6, 85}}},
        {{3, 0}, {{2, 1'258'076}, {3, 132}, {4, 1'504}}},
    };
    for (const auto& [name, failures] : page) {
        const Size size{name.first, name.second};
        const Search search(size);
        EXPECT_TRUE(search.all_fail());
        EXPECT_EQ(counted(search.failures()), machines(size));
        EXPECT_EQ(search.failures(), failures)
            << size.states << " states, " << size.signals << " signals";
        EXPECT_LE(search.failures().rbegin()->first, 2 * joint_states(size) + 2);
    }
}

// ---- Every machine, whole, by other code: it counts steps instead of looking for what comes back

/// By state, then arrived for a pile that is not empty, then arrived for an empty one.
using Digits = std::vector<unsigned>;

bool stays_uneven(Size size, const Digits& machine, unsigned here, unsigned there) {
    const unsigned row = 2 * size.signals + 3;
    const unsigned steps = joint_states(size) * (here + there + 1);  // all configurations
    unsigned own = 0;
    unsigned other = 0;
    unsigned mail = 0;
    bool uneven = false;
    for (unsigned step = 0; step < 2 * steps; ++step) {
        if (step >= steps && (here > there + 1 || there > here + 1)) uneven = true;
        const unsigned place = own * row + (here > 0 ? mail : size.signals + 2 + mail);
        const unsigned sends = here > 0 ? size.signals + 2 : size.signals + 1;
        own = machine[place] / sends;
        mail = machine[place] % sends;
        if (mail == size.signals + 1) {
            --here;
            ++there;
        }
        std::swap(own, other);
        std::swap(here, there);
    }
    return uneven;
}

Failures one_by_one(Size size) {
    const unsigned row = 2 * size.signals + 3;
    Digits machine(std::size_t{size.states} * row, 0);
    const auto limit = [&](std::size_t place) {
        return size.states * (place % row < size.signals + 2 ? size.signals + 2 : size.signals + 1);
    };
    Failures failures;
    while (true) {
        unsigned tokens = 0;
        for (bool found = false; !found; ++tokens)
            for (unsigned first = 0; first <= tokens && !found; ++first)
                found = stays_uneven(size, machine, first, tokens - first);
        ++failures[tokens - 1];
        std::size_t place = 0;
        while (place < machine.size() && ++machine[place] == limit(place))
            machine[place++] = 0;
        if (place == machine.size()) return failures;
    }
}

TEST(FiniteMachines, PlayedOneByOneFailWhereTheSearchSays) {
    for (const Size size : {Size{1, 0}, Size{1, 1}, Size{1, 2}, Size{2, 0}})
        EXPECT_EQ(one_by_one(size), Search(size).failures())
            << size.states << " states, " << size.signals << " signals";
}

}  // namespace
}  // namespace equipoise::test::finite_machines
