#pragma once
// The servers of a Redis 7 Cluster in memory: what they answer to whoever moves slots, and what
// they tell each other. They lose keys, and hide them, in the ways of the real ones.

#include <algorithm>
#include <charconv>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "equipoise/adapters/redis/nodes.hpp"
#include "equipoise/adapters/redis/server.hpp"

namespace equipoise::test {

/// Servers are numbered, on ports from 7100 on; the names of keys end in the number of their slot:
/// "name{5}".
class RedisServers {
  public:
    using Number = std::size_t;
    static constexpr Number none = std::numeric_limits<Number>::max();

    // Settings.
    bool empty_masters_stay = false;   ///< cluster-allow-replica-migration no
    std::set<std::string> stuck = {};  ///< keys that take MIGRATE too long
    /// Keys after which a MIGRATE breaks off, once: the target has them, the source still has them.
    std::set<std::string> breaks_after = {};
    std::chrono::microseconds migrate_takes{0};  ///< both servers do nothing else meanwhile
    std::string password = {};                   ///< that MIGRATE must bring; empty: none
    bool config_denied = false;

    [[nodiscard]] static redis::Address address(Number at) {
        return {"127.0.0.1", static_cast<std::uint16_t>(first_port + at)};
    }
    /// In the order of numbers.
    [[nodiscard]] static std::string id(Number at) {
        std::string id(40, '0');
        id.back() = static_cast<char>('a' + at);
        return id;
    }

  protected:
    using Reply = redis::Reply;
    using Command = redis::Command;
    using Keys = std::map<std::string, std::string>;
    static constexpr Number first_port = 7100;

    struct Node {
        std::uint64_t epoch = 0;
        std::uint64_t current_epoch = 0;
        std::vector<std::uint64_t> known;  ///< the epochs of the others
        std::vector<Number> owners;        ///< by slot, as it knows them
        std::map<std::uint16_t, Number> migrating;
        std::map<std::uint16_t, Number> importing;
        std::map<std::uint16_t, Keys> keys;
        std::map<std::string, std::string> settings;
        Number master = none;  ///< of a replica
        bool is_down = false;
        bool is_busy = false;
    };

    Number add(const std::vector<Number>& owners, std::uint64_t epoch, Number master) {
        Node node;
        node.epoch = epoch;
        node.owners = owners;
        node.master = master;
        nodes_.push_back(std::move(node));
        std::vector<std::uint64_t> epochs;
        std::uint64_t most = 0;
        for (const Node& each : nodes_) {
            epochs.push_back(each.epoch);
            most = std::max(most, each.epoch);
        }
        for (Node& each : nodes_) {
            each.known = epochs;
            each.current_epoch = most;
        }
        return nodes_.size() - 1;
    }

    static std::uint64_t number_in(std::string_view text) {
        std::uint64_t number = 0;
        std::from_chars(text.data(), text.data() + text.size(), number);
        return number;
    }
    static std::uint16_t slot_of(std::string_view key) {
        return static_cast<std::uint16_t>(number_in(key.substr(key.rfind('{') + 1)));
    }
    static Number number_of(std::uint64_t port) { return port - first_port; }
    [[nodiscard]] bool is_master(Number at) const {
        return !nodes_[at].is_down && nodes_[at].master == none;
    }
    void expect_up(Number at) const {
        if (nodes_[at].is_down) throw redis::ConnectionLost(address(at).name() + " is down");
    }
    [[nodiscard]] static Reply text(std::string words) {
        return {Reply::Kind::text, 0, std::move(words), {}};
    }
    [[nodiscard]] static Reply error(std::string words) {
        return {Reply::Kind::error, 0, std::move(words), {}};
    }
    [[nodiscard]] static Reply number(std::uint64_t number) {
        return {Reply::Kind::number, static_cast<std::int64_t>(number), {}, {}};
    }
    [[nodiscard]] static Reply list(const std::vector<std::string>& texts) {
        Reply reply;
        reply.kind = Reply::Kind::list;
        for (const std::string& each : texts)
            reply.list.push_back(text(each));
        return reply;
    }

