#include "equipoise/agent/agent.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/agent/addresses.hpp"
#include "equipoise/agent/carrier.hpp"
#include "equipoise/agent/carriers.hpp"
#include "equipoise/agent/core.hpp"
#include "equipoise/agent/figure_log.hpp"
#include "equipoise/agent/held_file.hpp"
#include "equipoise/agent/link_messages.hpp"
#include "equipoise/agent/log_events.hpp"
#include "equipoise/agent/nats.hpp"
#include "equipoise/agent/own_stream.hpp"
#include "equipoise/agent/random_word.hpp"
#include "equipoise/agent/site_record.hpp"
#include "equipoise/agent/site_state.hpp"
#include "equipoise/agent/task_queue.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::agent {

namespace {

using Clock = TaskQueue::Clock;
using Json = nlohmann::ordered_json;

double seconds_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

class Agent final : private Core::Actions {
  public:
    explicit Agent(const AgentOptions& options)
        : options_(options),
          fleet_(options.fleet),
          held_file_(
              (std::filesystem::path(options.state_folder) / (site().name + ".held")).string()),
          begin_(Clock::now()) {
        if (!std::filesystem::is_directory(options.state_folder))
            throw InputError(options.state_folder + ": expected a folder");
        lock_.emplace(held_file_);
        from_before_ = read_held_jobs_or_none();
        server_ = std::make_unique<Connection>(
            own_login(fleet_, options_.site),
            Connection::Calls{.changed =
                                  [this](bool there, const std::string& id) {
                                      tasks_.put([this, there, id] { change_server(there, id); });
                                  },
                              .stored = {}});
        server_->revive(true);
        stream_ = std::make_unique<OwnStream>(
            *server_, JobStream::Names{site().stream, site().subjects, site().consumer}, tasks_,
            OwnStream::Calls{
                .now = [this] { return now(); },
                .waits = [this](const std::string& why) { note_waiting(why); },
                .opened = [this] { begin_work(); },
                .each_carried =
                    [this](const std::function<void(const Job&)>& visit) {
                        all_carriers_.each([&](const std::string& /*name*/, Carrier& carrier) {
                            carrier.for_each(visit);
                        });
                    },
                .restarted =
                    [this](std::size_t acknowledged, std::size_t perhaps_twice) {
                        log(LogEvent::restarted,
                            {{"acknowledged", acknowledged}, {"perhaps_twice", perhaps_twice}});
                    },
                .resume = [this](const std::string& to, const Job& job) { resume(to, job); },
                .lapsed = [this](std::size_t jobs, std::size_t stored) { lapse(jobs, stored); }},
            options_.transfers_max);
        hear(ask_subject(fleet_, options_.site),
             [this](const Incoming& message) { answer(message); });
        hear(status_subject(fleet_, options_.site),
             [this](const Incoming& message) { answer_agent(message); });
        link_up();
        log(LogEvent::started, {{"server", shown_address(site().server)}});
    }

    AgentEnd play(const std::stop_token& stop) {
        while (!stop.stop_requested() && !stream_->error() && !drained())
            turn();
        if (stream_->error()) std::rethrow_exception(stream_->error());
        const bool was_drained = drained();
        end();
        if (options_.record) record({.kind = SiteEvent::Kind::end});
        figure_log_.note(all_carriers_, *core_, malformed_);
        log(was_drained ? LogEvent::drained : LogEvent::stopped,
            {{"moved", all_carriers_.totals().stored}});
        if (was_drained)
            tell(" is drained: it has handed " +
                 report::grouped(all_carriers_.totals().stored - moved_before_) + " jobs over");
        return was_drained ? AgentEnd::drained : AgentEnd::stopped;
    }

