#pragma once
// What one server of a cluster knows of it: the output of CLUSTER NODES.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/adapters/redis/server.hpp"

namespace equipoise::redis {

inline constexpr std::uint16_t slot_count = 16384;

struct SlotRange {
    std::uint16_t first = 0;
    std::uint16_t last = 0;  ///< included
};

/// A slot of which a server says that it is on its way: from it (MIGRATING) or to it (IMPORTING).
struct OpenFlag {
    std::uint16_t slot = 0;
    bool importing = false;
    std::string other;  ///< the id of the server at the other end
};

struct Node {
    std::string id;
    Address address;  ///< the host is empty where the server does not know it
    bool is_self = false;
    bool is_master = false;
    bool has_failed = false;  ///< by agreement of the masters
    bool is_joining = false;  ///< in handshake, or without an address though it is well
    std::string master;       ///< of a replica: the id of its master
    std::uint64_t epoch = 0;  ///< the configuration epoch, by which claims on slots are decided
    std::vector<SlotRange> slots;
};

/// The view of one server; it alone is marked as itself, and flags of open slots are its own.
struct View {
    std::vector<Node> nodes;
    std::vector<OpenFlag> open;
    /// The highest epoch that it knows of (`cluster_current_epoch` of CLUSTER INFO), if it was
    /// asked: what it takes next, it takes with a higher one.
    std::optional<std::uint64_t> current_epoch = {};

    [[nodiscard]] const Node& self() const;
};

/// Reads the output of CLUSTER NODES. `name` stands for the server in messages. Throws InputError
/// for lines that cannot be read, and unless exactly one node is marked as itself.
[[nodiscard]] View read_view(std::string_view text, const std::string& name);

}  // namespace equipoise::redis
