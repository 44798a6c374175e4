#include "equipoise/adapters/redis/slot_moves.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "equipoise/base/figures.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::redis {

namespace {

Command set_slot(std::uint16_t slot, const char* what, const std::string& id) {
    return {"CLUSTER", "SETSLOT", std::to_string(slot), what, id};
}

Command keys_in(std::uint16_t slot, std::uint64_t most) {
    return {"CLUSTER", "GETKEYSINSLOT", std::to_string(slot), std::to_string(most)};
}

/// Errors by which a server says that the slot, or it itself, is not what it was.
bool is_of_cluster(std::string_view error) {
    constexpr std::string_view of_target = "ERR Target instance replied with error: ";
    if (error.starts_with(of_target)) error.remove_prefix(of_target.size());
    for (const std::string_view word : {"MOVED", "ASK", "CLUSTERDOWN", "READONLY", "LOADING"})
        if (error.starts_with(word)) return true;
    return false;
}

constexpr std::string_view values_differ = "both servers hold it, with different values";

/// Errors that are about one key: it takes too long, or there are two of it.
bool is_of_key(std::string_view error) {
    return error == values_differ ||
           (error.starts_with("IOERR") && error.find("connecting") == std::string_view::npos);
}

/// One of `at_once` that a server gets.
Command migrate(const Address& target, const MoveOptions& options, std::uint64_t at_once,
                bool replace, std::span<const std::string> keys) {
    constexpr std::uint64_t least_ms = 50;
    const std::uint64_t timeout = std::max(least_ms, options.timeout_ms / at_once);
    Command command = {"MIGRATE", target.host, std::to_string(target.port),
                       "",        "0",         std::to_string(timeout)};
    if (replace) command.emplace_back("REPLACE");
    const Credentials& credentials = options.credentials;
    if (!credentials.user.empty())
        command.insert(command.end(), {"AUTH2", credentials.user, credentials.password});
    else if (!credentials.password.empty())
        command.insert(command.end(), {"AUTH", credentials.password});
    command.emplace_back("KEYS");
    command.insert(command.end(), keys.begin(), keys.end());
    return command;
}

class Mover {
  public:
    Mover(const MoveEnds& ends, std::span<const std::uint16_t> slots, const MoveOptions& options)
        : ends_(ends), options_(options), outcomes_(slots.size()) {
        for (std::size_t at = 0; at < slots.size(); ++at)
            active_.push_back({slots[at], &outcomes_[at], {}});
    }

    std::vector<SlotOutcome> move() {
        open();
        do {
            ask_for_keys();
            while (has_keys())
                send_keys();
        } while (!are_empty());
        give();
        return std::move(outcomes_);
    }

  private:
    struct Slot {
        std::uint16_t number = 0;
        SlotOutcome* outcome = nullptr;
        std::vector<std::string> keys;  ///< of the source's, those to send next
    };

    /// Throws ClusterChanged for a reply that is an error.
    static const Reply& expect(const Reply& reply, const Master& server, const Command& command) {
        if (!reply.is_error()) return reply;
        std::string words;
        for (std::size_t at = 0; at < std::min<std::size_t>(command.size(), 4); ++at)
            words += (at == 0 ? "" : " ") + command[at];
        throw ClusterChanged(server.address.name() + ": " + words + ": " + printable(reply.text));
    }

    std::vector<Reply> ask_all(Server& server, const Master& master,
                               const std::vector<Command>& commands) {
        std::vector<Reply> replies = server.ask(commands);
        for (std::size_t at = 0; at < replies.size(); ++at)
            static_cast<void>(expect(replies[at], master, commands[at]));
        return replies;
    }

    template <typename Make>
    [[nodiscard]] std::vector<Command> for_each_slot(const Make& make) const {
        std::vector<Command> commands;
        commands.reserve(active_.size());
        for (const Slot& slot : active_)
            commands.push_back(make(slot.number));
        return commands;
    }

