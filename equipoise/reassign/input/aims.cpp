#include "equipoise/reassign/input/aims.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "equipoise/base/comma_list.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::reassign {

namespace {

constexpr std::uint64_t million = 1'000'000;
constexpr int millionth_digits = 6;
constexpr std::uint64_t tolerance_max = 1000;
constexpr double above_max = 1e6;

/// Entries of a list with a mark between a name and its value.
struct NamedText {
    std::string name;  ///< empty: there is no mark
    std::string text;
};

std::vector<NamedText> named_texts(const char* option, const char* entries, char mark,
                                   const std::string& list) {
    std::vector<NamedText> texts;
    for (const std::string& entry : comma_list(option, entries, list)) {
        const std::size_t at = entry.rfind(mark);
        if (at == std::string::npos) {
            texts.push_back({"", entry});
        } else {
            texts.push_back({entry.substr(0, at), entry.substr(at + 1)});
        }
    }
    return texts;
}

[[noreturn]] void fail(const char* option, const std::string& expected, const std::string& found) {
    throw InputError(std::string(option) + ": expected " + expected + ", found \"" +
                     printable(found) + '"');
}

constexpr const char* tolerance_words =
    "a number from 0 to 1000 with at most 6 digits after the point, or one for each of several "
    "resources (bytes:0.05,items:0.2)";

std::vector<NamedText> tolerances_of(const std::string& list) {
    std::vector<NamedText> texts = named_texts("--tolerance", "tolerances", ':', list);
    for (const NamedText& each : texts) {
        const bool named_as_needed = !each.name.empty() || texts.size() == 1;
        if (!named_as_needed ||
            !scaled_number(each.text, millionth_digits, tolerance_max * million))
            fail("--tolerance", tolerance_words, list);
    }
    return texts;
}

constexpr const char* at_most_words = "limits such as moves=50, bytes=2TB or waves=3";

std::vector<NamedText> limits_of(const std::string& list) {
    std::vector<NamedText> texts = named_texts("--at-most", "limits", '=', list);
    for (const NamedText& each : texts) {
        if (each.name.empty()) fail("--at-most", at_most_words, list);
        if (!quantity(each.text)) fail("--at-most", quantity_expected(each.text), each.text);
        const auto same = [&](const NamedText& other) {
            return lower_case(other.name) == lower_case(each.name);
        };
        if (std::count_if(texts.begin(), texts.end(), same) > 1)
            fail("--at-most", "each limit once", list);
    }
    return texts;
}

bool is_leaders(const std::string& name) {
    return lower_case(name) == "leaders";
}

bool has_leaders(const std::vector<std::string>& level) {
    return std::any_of(level.begin(), level.end(), is_leaders);
}

/// The resources of a level, or "none".
std::vector<std::string> resources_of(std::vector<std::string> level) {
    std::erase_if(level, is_leaders);
    return level;
}

bool is_none(const std::vector<std::string>& level) {
    const std::vector<std::string> resources = resources_of(level);
    return resources.size() == 1 && lower_case(resources.front()) == "none";
}

/// Whether no resource is to be level.
bool levels_no_resource(const AskedAims& asked) {
    return is_none(asked.level) || asked.leaders_alone();
}

/// Finds resources by name for messages that name an option.
std::size_t resource_for(const Problem& problem, const char* option, const std::string& name) {
    if (const auto resource = find_resource(problem, name)) return *resource;
    std::vector<std::string> names;
    for (const Resource& resource : problem.resources)
        names.push_back(resource.name);
    throw InputError(std::string(option) + ": items have no resource \"" + printable(name) + '"' +
                     printable(suggestion(name, names)));
}

}  // namespace

void AskedAims::check(bool with_objective) const {
    if (with_objective) {
        const std::pair<const char*, bool> given[] = {
            {"--level", !level.empty()},
            {"--tolerance", !tolerance.empty()},
            {"--fewest", !fewest.empty()},
            {"--only-if-above", only_if_above.has_value()}};
        for (const auto& [option, is_given] : given)
            if (is_given)
                throw InputError(
                    std::string("--objective: expected no ") + option +
                    " beside it, as its costs take the place of these aims, found both");
    }
    if (!is_none(level))
        for (const std::string& name : level)
            if (name.empty() || lower_case(name) == "none")
                fail("--level", "names of resources, or none alone", name);
    if (!tolerance.empty()) {
        static_cast<void>(tolerances_of(tolerance));
        if (is_none(level) && !has_leaders(level))
            throw InputError("--tolerance: expected a level to hold it, found --level none");
    }
    if (!at_most.empty()) static_cast<void>(limits_of(at_most));
    if (!only_if_above) return;
    if (!std::isfinite(*only_if_above) || *only_if_above < 0 || *only_if_above > above_max)
        throw InputError("--only-if-above: expected a number from 0 to 1000000, found " +
                         std::to_string(*only_if_above));
    if (levels_no_resource(*this))
        throw InputError("--only-if-above: expected a level to compare with, found --level " +
                         listed(level, ","));
}