  private:
    // ---- time and words
    [[nodiscard]] Micros now() const {
        return 1 + static_cast<Micros>(
                       std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - begin_)
                           .count());
    }
    [[nodiscard]] const Site& site() const { return fleet_.sites[options_.site]; }
    [[nodiscard]] const std::vector<Neighbour>& neighbours() const {
        return fleet_.neighbours[options_.site];
    }
    void log(LogEvent event, const Json& more) const {
        if (!options_.log) return;
        Json line = {
            {"time", seconds_since_1970()}, {"event", word_of(event)}, {"site", site().name}};
        line.update(more);
        options_.log(line);
    }
    void tell(const std::string& line) const {
        if (options_.tell) options_.tell(site().name + line);
    }
    /// Says once why the stream cannot be used.
    void note_waiting(const std::string& why) {
        if (why.empty() || why == std::exchange(waits_for_, why)) return;
        log(LogEvent::waiting, {{"why", why}});
        tell(" waits for " + shown_address(site().server) + ": " + why);
    }
    /// Why there is no connection to the server.
    [[nodiscard]] std::string no_server(const std::string& why) const {
        const std::string refusal = server_->refusal();
        if (!refusal.empty())
            return "expected a server that lets this agent in, found \"" + refusal + '"';
        return why.empty() ? "expected a server that answers, found none" : why;
    }
    /// It need not wait any more.
    void note_no_waiting() {
        if (!std::exchange(waits_for_, {}).empty()) goes_on_ = true;
    }
    /// Says what is shared with whom, when that is first known, and that it goes on after it had to
    /// wait.
    void introduce() {
        if (!works()) return;
        const std::string shared = "shares " + report::grouped(core_->backlog()) + " jobs of " +
                                   site().stream + " at " + shown_address(site().server);
        if (std::exchange(goes_on_, false) && introduced_) tell(" goes on, and " + shared);
        if (std::exchange(introduced_, true)) return;
        std::string line = ' ' + shared + " with ";
        for (const Neighbour& neighbour : neighbours())
            line +=
                (&neighbour == neighbours().data() ? "" : ", ") + fleet_.sites[neighbour.site].name;
        if (neighbours().empty()) line += "nobody: it has no links";
        if (!options_.page.empty()) line += "; page and metrics at " + options_.page;
        tell(line);
    }
    void record(SiteEvent event) const {
        if (event.begun) {
            SiteBegin begin = *event.begun;
            begin.site = site().name;
            for (std::size_t port = 0; port < begin.ends.size(); ++port)
                begin.neighbours[port] = fleet_.sites[neighbours()[port].site].name;
            event.begun = std::make_shared<const SiteBegin>(std::move(begin));
        }
        Json line = {{"time", seconds_since_1970()}};
        line.update(written(event));
        options_.record(line);
    }

    /// Whether the program takes part: its stream can be used, and how much it holds is known.
    /// Otherwise neighbours would fill a site up that seems to be empty.
    [[nodiscard]] bool works() const { return can_work() && stream_->has_looked(); }
    /// Whether jobs may be taken, moved and given back.
    [[nodiscard]] bool can_work() const { return stream_->is_open() && held_due_ == 0; }