    /// The target first: a source that sends clients on to a target which does not expect them
    /// would have them sent back.
    void open() {
        const std::string& from = ends_.source_master->id;
        const std::string& to = ends_.target_master->id;
        ask_all(*ends_.target, *ends_.target_master,
                for_each_slot([&](std::uint16_t s) { return set_slot(s, "IMPORTING", from); }));
        ask_all(*ends_.source, *ends_.source_master,
                for_each_slot([&](std::uint16_t s) { return set_slot(s, "MIGRATING", to); }));
    }

    void ask_for_keys() {
        const std::vector<Reply> replies = ask_all(
            *ends_.source, *ends_.source_master,
            for_each_slot([&](std::uint16_t s) { return keys_in(s, options_.keys_at_once); }));
        for (std::size_t at = 0; at < active_.size(); ++at)
            set_keys(active_[at], replies[at]);
    }

    static void set_keys(Slot& slot, const Reply& reply) {
        slot.keys.clear();
        for (const Reply& key : reply.list)
            slot.keys.push_back(key.text);
    }

    [[nodiscard]] bool has_keys() const {
        return std::any_of(active_.begin(), active_.end(),
                           [](const Slot& slot) { return !slot.keys.empty(); });
    }

    /// Sends the keys that are known and asks for the next ones, of several slots in one go.
    void send_keys() {
        constexpr std::size_t slots_at_once = 8;
        std::vector<Command> commands;
        std::vector<Slot*> of;
        std::uint64_t keys = 0;
        for (Slot& slot : active_)
            if (!slot.keys.empty() && of.size() < slots_at_once) {
                of.push_back(&slot);
                keys += slot.keys.size();
            }
        for (const Slot* slot : of) {
            commands.push_back(
                migrate(ends_.target_master->address, options_, of.size(), false, slot->keys));
            commands.push_back(keys_in(slot->number, options_.keys_at_once));
        }
        if (options_.before_keys) options_.before_keys(keys);
        const std::vector<Reply> replies = ends_.source->ask(commands);
        for (std::size_t at = 0; at < of.size(); ++at) {
            Slot& slot = *of[at];
            const Reply& sent = replies[2 * at];
            if (sent.is_error() && is_of_cluster(sent.text))
                static_cast<void>(expect(sent, *ends_.source_master, {"MIGRATE"}));
            if (sent.is_error()) {
                send_one_by_one(slot);
            } else {
                slot.outcome->keys += slot.keys.size();
                set_keys(slot,
                         expect(replies[2 * at + 1], *ends_.source_master, commands[2 * at + 1]));
            }
        }
        std::erase_if(active_, [](const Slot& slot) { return !slot.outcome->left.empty(); });
    }

    /// After an error, by which some of the keys may have been sent.
    void send_one_by_one(Slot& slot) {
        for (const std::string& key : slot.keys) {
            std::string error = send(key, false);
            if (!error.empty() && error.find("BUSYKEY") == std::string::npos) {
                // A target that is gone is no reason to leave slots: this would throw.
                static_cast<void>(ends_.target->ask(Command{"PING"}));
                error = send(key, false);
            }
            if (error.find("BUSYKEY") != std::string::npos) error = settle(key);
            if (!error.empty()) {
                slot.outcome->is_general = !is_of_key(error);
                slot.outcome->left = words_of(key, error);
                return;
            }
            ++slot.outcome->keys;
        }
        set_keys(slot, expect(ends_.source->ask(keys_in(slot.number, options_.keys_at_once)),
                              *ends_.source_master, keys_in(slot.number, options_.keys_at_once)));
    }

    /// The error of the source; empty if there was none.
    std::string send(const std::string& key, bool replace) {
        const Reply reply = ends_.source->ask(
            migrate(ends_.target_master->address, options_, 1, replace, std::span(&key, 1)));
        if (reply.is_error() && is_of_cluster(reply.text))
            static_cast<void>(expect(reply, *ends_.source_master, {"MIGRATE"}));
        return reply.is_error() ? reply.text : std::string();
    }

