#pragma once
// A Redis 7 Cluster in memory, as movers of slots, clients and tests see it.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/adapters/redis/nodes.hpp"
#include "equipoise/adapters/redis/server.hpp"
#include "tests/support/redis_servers.hpp"

namespace equipoise::test {

/// What every command throws after the one at which the mover was killed. It is no std::exception,
/// since nothing that a killed program does would be done.
struct MoverKilled {};

/// All members may be called by several threads at once, except for the settings.
class RedisModel : public RedisServers {
  public:
    using Clock = std::chrono::steady_clock;

    struct Logged {
        Number server = none;
        redis::Command command;
        Clock::time_point time;
    };

    // Settings.
    std::function<void()> after_each = {};  ///< called after every command of a mover
    bool gossips_after_each = false;        ///< or else only when asked to
    bool gossips_when_read = false;         ///< before CLUSTER NODES, as time would bring about

    /// Masters with epochs 1, 2, ..., to which all slots are dealt in ranges of one size.
    explicit RedisModel(std::size_t masters) {
        const std::size_t each = redis::slot_count / masters;
        std::vector<Number> owners(redis::slot_count);
        for (std::size_t slot = 0; slot < owners.size(); ++slot)
            owners[slot] = std::min(slot / each, masters - 1);
        for (Number at = 0; at < masters; ++at)
            add(owners, at + 1, none);
    }

    /// A master without slots.
    Number add_master() { return add(nodes_[0].owners, nodes_.size() + 1, none); }
    Number add_replica(Number master) { return add(nodes_[0].owners, 0, master); }

    /// The first of those that a master was dealt.
    [[nodiscard]] std::uint16_t first_slot(Number at) const {
        const auto& owners = nodes_[at].owners;
        return static_cast<std::uint16_t>(std::find(owners.begin(), owners.end(), at) -
                                          owners.begin());
    }
    void set_epoch(Number at, std::uint64_t epoch) {
        nodes_[at].epoch = epoch;
        for (Node& node : nodes_) {
            node.known[at] = epoch;
            node.current_epoch = std::max(node.current_epoch, epoch);
        }
    }
    void set_config(Number at, const std::string& name, const std::string& value) {
        nodes_[at].settings[name] = value;
    }

    /// A key that clients are to find from now on.
    void put(const std::string& key, const std::string& value) {
        const std::lock_guard lock(mutex_);
        expected_[key] = value;
        nodes_[nodes_[0].owners[slot_of(key)]].keys[slot_of(key)][key] = value;
    }
    /// A copy at one server, which clients may find or not.
    void put_at(Number at, const std::string& key, const std::string& value) {
        const std::lock_guard lock(mutex_);
        nodes_[at].keys[slot_of(key)][key] = value;
    }
    /// What clients are to find from now on.
    void expect(const std::string& key, const std::string& value) {
        const std::lock_guard lock(mutex_);
        expected_[key] = value;
    }

    // What movers do.

    [[nodiscard]] redis::Dial dial() {
        return [this](const redis::Address& address) -> std::unique_ptr<redis::Server> {
            const Number at = number_of(address.port);
            const std::lock_guard lock(mutex_);
            expect_up(at);
            return std::make_unique<Connection>(*this, at);
        };
    }
    /// The mover is killed after its n-th command from the beginning.
    void kill_after(std::uint64_t commands) { kill_after_ = commands; }
    /// A new mover.
    void revive() { kill_after_ = never; }
    /// The connection breaks at the n-th command, counted from 0, which was done or was not.
    void break_connection_at(std::uint64_t command, bool is_done) {
        break_at_ = command;
        break_when_done_ = is_done;
    }
    [[nodiscard]] std::uint64_t commands() const {
        const std::lock_guard lock(mutex_);
        return commands_;
    }
    [[nodiscard]] const std::vector<Logged>& log() const { return log_; }
    /// Whether a master had slots on their way to it and away from it at a time.
    [[nodiscard]] bool gave_and_took() const { return gave_and_took_; }
    /// The most slots that were on their way to, or from, one master at a time.
    [[nodiscard]] std::size_t most_open() const { return most_open_; }
    /// How often a server waited for one that waited itself.
    [[nodiscard]] std::uint64_t blocked() const { return blocked_; }

    [[nodiscard]] std::string nodes_text(Number viewer) const {
        const std::lock_guard lock(mutex_);
        return text_of(viewer);
    }

    // What servers do by themselves.

    /// Every master hears the others' claims, until nothing changes.
    void gossip() {
        const std::lock_guard lock(mutex_);
        gossip_now();
    }
    /// A master is gone, and its replica takes over, which knows of no open slots.
    void fail_over(Number former) {
        const std::lock_guard lock(mutex_);
        Number heir = 0;
        while (nodes_[heir].master != former)
            ++heir;
        Node& now = nodes_[heir];
        now.keys = nodes_[former].keys;
        now.owners = nodes_[former].owners;
        now.master = none;
        for (const Node& node : nodes_)
            now.epoch = std::max(now.epoch, node.current_epoch + 1);
        for (Node& node : nodes_) {
            std::replace(node.owners.begin(), node.owners.end(), former, heir);
            node.known[heir] = node.current_epoch = now.epoch;
        }
        nodes_[former].is_down = true;
    }

    /// A server is gone, and nobody takes its place.
    void fail(Number at) {
        const std::lock_guard lock(mutex_);
        nodes_[at].is_down = true;
    }

    // What clients do: they ask a server first, then follow redirections.

