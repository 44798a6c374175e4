#include "equipoise/adapters/redis/cluster.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <memory>
#include <string_view>
#include <thread>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::redis {

namespace {

constexpr std::string_view scheme = "redis://";

bool is_member(const Node& node) {
    return !node.is_joining && node.is_master;
}

/// Whether a master takes part: those that failed and hold nothing are only remembered.
bool takes_part(const Node& node) {
    return is_member(node) && !(node.has_failed && node.slots.empty());
}

/// A server does not always know its own host: it is then the one that was asked.
Address address_of(const Node& node, const Address& seed) {
    return node.address.host.empty() ? Address{seed.host, node.address.port} : node.address;
}

/// Throws InputError for a master with slots that has failed.
void expect_not_failed(const Node& node, const Address& address) {
    if (node.has_failed)
        throw InputError("expected masters that are well, found " + address.name() +
                         ", which has failed and holds slots");
}

class Joiner {
  public:
    Joiner(std::span<const View> views, const Address& seed) : views_(views), seed_(seed) {}

    Cluster join() {
        take_masters();
        read_owners();
        take_unaware();
        take_owners();
        take_given_away();
        compare_views();
        compare_epochs();
        take_open();
        return std::move(cluster_);
    }

  private:
    [[nodiscard]] std::string server(const View& view) const {
        return address_of(view.self()).name();
    }

    [[nodiscard]] Address address_of(const Node& node) const {
        return redis::address_of(node, seed_);
    }

    void take_masters() {
        const View& first = views_.front();
        for (const Node& node : first.nodes)
            if (takes_part(node))
                cluster_.masters.push_back({node.id, address_of(node), node.epoch, {}});
        std::map<std::string_view, std::uint16_t> first_slot;
        for (const Node& node : first.nodes)
            for (const SlotRange& range : node.slots) {
                const auto [at, is_new] = first_slot.try_emplace(node.id, range.first);
                if (!is_new) at->second = std::min(at->second, range.first);
            }
        const auto order = [&](const Master& master) {
            const auto at = first_slot.find(master.id);
            return std::pair(at == first_slot.end() ? slot_count : at->second,
                             std::pair(master.address.host, master.address.port));
        };
        std::sort(cluster_.masters.begin(), cluster_.masters.end(),
                  [&](const Master& a, const Master& b) { return order(a) < order(b); });
        for (const Node& node : first.nodes) {
            if (node.is_joining)
                throw InputError(server(first) + ": expected nodes that have joined, found " +
                                 printable(node.id) + " still joining");
            const MasterId master = cluster_.find(node.master);
            if (master != no_master && !node.has_failed)
                cluster_.masters[master].replicas.push_back(node.id);
        }
    }

    /// The master whose view it is.
    [[nodiscard]] MasterId self_of(std::size_t view) const { return selves_[view]; }

    void read_owners() {
        for (const View& view : views_) {
            selves_.push_back(cluster_.find(view.self().id));
            std::vector<MasterId>& owners =
                owners_.emplace_back(std::size_t{slot_count}, no_master);
            for (const Node& node : view.nodes) {
                if (node.slots.empty()) continue;
                const MasterId master = cluster_.find(node.id);
                for (const SlotRange& range : node.slots)
                    std::fill(owners.begin() + range.first, owners.begin() + range.last + 1,
                              master);
            }
        }
    }

    /// Slots of which some masters know no owner, since they are importing them.
    void take_unaware() {
        for (std::size_t view = 0; view < views_.size(); ++view)
            for (const OpenFlag& flag : views_[view].open) {
                if (!flag.importing || owners_[view][flag.slot] != no_master) continue;
                const auto knows =
                    std::find_if(owners_.begin(), owners_.end(),
                                 [&](const auto& each) { return each[flag.slot] != no_master; });
                if (knows == owners_.end() || self_of(view) == no_master) continue;
                owners_[view][flag.slot] = (*knows)[flag.slot];
                unaware_[flag.slot].push_back(self_of(view));
            }
    }

    void take_owners() {
        for (const Node& node : views_.front().nodes)
            if (!node.slots.empty()) expect_not_failed(node, address_of(node));
        cluster_.owners = owners_.front();
        const auto lacking = std::find(cluster_.owners.begin(), cluster_.owners.end(), no_master);
        if (lacking != cluster_.owners.end())
            throw InputError(server(views_.front()) +
                             ": expected every slot with an owner, found none for " +
                             std::to_string(lacking - cluster_.owners.begin()) + " and " +
                             counted(static_cast<std::uint64_t>(
                                         std::count(lacking + 1, cluster_.owners.end(), no_master)),
                                     "other"));
    }

