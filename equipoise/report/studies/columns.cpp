#include "equipoise/report/studies/columns.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "equipoise/report/tables/schema_paths.hpp"

namespace equipoise::report {

namespace {

using Texts = std::vector<std::string>;

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

/// Whether a result of a sweep may have this name: the usual figures of runs have others than in
/// JSON.
bool is_result_name(const std::string& name) {
    return is_one_of(name, {"nodes", "links", "guaranteed_discrepancy", "guaranteed_steps"}) ||
           is_name_of_path(name);
}

/// `given_rule` says whose the algorithm is, which the algorithm's name tells already: as another
/// name it would keep rows of given rules from being paired with others.
bool is_about_the_row(const std::string& name) {
    return is_one_of(
        name, {"seed", "given_rule", "stopped_because", "left_out_because", "cut_short_because"});
}

class Sorter {
  public:
    Sorter(const Study& study, const Texts& results)
        : study_(study), asked_(results.begin(), results.end()) {
        std::vector<std::size_t> others;
        for (std::size_t at = 0; at < study.columns.size(); ++at) {
            const std::string& name = study.columns[at];
            if (asked_.contains(name))
                made_.results.push_back(at);
            else if (is_one_of(name, {"network", "items", "loads", "algorithm", "parameters"}))
                made_.names.push_back(at);
            else if (!is_about_the_row(name))
                others.push_back(at);
        }
        // A sweep ends its rows with the results and `left_out_because`.
        const std::size_t end =
            study.has("left_out_because") ? study.column("left_out_because") : 0;
        const auto own_end = std::lower_bound(others.begin(), others.end(), end);
        auto first = own_end;
        while (first != others.begin() && is_result_name(study.columns[*(first - 1)]))
            --first;
        made_.names.insert(made_.names.end(), others.begin(), first);
        made_.results.insert(made_.results.end(), first, own_end);
        for (auto at = own_end; at != others.end(); ++at)
            (study.is_numeric(*at) ? made_.results : made_.names).push_back(*at);
    }

    StudyColumns sorted() {
        if (study_.has("seed"))
            while ((made_.alike = alike()) && move_one_to_names()) {
            }
        std::sort(made_.names.begin(), made_.names.end());
        std::sort(made_.results.begin(), made_.results.end());
        return std::move(made_);
    }

  private:
    /// The texts that name a row, and its seed.
    [[nodiscard]] Texts name_of(std::size_t row, bool with_seed) const {
        Texts name;
        for (const std::size_t at : made_.names)
            name.push_back(study_.rows[row][at]);
        if (with_seed) name.push_back(study_.rows[row][study_.column("seed")]);
        return name;
    }

    [[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> alike() const {
        std::map<Texts, std::size_t> first;
        for (std::size_t row = 0; row < study_.rows.size(); ++row) {
            const auto [found, fresh] = first.emplace(name_of(row, true), row);
            if (!fresh) return std::pair(found->second, row);
        }
        return std::nullopt;
    }

    bool move_one_to_names() {
        const auto axis = std::find_if(
            made_.results.begin(), made_.results.end(),
            [&](std::size_t at) { return !asked_.contains(study_.columns[at]) && is_axis(at); });
        if (axis == made_.results.end()) return false;
        made_.names.push_back(*axis);
        made_.results.erase(axis);
        return true;
    }

    /// Whether the column tells some rows of the same names and seed apart, and has the same values
    /// for each seed.
    [[nodiscard]] bool is_axis(std::size_t column) const {
        std::map<Texts, std::map<std::string, std::multiset<std::string>>> values;
        const std::size_t seed = study_.column("seed");
        for (std::size_t row = 0; row < study_.rows.size(); ++row) {
            const Texts& texts = study_.rows[row];
            values[name_of(row, false)][texts[seed]].insert(texts[column]);
        }
        bool tells = false;
        for (const auto& [name, by_seed] : values)
            for (const auto& [text, found] : by_seed) {
                if (found != by_seed.begin()->second) return false;
                tells = tells || *found.begin() != *found.rbegin();
            }
        return tells;
    }

    const Study& study_;
    std::set<std::string> asked_;  ///< results in any case
    StudyColumns made_;
};

}  // namespace

StudyColumns columns_of(const Study& study, const std::vector<std::string>& results) {
    return Sorter(study, results).sorted();
}

}  // namespace equipoise::report
