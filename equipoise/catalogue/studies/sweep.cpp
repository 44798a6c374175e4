#include "equipoise/catalogue/studies/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/requirements.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/catalogue/studies/best_possible.hpp"
#include "equipoise/catalogue/studies/grid.hpp"
#include "equipoise/catalogue/studies/reassign_answer.hpp"
#include "equipoise/model/run/stop.hpp"
#include "equipoise/report/answers/analysis.hpp"
#include "equipoise/report/answers/plan.hpp"
#include "equipoise/report/answers/reassign.hpp"
#include "equipoise/report/runs/reading.hpp"
#include "equipoise/report/runs/run_json.hpp"
#include "equipoise/report/runs/sweep_rows.hpp"
#include "equipoise/report/studies/study.hpp"

namespace equipoise::catalogue {

namespace {

/// The rows found so far, by key, and the file that collects more.
class Journal {
  public:
    Journal(std::string path, const std::vector<GridRow>& rows) : path_(std::move(path)) {
        std::set<std::string> keys;  // none begins with another: each has as many fields
        for (const GridRow& row : rows)
            if (row.resumable) keys.insert(row.key);
        std::ifstream file(path_, std::ios::binary);
        std::string line;
        while (std::getline(file, line) && !file.eof()) {  // a line without its end was torn
            line += '\n';
            const auto after = keys.upper_bound(line);
            const bool known = after != keys.begin() && line.starts_with(*std::prev(after)) &&
                               rows_.emplace(*std::prev(after), line).second;
            if (!known) ++dropped_;
        }
        file.close();
        rewrite();
        out_.open(path_, std::ios::binary | std::ios::app);
        if (!out_) throw InputError(path_ + ": cannot be written");
    }

    [[nodiscard]] bool has(const std::string& key) const {
        const std::scoped_lock lock(mutex_);
        return rows_.contains(key);
    }
    [[nodiscard]] std::uint64_t size() const {
        const std::scoped_lock lock(mutex_);
        return rows_.size();
    }
    /// The number of whole lines of the file that are not rows of these keys.
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
    void add(const std::string& key, const std::string& row) {
        const std::scoped_lock lock(mutex_);
        if (!(out_ << row << std::flush)) throw InputError(path_ + ": cannot be written");
        rows_.emplace(key, row);
    }
    /// The row without its fingerprint.
    [[nodiscard]] std::string row(const std::string& key) const {
        const std::string& line = rows_.at(key);
        return line.substr(line.find(',') + 1);
    }

  private:
    /// Keeps only whole lines of this scenario.
    void rewrite() const {
        std::string text;
        for (const auto& [key, row] : rows_)
            text += row;
        write_file(path_, text);
    }

    std::string path_;
    mutable std::mutex mutex_;
    std::map<std::string, std::string> rows_;
    std::uint64_t dropped_ = 0;
    std::ofstream out_;
};

/// The instance of a cell, and its facts for the structures that rows give.
class CellInstance {
  public:
    CellInstance(const Scenario& scenario, const GridCell& cell) {
        if (!needs_network(scenario.verb)) return;
        const auto given = scenario.given.networks.find(cell.network);
        network_ = given != scenario.given.networks.end() ? given->second : made(scenario, cell);
        if (needs_loads(scenario.verb)) loads_ = make_loads(cell.loads, *network_, cell.seed);
    }

    [[nodiscard]] const network::ReadReport& reading() const { return reading_; }
    [[nodiscard]] const network::AnyNetwork& network() const { return *network_; }
    [[nodiscard]] const load::Loads& loads() const { return loads_; }
    const NetworkFacts& facts(const RunRequest& request) {
        auto& facts = facts_[{request.tree.text, request.colouring.text}];
        if (!facts)
            facts = std::make_unique<NetworkFacts>(*network_, structures_of(request, *network_));
        return *facts;
    }

  private:
    std::shared_ptr<const network::AnyNetwork> made(const Scenario& scenario,
                                                    const GridCell& cell) {
        NetworkRequest request;
        request.spec = cell.network;
        request.simplify = scenario.simplify;
        request.largest_component = scenario.largest_component;
        request.seed = cell.seed;
        return std::make_shared<const network::AnyNetwork>(make_network(request, &reading_));
    }

    network::ReadReport reading_;
    std::shared_ptr<const network::AnyNetwork> network_;
    load::Loads loads_;
    std::map<std::pair<std::string, std::string>, std::unique_ptr<NetworkFacts>> facts_;
};

/// Why a run was stopped before its end; empty if it was not.
std::string cut_short_because(const model::Record& record) {
    const std::string limit = to_string(model::StopReason::steps_max);
    return !record.reached && record.stopped_because == limit ? limit : "";
}

/// Workers that take cells until none are left, an error occurs or they are asked to end.
class Sweep {
  public:
    Sweep(const Scenario& scenario, const SweepOptions& options, const Grid& grid, Journal& journal)
        : scenario_(scenario), options_(options), grid_(grid), journal_(journal) {}

    [[nodiscard]] const std::map<std::string, std::string>& readings() const { return readings_; }