    /// A key that both servers hold: a MIGRATE was cut short before the source deleted it. Until
    /// then clients read and wrote the source's.
    std::string settle(const std::string& key) {
        const Reply own = ends_.source->ask({"DUMP", key});
        if (own.kind != Reply::Kind::text) return {};
        const std::vector<Command> asked = {{"ASKING"}, {"DUMP", key}};
        const Reply other = ends_.target->ask(asked).back();
        if (other.kind == Reply::Kind::text && other.text != own.text &&
            !options_.replace_different)
            return std::string(values_differ);
        return send(key, true);
    }

    [[nodiscard]] std::string words_of(const std::string& key, const std::string& error) const {
        const Reply bytes = ends_.source->ask({"MEMORY", "USAGE", key});
        return "key \"" + shortened(printable(key)) + '"' +
               (bytes.kind == Reply::Kind::number ? " (" + grouped(bytes.number) + " bytes)"
                                                  : std::string()) +
               " could not be sent to " + ends_.target_master->address.name() + ": " +
               printable(error) +
               (error.starts_with("IOERR") && is_of_key(error)
                    ? "; it did not arrive within " +
                          grouped(static_cast<std::uint64_t>(options_.timeout_ms)) + " ms"
                    : std::string());
    }

    /// Whether the source, which must still be a master, holds no key of the slots: if it did, it
    /// would delete it when the slot is another's.
    bool are_empty() {
        std::vector<Command> commands = for_each_slot([](std::uint16_t s) -> Command {
            return {"CLUSTER", "COUNTKEYSINSLOT", std::to_string(s)};
        });
        commands.push_back({"ROLE"});
        const std::vector<Reply> replies = ask_all(*ends_.source, *ends_.source_master, commands);
        const Reply& role = replies.back();
        if (role.list.empty() || role.list.front().text != "master")
            throw ClusterChanged(ends_.source_master->address.name() + ": is no master any more");
        return std::all_of(replies.begin(), replies.end() - 1,
                           [](const Reply& reply) { return reply.number == 0; });
    }

    void give() {
        if (active_.empty()) return;
        const std::string& to = ends_.target_master->id;
        const std::vector<Command> commands =
            for_each_slot([&](std::uint16_t s) { return set_slot(s, "NODE", to); });
        ask_all(*ends_.target, *ends_.target_master, commands);
        ask_all(*ends_.source, *ends_.source_master, commands);
        for (Server* other : ends_.others) {
            try {
                static_cast<void>(other->ask(commands));
            } catch (const ConnectionLost&) {
                // It hears of it by gossip.
            }
        }
    }

    const MoveEnds& ends_;
    const MoveOptions& options_;
    std::vector<SlotOutcome> outcomes_;
    std::vector<Slot> active_;
};

}  // namespace

std::vector<SlotOutcome> move_slots(const MoveEnds& ends, std::span<const std::uint16_t> slots,
                                    const MoveOptions& options) {
    return Mover(ends, slots, options).move();
}

std::string commands_of(const Cluster& cluster, std::uint16_t slot, MasterId from, MasterId to,
                        const MoveOptions& options) {
    const Master& source = cluster.masters[from];
    const Master& target = cluster.masters[to];
    const auto line = [](const Master& server, const std::string& command) {
        return "redis-cli -h " + server.address.host + " -p " +
               std::to_string(server.address.port) + ' ' + command + '\n';
    };
    const std::string number = std::to_string(slot);
    const std::string node = "CLUSTER SETSLOT " + number + " NODE " + target.id;
    std::string text =
        line(target, "CLUSTER SETSLOT " + number + " IMPORTING " + source.id) +
        line(source, "CLUSTER SETSLOT " + number + " MIGRATING " + target.id) +
        "# until no keys are left:\n" +
        line(source,
             "CLUSTER GETKEYSINSLOT " + number + ' ' + std::to_string(options.keys_at_once)) +
        line(source, "MIGRATE " + target.address.host + ' ' + std::to_string(target.address.port) +
                         " \"\" 0 " + std::to_string(options.timeout_ms) + " KEYS KEY...") +
        line(target, node) + line(source, node);
    for (MasterId other = 0; other < cluster.masters.size(); ++other)
        if (other != from && other != to) text += line(cluster.masters[other], node);
    return text;
}

}  // namespace equipoise::redis