    // ---- links
    /// Begins the program anew over the links of the fleet. Connections to servers that stay are
    /// kept, with what they carry.
    void link_up() {
        ++generation_;
        std::vector<model::LinkEnd> ends;
        std::vector<Carrier*> carriers;
        for (const Neighbour& neighbour : neighbours()) {
            ends.push_back(neighbour.is_lower ? model::LinkEnd::head : model::LinkEnd::tail);
            carriers.push_back(&carrier_to(fleet_, neighbour));
        }
        carriers_ = std::move(carriers);
        CoreOptions core;
        core.leave_at_least = options_.leave_at_least;
        batch_ = batch();
        core.batch = batch_;
        core.seed = random_word();
        if (options_.record) core.recorder = &recorder_;
        auto begun = std::make_unique<Core>(core, ends, static_cast<Core::Actions&>(*this), now());
        stream_->serve(*begun);
        core_ = std::move(begun);
        if (leaving_) core_->leave(now());
        // What neighbours of before still send has no port.
        for (auto& [subject, port] : subscribed_)
            port = no_port;
        for (std::size_t port = 0; port < neighbours().size(); ++port) {
            const std::string subject =
                link_subject(fleet_, options_.site, fleet_.sites[neighbours()[port].site].name);
            if (!subscribed_.insert({subject, port}).second) {
                subscribed_[subject] = port;
                continue;
            }
            hear(subject,
                 [this, subject](const Incoming& message) { come(subject, message.text); });
        }
    }
    /// Null if the site is no neighbour.
    [[nodiscard]] Carrier* carrier_to(const std::string& name) const {
        for (std::size_t port = 0; port < neighbours().size(); ++port)
            if (fleet_.sites[neighbours()[port].site].name == name) return carriers_[port];
        return nullptr;
    }
    Carrier& carrier_to(const Fleet& fleet, const Neighbour& neighbour) {
        const std::string& name = fleet.sites[neighbour.site].name;
        return all_carriers_.to(name, link_text(fleet, neighbour), [&] {
            return std::make_unique<Carrier>(
                agent_login(fleet, neighbour.site, neighbour.server, site().name),
                site().name + '.' + site().stream,
                [this](std::function<void()> task) { tasks_.put(std::move(task)); },
                [this, name](bool is_there) {
                    log(is_there ? LogEvent::connected : LogEvent::disconnected,
                        {{"neighbour", name}});
                });
        });
    }
    /// Offers never use up more than half of what workers may have unacknowledged.
    [[nodiscard]] Tokens batch() const {
        const auto most = stream_->taken_max();
        if (!most) return options_.batch;
        return std::clamp<Tokens>(static_cast<Tokens>(*most / 2), 1, options_.batch);
    }
    /// A flood must take no memory: of what is too long only the beginning is kept.
    void hear(const std::string& subject, std::function<void(const Incoming&)> come) {
        server_->subscribe(
            subject, [inlet = Inlet(tasks_), come = std::move(come)](const Incoming& message) {
                inlet.put([come, subject = message.subject, reply = message.reply,
                           text = message.text.substr(0, link_message_bytes_max + 1)] {
                    come({subject, reply, text});
                });
            });
    }
    void come(const std::string& subject, const std::string& text) {
        const auto port = subscribed_.find(subject);
        if (port == subscribed_.end() || port->second == no_port || paused_) return;
        if (works()) core_->come(static_cast<Port>(port->second), text, now());
    }
    void post(Port port, const std::string& text) override {
        if (port >= carriers_.size()) return;  // the links are being made
        const std::size_t neighbour = neighbours()[port].site;
        if (carriers_[port]->is_there())
            static_cast<void>(carriers_[port]->connection().publish(
                link_subject(fleet_, neighbour, site().name), text));
    }

    // ---- the own server
    void change_server(bool there, const std::string& id) {
        log(there ? LogEvent::connected : LogEvent::disconnected,
            {{"server", shown_address(site().server)}});
        stream_->change(there, id);
    }
    /// The stream can be used.
    void begin_work() {
        note_no_waiting();
        if (batch() != batch_) link_up();
        if (!std::exchange(recovered_, true)) recover();
    }

    // ---- transfers
    void carry() {
        for (Port port = 0; can_work() && port < carriers_.size(); ++port) {
            Carrier& carrier = *carriers_[port];
            if (carrier.size() >= window) continue;
            const Tokens jobs = core_->carry(port, static_cast<Tokens>(window - carrier.size()));
            for (Tokens at = 0; at < jobs; ++at)
                carrier.add(stream_->next(), generation_, false);
        }
        write_held();
        stream_->lapse_if_late();  // writing may have taken long, or the machine slept
        if (can_work()) all_carriers_.work(now());
        finish();
    }
    /// Gives back what is under way to neighbours whose links are gone and that do not answer.
    void part_from_unlinked() {
        const Carriers::Abandoned left = all_carriers_.abandon_others(carriers_, now());
        if (left.jobs == 0) return;
        finish();
        log(LogEvent::lapsed, {{"jobs", left.jobs}, {"perhaps_twice", left.in_doubt}});
    }
    /// Acknowledges what is stored at neighbours, gives back what is not, and books both.
    void finish() {
        std::vector<std::pair<Port, Tokens>> settled;
        all_carriers_.each([&](const std::string& /*name*/, Carrier& carrier) {
            Tokens count = 0;
            for (Carrier::Done& done : carrier.done()) {
                if (done.generation == generation_) ++count;
                if (done.outcome == Carrier::Outcome::stored)
                    stream_->acknowledge(std::move(done.job));
                else if (done.outcome == Carrier::Outcome::kept)
                    stream_->give_back(done.job);
                else
                    stream_->note_change();
            }
            const auto port = std::find(carriers_.begin(), carriers_.end(), &carrier);
            if (count > 0 && port != carriers_.end())
                settled.emplace_back(static_cast<Port>(port - carriers_.begin()), count);
        });
        for (const auto& [port, count] : settled)
            core_->settle(port, count, now());
        stream_->send_acknowledgements();
    }