    Reply answer(std::unique_lock<std::mutex>& lock, Number at, bool may_ask,
                 const Command& command) {
        Node& node = nodes_[at];
        const std::string& name = command[0];
        if (name == "PING") return text("PONG");
        if (name == "ASKING" || name == "AUTH") return text("OK");
        if (name == "CLUSTER") return answer_cluster(at, command);
        if (name == "MIGRATE") return migrate(lock, at, command);
        if (name == "DUMP" || name == "MEMORY") {
            const std::string& key = command.back();
            if (const auto elsewhere = redirection(at, key, may_ask)) return *elsewhere;
            if (!holds(at, key)) return {};
            const std::string& value = node.keys[slot_of(key)][key];
            return name == "DUMP" ? text(value) : number(value.size());
        }
        if (name == "DBSIZE") {
            std::uint64_t keys = 0;
            for (const auto& [slot, of_slot] : node.keys)
                keys += of_slot.size();
            return number(keys);
        }
        if (name == "CONFIG") {
            if (config_denied) return error("NOPERM this user has no permissions");
            const auto setting = node.settings.find(command[2]);
            return setting == node.settings.end() ? list({}) : list({command[2], setting->second});
        }
        if (name == "INFO")
            return text("# Memory\r\nused_memory:" + node.settings["used_memory"] +
                        "\r\nused_memory_rss:1\r\nmaxmemory:" + node.settings["maxmemory"] +
                        "\r\n");
        if (name == "ROLE") return list({node.master == none ? "master" : "slave"});
        return error("ERR unknown command '" + name + "'");
    }

    Reply answer_cluster(Number at, const Command& command) {
        const std::string& what = command[1];
        if (what == "NODES") return text(text_of(at));
        if (what == "INFO")
            return text("cluster_state:ok\r\ncluster_slots_assigned:16384\r\n" +
                        ("cluster_current_epoch:" + std::to_string(nodes_[at].current_epoch)) +
                        "\r\n");
        const auto slot = static_cast<std::uint16_t>(number_in(command[2]));
        const Keys& keys = nodes_[at].keys[slot];
        if (what == "COUNTKEYSINSLOT") return number(keys.size());
        if (what == "GETKEYSINSLOT") {
            std::vector<std::string> names;
            for (const auto& [key, value] : keys)
                if (names.size() < number_in(command[3])) names.push_back(key);
            return list(names);
        }
        if (what != "SETSLOT") return error("ERR unknown subcommand '" + what + "'");
        if (nodes_[at].master != none) return error("ERR Please use SETSLOT only with masters.");
        Reply reply = set_slot(at, slot, command);
        for (const Node& node : nodes_) {
            most_open_ = std::max({most_open_, node.migrating.size(), node.importing.size()});
            if (!node.migrating.empty() && !node.importing.empty()) gave_and_took_ = true;
        }
        return reply;
    }

    Reply set_slot(Number at, std::uint16_t slot, const Command& command) {
        Node& node = nodes_[at];
        const std::string& what = command[3];
        if (what == "STABLE") {
            node.migrating.erase(slot);
            node.importing.erase(slot);
            return text("OK");
        }
        Number other = 0;
        while (other < nodes_.size() && id(other) != command[4])
            ++other;
        const bool is_own = node.owners[slot] == at;
        const std::string number = std::to_string(slot);
        if (what == "MIGRATING" && !is_own)
            return error("ERR I'm not the owner of hash slot " + number);
        if (what == "IMPORTING" && is_own)
            return error("ERR I'm already the owner of hash slot " + number);
        if (other == nodes_.size())
            return error((what == "NODE" ? "ERR Unknown node " : "ERR I don't know about node ") +
                         command[4]);
        if (nodes_[other].master != none) return error("ERR Target node is not a master");
        if (what == "MIGRATING") {
            node.migrating[slot] = other;
        } else if (what == "IMPORTING") {
            node.importing[slot] = other;
        } else {
            return give_slot(at, slot, other);
        }
        return text("OK");
    }

