#include "equipoise/agent/agent.hpp"

#include <algorithm>
#include <chrono>
#include <deque>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/agent/carrier.hpp"
#include "equipoise/agent/core.hpp"
#include "equipoise/agent/held_file.hpp"
#include "equipoise/agent/nats.hpp"
#include "equipoise/agent/task_queue.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"

namespace equipoise::agent {

namespace {

using Clock = TaskQueue::Clock;
using Json = nlohmann::ordered_json;

constexpr std::string_view acknowledged = "+ACK";
constexpr std::string_view in_progress = "+WPI";
constexpr std::string_view given_back = "-NAK";

double seconds_since_1970() {
    return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch())
        .count();
}

std::uint64_t random_word() {
    std::random_device device;
    return (std::uint64_t{device()} << 32U) | device();
}

std::string subject_head(const Fleet& fleet, std::size_t site) {
    return "equipoise." + fleet.name + '.' + fleet.sites[site].name + '.';
}

Login login_of(const Fleet& fleet, std::size_t at, const std::string& server,
               const std::string& who) {
    const Site& site = fleet.sites[at];
    return {server, site.credentials, site.authorities, "agent-" + who};
}

std::string server_text(const std::string& server) {
    // Without a password.
    const std::size_t at = server.rfind('@');
    const std::size_t begin = server.find("//");
    if (at == std::string::npos || begin == std::string::npos) return server;
    return server.substr(0, begin + 2) + server.substr(at + 1);
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
        from_before_ = read_held_jobs_or_none();
        server_ = std::make_unique<Connection>(
            login_of(fleet_, options_.site, site().server, site().name),
            Connection::Calls{.changed =
                                  [this](bool there, const std::string& id) {
                                      tasks_.put([this, there, id] { change_server(there, id); });
                                  },
                              .stored = {}});
        stream_ = std::make_unique<JobStream>(
            *server_, JobStream::Names{site().stream, site().subjects, site().consumer});
        server_->subscribe(ask_subject(fleet_, options_.site), [this](const Incoming& message) {
            tasks_.put([this, message] { answer(message); });
        });
        link_up();
        log("started", {{"site", site().name}, {"server", server_text(site().server)}});
    }

