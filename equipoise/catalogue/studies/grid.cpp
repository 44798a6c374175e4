#include "equipoise/catalogue/studies/grid.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/build_info.hpp"
#include "equipoise/catalogue/studies/placeholders.hpp"
#include "equipoise/network/any_network.hpp"
#include "equipoise/network/concept.hpp"

namespace equipoise::catalogue {

namespace {

/// Digests of everything on which rows depend besides the fields that name them: the program's
/// version, what the scenario says about all rows, and the contents of files.
class Fingerprints {
  public:
    explicit Fingerprints(const Scenario& scenario) : networks_(scenario.given.networks) {
        add(common_, build_info().version);
        common_.add(scenario.steps_max ? 1 : 0);
        common_.add(scenario.steps_max.value_or(0));
        common_.add(scenario.simplify ? 1 : 0);
        common_.add(scenario.largest_component ? 1 : 0);
        if (scenario.verb != Verb::run) add(common_, to_string(scenario.verb));
        for (const std::string& column : scenario.columns)
            add(common_, column);
        for (const auto& [name, texts] : scenario.values)
            add(common_, name);
        for (const auto& [name, texts] : scenario.options)
            add(common_, name);
    }

    /// The digest for rows whose texts may name files, possibly behind a prefix, or given networks.
    /// `rule`: of a given rule its version.
    [[nodiscard]] std::string of(const std::vector<std::string>& texts,
                                 const std::optional<std::string>& rule) {
        Digest digest = common_;
        for (const std::string& text : texts)
            digest.add(contents(text));
        if (rule) add(digest, "given rule " + *rule);
        return digest.text();
    }

  private:
    static void add(Digest& digest, std::string_view bytes) {
        for (const char byte : bytes)
            digest.add(static_cast<unsigned char>(byte));
        digest.add(bytes.size());
    }

    /// The digest of the given network or the file that a text names; 0 if it names none.
    std::uint64_t contents(const std::string& text) {
        const auto [known, fresh] = files_.try_emplace(text, 0);
        if (!fresh) return known->second;
        if (const auto network = networks_.find(text); network != networks_.end())
            return known->second = digest_of(*network->second);
        std::error_code none;
        if (!std::filesystem::is_regular_file(text, none)) return known->second;
        std::ifstream file(text, std::ios::binary);
        Digest digest;
        std::vector<char> block(std::size_t{1} << 16U);
        while (file.read(block.data(), static_cast<std::streamsize>(block.size())),
               file.gcount() > 0)
            add(digest, {block.data(), static_cast<std::size_t>(file.gcount())});
        return known->second = digest.value();
    }

    /// Of all on which runs and loads depend: links, and the names of nodes.
    static std::uint64_t digest_of(const network::AnyNetwork& network) {
        Digest digest;
        digest.add(network.visit([](const auto& made) { return network::digest(made); }));
        digest.add(network.labels().first_number);
        for (const std::string& name : network.labels().names)
            add(digest, name);
        return digest.value();
    }

    Digest common_;
    const std::map<std::string, std::shared_ptr<const network::AnyNetwork>>& networks_;
    std::map<std::string, std::uint64_t> files_;
};

/// All combinations of one element from each list, the last list fastest.
std::vector<std::map<std::string, std::string>> combinations(
    const std::map<std::string, std::vector<std::string>>& lists) {
    std::vector<std::map<std::string, std::string>> all(1);
    for (const auto& [name, texts] : lists) {
        std::vector<std::map<std::string, std::string>> longer;
        longer.reserve(all.size() * texts.size());
        for (const auto& one : all)
            for (const std::string& text : texts) {
                longer.push_back(one);
                longer.back()[name] = text;
            }
        all = std::move(longer);
    }
    return all;
}

class GridMaker {
  public:
    explicit GridMaker(const Scenario& scenario) : scenario_(scenario), fingerprints_(scenario) {
        if (!scenario.sizes.empty()) {
            std::vector<std::string>& sizes = lists_["n"];
            for (const std::uint64_t size : scenario.sizes)
                sizes.push_back(std::to_string(size));
        }
        for (const auto& [name, texts] : scenario.values)
            lists_[name] = texts;
        name_fields();
    }