bool AskedAims::leaders_alone() const {
    return !level.empty() && resources_of(level).empty();
}

void name_columns(const AskedAims& asked, Columns& columns) {
    if (!is_none(asked.level))
        for (const std::string& name : resources_of(asked.level))
            columns.resources.push_back({name, "--level"});
    if (!asked.fewest.empty()) columns.resources.push_back({asked.fewest, "--fewest"});
    if (asked.at_most.empty()) return;
    for (const NamedText& limit : limits_of(asked.at_most))
        if (lower_case(limit.name) != "waves")
            columns.resources.push_back({limit.name, "--at-most"});
}

namespace {

void set_tolerances(const AskedAims& asked, Problem& problem) {
    for (const NamedText& each : tolerances_of(asked.tolerance)) {
        const std::uint64_t millionths =
            *scaled_number(each.text, millionth_digits, tolerance_max * million);
        bool found = false;
        if (problem.leaders_tolerance && (each.name.empty() || is_leaders(each.name))) {
            problem.leaders_tolerance = millionths;
            found = true;
        }
        for (LevelAim& aim : problem.level) {
            if (!each.name.empty() &&
                (is_leaders(each.name) ||
                 aim.resource != resource_for(problem, "--tolerance", each.name)))
                continue;
            aim.tolerance = millionths;
            found = true;
        }
        if (!found) fail("--tolerance", "a resource that --level names", each.name);
    }
}

void set_level(const AskedAims& asked, Problem& problem) {
    if (has_leaders(asked.level)) {
        if (std::find(problem.leads.begin(), problem.leads.end(), true) == problem.leads.end())
            throw InputError(
                "--level: leaders need items that lead (a column leader with yes or no, or Kafka's "
                "partitions), found none");
        problem.leaders_tolerance = 0;
    }
    if (asked.level.empty())
        problem.level.push_back({find_resource(problem, "bytes").value_or(items_resource)});
    if (!levels_no_resource(asked)) {
        for (const std::string& name : resources_of(asked.level)) {
            const std::size_t resource = resource_for(problem, "--level", name);
            const auto is_same = [&](const LevelAim& aim) { return aim.resource == resource; };
            if (std::none_of(problem.level.begin(), problem.level.end(), is_same))
                problem.level.push_back({resource});
        }
    }
    if (!asked.tolerance.empty()) set_tolerances(asked, problem);
}

void set_budget(const AskedAims& asked, Problem& problem, ReadTables& read) {
    problem.budget = {};
    if (asked.at_most.empty()) return;
    for (const NamedText& limit : limits_of(asked.at_most)) {
        const Quantity found = *quantity(limit.text);
        const bool is_waves = lower_case(limit.name) == "waves";
        const std::size_t resource =
            is_waves ? items_resource : resource_for(problem, "--at-most", limit.name);
        if (resource == items_resource && (found.has_unit || found.decimals > 0))
            fail("--at-most", "a whole number of " + limit.name, limit.text);
        if (!is_waves && !found.has_unit && found.number != 0) read.without_unit[resource] = true;
        const std::optional<Int128> amount = in_units(problem, resource, found);
        if (!amount) fail("--at-most", "fewer digits after the point", limit.text);
        const auto most = static_cast<Tokens>(std::min<Int128>(*amount, tokens_max));
        if (is_waves) {
            problem.budget.waves = most;
            continue;
        }
        problem.budget.amounts.resize(problem.resource_count(), tokens_max);
        problem.budget.amounts[resource] = std::min(problem.budget.amounts[resource], most);
    }
}

}  // namespace

void set_aims(const AskedAims& asked, bool with_objective, Problem& problem, ReadTables& read) {
    problem.fewest =
        asked.fewest.empty() ? items_resource : resource_for(problem, "--fewest", asked.fewest);
    problem.copied = problem.fewest != items_resource
                         ? problem.fewest
                         : find_resource(problem, "bytes").value_or(items_resource);
    problem.level.clear();
    problem.leaders_tolerance.reset();
    if (!with_objective) set_level(asked, problem);
    if (asked.only_if_above)
        problem.only_if_above =
            static_cast<std::uint64_t>(std::llround(*asked.only_if_above * million));
    set_budget(asked, problem, read);
}

}  // namespace equipoise::reassign
