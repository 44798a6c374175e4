#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/tokens.hpp"
#include "equipoise/verify/certificate_parts.hpp"

namespace equipoise::verify {

namespace {

constexpr char left_open = '.';
constexpr std::string_view act_digits = "0123456789abcdefghijklmnopqrstuvwxyz";
constexpr unsigned machine_tokens_max = 1'000;
/// Of tables that are looked at again where they leave open what others do not: seconds.
constexpr std::size_t looks_max = 20'000'000;

/// Machines of `states` states that send and receive `signals` kinds of signals beside the token.
/// What arrives or is sent: 0 nothing, then the signals, then the token.
///
/// A table has for each state the entries for a pile that is not empty, by what has arrived, and
/// then those for an empty one, at which no token can have arrived. An entry is next state * sends
/// + what is sent; an empty pile has no token to send.
struct MachineSize {
    unsigned states;
    unsigned signals;

    [[nodiscard]] unsigned sends(bool empty) const { return signals + (empty ? 1 : 2); }
    [[nodiscard]] unsigned row() const { return sends(false) + sends(true); }
    [[nodiscard]] std::size_t entries() const { return std::size_t{states} * row(); }
    [[nodiscard]] unsigned choices(std::size_t entry) const {
        return states * sends(entry % row() >= sends(false));
    }
    /// Of these, how many machines there are; as a real number, as it may be large.
    [[nodiscard]] double completions(std::string_view table) const {
        double product = 1;
        for (std::size_t entry = 0; entry < entries(); ++entry)
            if (table[entry] == left_open) product *= choices(entry);
        return product;
    }
};

struct MachineTable {
    std::string acts;
    unsigned first = 0;  ///< tokens that it does not level
    unsigned second = 0;
};

/// Whether the loads stay uneven: they are again and again after as many turns as there are
/// configurations, so the play is where it repeats. `fault` is set if an entry is needed that the
/// table leaves open.
bool stays_uneven(const MachineSize& size, const MachineTable& table, std::string& fault) {
    unsigned piles[2] = {table.first, table.second};
    unsigned states[2] = {0, 0};
    unsigned mail = 0;
    const std::uint64_t configurations = std::uint64_t{2} * size.states * size.states *
                                         size.sends(false) * (table.first + table.second + 1);
    bool uneven = false;
    for (std::uint64_t turn = 0; turn < 2 * configurations; ++turn) {
        const unsigned player = turn % 2;
        unsigned& pile = piles[player];
        const unsigned other_pile = piles[1 - player];
        if (turn >= configurations)
            uneven = uneven || pile > other_pile + 1 || other_pile > pile + 1;
        const unsigned column = pile > 0 ? mail : size.sends(false) + mail;
        const char act = table.acts[states[player] * size.row() + column];
        if (act == left_open) {
            fault = "needs an entry that it leaves open: " + table.acts;
            return false;
        }
        const auto number = static_cast<unsigned>(act_digits.find(act));
        const unsigned sends = size.sends(pile == 0);
        states[player] = number / sends;
        mail = number % sends;
        if (mail == size.signals + 1) {
            --pile;
            ++piles[1 - player];
        }
    }
    return uneven;
}

/// Whether every machine is a completion of one of the tables.
class Coverage {
  public:
    Coverage(const MachineSize& size, const std::vector<MachineTable>& tables)
        : size_(size), tables_(tables), fixed_(size.entries(), false) {}

    /// Nothing if it takes too long to know.
    [[nodiscard]] std::optional<bool> complete() {
        std::vector<std::size_t> all(tables_.size());
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i] = i;
        const bool holds = covers(all);
        if (looks_ > looks_max) return std::nullopt;
        return holds;
    }

  private:
    /// Of the machines that have what is fixed so far; `list` are the tables that may hold one.
    bool covers(const std::vector<std::size_t>& list) {
        looks_ += list.size();
        if (list.empty() || looks_ > looks_max) return false;
        // The entry that most of them have; none if the first leaves the rest open.
        std::vector<std::size_t> known(fixed_.size(), 0);
        for (const std::size_t i : list) {
            bool rest_open = true;
            for (std::size_t entry = 0; entry < fixed_.size(); ++entry)
                if (!fixed_[entry] && tables_[i].acts[entry] != left_open) {
                    ++known[entry];
                    rest_open = false;
                }
            if (rest_open) return true;
        }
        const auto entry =
            static_cast<std::size_t>(std::max_element(known.begin(), known.end()) - known.begin());
        fixed_[entry] = true;
        bool all = true;
        for (unsigned choice = 0; choice < size_.choices(entry) && all; ++choice) {
            std::vector<std::size_t> rest;
            for (const std::size_t i : list)
                if (const char act = tables_[i].acts[entry];
                    act == left_open || act == act_digits[choice])
                    rest.push_back(i);
            all = covers(rest);
        }
        fixed_[entry] = false;
        return all;
    }

    const MachineSize& size_;
    const std::vector<MachineTable>& tables_;
    std::vector<bool> fixed_;
    std::size_t looks_ = 0;
};

MachineTable table_of(const JsonValue& value, const MachineSize& size, unsigned first,
                      unsigned second) {
    MachineTable table{value.text(), first, second};
    bool fits = table.acts.size() == size.entries();
    for (std::size_t entry = 0; fits && entry < table.acts.size(); ++entry)
        fits = table.acts[entry] == left_open ||
               act_digits.find(table.acts[entry]) < size.choices(entry);
    if (!fits)
        value.refuse("a table of " + std::to_string(size.entries()) +
                     " entries, each a digit of one of its choices or a dot");
    return table;
}

}  // namespace

void examine_finite_machines(const JsonValue& claim, const std::string& which, Report& report) {
    claim.expect_keys({"claim", "states", "signals", "failures"});
    constexpr unsigned size_max = 4;  // so that a digit is enough for every choice
    const MachineSize size{claim.at("states").whole<unsigned>(1, size_max),
                           claim.at("signals").whole<unsigned>(0, size_max)};
    std::vector<MachineTable> tables;
    std::map<unsigned, double> machines;  // by tokens
    claim.at("failures").for_each([&](const JsonValue& failure) {
        failure.expect_keys({"loads", "tables"});
        const auto loads = by_node<unsigned>(failure.at("loads"), 2, 0, machine_tokens_max);
        failure.at("tables").for_each([&](const JsonValue& text) {
            tables.push_back(table_of(text, size, loads[0], loads[1]));
            machines[loads[0] + loads[1]] += size.completions(tables.back().acts);
        });
    });
    std::string fault;
    std::size_t uneven = 0;
    for (const MachineTable& table : tables)
        if (stays_uneven(size, table, fault)) ++uneven;
    if (uneven < tables.size() && fault.empty()) fault = "a table that levels its loads";
    report.checks.push_back(
        {which + ", plays", fault.empty(),
         fault.empty() ? std::to_string(uneven) + " tables leave their loads uneven" : fault});
    std::string counts;
    for (const auto& [tokens, count] : machines)
        counts += (counts.empty() ? "" : ", ") + real_text(count) + " with " +
                  std::to_string(tokens) + " tokens";
    const std::optional<bool> known = Coverage(size, tables).complete();
    if (!known) {
        report.unchecked.push_back(which + ": that these are all machines (too many to compare)");
        return;
    }
    const bool all = *known;
    report.checks.push_back({which + ", all machines", all,
                             all ? "every machine has one of the tables: " + counts
                                 : "a machine that no table describes"});
}

}  // namespace equipoise::verify