    /// SETSLOT NODE
    Reply give_slot(Number at, std::uint16_t slot, Number to) {
        Node& node = nodes_[at];
        const bool was_own = node.owners[slot] == at;
        if (was_own && to != at && !node.keys[slot].empty())
            return error("ERR Can't assign hashslot " + std::to_string(slot) +
                         " to a different node while I still hold keys for this hash slot.");
        if (node.keys[slot].empty()) node.migrating.erase(slot);
        node.owners[slot] = to;
        touched_.insert(slot);
        if (was_own && to != at) become_replica_if_empty(at, to);
        if (to == at && node.importing.erase(slot) > 0) {
            // Unless it has the highest epoch already.
            std::uint64_t most = node.current_epoch;
            for (const std::uint64_t known : node.known)
                most = std::max(most, known);
            if (node.epoch != most) node.epoch = node.known[at] = ++node.current_epoch;
        }
        return text("OK");
    }

    void become_replica_if_empty(Number at, Number of) {
        Node& node = nodes_[at];
        if (empty_masters_stay ||
            std::find(node.owners.begin(), node.owners.end(), at) != node.owners.end())
            return;
        node.master = of;
        node.migrating.clear();
        node.importing.clear();
        node.keys.clear();
    }

    Reply migrate(std::unique_lock<std::mutex>& lock, Number at, const Command& command) {
        const Number to = number_of(number_in(command[2]));
        const auto names = std::find(command.begin(), command.end(), "KEYS") + 1;
        const std::vector<std::string> keys(names, command.end());
        const std::uint16_t slot = slot_of(keys.front());
        for (const std::string& key : keys)
            if (slot_of(key) != slot)
                return error("CROSSSLOT Keys in request don't hash to the same slot");
        if (nodes_[at].owners[slot] != at && !nodes_[at].importing.contains(slot))
            return moved(at, slot);
        if (migrate_takes.count() > 0) {
            lock.unlock();
            std::this_thread::sleep_for(migrate_takes);
            lock.lock();
        }
        if (nodes_[to].is_down) return error("IOERR error or timeout connecting to the client");
        const auto timeout = std::chrono::milliseconds(number_in(command[5]));
        if (!free_.wait_for(lock, timeout, [&] { return !nodes_[to].is_busy; })) {
            ++blocked_;
            return error("IOERR error or timeout reading to target instance");
        }
        const auto has = [&](const char* word) {
            return std::find(command.begin(), names, word) != names;
        };
        if (!password.empty() && !has(password.c_str()))
            return error("ERR Target instance replied with error: NOAUTH Authentication required.");
        return send(at, to, slot, keys, has("REPLACE"));
    }

    Reply send(Number at, Number to, std::uint16_t slot, const std::vector<std::string>& names,
               bool replace) {
        Keys& own = nodes_[at].keys[slot];
        std::vector<std::string> keys;
        for (const std::string& name : names)
            if (own.contains(name)) keys.push_back(name);
        if (keys.empty()) return text("NOKEY");
        const auto stuck_one = std::find_if(
            keys.begin(), keys.end(), [&](const std::string& key) { return stuck.contains(key); });
        if (stuck_one != keys.end()) {
            // Nothing was acknowledged of what went before.
            for (auto key = keys.begin(); key != stuck_one; ++key)
                static_cast<void>(restore(to, *key, own[*key], replace));
            return error("IOERR error or timeout writing to target instance");
        }
        std::string refused;
        for (const std::string& key : keys) {
            const std::string why = restore(to, key, own[key], replace);
            if (breaks_after.erase(key) > 0)
                return error("IOERR error or timeout reading to target instance");
            if (why.empty())
                own.erase(key);
            else if (refused.empty())
                refused = why;
        }
        if (!refused.empty()) return error("ERR Target instance replied with error: " + refused);
        return text("OK");
    }

    /// RESTORE-ASKING: the error; empty if it was done.
    std::string restore(Number at, const std::string& key, const std::string& value, bool replace) {
        if (const auto elsewhere = redirection(at, key, true)) return elsewhere->text;
        if (!replace && holds(at, key)) return "BUSYKEY Target key name already exists.";
        nodes_[at].keys[slot_of(key)][key] = value;
        return {};
    }

