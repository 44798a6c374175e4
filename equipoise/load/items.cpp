#include "equipoise/load/items.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/table_reader.hpp"

namespace equipoise::load {

namespace {

constexpr std::uint32_t items_max = 50'000'000;

/// A table of names and numbers.
class TableLines : public TableReader {
  public:
    TableLines(LineSource& source, std::vector<std::string> headers)
        : TableReader(source, std::move(headers)), source_(source) {}

    [[nodiscard]] Tokens number(const std::string& text, const std::string& what,
                                Tokens least) const {
        const auto value = whole_number(text, static_cast<std::uint64_t>(tokens_max));
        if (!value || static_cast<Tokens>(*value) < least)
            source_.fail(
                what + " (" + std::to_string(least) + " to " + std::to_string(tokens_max) + ")",
                text);
        return static_cast<Tokens>(*value);
    }

  private:
    LineSource& source_;
};

std::uint64_t key(std::uint32_t thing, NodeId node) {
    return (std::uint64_t{thing} << 32U) | node;
}

void expect_more_items(const LineSource& source, std::uint32_t count) {
    if (count == items_max)
        source.fail_plainly("at most " + std::to_string(items_max) + " items", "more");
}

}  // namespace

Items read_items(LineSource& source) {
    TableLines lines(source, {"item,node,size", "item,node"});
    const bool has_sizes = lines.header() == "item,node,size";
    Items items;
    std::unordered_set<std::uint64_t> seen;
    Tokens total = 0;
    std::vector<std::string> fields;
    while (lines.next(fields)) {
        expect_more_items(source, items.count());
        if (fields[0].empty()) source.fail("the name of an item", fields[0]);
        if (fields[1].empty()) source.fail("the name of a node", fields[1]);
        const std::uint32_t thing = items.things.number_of(fields[0]);
        const NodeId node = items.nodes.number_of(fields[1]);
        if (!seen.insert(key(thing, node)).second)
            throw InputError(source.name() + ':' + std::to_string(source.line_number()) +
                             ": item \"" + printable(fields[0]) + "\" is listed twice on node \"" +
                             printable(fields[1]) + '"');
        const Tokens size = has_sizes ? lines.number(fields[2], "a size", 0) : 1;
        if (size > tokens_max - total)
            source.fail("at most " + std::to_string(tokens_max) + " in all", fields[2]);
        total += size;
        items.thing.push_back(thing);
        items.places.push_back(node);
        if (has_sizes) items.sizes.push_back(size);
    }
    return items;
}

Items read_unnamed_items(LineSource& source) {
    TableLines lines(source, {"node,tokens"});
    Items items;
    std::vector<std::string> fields;
    while (lines.next(fields)) {
        if (fields[0].empty()) source.fail("the name of a node", fields[0]);
        if (items.nodes.find(fields[0]))
            throw InputError(source.name() + ':' + std::to_string(source.line_number()) +
                             ": node \"" + printable(fields[0]) + "\" is listed twice");
        const NodeId node = items.nodes.number_of(fields[0]);
        const Tokens tokens = lines.number(fields[1], "a whole number of tokens", 0);
        if (tokens > Tokens{items_max} - Tokens{items.count()})
            source.fail("at most " + std::to_string(items_max) + " tokens in all", fields[1]);
        items.places.insert(items.places.end(), static_cast<std::size_t>(tokens), node);
    }
    return items;
}

std::vector<std::vector<std::uint32_t>> copies_by_thing(const NameTable& things,
                                                        std::span<const std::uint32_t> thing) {
    std::vector<std::vector<std::uint32_t>> copies(things.size());
    for (std::uint32_t copy = 0; copy < thing.size(); ++copy)
        copies[thing[copy]].push_back(copy);
    return copies;
}

NodeId known_node(const LineSource& source, const NameTable& nodes, const std::string& name,
                  const char* expected) {
    const auto node = nodes.find(name);
    if (!node) source.fail(expected, name);
    return *node;
}

std::uint32_t known_thing(const LineSource& source, const NameTable& things,
                          const std::string& name) {
    const auto thing = things.find(name);
    if (!thing) source.fail("an item of the file of items", name);
    return *thing;
}

void give_ends(const std::vector<std::uint32_t>& copies, const std::vector<NodeId>& ends,
               std::vector<NodeId>& places) {
    std::vector<NodeId> held;
    held.reserve(copies.size());
    for (const std::uint32_t copy : copies)
        held.push_back(places[copy]);
    std::sort(held.begin(), held.end());
    std::vector<NodeId> sorted_ends = ends;
    std::sort(sorted_ends.begin(), sorted_ends.end());
    std::vector<std::uint32_t> leaving;
    std::vector<NodeId> open;
    for (std::size_t at = 0; at < copies.size(); ++at) {
        const bool leaves =
            !std::binary_search(sorted_ends.begin(), sorted_ends.end(), places[copies[at]]);
        const bool is_open = !std::binary_search(held.begin(), held.end(), ends[at]);
        if (leaves && is_open) {
            places[copies[at]] = ends[at];
        } else if (leaves) {
            leaving.push_back(copies[at]);
        } else if (is_open) {
            open.push_back(ends[at]);
        }
    }
    EQUIPOISE_ASSERT(leaving.size() == open.size());
    for (std::size_t at = 0; at < leaving.size(); ++at)
        places[leaving[at]] = open[at];
}

std::vector<NodeId> final_places_of(const EndsByThing& ends, const std::string& name,
                                    const Items& items) {
    const std::vector<std::vector<std::uint32_t>> copies = copies_by_thing(items);
    std::vector<NodeId> places = items.places;
    for (std::uint32_t thing = 0; thing < ends.size(); ++thing) {
        if (ends[thing].empty()) continue;
        if (ends[thing].size() != copies[thing].size())
            throw InputError(name + ": expected item \"" + printable(items.thing_name(thing)) +
                             "\" on as many nodes as now, " + std::to_string(copies[thing].size()) +
                             ", found " + std::to_string(ends[thing].size()));
        give_ends(copies[thing], ends[thing], places);
    }
    return places;
}

std::vector<NodeId> read_final_places(LineSource& source, const Items& items) {
    TableLines lines(source, {"item,node", "item,node,size"});
    EndsByThing ends(items.things.size());
    std::vector<std::string> fields;
    std::unordered_set<std::uint64_t> seen;
    while (lines.next(fields)) {
        const std::uint32_t thing = known_thing(source, items.things, fields[0]);
        const NodeId node = known_node(source, items.nodes, fields[1]);
        if (!seen.insert(key(thing, node)).second)
            throw InputError(source.name() + ':' + std::to_string(source.line_number()) +
                             ": item \"" + printable(fields[0]) + "\" is listed twice on node \"" +
                             printable(fields[1]) + '"');
        ends[thing].push_back(node);
    }
    return final_places_of(ends, source.name(), items);
}

Rates read_rates(LineSource& source, const NameTable& nodes) {
    TableLines lines(source, {"node,in,out"});
    Rates rates;
    rates.takes.assign(nodes.size(), tokens_max);
    rates.gives.assign(nodes.size(), tokens_max);
    std::vector<bool> named(nodes.size(), false);
    std::vector<std::string> fields;
    while (lines.next(fields)) {
        const NodeId node = known_node(source, nodes, fields[0]);
        if (named[node])
            throw InputError(source.name() + ':' + std::to_string(source.line_number()) +
                             ": node \"" + printable(fields[0]) + "\" is listed twice");
        named[node] = true;
        rates.takes[node] = lines.number(fields[1], "what the node takes in a wave", 0);
        rates.gives[node] = lines.number(fields[2], "what the node gives in a wave", 0);
    }
    return rates;
}

namespace {

/// Finds the copy that a line means: the one on the node that the line moves it from.
class CopyFinder {
  public:
    explicit CopyFinder(const MovableItems& items)
        : unnamed_(items.nodes.size()), beside_(items.thing.size(), no_copy) {
        for (auto copy = static_cast<std::uint32_t>(items.places.size()); copy-- > 0;) {
            if (items.thing.empty()) {
                unnamed_[items.places[copy]].push_back(copy);
            } else {
                put(copy, key(items.thing[copy], items.places[copy]));
            }
        }
    }