    /// Slots that two masters each say are the other's: one has given them to the other, which was
    /// not told, or fell back to what it knew before. They are that one's which is still importing
    /// them or, if neither is, which most of the others name.
    void take_given_away() {
        std::vector<std::size_t> view_of(cluster_.masters.size(), views_.size());
        for (std::size_t view = 0; view < views_.size(); ++view)
            if (self_of(view) != no_master) view_of[self_of(view)] = view;
        const auto is_importing = [&](std::size_t view, std::uint16_t slot) {
            return std::any_of(
                views_[view].open.begin(), views_[view].open.end(),
                [&](const OpenFlag& flag) { return flag.importing && flag.slot == slot; });
        };
        for (std::size_t view = 0; view < views_.size(); ++view)
            for (std::uint16_t slot = 0; slot < slot_count; ++slot) {
                const MasterId self = self_of(view);
                const MasterId other = owners_[view][slot];
                if (self == no_master || other == no_master || other == self ||
                    view_of[other] == views_.size() || owners_[view_of[other]][slot] != self)
                    continue;
                const auto named = [&](MasterId master) {
                    return std::count_if(owners_.begin(), owners_.end(),
                                         [&](const auto& each) { return each[slot] == master; });
                };
                const bool imports = is_importing(view, slot);
                const bool is_its_own = imports != is_importing(view_of[other], slot)
                                            ? imports
                                            : named(self) > named(other);
                if (is_its_own) given_away_[slot] = cluster_.owners[slot] = self;
            }
    }

    void compare_views() {
        const auto masters_in = [](const View& view) {
            std::vector<std::string_view> ids;
            for (const Node& node : view.nodes)
                if (takes_part(node)) ids.push_back(node.id);
            std::sort(ids.begin(), ids.end());
            return ids;
        };
        const auto masters = masters_in(views_.front());
        for (const View& view : views_.subspan(1)) {
            const std::string both =
                "expected " + server(views_.front()) + " and " + server(view) + " to agree on ";
            if (masters_in(view) != masters)
                throw InputError(both + "the masters, found different ones");
            const std::vector<MasterId>& other =
                owners_[static_cast<std::size_t>(&view - views_.data())];
            for (std::uint16_t slot = 0; slot < slot_count; ++slot)
                if (owners_.front()[slot] != other[slot] && !given_away_.contains(slot))
                    throw InputError(both +
                                     "the owner of every slot, found that they do not on slot " +
                                     std::to_string(slot));
        }
    }

    /// By what each master says of itself, since others hear of it late. A master that takes a slot
    /// must know of the highest epoch to give itself a higher one.
    void compare_epochs() {
        std::uint64_t highest = 0;
        for (std::size_t view = 0; view < views_.size(); ++view) {
            const std::uint64_t epoch = views_[view].self().epoch;
            if (self_of(view) != no_master) cluster_.masters[self_of(view)].epoch = epoch;
            highest = std::max(highest, epoch);
        }
        for (const View& view : views_)
            if (view.current_epoch && *view.current_epoch < highest)
                throw InputError("expected " + server(view) + " to know of the epoch " +
                                 std::to_string(highest) + ", found that it knows of " +
                                 std::to_string(*view.current_epoch) + " so far");
        std::map<std::uint64_t, const Master*> seen;
        for (const Master& master : cluster_.masters) {
            const auto [at, is_new] = seen.try_emplace(master.epoch, &master);
            if (!is_new)
                throw InputError(
                    "expected each master with a configuration epoch of its own, found " +
                    std::to_string(master.epoch) + " of " + at->second->address.name() + " and " +
                    master.address.name() + "; the servers mend this by themselves within seconds");
        }
    }

    void take_open() {
        std::map<std::uint16_t, OpenSlot> open;
        for (const View& view : views_) {
            const MasterId self = cluster_.find(view.self().id);
            if (self == no_master) continue;
            for (const OpenFlag& flag : view.open) {
                OpenSlot& slot = open[flag.slot];
                slot.slot = flag.slot;
                slot.owner = cluster_.owners[flag.slot];
                if (flag.importing) {
                    slot.importing.push_back(self);
                } else {
                    slot.migrating.push_back(self);
                    slot.migrating_to.push_back(cluster_.find(flag.other));
                }
            }
        }
        for (const auto& [slot, to] : given_away_) {
            open[slot].slot = slot;
            open[slot].owner = open[slot].given_to = to;
        }
        for (const auto& [slot, masters] : unaware_)
            open[slot].unaware = masters;
        for (auto& [number, slot] : open)
            cluster_.open.push_back(std::move(slot));
    }