    /// The value, "(none)", or "(not found)" after too many redirections or at a server that is
    /// down.
    [[nodiscard]] std::string get(Number first, const std::string& key) const {
        const std::lock_guard lock(mutex_);
        return seen(first, key);
    }
    /// False where the key is not found. An empty value deletes it.
    bool set(Number first, const std::string& key, const std::string& value) {
        const std::lock_guard lock(mutex_);
        const Number at = home_of(first, key);
        if (at == none) return false;
        if (value.empty()) {
            nodes_[at].keys[slot_of(key)].erase(key);
            expected_[key] = "(none)";
        } else {
            nodes_[at].keys[slot_of(key)][key] = expected_[key] = value;
        }
        return true;
    }
    [[nodiscard]] std::vector<Number> holders_of(const std::string& key) const {
        const std::lock_guard lock(mutex_);
        return held_by(key);
    }
    /// What is wrong with what clients see, whichever master they ask first; empty: nothing.
    [[nodiscard]] std::string faults_for_clients() const {
        const std::lock_guard lock(mutex_);
        std::string faults;
        for (const auto& [key, value] : expected_)
            for (Number first = 0; first < nodes_.size(); ++first)
                if (is_master(first) && seen(first, key) != value)
                    faults += key + " by " + std::to_string(first) + ": " + seen(first, key) +
                              " for " + value + '\n';
        return faults;
    }
    /// The same, and besides: keys on no master or several, open slots, tables that differ.
    [[nodiscard]] std::string faults_at_rest() const {
        std::string faults = faults_for_clients();
        const std::lock_guard lock(mutex_);
        for (const auto& [key, value] : expected_)
            if (held_by(key).size() != (value == "(none)" ? 0 : 1))
                faults += key + " on " + std::to_string(held_by(key).size()) + " masters\n";
        Number sample = 0;
        while (!is_master(sample))
            ++sample;
        for (Number at = 0; at < nodes_.size(); ++at) {
            if (!is_master(at)) continue;
            if (!nodes_[at].migrating.empty() || !nodes_[at].importing.empty())
                faults += std::to_string(at) + " has open slots\n";
            for (const std::uint16_t slot : touched_)
                if (nodes_[at].owners[slot] != nodes_[sample].owners[slot])
                    faults += std::to_string(at) + " sees another owner\n";
        }
        return faults;
    }
    [[nodiscard]] Number owner_of(std::uint16_t slot, Number viewer) const {
        const std::lock_guard lock(mutex_);
        return nodes_[viewer].owners[slot];
    }

  private:
    static constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();

    class Connection : public redis::Server {
      public:
        Connection(RedisModel& model, Number at) : model_(model), at_(at) {}
        using redis::Server::ask;
        std::vector<Reply> ask(std::span<const Command> commands) override {
            if (is_broken_) throw redis::ConnectionLost("the connection is broken");
            std::vector<Reply> replies;
            is_broken_ = true;
            for (const Command& command : commands)
                replies.push_back(model_.execute(at_, is_asking_, command));
            is_broken_ = false;
            return replies;
        }

      private:
        RedisModel& model_;
        Number at_;
        bool is_asking_ = false;
        bool is_broken_ = false;
    };

    Reply execute(Number at, bool& is_asking, const Command& command) {
        Reply reply;
        {
            std::unique_lock lock(mutex_);
            free_.wait(lock, [&] { return !nodes_[at].is_busy; });
            if (commands_ >= kill_after_) throw MoverKilled{};
            expect_up(at);
            const bool breaks = commands_ == break_at_;
            ++commands_;
            if (breaks && !break_when_done_) throw redis::ConnectionLost("the connection broke");
            log_.push_back({at, command, Clock::now()});
            nodes_[at].is_busy = true;
            const bool may_ask = std::exchange(is_asking, command[0] == "ASKING");
            if (gossips_when_read && command.back() == "NODES") gossip_now();
            reply = answer(lock, at, may_ask, command);
            nodes_[at].is_busy = false;
            free_.notify_all();
            if (gossips_after_each) gossip_now();
            if (breaks) throw redis::ConnectionLost("the connection broke");
        }
        if (after_each) after_each();
        return reply;
    }

    /// Where a client ends; `none`: nowhere.
    [[nodiscard]] Number home_of(Number at, const std::string& key) const {
        constexpr int redirections_max = 5;
        bool may_ask = false;
        for (int followed = 0; followed <= redirections_max; ++followed) {
            if (nodes_[at].is_down) return none;
            const auto reply = redirection(at, key, may_ask);
            if (!reply) return at;
            may_ask = reply->text.starts_with("ASK");
            at = number_of(
                number_in(std::string_view(reply->text).substr(reply->text.rfind(':') + 1)));
        }
        return none;
    }
    [[nodiscard]] std::string seen(Number first, const std::string& key) const {
        const Number at = home_of(first, key);
        if (at == none) return "(not found)";
        return holds(at, key) ? nodes_[at].keys.at(slot_of(key)).at(key) : "(none)";
    }
    [[nodiscard]] std::vector<Number> held_by(const std::string& key) const {
        std::vector<Number> holders;
        for (Number at = 0; at < nodes_.size(); ++at)
            if (is_master(at) && holds(at, key)) holders.push_back(at);
        return holders;
    }

    void gossip_now() {
        bool changed = true;
        while (changed) {
            changed = false;
            for (Number from = 0; from < nodes_.size(); ++from)
                for (Number to = 0; to < nodes_.size(); ++to)
                    if (from != to && is_master(from) && is_master(to))
                        changed = hear(to, from) || changed;
        }
    }

    mutable std::mutex mutex_;
    Keys expected_;  ///< "(none)" for keys that were deleted
    std::vector<Logged> log_;
    std::uint64_t commands_ = 0;
    std::uint64_t kill_after_ = never;
    std::uint64_t break_at_ = never;
    bool break_when_done_ = false;
};

}  // namespace equipoise::test
