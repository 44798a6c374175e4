#include "equipoise/catalogue/studies/sweep.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <filesystem>
#include <fstream>
#include <map>
#include <mutex>
#include <set>
#include <string_view>
#include <system_error>
#include <thread>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/core.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/build_info.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/report/sweep_rows.hpp"

namespace equipoise::catalogue {

namespace {

/// One network with one set of loads and one seed: the algorithms of a scenario run on it one by
/// one.
struct Cell {
    std::string network;
    std::string loads;
    std::uint64_t seed = 0;
    std::string fingerprint;
};

/// Digests of what rows depend on besides the fields that name them: the program's version, what
/// the scenario says about all runs, and the contents of files.
class Fingerprints {
  public:
    explicit Fingerprints(const Scenario& scenario) {
        add(common_, build_info().version);
        common_.add(scenario.steps_max ? 1 : 0);
        common_.add(scenario.steps_max.value_or(0));
        common_.add(scenario.simplify ? 1 : 0);
        common_.add(scenario.largest_component ? 1 : 0);
    }

    [[nodiscard]] std::string of(const std::string& network, const std::string& loads) {
        Digest digest = common_;
        digest.add(contents(network));
        digest.add(contents(loads));
        return digest.text();
    }

  private:
    static void add(Digest& digest, std::string_view bytes) {
        for (const char byte : bytes)
            digest.add(static_cast<unsigned char>(byte));
        digest.add(bytes.size());
    }

    /// The digest of the file that a spec names; 0 if it names none.
    std::uint64_t contents(const std::string& spec) {
        const auto [known, fresh] = files_.try_emplace(spec, 0);
        std::error_code none;
        if (!fresh || !std::filesystem::is_regular_file(spec, none)) return known->second;
        std::ifstream file(spec, std::ios::binary);
        Digest digest;
        std::vector<char> block(std::size_t{1} << 16U);
        while (file.read(block.data(), static_cast<std::streamsize>(block.size())),
               file.gcount() > 0)
            add(digest, {block.data(), static_cast<std::size_t>(file.gcount())});
        return known->second = digest.value();
    }