    std::uint64_t run() {
        int threads = options_.threads;
        if (threads == 0)
            threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        {
            std::vector<std::jthread> workers;
            workers.reserve(static_cast<std::size_t>(threads));
            for (int i = 0; i < threads; ++i)
                workers.emplace_back([this] { on_thread(); });
        }
        if (error_) std::rethrow_exception(error_);
        return ran_;
    }

  private:
    void on_thread() {
        if (options_.on_thread)
            options_.on_thread([this] { work(); });
        else
            work();
    }

    void work() {
        try {
            while (!options_.interrupt.stop_requested()) {
                const std::size_t index = next_++;
                if (index >= grid_.cells.size()) return;
                play(grid_.cells[index]);
            }
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            if (!error_) error_ = std::current_exception();
            next_ = grid_.cells.size();
        }
    }

    /// The name of a row in errors: "threshold-1, tree=low-degree, " before the instance.
    [[nodiscard]] std::string name_of(const GridRow& row) const {
        std::string name =
            plays_algorithms(scenario_.verb) ? row.algorithm.name : to_string(scenario_.verb);
        for (const auto& [option, value] : row.options)
            name += ", " + option + '=' + value;
        return name + ", ";
    }

    /// "spike:tokens=9 on path:n=4, seed 1".
    [[nodiscard]] static std::string name_of(const GridCell& cell) {
        return fmt::format("{}{}, seed {}", cell.loads.empty() ? "" : cell.loads + " on ",
                           cell.network, cell.seed);
    }

    /// Runs `act`; an input error that no row can hold gets the name of the row.
    template <class Action>
    static auto named(const GridCell& cell, const std::string& row, const Action& action) {
        const auto in_words = [&](const InputError& error) {
            return InputError(row + name_of(cell) + ": " + error.what());
        };
        try {
            return action();
        } catch (const UnsuitableError&) {
            throw;
        } catch (const OverflowError& error) {
            if (!row.empty()) throw;
            throw in_words(error);
        } catch (const InputError& error) {
            throw in_words(error);
        }
    }

    void play(const GridCell& cell) {
        if (std::all_of(cell.rows.begin(), cell.rows.end(),
                        [&](std::size_t row) { return journal_.has(grid_.rows[row].key); }))
            return;
        CellInstance instance = named(cell, "", [&] { return CellInstance(scenario_, cell); });
        if (const std::string told = report::reading_text(instance.reading()); !told.empty()) {
            const std::scoped_lock lock(mutex_);
            readings_.emplace(cell.network, told);
        }
        for (const std::size_t number : cell.rows) {
            const GridRow& row = grid_.rows[number];
            if (journal_.has(row.key)) continue;
            if (options_.interrupt.stop_requested()) return;
            play(row, instance, cell);
        }
    }

    void play(const GridRow& row, CellInstance& instance, const GridCell& cell) {
        std::optional<std::string> fields;
        try {
            fields = named(cell, name_of(row), [&] { return fields_of(cell, row, instance); });
        } catch (const UnsuitableError& error) {
            fields = report::sweep_refusal(error.what(), grid_.shape);
        } catch (const OverflowError& error) {
            fields = report::sweep_refusal(error.what(), grid_.shape);
        } catch (const InputError&) {
            throw;
        } catch (...) {
            if (options_.failed)
                options_.failed(name_of(row) + name_of(cell), std::current_exception());
            throw;
        }
        if (!fields) return;
        journal_.add(row.key, row.key + *fields);
        const std::scoped_lock lock(mutex_);
        ++ran_;
        if (options_.progress) options_.progress(journal_.size(), grid_.rows.size());
    }

    /// The result of the verb; nothing if a run was cut short, which is no result of the grid.
    std::optional<std::string> fields_of(const GridCell& cell, const GridRow& row,
                                         CellInstance& made) const {
        Question question = question_of(scenario_, cell, row);
        if (scenario_.verb == Verb::reassign) {
            const ReassignAnswer found =
                answer_reassign(question.reassign, {options_.interrupt, {}});
            if (options_.interrupt.stop_requested()) return std::nullopt;
            return report::sweep_columns(report::reassign_json(found), grid_.shape);
        }
        const network::AnyNetwork& network = made.network();
        if (scenario_.verb == Verb::plan) {
            const PlannedInstance found = plan(question.plan, network);
            return report::sweep_columns(
                report::plan_json(found.plan, found.problem, network, found.target), grid_.shape);
        }
        if (scenario_.verb == Verb::analyze)
            return report::sweep_columns(report::analysis_json(analyze(question.analyze, network)),
                                         grid_.shape);
        const RunRequest& request = question.run;
        const Algorithm& algorithm = find_algorithm(scenario_.given, row.algorithm.name);
        if (scenario_.verb == Verb::worst) {
            const std::string beside = std::exchange(question.worst.beside, "");
            const report::Worst found =
                find_worst(question.worst, algorithm,
                           beside.empty() ? nullptr : &find_algorithm(scenario_.given, beside),
                           made.facts(request), options_.interrupt);
            if (options_.interrupt.stop_requested()) return std::nullopt;
            return report::sweep_columns(report::worst_json(found), grid_.shape);
        }
        if (request.tree.given()) expect_takes_tree(algorithm);
        const load::Loads& loads = made.loads();
        RunOptions options = run_options(request, network);
        const Supervision supervision = {options_.interrupt};
        options.supervision = &supervision;
        Outcome outcome = catalogue::run(algorithm, made.facts(request), loads, options);
        if (options_.interrupt.stop_requested()) return std::nullopt;
        if (request.optimum)
            BestPossible(network, loads, options.speeds).note_in(outcome.record, algorithm);
        if (scenario_.columns.empty()) return report::sweep_figures(outcome.record);
        return report::sweep_columns(report::run_json(outcome.record), grid_.shape,
                                     cut_short_because(outcome.record));
    }