    AgentEnd play(const std::stop_token& stop) {
        while (!stop.stop_requested() && !error_ && !drained())
            turn();
        if (error_) std::rethrow_exception(error_);
        const bool was_drained = drained();
        end();
        log_figures();
        log(was_drained ? "drained" : "stopped", {{"site", site().name}, {"moved", total_moved()}});
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
    void log(const char* event, const Json& more) {
        if (!options_.log) return;
        Json line = {{"time", seconds_since_1970()}, {"event", event}};
        line.update(more);
        options_.log(line);
    }

    // ---- links
    /// Begins the program anew over the links of the fleet. Connections to servers that stay are
    /// kept, with what they carry.
    void link_up() {
        ++generation_;
        std::vector<model::LinkEnd> ends;
        std::vector<Carrier*> carriers;
        for (const Neighbour& neighbour : neighbours()) {
            ends.push_back(neighbour.is_lower ? model::LinkEnd::head : model::LinkEnd::tail);
            carriers.push_back(&carrier_to(neighbour));
        }
        carriers_ = std::move(carriers);
        CoreOptions core;
        core.leave_at_least = options_.leave_at_least;
        core.batch = batch();
        core.seed = random_word();
        core_ = std::make_unique<Core>(core, std::move(ends), static_cast<Core::Actions&>(*this),
                                       now());
        core_->hold(static_cast<Tokens>(free_.size()), now());
        for (std::size_t port = 0; port < neighbours().size(); ++port) {
            const std::string subject =
                link_subject(fleet_, options_.site, fleet_.sites[neighbours()[port].site].name);
            if (!subscribed_.insert({subject, port}).second) {
                subscribed_[subject] = port;
                continue;
            }
            server_->subscribe(subject, [this, subject](const Incoming& message) {
                tasks_.put([this, subject, text = message.text] { come(subject, text); });
            });
        }
    }
    Carrier& carrier_to(const Neighbour& neighbour) {
        const Site& there = fleet_.sites[neighbour.site];
        const std::string key = there.name + ' ' + neighbour.server;
        std::unique_ptr<Carrier>& carrier = all_carriers_[key];
        if (!carrier)
            carrier = std::make_unique<Carrier>(
                login_of(fleet_, neighbour.site, neighbour.server, site().name),
                site().name + '.' + site().stream + '.',
                [this](std::function<void()> task) { tasks_.put(std::move(task)); },
                [this, name = there.name](bool is_there) {
                    log(is_there ? "connected" : "disconnected",
                        {{"site", site().name}, {"neighbour", name}});
                });
        return *carrier;
    }
    /// Offers never use up more than half of what workers may have unacknowledged.
    [[nodiscard]] Tokens batch() const {
        const auto most = stream_ ? stream_->taken_max() : std::nullopt;
        if (!most) return options_.batch;
        return std::clamp<Tokens>(static_cast<Tokens>(*most / 2), 1, options_.batch);
    }
    void come(const std::string& subject, const std::string& text) {
        const auto port = subscribed_.find(subject);
        if (port == subscribed_.end() || port->second >= carriers_.size() || paused_) return;
        if (open_) core_->come(static_cast<Port>(port->second), text, now());
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
        log(there ? "connected" : "disconnected",
            {{"site", site().name}, {"server", server_text(site().server)}});
        open_ = false;
        if (!there) return;
        restarted_ = restarted_ || (!server_id_.empty() && id != server_id_);
        server_id_ = id;
        open_stream();
    }
    void open_stream() {
        at_server_.put([this] {
            std::optional<std::string> wrong;
            std::exception_ptr error;
            try {
                wrong = stream_->open();
            } catch (const InputError&) {
                error = std::current_exception();
            }
            tasks_.put([this, wrong, error] {
                error_ = error;
                if (error || wrong) {
                    if (wrong) log("waiting", {{"site", site().name}, {"why", *wrong}});
                    open_due_ = now() + 1'000'000;
                    return;
                }
                open_ = true;
                open_due_ = 0;
                looking_ = false;
                taking_ = false;
                look_due_ = 0;
                if (std::exchange(restarted_, false)) begin_anew();
                stream_made_ = stream_->made();
                if (!std::exchange(recovered_, true)) recover();
            });
        });
    }
    /// The server has forgotten some of what it was told since it last wrote to its disk: which
    /// jobs were handed out, and which were acknowledged.
    void begin_anew() {
        changed_ = true;
        if (stream_made_ != stream_->made()) {
            // Another stream: its numbers, and so the acknowledgements, mean other jobs.
            core_->lose(static_cast<Tokens>(free_.size()));
            free_.clear();
            pinned_.clear();
            past_.clear();
            returned_ = 0;
            return;
        }
        for (const Job& job : free_)
            server_->publish(job.reply(), given_back);
        for (const Job& job : pinned_)
            server_->publish(job.reply(), given_back);
        core_->give_back(static_cast<Tokens>(free_.size()));
        returned_ += static_cast<Tokens>(free_.size() + pinned_.size());
        count_returned_ = true;
        free_.clear();
        pinned_.clear();
        for (const Past& past : past_)
            server_->publish(past.reply, acknowledged);
    }
    void look() {
        looking_ = true;
        const Micros begun = now();
        at_server_.put([this, begun] {
            const std::optional<StreamView> view = stream_->look();
            tasks_.put([this, begun, view] {
                looking_ = false;
                if (!view || !open_) return;
                const auto taken = static_cast<Tokens>(view->taken);
                returned_ = std::clamp<Tokens>(taken - unacknowledged(), 0, returned_);
                const Tokens others = std::max<Tokens>(taken - unacknowledged() - returned_, 0);
                if (others != others_) others_since_ = now();
                others_ = others;
                workers_wait_ = view->requests > 0;
                waiting_ = static_cast<Tokens>(view->waiting);
                core_->see({waiting_, returned_, workers_wait_}, begun, now());
            });
        });
    }
    /// Jobs that this agent has taken from the stream.
    [[nodiscard]] Tokens unacknowledged() const {
        std::size_t jobs = free_.size() + pinned_.size() + to_acknowledge_.size();
        for (const auto& [key, carrier] : all_carriers_)
            jobs += carrier->size();
        return static_cast<Tokens>(jobs);
    }
    void take(Tokens jobs) {
        taking_ = true;
        const int most = static_cast<int>(std::min<Tokens>(jobs, 1000));
        at_server_.put([this, most] {
            std::vector<Job> taken = stream_->take(most);
            tasks_.put([this, taken = std::move(taken)] { keep(taken); });
        });
    }
    void keep(std::vector<Job> taken) {
        taking_ = false;
        if (std::exchange(counting_returned_, false)) returned_ = 0;
        if (taken.empty()) {
            // Others were faster; the next look tells what is left.
            waiting_ = 0;
            look_due_ = 0;
            return;
        }
        changed_ = true;
        Tokens more = 0;
        for (Job& job : taken) {
            job.set_stream_made(stream_made_);
            const bool movable =
                job.transfers() < options_.transfers_max && job.bytes() <= bytes_max;
            if (movable) ++more;
            (movable ? free_ : pinned_).push_back(std::move(job));
        }
        const auto all = static_cast<Tokens>(taken.size());
        returned_ = std::max<Tokens>(returned_ - all, 0);
        core_->hold(more, now());
    }
    /// Whether the stream has as many jobs as are wanted, so that taking them leads somewhere.
    [[nodiscard]] bool has_enough() const {
        return waiting_ + returned_ >= core_->wanted() && !(workers_wait_ && waiting_ == 0);
    }
    /// Jobs that others have taken are at work, or will be handed out again because whoever took
    /// them died: the stream does not tell which, but hands the latter out first, once their time
    /// is over. So as many are taken and held, which makes them count.
    void probe() {
        if (returned_ != returned_before_) {
            returned_before_ = returned_;
            returned_since_ = now();
        }
        if (returned_ > 0 && !workers_wait_ && now() >= returned_since_ + 3'000'000) {
            returned_since_ = now();
            count_returned_ = true;
        }
        if (count_returned_ && returned_ > 0 && !taking_ && !paused_) {
            // Some of them the server may never have handed out: only those that come count.
            count_returned_ = false;
            counting_returned_ = true;
            return take(returned_);
        }
        const Tokens room = std::min(4 * others_, batch()) - core_->surplus(false);
        if (others_ == 0 || room <= 0 || taking_ || paused_ || workers_wait_) return;
        const Micros patience = stream_->acknowledge_within();
        if (now() < others_since_ + patience || now() < probe_due_) return;
        probe_due_ = now() + patience / 2;
        take(std::min(others_, room));
    }
    /// Forgets what is owed if there has been nothing to give for two seconds.
    void withdraw_if_empty(bool empty) {
        if (!empty) shortage_ = 0;
        if (empty && shortage_ == 0) shortage_ = now();
        if (shortage_ == 0 || now() < shortage_ + 2'000'000) return;
        core_->withdraw_owed();
        shortage_ = 0;
    }
    void give_back_surplus() {
        const Tokens surplus = core_->surplus(core_->wanted() > 0 && !has_enough());
        if (surplus == 0 && pinned_.empty()) {
            surplus_since_ = 0;
            return;
        }
        if (surplus_since_ == 0) surplus_since_ = now();
        // Workers have other jobs to take, unless the stream is empty.
        const bool starving = waiting_ == 0 && workers_wait_;
        const bool long_empty = waiting_ == 0 && now() >= surplus_since_ + 1'000'000;
        if (!starving && !long_empty && !paused_) return;
        return_jobs(static_cast<std::size_t>(surplus));
    }
    void return_jobs(std::size_t count) {
        for (std::size_t at = 0; at < count; ++at) {
            server_->publish(free_.back().reply(), given_back);
            free_.pop_back();
        }
        for (const Job& job : pinned_)
            server_->publish(job.reply(), given_back);
        returned_ += static_cast<Tokens>(count + pinned_.size());
        core_->give_back(static_cast<Tokens>(count));
        pinned_.clear();
        surplus_since_ = 0;
        changed_ = true;
    }
    void extend() {
        extended_ = now();
        changed_ = true;  // the age of the file tells the next agent whether it comes too late
        const auto tell = [&](const Job& job) { server_->publish(job.reply(), in_progress); };
        std::for_each(free_.begin(), free_.end(), tell);
        std::for_each(pinned_.begin(), pinned_.end(), tell);
        std::for_each(to_acknowledge_.begin(), to_acknowledge_.end(), tell);
        for (const auto& [key, carrier] : all_carriers_)
            carrier->for_each(tell);
    }

    // ---- transfers
    void carry() {
        for (Port port = 0; port < carriers_.size(); ++port) {
            Carrier& carrier = *carriers_[port];
            if (carrier.size() >= window) continue;
            const Tokens jobs = core_->carry(port, static_cast<Tokens>(window - carrier.size()));
            for (Tokens at = 0; at < jobs; ++at) {
                carrier.add(std::move(free_.front()), generation_, false);
                free_.pop_front();
            }
            changed_ = changed_ || jobs > 0;
        }
        if (changed_) write_held();
        for (const auto& [key, carrier] : all_carriers_)
            carrier->work(now());
        finish();
    }
    /// Acknowledges what is stored at neighbours; books it once the server has the
    /// acknowledgements.
    void finish() {
        std::vector<std::pair<Port, Tokens>> settled;
        for (const auto& [key, carrier] : all_carriers_) {
            Tokens count = 0;
            std::size_t stored = 0;
            for (Carrier::Done& done : carrier->done()) {
                changed_ = true;
                if (done.generation == generation_) ++count;
                if (done.stored) ++stored;
                if (done.job.stream_made() != stream_made_) continue;
                if (done.stored) {
                    to_acknowledge_.push_back(std::move(done.job));
                } else {
                    server_->publish(done.job.reply(), given_back);
                    ++returned_;
                }
            }
            moved_[carrier.get()] += stored;
            const auto port = std::find(carriers_.begin(), carriers_.end(), carrier.get());
            if (count > 0 && port != carriers_.end())
                settled.emplace_back(static_cast<Port>(port - carriers_.begin()), count);
        }
        for (const auto& [port, count] : settled)
            core_->settle(port, count, now());
        if (to_acknowledge_.empty() || acknowledging_ || !open_) return;
        acknowledging_ = true;
        std::vector<std::string> replies;
        for (const Job& job : to_acknowledge_)
            replies.push_back(job.reply());
        at_server_.put([this, replies = std::move(replies)] {
            bool sent = true;
            for (const std::string& reply : replies)
                sent = server_->publish(reply, acknowledged) && sent;
            sent = server_->flush() && sent;
            tasks_.put([this, replies, sent] {
                acknowledging_ = false;
                if (!sent) return;
                const Micros when = now();
                for (const std::string& reply : replies)
                    past_.push_back({reply, when});
                to_acknowledge_.erase(
                    to_acknowledge_.begin(),
                    to_acknowledge_.begin() + static_cast<std::ptrdiff_t>(replies.size()));
                while (!past_.empty() &&
                       (past_.size() > past_max || past_.front().when + past_for < when))
                    past_.pop_front();
                changed_ = true;
            });
        });
    }

    // ---- the file of held jobs
    HeldJobs read_held_jobs_or_none() {
        try {
            return read_held_jobs(held_file_);
        } catch (const InputError& error) {
            log("unreadable", {{"site", site().name}, {"why", error.what()}});
            return {};
        }
    }
    void write_held() {
        changed_ = false;
        HeldJobs held;
        held.stream = site().stream;
        held.made = stream_made_;
        for (const Job& job : free_)
            held.jobs.push_back({job.sequence(), job.reply(), ""});
        for (const Job& job : pinned_)
            held.jobs.push_back({job.sequence(), job.reply(), ""});
        for (const Job& job : to_acknowledge_)
            held.jobs.push_back({job.sequence(), job.reply(), stored_mark});
        for (const auto& [key, carrier] : all_carriers_)
            carrier->for_each([&, name = key.substr(0, key.find(' '))](const Job& job) {
                held.jobs.push_back({job.sequence(), job.reply(), name});
            });
        for (const HeldJob& job : unfinished_)
            held.jobs.push_back(job);
        write_held_jobs(held_file_, held);
    }
    /// Finishes what the agent before this one had begun.
    void recover() {
        if (from_before_.jobs.empty() || from_before_.stream != site().stream ||
            from_before_.made != stream_made_)
            return;
        count_returned_ = true;
        std::error_code none;
        const auto age = std::filesystem::file_time_type::clock::now() -
                         std::filesystem::last_write_time(held_file_, none);
        const bool late = !none && age > std::chrono::microseconds(stream_->acknowledge_within());
        unfinished_ = std::exchange(from_before_.jobs, {});
        std::uint64_t again = 0;
        std::vector<HeldJob> to_find;
        for (const HeldJob& job : unfinished_) {
            if (job.to == stored_mark) {
                server_->publish(job.reply, acknowledged);
            } else if (job.to.empty()) {
                server_->publish(job.reply, given_back);
                ++returned_;
            } else if (!late) {
                server_->publish(job.reply, in_progress);
                to_find.push_back(job);
            } else {
                ++again;
            }
        }
        log("recovered",
            {{"site", site().name}, {"unfinished", to_find.size()}, {"perhaps_twice", again}});
        at_server_.put([this, to_find = std::move(to_find)] {
            for (const HeldJob& job : to_find) {
                bool asked = false;
                std::optional<Job> found;
                for (int attempt = 0; attempt < 10 && !asked; ++attempt)
                    found = stream_->find(job.sequence, asked);
                if (found) found->set_reply(job.reply);
                tasks_.put([this, job, found] { resume(job, found); });
            }
            tasks_.put([this] {
                unfinished_.clear();
                changed_ = true;
            });
        });
    }
    void resume(const HeldJob& held, const std::optional<Job>& job) {
        if (!job) return;  // it was acknowledged
        for (std::size_t port = 0; port < neighbours().size(); ++port) {
            if (fleet_.sites[neighbours()[port].site].name != held.to) continue;
            Job again = *job;
            again.set_stream_made(stream_made_);
            carriers_[port]->add(std::move(again), 0, true);
            changed_ = true;
            return;
        }
        server_->publish(held.reply, given_back);
        ++returned_;
    }

    // ---- the course
    void turn() {
        const Micros time = now();
        Micros next = time + 1'000'000;
        if (time >= revive_due_) {
            revive_due_ = time + 1'000'000;
            const std::string why = server_->revive();
            if (!why.empty() && why != std::exchange(not_there_, why))
                log("waiting", {{"site", site().name}, {"why", why}});
        }
        if (open_due_ != 0 && time >= open_due_ && server_->is_there()) {
            open_due_ = 0;
            open_stream();
        }
        if (open_) {
            if (!paused_) {
                if (time >= core_->due()) core_->pass(time);
                next = std::min(next, core_->due());
            }
            carry();
            for (const auto& [key, carrier] : all_carriers_)
                next = std::min(next, carrier->due());
            if (!looking_ && time >= look_due_) {
                look();
                const bool moving = core_->incoming() + core_->offered() + core_->owed() > 0;
                look_due_ =
                    time +
                    (moving ? 20'000 : std::clamp<Micros>(25 * core_->tick(), 50'000, 1'000'000));
            }
            next = std::min(next, std::max(look_due_, time + 1'000));
            const Tokens wanted = core_->wanted();
            const bool owes = core_->owed() > core_->held();
            if (wanted > 0 && !taking_ && !paused_ && (has_enough() || (owes && waiting_ > 0)))
                take(wanted);
            withdraw_if_empty(owes && waiting_ + returned_ == 0);
            probe();
            if (!taking_) give_back_surplus();
            if (time >= extended_ + stream_->acknowledge_within() / 3) extend();
            if (changed_) write_held();
        }
        if (time >= fleet_due_) read_fleet_again();
        if (time >= show_due_) show();
        next = std::min({next, show_due_, fleet_due_});
        const Micros wait = next > now() ? next - now() : 0;
        tasks_.carry_out(Clock::now() + std::chrono::microseconds(std::max<Micros>(wait, 200)));
    }
    [[nodiscard]] bool drained() const {
        return leaving_ && core_->left() && core_->carried() == 0 && core_->owed() == 0 &&
               to_acknowledge_.empty();
    }
    /// Finishes transfers that have begun, and gives back what is held.
    void end() {
        const Micros until = now() + 5'000'000;
        paused_ = true;
        const auto busy = [&] {
            std::size_t jobs = to_acknowledge_.size();
            for (const auto& [key, carrier] : all_carriers_)
                jobs += carrier->size();
            return jobs > 0;
        };
        while (now() < until && open_ && busy()) {
            for (const auto& [key, carrier] : all_carriers_)
                carrier->work(now());
            finish();
            tasks_.carry_out(Clock::now() + std::chrono::milliseconds(2));
        }
        if (open_) return_jobs(free_.size());
        static_cast<void>(server_->flush());
        write_held();
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
                mine.consumer != site().consumer || fleet.name != fleet_.name)
                throw InputError(fleet_.file +
                                 ": expected the same server, stream, consumer and fleet of " +
                                 mine.name + "; the agent must be started anew for others");
            const bool same = links_of(fleet, number) == links_of(fleet_, options_.site);
            fleet_ = std::move(fleet);
            options_.site = number;
            if (same) return;
            link_up();
            log("links", {{"site", site().name}, {"neighbours", neighbours().size()}});
        } catch (const InputError& error) {
            log("unreadable", {{"site", site().name}, {"why", error.what()}});
        }
    }
    static std::vector<std::string> links_of(const Fleet& fleet, std::size_t site) {
        std::vector<std::string> links;
        for (const Neighbour& neighbour : fleet.neighbours[site])
            links.push_back(fleet.sites[neighbour.site].name + ' ' + neighbour.server);
        return links;
    }