    // ---- the file of held jobs
    HeldJobs read_held_jobs_or_none() {
        try {
            return read_held_jobs(held_file_);
        } catch (const InputError& error) {
            log(LogEvent::unreadable, {{"why", error.what()}});
            return {};
        }
    }
    /// Writes the file if it is no longer true. Nothing is published to a neighbour before, and
    /// nothing given back: if it cannot be written, the site rests until it can.
    void write_held() {
        if (now() < held_due_ || !stream_->take_changed()) return;
        HeldJobs held;
        held.stream = site().stream;
        stream_->list(held);
        all_carriers_.each([&](const std::string& name, Carrier& carrier) {
            carrier.for_each([&](const Job& job) {
                if (job.stream_made() == held.made)
                    held.jobs.push_back({job.sequence(), job.reply(), name});
            });
        });
        try {
            write_held_jobs(held_file_, held);
        } catch (const InputError& error) {
            stream_->forget_given_back();
            held_due_ = now() + 1'000'000;
            return note_waiting(error.what());
        }
        if (std::exchange(held_due_, 0) > 0) note_no_waiting();
        stream_->send_given_back();
    }
    /// Finishes what the agent before this one had begun.
    void recover() {
        if (from_before_.jobs.empty() || from_before_.stream != site().stream ||
            from_before_.made != stream_->made())
            return;
        const HeldJobs before = std::exchange(from_before_, {});
        const OwnStream::Recovered recovered = stream_->recover(
            before, [this](const std::string& name) { return carrier_to(name) != nullptr; });
        log(LogEvent::recovered, {{"jobs", before.jobs.size()},
                                  {"unfinished", recovered.unfinished},
                                  {"perhaps_twice", recovered.perhaps_twice}});
    }
    /// So many jobs were held for too long, and stored ones not acknowledged, beside those that are
    /// carried.
    void lapse(std::size_t jobs, std::size_t stored) {
        jobs += stored;
        std::size_t perhaps_twice = stored;
        all_carriers_.each([&](const std::string& /*name*/, Carrier& carrier) {
            const std::size_t settled = carrier.stored();
            jobs += carrier.size() + settled;
            perhaps_twice += carrier.lapse() + settled;
        });
        finish();
        if (jobs > 0) log(LogEvent::lapsed, {{"jobs", jobs}, {"perhaps_twice", perhaps_twice}});
    }
    void resume(const std::string& to, const Job& job) {
        stream_->note_change();
        Carrier* const carrier = carrier_to(to);
        if (carrier != nullptr)
            carrier->add(job, 0, true);
        else  // the links have changed since its text was asked for
            stream_->give_back(job);
    }