    Grid make() {
        std::size_t rows = 0;
        for (const std::string& network : scenario_.networks)
            rows += expect_few(lists_of(network), rows);
        const auto options = combinations(scenario_.options);
        std::vector<ScenarioAlgorithm> algorithms = scenario_.algorithms;
        if (!plays_algorithms(scenario_.verb)) algorithms.resize(1);
        for (const std::string& network : scenario_.networks)
            for (const PlaceholderValues& chosen : combinations(lists_of(network)))
                for (const std::string& loads : scenario_.loads)
                    for (const std::uint64_t seed : scenario_.seeds)
                        for (const ScenarioAlgorithm& algorithm : algorithms)
                            for (const auto& given : options)
                                add(chosen, network, loads, seed, algorithm, given);
        expect_given_used();
        return std::move(grid_);
    }

  private:
    void name_fields() {
        report::SweepShape& shape = grid_.shape;
        shape.algorithms = plays_algorithms(scenario_.verb);
        shape.networks = needs_network(scenario_.verb);
        shape.given_rules = shape.algorithms && !scenario_.given.rules.empty();
        for (const auto& [name, texts] : scenario_.values)
            shape.settings.push_back(name);
        for (const auto& [name, texts] : scenario_.options) {
            shape.settings.push_back(name);
            std::replace(shape.settings.back().begin(), shape.settings.back().end(), '-', '_');
        }
        for (const std::string& column : scenario_.columns)
            shape.columns.emplace_back(column);
        shape.tells_cut_short = scenario_.verb == Verb::run && !scenario_.columns.empty();
        std::set<std::string> seen;
        for (const std::string& field : report::sweep_fields(shape))
            if (!seen.insert(field).second)
                throw InputError(scenario_.name +
                                 ": expected columns of different names, found \"" + field +
                                 "\" twice");
    }

    using Lists = std::map<std::string, std::vector<std::string>>;

    /// The lists of placeholders that the rows of a network use: those in its own text and those
    /// common to all networks.
    [[nodiscard]] Lists lists_of(const std::string& network) const {
        std::set<std::string> used = placeholder_names(network);
        for (const std::string& loads : scenario_.loads)
            used.merge(placeholder_names(loads));
        for (const ScenarioAlgorithm& algorithm : scenario_.algorithms)
            for (const auto& [name, text] : algorithm.parameters)
                used.merge(placeholder_names(text));
        for (const auto& [name, texts] : scenario_.options)
            for (const std::string& text : texts)
                used.merge(placeholder_names(text));
        Lists lists;
        for (const auto& [name, texts] : lists_)
            if (used.contains(name)) lists.emplace(name, texts);
        return lists;
    }

    /// The number of rows of one network, which must not be too large together with `before`
    /// others.
    std::size_t expect_few(const Lists& values, std::size_t before) const {
        std::size_t rows = 1;
        const auto times = [&](std::size_t count) {
            if (count > (grid_rows_max - before) / rows)
                throw InputError(scenario_.name + ": expected at most " +
                                 std::to_string(grid_rows_max) + " rows, found more");
            rows *= std::max<std::size_t>(count, 1);
        };
        for (const std::size_t count :
             {scenario_.loads.size(), scenario_.seeds.size(), scenario_.algorithms.size()})
            times(count);
        for (const auto* lists : {&values, &scenario_.options})
            for (const auto& [name, texts] : *lists)
                times(texts.size());
        return rows;
    }

    /// Fills in a text and notes which values it uses.
    std::string filled(const std::string& text, const PlaceholderValues& values,
                       const std::string& key) {
        if (text.find('{') == std::string::npos) return text;
        try {
            used_.merge(placeholder_names(text));
            return fill_placeholders(text, values);
        } catch (const InputError& error) {
            throw InputError(scenario_.name + ": " + key + ": " + error.what());
        }
    }

    void add(const PlaceholderValues& values, const std::string& network, const std::string& loads,
             std::uint64_t seed, const ScenarioAlgorithm& algorithm,
             const std::map<std::string, std::string>& options) {
        used_.clear();
        report::SweepRun run{filled(network, values, grid_.shape.networks ? "networks" : "items"),
                             filled(loads, values, "loads"),
                             seed,
                             algorithm.name,
                             {}};
        for (const auto& [name, text] : algorithm.parameters)
            run.parameters[name] = filled(text, values, "algorithms: parameters: " + name);
        GridRow row;
        row.algorithm = {algorithm.name, run.parameters};
        std::vector<std::string> files = {run.network, run.loads};
        for (const auto& [name, text] : options) {
            std::string& value = row.options[name] = filled(text, values, "options." + name);
            expect_right(name, value);
            const std::string_view prefix = find_option(scenario_.verb, name)->file_prefix;
            files.push_back(value.starts_with(prefix) ? value.substr(prefix.size()) : value);
        }
        for (const auto& [name, texts] : scenario_.values)
            run.settings.push_back(used_.contains(name) ? values.at(name) : "");
        for (const auto& [name, value] : row.options)
            run.settings.push_back(value);
        note_rules(row, run);
        const std::string name = report::sweep_name(run, grid_.shape);
        if (!names_.insert(name).second) return;
        const std::string& version = scenario_.given.version;
        row.resumable = !run.given_rule || !version.empty();
        row.key = fingerprints_.of(files, run.given_rule ? std::optional(version) : std::nullopt) +
                  ',' + name;
        cell_of(run).rows.push_back(grid_.rows.size());
        grid_.rows.push_back(std::move(row));
    }

