#include "equipoise/agent/agent.hpp"

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/agent/link_book.hpp"
#include "equipoise/agent/questions.hpp"
#include "equipoise/agent/replay.hpp"
#include "equipoise/agent/site_record.hpp"
#include "equipoise/agent/web.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/cli/interrupt.hpp"
#include "equipoise/cli/options.hpp"
#include "equipoise/cli/terminal.hpp"
#include "equipoise/cli/verbs.hpp"

namespace equipoise::cli {

namespace {

/// Lines at the end of a file, or on standard output.
class LogFile {
  public:
    explicit LogFile(const std::string& path) : path_(path) {
        if (path.empty() || path == "-") return;
        file_.reset(std::fopen(path.c_str(), "a"));
        if (!file_) throw InputError(path + ": expected a file that can be written");
    }
    /// Throws InputError if the file does not take all of it.
    void add(const nlohmann::ordered_json& line) const {
        const std::string text = json_text(line) + '\n';
        if (path_ == "-") {
            print(text);
            finish_output();
        } else if (file_) {
            if (std::fputs(text.c_str(), file_.get()) == EOF || std::fflush(file_.get()) != 0)
                throw InputError(path_ + ": cannot be written: " +
                                 std::error_code(errno, std::generic_category()).message());
        }
    }

  private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::string path_;
    std::unique_ptr<std::FILE, Close> file_;
};

struct AgentVerb {
    std::string action = "run";
    std::string fleet_file;
    std::string name;
    std::uint64_t leave_at_least = 0;
    std::uint64_t batch = 1000;
    std::uint64_t transfers_max = 100;
    std::string state_folder = ".";
    std::string metrics;
    std::string log;
    std::string record_folder;
    JsonArgument json;
    bool watch = false;
    std::uint64_t seconds = 0;
    bool quiet = false;

    [[nodiscard]] int act() const {
        const agent::Fleet fleet = agent::read_fleet(fleet_file);
        if (action == "status") return status(fleet);
        if (action == "replay") return replay(fleet);
        if (name.empty())
            throw InputError("agent: expected the name of a site with --name, found none");
        const std::size_t site = fleet.number_of(name);
        if (action == "run") return run(fleet, site);
        if (action == "permissions") {
            print(agent::permissions_text(fleet, site));
            return exit_done;
        }
        agent::command_agent(fleet, site, action, answer_within);
        return exit_done;
    }

  private:
    static constexpr int answer_within = 2000;  // milliseconds

    static void expect_at_most(const std::string& option, std::uint64_t number, Tokens most) {
        if (number > static_cast<std::uint64_t>(most))
            throw InputError(option + ": expected at most " + std::to_string(most) + ", found " +
                             std::to_string(number));
    }
    [[nodiscard]] std::string record_file(const agent::Site& site) const {
        return (std::filesystem::path(record_folder) / (site.name + ".record")).string();
    }