    const Scenario& scenario_;
    const SweepOptions& options_;
    const Grid& grid_;
    Journal& journal_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::uint64_t ran_ = 0;
    std::map<std::string, std::string> readings_;
    std::exception_ptr error_;
};

/// The rows of a finished sweep, read one by one.
class FinishedRows {
  public:
    FinishedRows(const report::SweepShape& shape, std::size_t columns)
        : with_reason_{"", report::sweep_fields(shape), {{}}}, columns_(columns) {
        report::SweepShape plain = shape;
        plain.tells_cut_short = false;
        without_reason_ = {"", report::sweep_fields(plain), {{}}};
        has_value_.resize(columns);
        has_reason_ = shape.tells_cut_short;
    }

    void read(std::string_view row) {
        take(row);
        const bool is_cut = state_of(with_reason_, 0) == report::RowState::cut_short;
        if (is_cut) ++cut_short_;
        if (is_cut != (state_of(without_reason_, 0) == report::RowState::cut_short))
            needs_reason_ = true;
        const std::vector<std::string>& fields = without_reason_.rows.front();
        if (!fields.back().empty()) return;
        any_played_ = true;
        const std::size_t first = fields.size() - 1 - columns_;
        for (std::size_t k = 0; k < columns_; ++k)
            if (!fields[first + k].empty()) has_value_[k] = true;
    }

    [[nodiscard]] std::uint64_t cut_short() const { return cut_short_; }
    [[nodiscard]] bool has_no_value(std::size_t column) const {
        return any_played_ && !has_value_[column];
    }
    /// The header, or a row, without the column `cut_short_because` unless it tells something.
    [[nodiscard]] std::string header() const { return csv_line(shown().columns); }
    [[nodiscard]] std::string written(std::string_view row) {
        if (!has_reason_ || needs_reason_) return std::string(row);
        take(row);
        return csv_line(without_reason_.rows.front());
    }

  private:
    [[nodiscard]] const report::Study& shown() const {
        return needs_reason_ ? with_reason_ : without_reason_;
    }
    void take(std::string_view row) {
        row.remove_suffix(1);
        with_reason_.rows.front() = *csv_fields(row);
        std::vector<std::string>& fields = without_reason_.rows.front();
        fields = with_reason_.rows.front();
        if (has_reason_) fields.erase(fields.end() - 2);
    }

    report::Study with_reason_;  ///< the row at hand
    report::Study without_reason_;
    bool has_reason_ = false;
    bool needs_reason_ = false;
    std::size_t columns_;
    std::vector<bool> has_value_;
    bool any_played_ = false;
    std::uint64_t cut_short_ = 0;
};

}  // namespace

std::string csv_of(const std::string& scenario_path) {
    return std::filesystem::path(scenario_path).stem().string() + ".csv";
}

SweepOutcome sweep(const Scenario& scenario, const SweepOptions& options) {
    const Grid grid = make_grid(scenario);
    const std::string partial = options.csv + ".partial";
    SweepOutcome outcome;
    outcome.rows = grid.rows.size();
    std::string text;
    {
        Journal journal(partial, grid.rows);
        outcome.resumed = journal.size();
        outcome.dropped = journal.dropped();
        Sweep play(scenario, options, grid, journal);
        outcome.ran = play.run();
        outcome.readings = play.readings();
        outcome.complete = journal.size() == outcome.rows;
        if (!outcome.complete) return outcome;
        FinishedRows rows(grid.shape, scenario.columns.size());
        for (const GridRow& row : grid.rows)
            rows.read(journal.row(row.key));
        text = rows.header();
        for (const GridRow& row : grid.rows)
            text += rows.written(journal.row(row.key));
        outcome.cut_short = rows.cut_short();
        for (std::size_t k = 0; k < scenario.columns.size(); ++k)
            if (rows.has_no_value(k)) outcome.empty_columns.push_back(scenario.columns[k]);
    }
    write_file(options.csv, text);
    static_cast<void>(std::remove(partial.c_str()));
    return outcome;
}

std::vector<std::string> csv_columns(const Scenario& scenario) {
    report::SweepShape shape = make_grid(scenario).shape;
    shape.tells_cut_short = false;
    return report::sweep_fields(shape);
}

}  // namespace equipoise::catalogue