    /// Notes whether a given rule takes part in a row, and which.
    void note_rules(const GridRow& row, report::SweepRun& run) {
        std::vector<std::string> named = {row.algorithm.name};
        if (const auto beside = row.options.find("beside"); beside != row.options.end())
            named.push_back(beside->second);
        for (const std::string& name : named)
            if (scenario_.given.rules.contains(name)) {
                rules_.insert(name);
                run.given_rule = true;
            }
    }

    void expect_given_used() const {
        const auto fail = [&](const std::string& what, const std::string& name) {
            throw InputError(scenario_.name + ": expected the given " + what + " \"" + name +
                             "\" among the " + what + "s, found other names only");
        };
        for (const auto& [name, rule] : scenario_.given.rules)
            if (!rules_.contains(name)) fail("algorithm", name);
        for (const auto& [name, network] : scenario_.given.networks)
            if (!grid_.shape.networks || std::none_of(grid_.cells.begin(), grid_.cells.end(),
                                                      [&, &given = name](const GridCell& cell) {
                                                          return cell.network == given;
                                                      }))
                fail("network", name);
    }

    /// Throws InputError for an option that is wrong on every network.
    void expect_right(const std::string& option, const std::string& value) {
        if (option == "beside" && scenario_.given.rules.contains(value)) return;
        if (!checked_.emplace(option, value).second) return;
        Question question;
        question.plan.loads = {"of the row"};
        question.reassign.items = "of the row";
        question.reassign.texts["items"] = "";
        try {
            find_option(scenario_.verb, option)->set(question, value);
            check(scenario_.verb, question);
        } catch (const InputError& error) {
            std::string_view message = error.what();
            const std::string flag = "--" + option + ": ";
            if (message.starts_with(flag)) message.remove_prefix(flag.size());
            throw InputError(scenario_.name + ": options." + option + ": " + std::string(message));
        }
    }

    GridCell& cell_of(const report::SweepRun& run) {
        const auto [known, fresh] =
            cells_.try_emplace({run.network, run.loads, run.seed}, grid_.cells.size());
        if (fresh) grid_.cells.push_back({run.network, run.loads, run.seed, {}});
        return grid_.cells[known->second];
    }

    const Scenario& scenario_;
    Fingerprints fingerprints_;
    std::map<std::string, std::vector<std::string>> lists_;  ///< what placeholders stand for
    Grid grid_;
    std::set<std::string> used_;                             ///< placeholders of the row at hand
    std::set<std::string> names_;                            ///< of rows
    std::set<std::string> rules_;                            ///< given ones that rows play
    std::set<std::pair<std::string, std::string>> checked_;  ///< options and their values
    std::map<std::tuple<std::string, std::string, std::uint64_t>, std::size_t> cells_;
};

}  // namespace

Question question_of(const Scenario& scenario, const GridCell& cell, const GridRow& row) {
    Question question;
    question.run.options.seed = question.plan.seed = question.analyze.seed = cell.seed;
    question.run.options.parameters = question.worst.parameters = row.algorithm.parameters;
    question.worst.algorithm = row.algorithm.name;
    question.worst.seed = cell.seed;
    question.run.options.steps_max = scenario.steps_max;
    question.plan.loads.text = question.analyze.loads.text = cell.loads;
    question.reassign.items = cell.network;
    question.reassign.seed = cell.seed;
    for (const auto& [name, text] : row.options)
        find_option(scenario.verb, name)->set(question, text);
    return question;
}

Grid make_grid(const Scenario& scenario) {
    return GridMaker(scenario).make();
}

}  // namespace equipoise::catalogue