    // ---- the course
    void turn() {
        const Micros time = now();
        Micros next = time + 1'000'000;
        if (time >= revive_due_) {
            // At first it waits for an attempt to end, which tells why it fails.
            const bool knows = !server_->is_connecting() || time >= 5'000'000;
            if (knows && !server_->is_there()) note_waiting(no_server(server_->failure()));
            server_->revive(true);
            revive_due_ = time + (knows ? 1'000'000 : 100'000);
        }
        next = std::min(next, revive_due_);
        stream_->open_if_due();
        if (stream_->is_open()) {
            stream_->lapse_if_late();
            if (paused_) {
                core_->rest(time);
            } else if (works()) {
                if (time >= core_->due()) core_->pass(time);
                next = std::min(next, core_->due());
            }
            carry();
            part_from_unlinked();
            if (can_work()) next = std::min(next, all_carriers_.due());
            next = std::min(next, stream_->work(paused_ || !can_work(), batch_));
            write_held();
        }
        if (time >= fleet_due_) read_fleet_again();
        if (time >= show_due_) show();
        next = std::min({next, show_due_, fleet_due_});
        const Micros wait = next > now() ? next - now() : 0;
        tasks_.carry_out(Clock::now() + std::chrono::microseconds(std::max<Micros>(wait, 200)));
    }
    [[nodiscard]] bool drained() const {
        return leaving_ && core_->left() && core_->carried() == 0 && core_->owed() == 0 &&
               !stream_->acknowledges() && !stream_->is_recovering();
    }
    /// Finishes transfers that have begun, and gives back what is held.
    void end() {
        const Micros until = now() + 5'000'000;
        paused_ = true;
        while (now() < until && stream_->is_open() &&
               (stream_->acknowledges() || all_carriers_.are_busy())) {
            stream_->keep_held();
            stream_->lapse_if_late();
            if (can_work()) all_carriers_.work(now());
            finish();
            tasks_.carry_out(Clock::now() + std::chrono::milliseconds(2));
        }
        stream_->lapse_if_late();
        if (stream_->is_open()) stream_->return_all();
        held_due_ = std::min<Micros>(held_due_, 1);
        write_held();
        static_cast<void>(server_->flush());
    }
    void read_fleet_again() {
        fleet_due_ = now() + 2'000'000;
        std::error_code none;
        const auto written = std::filesystem::last_write_time(fleet_.file, none);
        if (none || written == fleet_written_) return;
        const bool first = fleet_written_ == std::filesystem::file_time_type();
        fleet_written_ = written;
        if (first) return;
        try {
            Fleet fleet = read_fleet(fleet_.file);
            const std::size_t number = fleet.number_of(site().name);
            const Site& mine = fleet.sites[number];
            if (mine.server != site().server || mine.stream != site().stream ||
                mine.consumer != site().consumer || fleet.name != fleet_.name ||
                mine.credentials != site().credentials || mine.authorities != site().authorities)
                throw InputError(fleet_.file +
                                 ": expected the same server, stream, consumer, credentials, ca "
                                 "and fleet of " +
                                 mine.name + "; the agent must be started anew for others");
            sort_neighbours(fleet, number, links_of(fleet_, options_.site));
            const bool same = links_of(fleet, number) == links_of(fleet_, options_.site);
            // Before anything is changed: addresses and files may be unusable.
            for (const Neighbour& neighbour : fleet.neighbours[number])
                carrier_to(fleet, neighbour);
            fleet_ = std::move(fleet);
            options_.site = number;
            if (options_.renew) options_.renew(fleet_, number);
            if (same) return;
        } catch (const InputError& error) {
            return log(LogEvent::unreadable, {{"why", error.what()}});
        }
        link_up();
        log(LogEvent::links, {{"neighbours", neighbours().size()}});
    }

    // ---- questions
    void answer(const Incoming& message) {
        std::string asked;
        if (message.text.size() <= 64) asked = message.text;
        Json reply;
        if (asked == "status") {
            note_level();
            reply = state();
        } else if ((asked == "pause" || asked == "resume") && leaving_) {
            reply = {{"error", "expected a site that stays, found one that is drained"}};
        } else if (asked == "pause" || asked == "resume") {
            paused_ = asked == "pause";
            log(paused_ ? LogEvent::paused : LogEvent::resumed, Json::object());
            reply = {{"done", asked}};
        } else if (asked == "drain") {
            if (!std::exchange(leaving_, true)) moved_before_ = all_carriers_.totals().stored;
            paused_ = false;
            stream_->leave();
            core_->leave(now());
            log(LogEvent::draining, Json::object());
            reply = {{"done", asked}};
        } else {
            ++malformed_;
            reply = {{"error", "expected status, pause, resume or drain"}};
        }
        if (!message.reply.empty()) server_->publish(message.reply, json_text(reply));
    }
    /// Says how the site stands; to agents alone, or a neighbour could have answers sent where only
    /// this agent may publish.
    void answer_agent(const Incoming& message) {
        if (!message.reply.starts_with("_INBOX.agent-")) return;
        note_level();
        server_->publish(message.reply, json_text(state()));
    }
    [[nodiscard]] Json state() const {
        SiteView view{.name = site().name,
                      .state = !can_work() ? "waiting"
                               : leaving_  ? "draining"
                               : paused_   ? "paused"
                                           : "running",
                      .malformed = malformed_,
                      .level_since = level_since_,
                      .neighbours = {}};
        for (std::size_t port = 0; port < carriers_.size(); ++port)
            view.neighbours.push_back({fleet_.sites[neighbours()[port].site].name,
                                       carriers_[port]->is_there(),
                                       carriers_[port]->counts().stored});
        return site_state(view, *core_, all_carriers_.totals());
    }
    void note_level() {
        if (!stream_->is_open() || !core_->level())
            level_since_ = 0;
        else if (level_since_ == 0)
            level_since_ = seconds_since_1970();
    }
    void show() {
        show_due_ = now() + 250'000;
        note_level();
        introduce();
        if (options_.show) options_.show(state());
        if (now() < log_due_) return;
        log_due_ = now() + 1'000'000;
        figure_log_.note(all_carriers_, *core_, malformed_);
        const bool is_level = level_since_ > 0;
        if (is_level != std::exchange(was_level_, is_level))
            log(is_level ? LogEvent::level : LogEvent::not_level, {{"backlog", core_->backlog()}});
    }

    /// Jobs under way to one neighbour.
    static constexpr std::size_t window = 1000;
    static constexpr std::size_t no_port = ~std::size_t{0};

    AgentOptions options_;
    Fleet fleet_;
    std::string held_file_;
    std::optional<HeldFileLock> lock_;
    Clock::time_point begin_;
    TaskQueue tasks_;
    HeldJobs from_before_;  ///< of an agent before this one
    bool recovered_ = false;

    // The own server.
    Micros revive_due_ = 1'000'000;
    std::string waits_for_;  ///< why the stream cannot be used, as last said
    bool introduced_ = false;
    bool goes_on_ = false;  ///< and that was not yet said

    // Links.
    Tokens batch_ = 0;
    unsigned generation_ = 0;
    Carriers all_carriers_;
    std::vector<Carrier*> carriers_;                 ///< by port
    std::map<std::string, std::size_t> subscribed_;  ///< ports by subject
    Recorder recorder_{[this](const SiteEvent& event) { record(event); }};
    std::unique_ptr<Core> core_;

    // The world.
    bool paused_ = false;
    bool leaving_ = false;
    std::uint64_t moved_before_ = 0;  ///< jobs, before the site began to be drained
    bool was_level_ = false;
    double level_since_ = 0;
    std::uint64_t malformed_ = 0;
    FigureLog figure_log_{[this](LogEvent event, const Json& more) { log(event, more); }};
    Micros show_due_ = 0;
    Micros log_due_ = 0;
    Micros fleet_due_ = 0;
    Micros held_due_ = 0;  ///< when writing the file is tried again; 0: it could be written
    std::filesystem::file_time_type fleet_written_;

    // Last: they call the others.
    std::unique_ptr<Connection> server_;
    std::unique_ptr<OwnStream> stream_;
};

}  // namespace

AgentEnd run_agent(const AgentOptions& options, const std::stop_token& stop) {
    return Agent(options).play(stop);
}

}  // namespace equipoise::agent