    // ---- questions
    void answer(const Incoming& message) {
        std::string asked;
        if (message.text.size() <= 64) asked = message.text;
        Json reply;
        if (asked == "status") {
            note_level();
            reply = state();
        } else if (asked == "pause" || asked == "resume") {
            paused_ = asked == "pause";
            log(paused_ ? "paused" : "resumed", {{"site", site().name}});
            reply = {{"done", asked}};
        } else if (asked == "drain") {
            leaving_ = true;
            paused_ = false;
            core_->leave(now());
            log("draining", {{"site", site().name}});
            reply = {{"done", asked}};
        } else {
            ++malformed_;
            reply = {{"error", "expected status, pause, resume or drain"}};
        }
        if (!message.reply.empty()) server_->publish(message.reply, json_text(reply));
    }
    [[nodiscard]] std::uint64_t total_moved() const {
        std::uint64_t sum = 0;
        for (const auto& [carrier, count] : moved_)
            sum += count;
        return sum;
    }
    [[nodiscard]] Json state() const {
        std::uint64_t refused = 0;
        std::uint64_t doubled = 0;
        std::size_t in_doubt = 0;
        for (const auto& [key, carrier] : all_carriers_) {
            refused += carrier->counts().refused;
            doubled += carrier->counts().doubled;
            in_doubt += carrier->in_doubt();
        }
        const CoreCounts& counts = core_->counts();
        Json state = {{"version", 1},
                      {"name", site().name},
                      {"state", !open_     ? "waiting"
                                : leaving_ ? "draining"
                                : paused_  ? "paused"
                                           : "running"},
                      {"backlog", core_->backlog()},
                      {"held", core_->held()},
                      {"offered", core_->offered()},
                      {"owed", core_->owed() + core_->carried()},
                      {"incoming", core_->incoming()},
                      {"in_doubt", in_doubt},
                      {"moved", total_moved()},
                      {"received", core_->taken()},
                      {"refused", refused},
                      {"stored_before", doubled},
                      {"malformed", counts.malformed + malformed_},
                      {"turned_away", counts.turned_away},
                      {"excess", counts.excess},
                      {"withdrawn", counts.withdrawn},
                      {"messages_sent", counts.messages_sent},
                      {"messages_received", counts.messages_received},
                      {"level", core_->level()},
                      {"level_since_time", nullptr},
                      {"neighbours", Json::array()}};
        if (level_since_ > 0) state["level_since_time"] = level_since_;
        for (std::size_t port = 0; port < carriers_.size(); ++port) {
            const auto load = core_->load_of(static_cast<Port>(port));
            const auto moved = moved_.find(carriers_[port]);
            state["neighbours"].push_back({{"name", fleet_.sites[neighbours()[port].site].name},
                                           {"alive", core_->is_alive(static_cast<Port>(port))},
                                           {"connected", carriers_[port]->is_there()},
                                           {"load", load ? Json(*load) : Json(nullptr)},
                                           {"moved", moved == moved_.end() ? 0 : moved->second}});
        }
        return state;
    }
    void note_level() {
        if (!open_ || !core_->level())
            level_since_ = 0;
        else if (level_since_ == 0)
            level_since_ = seconds_since_1970();
    }
    void show() {
        show_due_ = now() + 250'000;
        note_level();
        if (options_.show) options_.show(state());
        if (now() < log_due_) return;
        log_due_ = now() + 1'000'000;
        log_figures();
        const bool is_level = level_since_ > 0;
        if (is_level != std::exchange(was_level_, is_level))
            log(is_level ? "level" : "not_level",
                {{"site", site().name}, {"backlog", core_->backlog()}});
    }
    /// What has changed since it was last logged.
    void log_figures() {
        for (std::size_t port = 0; port < carriers_.size(); ++port) {
            const std::uint64_t moved = moved_[carriers_[port]];
            std::uint64_t& logged = logged_[carriers_[port]];
            if (moved == logged) continue;
            log("moved", {{"site", site().name},
                          {"neighbour", fleet_.sites[neighbours()[port].site].name},
                          {"jobs", moved - logged},
                          {"backlog", core_->backlog()}});
            logged = moved;
        }
        log_count("malformed", core_->counts().malformed + malformed_);
        log_count("excess", core_->counts().excess);
        log_count("withdrawn", core_->counts().withdrawn);
        for (const auto& [key, carrier] : all_carriers_)
            if (!carrier->counts().why.empty())
                log_count("refused", carrier->counts().refused, carrier->counts().why);
    }
    void log_count(const std::string& event, std::uint64_t count, const std::string& why = "") {
        std::uint64_t& logged = counts_logged_[event + why];
        if (count == logged) return;
        Json more = {{"site", site().name}, {"count", count - logged}};
        if (!why.empty()) more["why"] = why;
        logged = count;
        log(event.c_str(), more);
    }