    [[nodiscard]] int run(const agent::Fleet& fleet, std::size_t site) const {
        if (batch == 0) throw InputError("--batch: expected at least 1, found 0");
        expect_at_most("--batch", batch, agent::LinkBook::incoming_max);
        expect_at_most("--leave-at-least", leave_at_least, tokens_max);
        const InterruptGuard interrupt;  // before there are other threads, which would get signals
        agent::AgentOptions options;
        options.fleet = fleet;
        options.site = site;
        options.leave_at_least = static_cast<Tokens>(leave_at_least);
        options.batch = static_cast<Tokens>(batch);
        options.transfers_max = transfers_max;
        options.state_folder = state_folder;
        const LogFile lines(log);
        // Jobs matter more than lines about them.
        options.log = [&, complained = false](const nlohmann::ordered_json& line) mutable {
            try {
                lines.add(line);
            } catch (const InputError& error) {
                if (!std::exchange(complained, true)) complain(error.what());
            }
        };
        std::optional<LogFile> record;
        bool record_failed = false;
        if (!record_folder.empty()) {
            const std::string file = record_file(fleet.sites[site]);
            record.emplace(file);
            // It tells the numbers that admit messages.
            std::filesystem::permissions(
                file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
            options.record = [&](const nlohmann::ordered_json& line) {
                record_failed = true;
                record->add(line);
                record_failed = false;
            };
        }
        std::unique_ptr<agent::Web> web;
        if (!metrics.empty()) {
            web = std::make_unique<agent::Web>(metrics, fleet, site);
            options.show = [&](const nlohmann::ordered_json& state) { web->show(state); };
            options.renew = [&](const agent::Fleet& renewed, std::size_t at) {
                web->renew(renewed, at);
            };
            options.page = web->url();
        }
        if (!quiet && log != "-")
            options.tell = [](const std::string& line) {
                print(line + '\n');
                finish_output();
            };
        try {
            agent::run_agent(options, interrupt.token());
        } catch (const InputError& error) {
            if (!record_failed) throw;
            // Not bad input: whoever starts agents shall try again.
            complain(error.what());
            return exit_not_reached;
        }
        return exit_done;
    }

    [[nodiscard]] int replay(const agent::Fleet& fleet) const {
        if (record_folder.empty())
            throw InputError("agent: expected a folder of records with --record, found none");
        std::vector<agent::SiteRecord> records;
        for (const agent::Site& site : fleet.sites) {
            const std::string file = record_file(site);
            if (!std::filesystem::exists(file)) continue;
            LineSource lines(file);
            records.push_back(agent::read_site_record(lines));
        }
        if (records.empty())
            throw InputError(record_folder + ": expected NAME.record of a site, found none");
        const agent::Replay replay = agent::replay_fleet(records);
        if (!quiet) print(agent::replay_text(replay, fleet.sites.size()));
        return replay.refusal.empty() ? exit_done : exit_not_reached;
    }

    [[nodiscard]] int status(const agent::Fleet& fleet) const {
        const InterruptGuard interrupt;
        const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
        while (true) {
            const nlohmann::ordered_json state = agent::ask_fleet(fleet, answer_within);
            const bool all_answered = state.at("alive") == fleet.sites.size();
            const int outcome = all_answered ? exit_done : exit_not_reached;
            if (json.wanted()) json.emit(json_text(state, watch ? -1 : 2) + '\n');
            if (!json.to_output() && !quiet) {
                if (watch) clear_terminal();
                print(agent::fleet_text(state));
            }
            if (!watch) return outcome;
            finish_output();
            const auto next = std::chrono::steady_clock::now() + std::chrono::seconds(1);
            while (std::chrono::steady_clock::now() < next) {
                if (interrupt.token().stop_requested()) return outcome;
                if (seconds > 0 && std::chrono::steady_clock::now() >= until) return outcome;
                std::this_thread::sleep_for(std::chrono::milliseconds(20));
            }
        }
    }
};

}  // namespace

void add_agent(Command& program, Action& action) {
    Command* verb = program.add_subcommand(
        "agent",
        "Share the jobs of a NATS server's stream with neighbouring sites, and ask how "
        "they stand");
    const auto arguments = std::make_shared<AgentVerb>();
    AgentVerb& a = *arguments;
    const std::vector<std::string> actions = {"run",   "status",      "pause", "resume",
                                              "drain", "permissions", "replay"};
    verb->add_option("ACTION", a.action,
                     "run (default): share jobs until interrupted; status: how all sites stand; "
                     "pause, resume: no jobs are offered or taken meanwhile; drain: hand all jobs "
                     "over, then end; permissions: users and rights for the site's server; "
                     "replay: whether sites did what their program does, from their records")
        ->offers(actions)
        ->refuses([actions](const std::string& value) {
            for (const std::string& known : actions)
                if (value == known) return std::string();
            return expected_word(value, actions);
        });
    verb->add_option("--fleet", a.fleet_file,
                     "the sites, their servers and their links, in GML or GraphML")
        ->required()
        ->reads_file();
    verb->add_option("--name", a.name, "the site; all actions but status and replay need it");
    verb->add_option(
        "--leave-at-least", a.leave_at_least,
        "bring N jobs to the site, if there are as many, before any are shared (default "
        "0)");
    verb->add_option(
        "--batch", a.batch,
        "offer at most N jobs at a time, which are held meanwhile (default 1000, at most "
        "100000)");
    verb->add_option("--transfers-max", a.transfers_max,
                     "a job that was moved N times stays where it is (default 100)");
    verb->add_option(
        "--state", a.state_folder,
        "the folder of the file NAME.held, which names the jobs that are held (default: "
        "the current one)");
    verb->add_option("--metrics", a.metrics,
                     "serve a live page, and /metrics for Prometheus, at [HOST:]PORT (default host "
                     "127.0.0.1)");
    verb->add_option("--log", a.log, "add lines of JSON to this file; -: print them")
        ->writes_file();
    verb->add_option("--record", a.record_folder,
                     "add what reaches and leaves the site's program to NAME.record in this "
                     "folder; replay: the folder of the records");
    a.json.add_to(*verb);
    verb->add_flag("--watch", a.watch,
                   "status: again every second, until interrupted; a terminal is redrawn");
    verb->add_option("--seconds", a.seconds, "with --watch: for N seconds");
    verb->add_flag("--quiet", a.quiet, "print nothing but errors (and what --json asks for)");
    verb->footer(
        "Examples:\n"
        "  equipoise agent --fleet fleet.gml --name chicago\n"
        "  equipoise agent status --fleet fleet.gml --watch\n"
        "  equipoise agent drain --fleet fleet.gml --name chicago\n"
        "  equipoise agent replay --fleet fleet.gml --record records");
    verb->callback([arguments, &action] { action = [arguments] { return arguments->act(); }; });
}

}  // namespace equipoise::cli