    [[nodiscard]] Reply moved(Number at, std::uint16_t slot) const {
        return error("MOVED " + std::to_string(slot) + ' ' +
                     address(nodes_[at].owners[slot]).name());
    }

    [[nodiscard]] bool holds(Number at, const std::string& key) const {
        const auto keys = nodes_[at].keys.find(slot_of(key));
        return keys != nodes_[at].keys.end() && keys->second.contains(key);
    }

    /// MOVED or ASK, unless the server itself answers.
    [[nodiscard]] std::optional<Reply> redirection(Number at, const std::string& key,
                                                   bool may_ask) const {
        const Node& node = nodes_[at];
        const std::uint16_t slot = slot_of(key);
        if (node.owners[slot] == at && node.master == none) {
            const auto away = node.migrating.find(slot);
            if (away == node.migrating.end() || holds(at, key)) return std::nullopt;
            return error("ASK " + std::to_string(slot) + ' ' + address(away->second).name());
        }
        if (may_ask && node.importing.contains(slot)) return std::nullopt;
        return moved(at, slot);
    }

    /// One server hears of another one's epoch and slots. Returns whether that changed something.
    bool hear(Number at, Number from) {
        Node& node = nodes_[at];
        const Node& other = nodes_[from];
        const std::uint64_t before = node.current_epoch;
        node.current_epoch = std::max(node.current_epoch, other.current_epoch);
        bool changed = node.current_epoch != before || node.known[from] != other.epoch;
        node.known[from] = other.epoch;
        node.known[at] = node.epoch;
        for (const std::uint16_t slot : touched_) {
            const Number owner = node.owners[slot];
            if (other.owners[slot] != from || owner == from || node.importing.contains(slot) ||
                node.known[owner] >= other.epoch)
                continue;
            changed = true;
            node.owners[slot] = from;
            if (owner != at) continue;
            node.keys[slot].clear();  // Another one's claim is newer: so are its keys.
            become_replica_if_empty(at, from);
        }
        // Of two with the same epoch, the one with the smaller id takes a new one.
        if (is_master(at) && node.epoch == other.epoch && id(at) < id(from)) {
            node.epoch = node.known[at] = ++node.current_epoch;
            changed = true;
        }
        return changed;
    }

    [[nodiscard]] std::string text_of(Number viewer) const {
        const Node& self = nodes_[viewer];
        std::vector<std::string> slots(nodes_.size());
        for (std::size_t first = 0; first < redis::slot_count;) {
            std::size_t end = first;
            while (end < redis::slot_count && self.owners[end] == self.owners[first])
                ++end;
            slots[self.owners[first]] +=
                ' ' + std::to_string(first) +
                (end - first > 1 ? '-' + std::to_string(end - 1) : std::string());
            first = end;
        }
        for (const auto& [slot, to] : self.migrating)
            slots[viewer] += " [" + std::to_string(slot) + "->-" + id(to) + ']';
        for (const auto& [slot, from] : self.importing)
            slots[viewer] += " [" + std::to_string(slot) + "-<-" + id(from) + ']';
        std::string text;
        for (Number at = 0; at < nodes_.size(); ++at) {
            const Node& node = nodes_[at];
            const bool is_replica = node.master != none;
            const std::uint64_t epoch = at == viewer ? node.epoch : self.known[at];
            text += id(at);
            text += ' ' + address(at).name() + '@' + std::to_string(17100 + at) + ' ' +
                    (at == viewer ? "myself," : "") + (is_replica ? "slave" : "master") +
                    (node.is_down ? ",fail" : "") + ' ' + (is_replica ? id(node.master) : "-") +
                    " 0 1700000000000 " + std::to_string(epoch) +
                    (node.is_down ? " disconnected" : " connected") + slots[at] + '\n';
        }
        return text;
    }

    std::vector<Node> nodes_;
    std::condition_variable free_;     ///< a server that was busy is free
    std::set<std::uint16_t> touched_;  ///< slots of which SETSLOT NODE spoke
    std::uint64_t blocked_ = 0;
    bool gave_and_took_ = false;
    std::size_t most_open_ = 0;
};

}  // namespace equipoise::test