    Digest common_;
    std::map<std::string, std::uint64_t> files_;
};

std::string with_size(std::string spec, const std::string& size) {
    for (std::size_t at = spec.find("{n}"); at != std::string::npos; at = spec.find("{n}", at))
        spec.replace(at, 3, size);
    return spec;
}

std::vector<Cell> cells_of(const Scenario& scenario) {
    std::vector<std::string> sizes;
    sizes.reserve(scenario.sizes.size());
    for (const std::uint64_t size : scenario.sizes)
        sizes.push_back(std::to_string(size));
    if (sizes.empty()) sizes.emplace_back();  // no spec names a size
    Fingerprints fingerprints(scenario);
    std::vector<Cell> cells;
    std::set<std::tuple<std::string, std::string, std::uint64_t>> there;  // specs without a size
    for (const std::string& network : scenario.networks)
        for (const std::string& size : sizes)
            for (const std::string& loads : scenario.loads)
                for (const std::uint64_t seed : scenario.seeds) {
                    Cell cell{with_size(network, size), with_size(loads, size), seed, {}};
                    if (!there.emplace(cell.network, cell.loads, cell.seed).second) continue;
                    cell.fingerprint = fingerprints.of(cell.network, cell.loads);
                    cells.push_back(std::move(cell));
                }
    return cells;
}

/// The fingerprint, which only the partial file shows, and what names the run in its row.
std::string key_of(const Cell& cell, const ScenarioAlgorithm& algorithm) {
    return cell.fingerprint + ',' +
           report::sweep_name(
               {cell.network, cell.loads, cell.seed, algorithm.name, algorithm.parameters});
}

/// The rows found so far, by key, and the file that collects more.
class Journal {
  public:
    Journal(std::string path, const std::vector<std::string>& keys) : path_(std::move(path)) {
        std::ifstream file(path_, std::ios::binary);
        std::string line;
        while (std::getline(file, line) && !file.eof()) {  // a line without its end was torn
            line += '\n';
            bool known = false;
            for (const std::string& key : keys)
                if (line.starts_with(key)) known = rows_.emplace(key, line).second;
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
    /// Whole lines of the file that are not rows of these keys.
    [[nodiscard]] std::uint64_t dropped() const { return dropped_; }
    void add(const std::string& key, const std::string& row) {
        const std::scoped_lock lock(mutex_);
        if (!(out_ << row << std::flush)) throw InputError(path_ + ": cannot be written");
        rows_.emplace(key, row);
    }
    /// Without the fingerprint.
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

/// Workers that take cells until none are left, an error happens or they are asked to end.
class Sweep {
  public:
    Sweep(const Scenario& scenario, const SweepOptions& options, const std::vector<Cell>& cells,
          Journal& journal, std::uint64_t rows)
        : scenario_(scenario), options_(options), cells_(cells), journal_(journal), rows_(rows) {}

    std::uint64_t run() {
        int threads = options_.threads;
        if (threads == 0)
            threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
        {
            std::vector<std::jthread> workers;
            workers.reserve(static_cast<std::size_t>(threads));
            for (int i = 0; i < threads; ++i)
                workers.emplace_back([this] { work(); });
        }
        if (error_) std::rethrow_exception(error_);
        return ran_;
    }

  private:
    void work() {
        try {
            while (!options_.interrupt.stop_requested()) {
                const std::size_t index = next_++;
                if (index >= cells_.size()) return;
                play(cells_[index]);
            }
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            if (!error_) error_ = std::current_exception();
            next_ = cells_.size();
        }
    }

    static std::string name_of(const Cell& cell, const std::string& algorithm) {
        return fmt::format("{}{} on {}, seed {}: ", algorithm, cell.loads, cell.network, cell.seed);
    }

    /// Runs `act`; an input error that no row can hold gets the name of the run.
    template <class Action>
    static auto named(const Cell& cell, const std::string& algorithm, const Action& action) {
        try {
            return action();
        } catch (const UnsuitableError&) {
            throw;
        } catch (const OverflowError& error) {
            if (!algorithm.empty()) throw;
            throw InputError(name_of(cell, algorithm) + error.what());
        } catch (const InputError& error) {
            throw InputError(name_of(cell, algorithm) + error.what());
        }
    }

    void play(const Cell& cell) {
        if (std::all_of(
                scenario_.algorithms.begin(), scenario_.algorithms.end(),
                [&](const auto& algorithm) { return journal_.has(key_of(cell, algorithm)); }))
            return;
        NetworkRequest request;
        request.spec = cell.network;
        request.simplify = scenario_.simplify;
        request.largest_component = scenario_.largest_component;
        request.seed = cell.seed;
        const Instance instance =
            named(cell, "", [&] { return make_instance(request, cell.loads); });
        const NetworkFacts facts(instance.network);
        for (const ScenarioAlgorithm& algorithm : scenario_.algorithms) {
            const std::string key = key_of(cell, algorithm);
            if (journal_.has(key)) continue;
            if (options_.interrupt.stop_requested()) return;
            play(algorithm, key, facts, instance.loads, cell);
        }
    }

    void play(const ScenarioAlgorithm& algorithm, const std::string& key, const NetworkFacts& facts,
              const load::Loads& loads, const Cell& cell) {
        RunOptions options;
        options.seed = cell.seed;
        options.parameters = algorithm.parameters;
        options.steps_max = scenario_.steps_max;
        const Supervision supervision = {options_.interrupt};
        options.supervision = &supervision;
        std::string row;
        try {
            const Outcome outcome = named(cell, algorithm.name + ", ", [&] {
                return catalogue::run(find_algorithm(algorithm.name), facts, loads, options);
            });
            if (options_.interrupt.stop_requested()) return;  // cut short: no result of the grid
            row = key + report::sweep_figures(outcome.record);
        } catch (const UnsuitableError& error) {
            row = key + report::sweep_refusal(error.what());
        } catch (const OverflowError& error) {
            row = key + report::sweep_refusal(error.what());
        }
        journal_.add(key, row);
        const std::scoped_lock lock(mutex_);
        ++ran_;
        if (options_.progress) options_.progress(journal_.size(), rows_);
    }

    const Scenario& scenario_;
    const SweepOptions& options_;
    const std::vector<Cell>& cells_;
    Journal& journal_;
    std::uint64_t rows_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::uint64_t ran_ = 0;
    std::exception_ptr error_;
};

}  // namespace

std::string csv_of(const std::string& scenario_path) {
    return std::filesystem::path(scenario_path).stem().string() + ".csv";
}

SweepOutcome sweep(const Scenario& scenario, const SweepOptions& options) {
    const std::vector<Cell> cells = cells_of(scenario);
    std::vector<std::string> keys;
    for (const Cell& cell : cells)
        for (const ScenarioAlgorithm& algorithm : scenario.algorithms)
            keys.push_back(key_of(cell, algorithm));
    const std::string partial = options.csv + ".partial";
    SweepOutcome outcome;
    outcome.rows = keys.size();
    std::string text = report::sweep_header();
    {
        Journal journal(partial, keys);
        outcome.resumed = journal.size();
        outcome.dropped = journal.dropped();
        outcome.ran = Sweep(scenario, options, cells, journal, outcome.rows).run();
        outcome.complete = journal.size() == outcome.rows;
        if (!outcome.complete) return outcome;
        for (const std::string& key : keys)
            text += journal.row(key);
    }
    write_file(options.csv, text);
    static_cast<void>(std::remove(partial.c_str()));
    return outcome;
}

}  // namespace equipoise::catalogue
