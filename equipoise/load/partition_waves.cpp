#include "equipoise/load/partition_waves.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"

namespace equipoise::load {

namespace {

constexpr std::string_view ending = ".json";

}  // namespace

ReplicaOrder::ReplicaOrder(const Items& items)
    : copies_(copies_by_thing(items)), places_(items.places) {}

void ReplicaOrder::lead(std::uint32_t thing, NodeId node) {
    std::vector<std::uint32_t>& copies = copies_[thing];
    const auto found = std::find_if(copies.begin(), copies.end(),
                                    [&](std::uint32_t copy) { return places_[copy] == node; });
    if (found != copies.end()) std::iter_swap(copies.begin(), found);
}

void ReplicaOrder::arrange(std::uint32_t thing, const std::vector<NodeId>& nodes) {
    std::vector<std::pair<NodeId, std::uint32_t>> held;
    for (const std::uint32_t copy : copies_[thing])
        held.emplace_back(places_[copy], copy);
    std::sort(held.begin(), held.end());
    EQUIPOISE_ASSERT(nodes.size() == held.size());
    for (std::size_t at = 0; at < nodes.size(); ++at) {
        const auto found =
            std::lower_bound(held.begin(), held.end(), std::pair(nodes[at], std::uint32_t{0}));
        EQUIPOISE_ASSERT(found != held.end() && found->first == nodes[at]);
        copies_[thing][at] = found->second;
    }
}

std::vector<ItemMove> ReplicaOrder::become(std::uint32_t thing, const std::vector<NodeId>& nodes) {
    const std::vector<NodeId> before = this->nodes(thing);
    give_ends(copies_[thing], nodes, places_);
    std::vector<ItemMove> moved;
    for (std::size_t at = 0; at < before.size(); ++at) {
        const std::uint32_t copy = copies_[thing][at];
        if (places_[copy] != before[at]) moved.push_back({0, copy, before[at], places_[copy], 0});
    }
    arrange(thing, nodes);
    return moved;
}

std::vector<NodeId> ReplicaOrder::nodes(std::uint32_t thing) const {
    std::vector<NodeId> nodes;
    for (const std::uint32_t copy : copies_[thing])
        nodes.push_back(places_[copy]);
    return nodes;
}

std::uint64_t ReplicaOrder::other_leaders(const ReplicaOrder& before) const {
    std::uint64_t count = 0;
    for (std::uint32_t thing = 0; thing < copies_.size(); ++thing)
        if (leader(thing) != before.leader(thing)) ++count;
    return count;
}

void ReplicaOrder::store(Items& items) const {
    const std::vector<Tokens> sizes = items.sizes;
    std::uint32_t at = 0;
    for (std::uint32_t thing = 0; thing < copies_.size(); ++thing) {
        for (const std::uint32_t copy : copies_[thing]) {
            items.thing[at] = thing;
            items.places[at] = places_[copy];
            if (!sizes.empty()) items.sizes[at] = sizes[copy];
            ++at;
        }
    }
}

PartitionWaves partition_waves(const Items& items, std::span<const ItemMove> moves,
                               const EndsByThing& proposal) {
    const ReplicaOrder before(items);
    ReplicaOrder order = before;
    PartitionWaves made;
    std::set<std::uint32_t> changed;
    const auto end_wave = [&] {
        std::vector<Replicas>& wave = made.waves.emplace_back();
        for (const std::uint32_t thing : changed)
            wave.push_back({thing, order.nodes(thing)});
        changed.clear();
    };
    for (std::size_t first = 0; first < moves.size();) {
        if (first > 0) end_wave();
        const std::uint64_t wave = moves[first].wave;
        std::set<std::uint32_t> leaderless;
        for (; first < moves.size() && moves[first].wave == wave; ++first) {
            const std::uint32_t thing = items.thing[moves[first].copy];
            if (order.leading_copy(thing) == moves[first].copy) leaderless.insert(thing);
            order.move(moves[first].copy, moves[first].to);
            changed.insert(thing);
        }
        for (const std::uint32_t thing : leaderless)
            if (thing < proposal.size() && !proposal[thing].empty())
                order.lead(thing, proposal[thing].front());
    }
    for (std::uint32_t thing = 0; thing < proposal.size(); ++thing) {
        if (proposal[thing].empty() || order.nodes(thing) == proposal[thing]) continue;
        order.arrange(thing, proposal[thing]);
        made.reordered.push_back(thing);
        changed.insert(thing);
    }
    if (!changed.empty()) end_wave();
    made.leaders = order.other_leaders(before);
    return made;
}

ItemMoves moves_of(const std::vector<std::vector<Replicas>>& waves, std::uint64_t first_wave,
                   const Items& items, ReplicaOrder& order) {
    ItemMoves read;
    for (std::size_t at = 0; at < waves.size(); ++at) {
        for (std::size_t line = 0; line < waves[at].size(); ++line) {
            const auto& [thing, nodes] = waves[at][line];
            const std::vector<NodeId> held = order.nodes(thing);
            if (nodes.size() != held.size()) {
                read.fault = "partition " + items.thing_name(thing) + " has " +
                             std::to_string(nodes.size()) + " replicas in wave " +
                             std::to_string(first_wave + at) + ", not " +
                             std::to_string(held.size());
                read.fault_wave = first_wave + at;
                read.fault_line = line;
                return read;
            }
            for (ItemMove move : order.become(thing, nodes)) {
                move.wave = first_wave + at;
                move.line = line;
                read.moves.push_back(move);
            }
        }
    }
    return read;
}

std::string file_of_wave(const std::string& path, std::uint64_t wave) {
    return path.substr(0, path.size() - ending.size()) + '-' + std::to_string(wave) +
           std::string(ending);
}

std::string WaveFiles::words() const {
    if (paths.size() == 1) return paths.front();
    return paths.front() + " to " + std::filesystem::path(paths.back()).filename().string();
}

namespace {

/// The path moves.json and the number 3 for moves-3.json.
struct NumberedFile {
    std::string path;
    std::uint64_t wave = 0;
};

std::optional<NumberedFile> numbered(const std::string& path) {
    if (!path.ends_with(ending)) return std::nullopt;
    const std::string stem = path.substr(0, path.size() - ending.size());
    const std::size_t hyphen = stem.rfind('-');
    if (hyphen == std::string::npos) return std::nullopt;
    const std::string digits = stem.substr(hyphen + 1);
    const auto number = whole_number(digits, UINT64_MAX - 1);
    if (!number || !is_canonical_number(digits)) return std::nullopt;
    return NumberedFile{stem.substr(0, hyphen) + std::string(ending), *number};
}

bool is_there(const std::string& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

/// Whether waves of the path are there, and the path itself is not.
bool stands_for_waves(const std::string& path) {
    return path.ends_with(ending) && !is_there(path) && is_there(file_of_wave(path, 0));
}

WaveFiles files_from(const std::string& path, std::uint64_t wave) {
    WaveFiles files;
    files.first = wave;
    for (; is_there(file_of_wave(path, wave)); ++wave)
        files.paths.push_back(file_of_wave(path, wave));
    return files;
}

}  // namespace

WaveFiles wave_files_from(const std::string& path) {
    if (stands_for_waves(path)) return files_from(path, 0);
    const std::optional<NumberedFile> file = numbered(path);
    if (!file || !is_there(path)) return {{path}, 0};
    return files_from(file->path, file->wave);
}

WaveFiles wave_files_up_to(const std::string& path) {
    if (stands_for_waves(path)) return files_from(path, 0);
    const std::optional<NumberedFile> file = numbered(path);
    if (!file || !is_there(path)) return {{path}, 0};
    WaveFiles files = files_from(file->path, 0);
    if (files.paths.empty()) return {{path}, 0};
    if (files.paths.size() <= file->wave)
        throw InputError(path + ": expected the files of all earlier waves, found no " +
                         file_of_wave(file->path, files.paths.size()));
    files.paths.resize(file->wave + 1);
    return files;
}

}  // namespace equipoise::load
