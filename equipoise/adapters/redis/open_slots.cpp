#include "equipoise/adapters/redis/open_slots.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "equipoise/base/printable.hpp"

namespace equipoise::redis {

namespace {

/// A command to a master, whose errors mean that the cluster is not as it was read.
void tell(const Cluster& cluster, MasterId master, Server& server, const Command& command) {
    const Reply reply = server.ask(command);
    if (reply.is_error())
        throw ClusterChanged(cluster.name(master) + ": CLUSTER SETSLOT " + command[2] + ' ' +
                             command[3] + ": " + printable(reply.text));
}

class Healer {
  public:
    Healer(const Cluster& cluster, const std::vector<Server*>& connections, MoveOptions options)
        : cluster_(cluster), connections_(connections), options_(std::move(options)) {
        took_.assign(connections.size(), false);
        options_.replace_different = false;
        options_.before_keys = {};
    }

    Healed heal() {
        for (const OpenSlot& open : cluster_.open) {
            for (const MasterId master : open.unaware)
                tell(cluster_, master, *connections_[master],
                     {"CLUSTER", "SETSLOT", std::to_string(open.slot), "NODE",
                      cluster_.masters[open.owner].id});
            const Remedy remedy = remedy_of(open, keys_of(open.slot));
            switch (remedy.kind) {
                case Remedy::Kind::close:
                    close(open);
                    break;
                case Remedy::Kind::claim:
                    claim(open, remedy.to);
                    break;
                case Remedy::Kind::finish:
                    finish(open, remedy.to);
                    break;
                case Remedy::Kind::leave:
                    leave(open.slot, remedy.why);
                    break;
            }
        }
        return std::move(healed_);
    }

  private:
    std::vector<std::uint64_t> keys_of(std::uint16_t slot) {
        std::vector<std::uint64_t> keys;
        for (Server* server : connections_) {
            const Reply reply = server->ask({"CLUSTER", "COUNTKEYSINSLOT", std::to_string(slot)});
            keys.push_back(static_cast<std::uint64_t>(std::max<std::int64_t>(0, reply.number)));
        }
        return keys;
    }

    /// First those that send clients on, so that nobody is sent where nobody is expected.
    void close(const OpenSlot& open) {
        const Command command = {"CLUSTER", "SETSLOT", std::to_string(open.slot), "STABLE"};
        for (const auto* flagged : {&open.migrating, &open.importing})
            for (const MasterId master : *flagged)
                tell(cluster_, master, *connections_[master], command);
        ++healed_.closed;
    }

    void claim(const OpenSlot& open, MasterId to) {
        const Command command = {"CLUSTER", "SETSLOT", std::to_string(open.slot), "NODE",
                                 cluster_.masters[to].id};
        tell(cluster_, to, *connections_[to], command);
        took_[to] = true;
        for (MasterId master = 0; master < connections_.size(); ++master)
            if (master != to) static_cast<void>(connections_[master]->ask(command));
        ++healed_.finished;
    }

    void finish(const OpenSlot& open, MasterId to) {
        if (took_[open.owner]) {
            healed_.again = true;
            return;
        }
        took_[to] = true;
        MoveEnds ends;
        ends.source = connections_[open.owner];
        ends.target = connections_[to];
        ends.source_master = &cluster_.masters[open.owner];
        ends.target_master = &cluster_.masters[to];
        for (MasterId master = 0; master < connections_.size(); ++master)
            if (master != open.owner && master != to) ends.others.push_back(connections_[master]);
        const SlotOutcome outcome = move_slots(ends, std::span(&open.slot, 1), options_).front();
        healed_.keys += outcome.keys;
        if (!outcome.left.empty()) return leave(open.slot, outcome.left);
        ++healed_.finished;
        // Flags of others than the two ends: they hold none of its keys.
        const Command stable = {"CLUSTER", "SETSLOT", std::to_string(open.slot), "STABLE"};
        for (const auto* flagged : {&open.migrating, &open.importing})
            for (const MasterId master : *flagged)
                if (master != open.owner && master != to)
                    tell(cluster_, master, *connections_[master], stable);
    }

    void leave(std::uint16_t slot, const std::string& why) {
        healed_.left.push_back("slot " + std::to_string(slot) + ": " + why);
    }

    const Cluster& cluster_;
    const std::vector<Server*>& connections_;
    MoveOptions options_;
    std::vector<bool> took_;  ///< by master
    Healed healed_;
};

}  // namespace

Remedy remedy_of(const OpenSlot& open, const std::vector<std::uint64_t>& keys) {
    std::vector<MasterId> others;
    for (MasterId master = 0; master < keys.size(); ++master)
        if (master != open.owner && keys[master] > 0) others.push_back(master);
    if (open.given_to != no_master) {
        if (others.empty()) return {Remedy::Kind::claim, open.given_to, {}};
        return {Remedy::Kind::leave, no_master,
                "it was given away, and others than its new owner hold keys of it"};
    }
    if (others.size() > 1)
        return {Remedy::Kind::leave, no_master,
                "several masters besides its owner hold keys of it"};
    if (others.size() == 1) return {Remedy::Kind::finish, others.front(), {}};
    const auto at = std::find(open.migrating.begin(), open.migrating.end(), open.owner);
    if (at == open.migrating.end()) return {};
    const MasterId to = open.migrating_to[static_cast<std::size_t>(at - open.migrating.begin())];
    if (to == no_master || to == open.owner) return {};
    return {Remedy::Kind::finish, to, {}};
}

Healed heal(const Cluster& cluster, const std::vector<Server*>& connections,
            const MoveOptions& options) {
    return Healer(cluster, connections, options).heal();
}

}  // namespace equipoise::redis