    std::span<const View> views_;
    const Address& seed_;
    Cluster cluster_;
    std::vector<MasterId> selves_;               ///< by view
    std::vector<std::vector<MasterId>> owners_;  ///< by view, then slot
    std::map<std::uint16_t, MasterId> given_away_;
    std::map<std::uint16_t, std::vector<MasterId>> unaware_;
};

View view_of(Server& server, const std::string& name) {
    const Reply reply = server.ask({"CLUSTER", "NODES"});
    if (reply.is_error())
        throw InputError(name + ": CLUSTER NODES: expected the nodes of a cluster, found \"" +
                         printable(reply.text) + '"');
    return read_view(reply.text, name);
}

/// Whether a server knows no owner of a slot that it is importing, for which alone it is not well.
bool is_unaware(const View& view) {
    std::vector<bool> is_owned(slot_count, false);
    for (const Node& node : view.nodes)
        for (const SlotRange& range : node.slots)
            std::fill(is_owned.begin() + range.first, is_owned.begin() + range.last + 1, true);
    return std::any_of(view.open.begin(), view.open.end(), [&](const OpenFlag& flag) {
        return flag.importing && !is_owned[flag.slot];
    });
}

/// Throws InputError unless the server, whose view it is, says that the cluster is well. Adds its
/// current epoch to the view.
void ask_for_health(Server& server, View& view, const std::string& name) {
    const Reply reply = server.ask({"CLUSTER", "INFO"});
    view.current_epoch = number_in(reply.text, "cluster_current_epoch");
    if (!is_unaware(view) && reply.text.find("cluster_state:ok") == std::string::npos)
        throw InputError(
            name + ": expected cluster_state:ok, found " +
            (reply.is_error() ? '"' + printable(reply.text) + '"' : "a cluster that is not well"));
}

/// Waiting does not help.
struct NotLetIn {
    std::string what;
};

Cluster read_once(const Dial& dial, const Address& seed) {
    const std::unique_ptr<Server> first = dial(seed);
    const View asked = view_of(*first, seed.name());
    std::vector<View> views;
    for (const Node& node : asked.nodes) {
        if (!takes_part(node)) continue;
        const Address address = address_of(node, seed);
        expect_not_failed(node, address);
        const std::unique_ptr<Server> server = dial(address);
        views.push_back(view_of(*server, address.name()));
        ask_for_health(*server, views.back(), address.name());
    }
    if (views.empty()) throw InputError(seed.name() + ": expected masters, found none");
    return join_views(views, seed);
}

}  // namespace

MasterId Cluster::find(const std::string& id) const {
    for (MasterId master = 0; master < masters.size(); ++master)
        if (masters[master].id == id) return master;
    return no_master;
}

Cluster join_views(std::span<const View> views, const Address& seed) {
    return Joiner(views, seed).join();
}

Cluster read_cluster(const Dial& dial, const Address& seed, double patience) {
    using Clock = std::chrono::steady_clock;
    constexpr auto pause = std::chrono::milliseconds(100);
    const auto end = Clock::now() + std::chrono::duration<double>(patience);
    const Dial dial_in = [&](const Address& address) {
        try {
            return dial(address);
        } catch (const InputError& error) {
            throw NotLetIn{error.what()};
        }
    };
    while (true) {
        std::string last;
        try {
            return read_once(dial_in, seed);
        } catch (const NotLetIn& refused) {
            throw InputError(refused.what);
        } catch (const InputError& error) {
            last = error.what();
        } catch (const ConnectionLost& lost) {
            last = lost.what();
        }
        if (Clock::now() + pause >= end) throw InputError(last);
        std::this_thread::sleep_for(pause);
    }
}

bool is_address(const std::string& text) {
    return text.starts_with(scheme);
}

Address address_in(const std::string& url) {
    constexpr std::uint16_t usual_port = 6379;
    const auto refuse = [&] {
        // A password, which stands before an @, is not repeated.
        const bool is_secret = url.find('@') != std::string::npos;
        throw InputError("expected redis://HOST:PORT, found " +
                         (is_secret ? "a user or a password in it" : '"' + printable(url) + '"'));
    };
    std::string_view text = url;
    if (!is_address(url)) refuse();
    text.remove_prefix(scheme.size());
    if (text.ends_with('/')) text.remove_suffix(1);
    if (text.find_first_of("/@?# ") != std::string_view::npos) refuse();
    Address address{"", usual_port};
    std::string_view port;
    if (text.starts_with('[')) {
        const std::size_t close = text.find(']');
        if (close == std::string_view::npos) refuse();
        address.host = text.substr(1, close - 1);
        port = text.substr(close + 1);
        if (!port.empty() && port.front() != ':') refuse();
    } else {
        const std::size_t colon = text.find(':');
        address.host = text.substr(0, colon);
        if (colon != std::string_view::npos) port = text.substr(colon);
    }
    if (address.host.empty()) refuse();
    if (!port.empty()) {
        const auto number = whole_number(port.substr(1), 65535);
        if (!number || *number == 0) refuse();
        address.port = static_cast<std::uint16_t>(*number);
    }
    return address;
}

}  // namespace equipoise::redis
