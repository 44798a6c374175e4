#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/reassign/input/aims.hpp"

namespace equipoise::reassign {

namespace {

class RatesReader {
  public:
    RatesReader(LineSource& source, Problem& problem, ReadTables& read)
        : source_(source), problem_(problem), read_(read), table_(source) {}

    void read() {
        const std::size_t machine_at = machine_column(table_, source_, {});
        const std::vector<Direction> directions = read_columns();
        std::vector<bool> named(problem_.machines.size(), false);
        std::vector<std::string> fields;
        while (table_.next(fields)) {
            const std::string& name = fields[machine_at];
            const auto machine = problem_.machines.find(name);
            if (!machine) source_.fail("the name of a known machine", name);
            if (named[*machine])
                throw InputError(source_.name() + ':' + std::to_string(source_.line_number()) +
                                 ": machine \"" + printable(name) + "\" is listed twice");
            named[*machine] = true;
            for (const auto& [column, a_wave, a_second] : directions)
                read_rate(fields[column], (*a_wave)[*machine], (*a_second)[*machine]);
        }
        const auto unnamed = std::count(named.begin(), named.end(), false);
        if (a_second_.value_or(false) && unnamed > 0)
            read_.notes.push_back(
                source_.name() + ": " +
                counted(std::uint64_t{static_cast<std::size_t>(unnamed)}, "machine") +
                (unnamed == 1 ? " has" : " have") +
                " no rate; times count only what others give and take");
        if (a_second_.value_or(true)) {
            problem_.takes.clear();
            problem_.gives.clear();
        }
        if (!a_second_.value_or(false)) {
            problem_.takes_a_second.clear();
            problem_.gives_a_second.clear();
        }
    }

  private:
    struct Direction {
        std::size_t column = 0;
        std::vector<Tokens>* a_wave = nullptr;
        std::vector<double>* a_second = nullptr;
    };

    /// In and out, or one column for both; nothing is limited yet.
    std::vector<Direction> read_columns() {
        const std::optional<std::size_t> both = table_.column("both");
        std::vector<Direction> directions;
        if (both) {
            problem_.half_duplex = true;
            directions = {{*both, &problem_.gives, &problem_.gives_a_second}};
            if (table_.columns().size() != 2)
                source_.fail("two columns, machine and both, or three: machine, in and out",
                             table_.header());
        } else {
            if (problem_.half_duplex)
                source_.fail("the columns machine and both, as giving and taking count together",
                             table_.header());
            const std::size_t in_at = expect_column(table_, source_, {"in", ""});
            const std::size_t out_at = expect_column(table_, source_, {"out", ""});
            directions = {{in_at, &problem_.takes, &problem_.takes_a_second},
                          {out_at, &problem_.gives, &problem_.gives_a_second}};
            if (table_.columns().size() != 3)
                source_.fail("three columns: machine, in and out", table_.header());
        }
        for (const Direction& direction : directions) {
            direction.a_wave->assign(problem_.machines.size(), tokens_max);
            direction.a_second->assign(problem_.machines.size(),
                                       std::numeric_limits<double>::infinity());
        }
        return directions;
    }

    void read_rate(const std::string& text, Tokens& a_wave, double& a_second) {
        constexpr std::string_view ending = "/s";
        if (text.empty()) return;
        std::string_view amount = text;
        const bool has_ending = amount.ends_with(ending);
        if (has_ending) amount.remove_suffix(ending.size());
        const std::optional<Quantity> found = quantity(amount);
        if (!found)
            source_.fail(quantity_expected(amount) + "; with /s behind it, a rate a second", text);
        if (a_second_.value_or(has_ending) != has_ending)
            source_.fail(has_ending ? "an amount in a wave (without /s), as before"
                                    : "a rate a second (with /s), as before",
                         text);
        a_second_ = has_ending;
        Resource& copied = problem_.resources[problem_.copied];
        if (problem_.copied == items_resource &&
            (found->has_unit || (found->decimals > 0 && !has_ending)))
            source_.fail("a number of items, as they have neither bytes nor size", text);
        if (has_ending) {
            if (found->number == 0) source_.fail("a rate above 0", text);
            copied.in_bytes = copied.in_bytes || found->has_unit;
            a_second = found->real() * std::pow(10.0, copied.decimals);
            return;
        }
        const std::optional<Int128> limit = in_units(problem_, problem_.copied, *found);
        if (!limit) source_.fail("fewer digits after the point", text);
        a_wave = static_cast<Tokens>(std::min<Int128>(*limit, tokens_max));
    }

    LineSource& source_;
    Problem& problem_;
    ReadTables& read_;
    TableReader table_;
    std::optional<bool> a_second_;  ///< which kind the file has
};

}  // namespace

void read_rates(LineSource& source, Problem& problem, ReadTables& read) {
    RatesReader(source, problem, read).read();
}

}  // namespace equipoise::reassign