    /// Marks jobs in the file that are stored at the neighbour: no name of a site.
    static constexpr const char* stored_mark = "*";
    /// Jobs under way to one neighbour.
    static constexpr std::size_t window = 1000;
    /// Larger jobs stay where they are.
    static constexpr std::size_t bytes_max = 8U << 20U;
    /// Acknowledgements that are repeated after a server has restarted.
    static constexpr std::size_t past_max = 20'000;
    static constexpr Micros past_for = 120'000'000;

    struct Past {
        std::string reply;
        Micros when = 0;
    };

    AgentOptions options_;
    Fleet fleet_;
    std::string held_file_;
    Clock::time_point begin_;
    TaskQueue tasks_;
    HeldJobs from_before_;             ///< of an agent before this one
    std::vector<HeldJob> unfinished_;  ///< of these, that are being looked for
    bool recovered_ = false;
    std::exception_ptr error_;

    // The own server.
    bool open_ = false;  ///< the stream can be used
    Micros open_due_ = 0;
    std::string server_id_;
    bool restarted_ = false;  ///< the server, since the stream was opened
    std::int64_t stream_made_ = 0;
    bool count_returned_ = false;  ///< `returned_` may be too many
    bool counting_returned_ = false;
    Tokens returned_before_ = 0;
    Micros returned_since_ = 0;
    Micros revive_due_ = 1'000'000;
    std::string not_there_;  ///< why the server is not there
    bool looking_ = false;
    bool taking_ = false;
    bool acknowledging_ = false;
    Micros look_due_ = 0;
    Micros extended_ = 0;
    Micros surplus_since_ = 0;
    Micros shortage_ = 0;  ///< since when jobs are owed and there is none; 0: they are not
    Tokens waiting_ = 0;
    Tokens returned_ = 0;
    bool workers_wait_ = false;
    Tokens others_ = 0;  ///< jobs that were taken by others
    Micros others_since_ = 0;
    Micros probe_due_ = 0;