    [[nodiscard]] std::optional<std::uint32_t> named(std::uint32_t thing, NodeId from, NodeId to) {
        const auto place = at_.find(key(thing, from));
        if (place == at_.end()) return std::nullopt;
        const std::uint32_t copy = place->second;
        if (beside_[copy] == no_copy) {
            at_.erase(place);
        } else {
            place->second = beside_[copy];
        }
        put(copy, key(thing, to));
        return copy;
    }

    /// An item that arrives in a wave can leave only in a later one.
    [[nodiscard]] std::optional<std::uint32_t> unnamed(std::uint64_t wave, NodeId from, NodeId to) {
        if (wave != wave_) {
            for (const auto& [node, copy] : arriving_)
                unnamed_[node].push_back(copy);
            arriving_.clear();
            wave_ = wave;
        }
        if (unnamed_[from].empty()) return std::nullopt;
        const std::uint32_t copy = unnamed_[from].back();
        unnamed_[from].pop_back();
        arriving_.emplace_back(to, copy);
        return copy;
    }

  private:
    static constexpr std::uint32_t no_copy = ~std::uint32_t{0};

    void put(std::uint32_t copy, std::uint64_t place) {
        const auto [at, is_first] = at_.try_emplace(place, copy);
        beside_[copy] = is_first ? no_copy : at->second;
        at->second = copy;
    }

