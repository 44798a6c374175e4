#pragma once
// Items on machines, and the files that say what lies where, how large it is, how much machines may
// give and take at once, and which items moved.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/name_table.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::load {

/// The items and their places. A thing that is on several nodes has a copy on each; a copy is what
/// moves.
struct Items {
    NameTable nodes;
    NameTable things;                  ///< empty where items have no names
    std::vector<std::uint32_t> thing;  ///< by copy; empty where items have no names
    std::vector<NodeId> places;        ///< by copy
    std::vector<Tokens> sizes;         ///< by copy, 0 or more; empty: 1 each
    bool are_partitions = false;       ///< whether they are Kafka's: `topic-partition` on brokers

    [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(places.size()); }
    /// The name of the thing that this is a copy of; empty where items have no names.
    [[nodiscard]] std::string name(std::uint32_t copy) const {
        return thing.empty() ? std::string() : thing_name(thing[copy]);
    }
    [[nodiscard]] std::string thing_name(std::uint32_t number) const {
        return std::string(things.name(number));
    }
    [[nodiscard]] std::string node_name(NodeId node) const { return std::string(nodes.name(node)); }
    /// Whether some thing is on several nodes.
    [[nodiscard]] bool has_copies() const { return things.size() < thing.size(); }
};

/// Reads `item,node,size` or `item,node` lines (size 1). An item listed on several nodes has a copy
/// on each. Throws InputError naming file and line for a wrong header or line, an item listed twice
/// on a node, a size below 0, or more than `tokens_max` in all.
[[nodiscard]] Items read_items(LineSource& source);

/// Reads `node,tokens` lines as items without names, at most 50,000,000. Throws as `read_items`.
[[nodiscard]] Items read_unnamed_items(LineSource& source);

/// The copies of each thing, in order; `thing` is by copy.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> copies_by_thing(
    const NameTable& things, std::span<const std::uint32_t> thing);
[[nodiscard]] inline std::vector<std::vector<std::uint32_t>> copies_by_thing(const Items& items) {
    return copies_by_thing(items.things, items.thing);
}

/// The node, or the thing, with the name that stands in the line. Throws InputError naming file and
/// line if there is none; `expected` says what would be right.
[[nodiscard]] NodeId known_node(
    const LineSource& source, const NameTable& nodes, const std::string& name,
    const char* expected = "a node that holds items or that --nodes names");
[[nodiscard]] std::uint32_t known_thing(const LineSource& source, const NameTable& things,
                                        const std::string& name);

/// Moves the copies of a thing to these ends, one for each copy. A copy whose node is among the
/// ends stays. Any other goes to the end that has its own place in the list (the first copy to the
/// first end, and so on) or, if some copy is there already, to one of the ends that remain.
/// `places` is by copy.
void give_ends(const std::vector<std::uint32_t>& copies, const std::vector<NodeId>& ends,
               std::vector<NodeId>& places);

/// The nodes on which each thing is to end; an empty list: it stays.
using EndsByThing = std::vector<std::vector<NodeId>>;

/// Where each copy ends, as `give_ends` decides. Throws InputError, which names `name` as the
/// source, if a thing is to end on more or fewer nodes than it is on.
[[nodiscard]] std::vector<NodeId> final_places_of(const EndsByThing& ends, const std::string& name,
                                                  const Items& items);

/// The same from `item,node` lines: items without a line stay. Throws InputError as `read_items`,
/// and for unknown items and nodes.
[[nodiscard]] std::vector<NodeId> read_final_places(LineSource& source, const Items& items);

/// What nodes may take and give in a wave, as sizes.
struct Rates {
    std::vector<Tokens> takes;
    std::vector<Tokens> gives;
};

/// Reads `node,in,out` lines; nodes without a line have no limit. Throws InputError naming file and
/// line.
[[nodiscard]] Rates read_rates(LineSource& source, const NameTable& nodes);

/// A copy that goes from one node to another, as one line of a file says.
struct ItemMove {
    std::uint64_t wave = 0;
    std::uint32_t copy = 0;
    NodeId from = no_node;
    NodeId to = no_node;
    std::uint64_t line = 0;
};

/// A copy that goes for good, as one line of a file says.
struct ItemDrop {
    std::uint32_t thing = 0;
    NodeId from = no_node;
    std::uint64_t line = 0;
};

/// The moves of a file, up to the first line that moves an item from a node that does not hold it.
struct ItemMoves {
    std::vector<ItemMove> moves;
    std::vector<ItemDrop> drops;  ///< lines without an end, if they are allowed
    std::string fault;            ///< why the list ends early; empty: it holds all lines
    std::uint64_t fault_line = 0;
    std::uint64_t fault_wave = 0;
};

/// What moves are about, whatever holds it. A node without a name stands for nowhere: copies that
/// are to be made. Borrows all of it.
struct MovableItems {
    const NameTable& nodes;
    const NameTable& things;               ///< empty where items have no names
    std::span<const std::uint32_t> thing;  ///< by copy; empty where items have no names
    std::span<const NodeId> places;        ///< by copy
    const char* node_word = "node";        ///< how messages call a node
    const char* known_node = "a node that holds items or that --nodes names";
    bool may_drop = false;  ///< whether lines may have no end, where items have names
    /// Told the fields of each line; those for which it returns true are no moves. Null: all are.
    std::function<bool(const std::vector<std::string>&)> take_other = nullptr;
    /// Columns that may follow the usual ones, all or none of them. Null: none may.
    const char* more_columns = nullptr;
    /// Told the fields of each move of a file that has these columns.
    std::function<void(const std::vector<std::string>&)> take_more = nullptr;
};

/// Reads `wave,item,from,to` lines (`wave,from,to` where items have no names). Throws InputError
/// naming file and line for a wrong header or line and for unknown nodes and items.
[[nodiscard]] ItemMoves read_item_moves(LineSource& source, const MovableItems& items);
[[nodiscard]] ItemMoves read_item_moves(LineSource& source, const Items& items);

}  // namespace equipoise::load