    // Jobs.
    std::deque<Job> free_;    ///< held by the core
    std::deque<Job> pinned_;  ///< that are not moved any more
    std::vector<Job> to_acknowledge_;
    std::deque<Past> past_;
    bool changed_ = false;  ///< what the file says is no longer true

    // Links.
    unsigned generation_ = 0;
    std::map<std::string, std::unique_ptr<Carrier>> all_carriers_;  ///< by name and address
    std::vector<Carrier*> carriers_;                                ///< by port
    std::map<std::string, std::size_t> subscribed_;                 ///< ports by subject
    std::unique_ptr<Core> core_;

    // The world.
    bool paused_ = false;
    bool leaving_ = false;
    bool was_level_ = false;
    double level_since_ = 0;
    std::uint64_t malformed_ = 0;
    std::map<const Carrier*, std::uint64_t> moved_;
    std::map<const Carrier*, std::uint64_t> logged_;
    std::map<std::string, std::uint64_t> counts_logged_;
    Micros show_due_ = 0;
    Micros log_due_ = 0;
    Micros fleet_due_ = 0;
    std::filesystem::file_time_type fleet_written_;

    // Last: they call the others.
    std::unique_ptr<Connection> server_;
    std::unique_ptr<JobStream> stream_;
    TaskThread at_server_;
};

}  // namespace

std::string ask_subject(const Fleet& fleet, std::size_t site) {
    return subject_head(fleet, site) + "ask";
}

std::string link_subject(const Fleet& fleet, std::size_t site, const std::string& neighbour) {
    return subject_head(fleet, site) + "from." + neighbour;
}

AgentEnd run_agent(const AgentOptions& options, const std::stop_token& stop) {
    return Agent(options).play(stop);
}

}  // namespace equipoise::agent