    std::unordered_map<std::uint64_t, std::uint32_t> at_;  ///< by thing and node: a copy there
    std::vector<std::vector<std::uint32_t>> unnamed_;      ///< by node
    std::vector<std::uint32_t> beside_;                    ///< by copy: the next one that is there
    std::vector<std::pair<NodeId, std::uint32_t>> arriving_;
    std::uint64_t wave_ = 0;
};

}  // namespace

ItemMoves read_item_moves(LineSource& source, const Items& items) {
    return read_item_moves(source,
                           MovableItems{items.nodes, items.things, items.thing, items.places});
}

ItemMoves read_item_moves(LineSource& source, const MovableItems& items) {
    const bool named = !items.thing.empty();
    const std::string header = named ? "wave,item,from,to" : "wave,from,to";
    std::vector<std::string> headers = {header};
    if (items.more_columns != nullptr) headers.push_back(header + ',' + items.more_columns);
    TableLines lines(source, std::move(headers));
    CopyFinder copies(items);
    ItemMoves read;
    std::vector<std::string> fields;
    while (lines.next(fields)) {
        if (items.take_other && items.take_other(fields)) continue;
        ItemMove move;
        move.line = source.line_number();
        move.wave = static_cast<std::uint64_t>(lines.number(fields[0], "the number of a wave", 0));
        const std::size_t ends = named ? 2 : 1;
        move.from = known_node(source, items.nodes, fields[ends], items.known_node);
        if (items.may_drop && named && fields[ends + 1].empty() && !fields[ends].empty()) {
            read.drops.push_back(
                {known_thing(source, items.things, fields[1]), move.from, move.line});
            continue;
        }
        move.to = known_node(source, items.nodes, fields[ends + 1], items.known_node);
        const std::optional<std::uint32_t> copy =
            named ? copies.named(known_thing(source, items.things, fields[1]), move.from, move.to)
                  : copies.unnamed(move.wave, move.from, move.to);
        if (!copy) {
            const std::string what = named ? "item " + fields[1] : std::string("a token");
            read.fault = (fields[ends].empty() ? "no copy of " + what + " is to be made"
                                               : std::string(items.node_word) + ' ' + fields[ends] +
                                                     " does not hold " + what) +
                         " in wave " + fields[0];
            read.fault_line = move.line;
            read.fault_wave = move.wave;
            return read;
        }
        move.copy = *copy;
        read.moves.push_back(move);
        if (fields.size() > ends + 2 && items.take_more) items.take_more(fields);
    }
    return read;
}

}  // namespace equipoise::load
