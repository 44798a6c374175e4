#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <optional>

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/report/pictures/chart.hpp"

namespace equipoise::report {

namespace {

struct Renamed {
    std::string from;
    std::string to;
};

std::vector<std::string> names_in(const Chart& chart) {
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
        if (!name.empty() && std::find(names.begin(), names.end(), name) == names.end())
            names.push_back(name);
    };
    for (const ChartPanel& panel : chart.panels) {
        for (const Series& series : panel.series)
            add(series.name);
        add(panel.title);
        for (const std::string& category : panel.x.categories)
            add(category);
    }
    return names;
}

/// The longest of the names that stands at the beginning of a text, before "=", "," or its end:
/// names may hold all of these.
std::optional<std::string> name_at(std::string_view text, const std::vector<std::string>& known) {
    std::optional<std::string> found;
    for (const std::string& name : known) {
        const bool ends =
            text.size() == name.size() ||
            (text.size() > name.size() && (text[name.size()] == '=' || text[name.size()] == ','));
        if (text.starts_with(name) && ends && (!found || found->size() < name.size())) found = name;
    }
    return found;
}

InputError unknown(const std::string& word, const std::vector<std::string>& known) {
    return InputError("--names: expected the name of a curve, a panel or a category, found \"" +
                      word + '"' + suggestion(word, known));
}

std::vector<Renamed> parsed(std::string_view text, const std::vector<std::string>& known) {
    std::vector<Renamed> names;
    while (!text.empty()) {
        const auto from = name_at(text, known);
        if (!from) {
            const std::string word(text.substr(0, text.find_first_of("=,")));
            throw unknown(word, known);
        }
        if (std::any_of(names.begin(), names.end(),
                        [&](const Renamed& name) { return name.from == *from; }))
            throw InputError("--names: expected every name once, found \"" + *from + "\" twice");
        text.remove_prefix(from->size());
        std::string to = *from;
        if (text.starts_with('=')) {
            // The new name goes on to a comma that a known name follows, or to the end.
            std::size_t end = text.find(',');
            while (end != std::string_view::npos && !name_at(text.substr(end + 1), known))
                end = text.find(',', end + 1);
            to = text.substr(1, end == std::string_view::npos ? end : end - 1);
            text.remove_prefix(std::min(end, text.size()));
        }
        // What follows a comma may be a name that was mistyped.
        for (std::size_t comma = to.find(','); comma != std::string::npos;
             comma = to.find(',', comma + 1)) {
            const std::string word =
                to.substr(comma + 1, to.find_first_of("=,", comma + 1) - comma - 1);
            if (!near_words(word, known).empty()) throw unknown(word, known);
        }
        if (to.empty())
            throw InputError("--names: expected a new name for \"" + *from + "\", found none");
        names.push_back({*from, to});
        if (!text.empty()) text.remove_prefix(1);
    }
    return names;
}

/// The new number of each look, by the order in which names were given.
std::map<std::size_t, std::size_t> new_looks(const Chart& chart,
                                             const std::vector<Renamed>& names) {
    std::map<std::size_t, std::size_t> ranks;  // of looks: the place of their name
    for (const ChartPanel& panel : chart.panels)
        for (const Series& series : panel.series) {
            const auto given = std::find_if(names.begin(), names.end(), [&](const Renamed& name) {
                return name.from == series.name;
            });
            const auto rank = static_cast<std::size_t>(given - names.begin());
            const auto [at, first] = ranks.emplace(series.look, rank);
            if (!first) at->second = std::min(at->second, rank);
        }
    std::vector<std::size_t> order;
    for (const auto& [look, rank] : ranks)
        order.push_back(look);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ranks[a] < ranks[b]; });
    std::vector<std::size_t> numbers(order);
    std::sort(numbers.begin(), numbers.end());
    std::map<std::size_t, std::size_t> looks;
    for (std::size_t k = 0; k < order.size(); ++k)
        looks[order[k]] = numbers[k];
    return looks;
}

void reorder(ChartPanel& panel, const std::map<std::size_t, std::size_t>& looks) {
    const auto renumber = [&](std::size_t& look) {
        const auto found = looks.find(look);
        if (found != looks.end()) look = found->second;
    };
    for (Band& band : panel.bands)
        renumber(band.look);
    for (Limit& limit : panel.limits)
        for (std::size_t& look : limit.looks)
            renumber(look);
    for (Series& series : panel.series) {
        renumber(series.look);
        if (series.beside.count > 1)
            series.beside.number =
                static_cast<std::size_t>(std::distance(looks.begin(), looks.find(series.look)));
    }
    std::stable_sort(panel.series.begin(), panel.series.end(),
                     [](const Series& a, const Series& b) { return a.look < b.look; });
}

}  // namespace

void rename(Chart& chart, std::string_view text) {
    const std::vector<Renamed> names = parsed(text, names_in(chart));
    const std::map<std::size_t, std::size_t> looks = new_looks(chart, names);
    const auto renamed = [&](std::string& name) {
        const auto found = std::find_if(names.begin(), names.end(),
                                        [&](const Renamed& one) { return one.from == name; });
        if (found != names.end()) name = found->to;
    };
    for (ChartPanel& panel : chart.panels) {
        reorder(panel, looks);
        for (Series& series : panel.series)
            renamed(series.name);
        renamed(panel.title);
        for (std::string& category : panel.x.categories)
            renamed(category);
    }
}

}  // namespace equipoise::report
