#include "equipoise/load/partitions.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_documents.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::load {

namespace {

using Json = nlohmann::json;

/// Whether a line begins with a brace that is followed by a key or by nothing.
bool begins_object(std::string_view text) {
    constexpr std::string_view blanks = " \t\r";
    while (!text.empty()) {
        std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        if (!line.starts_with('{')) continue;
        line.remove_prefix(1);
        line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
        if (line.empty() || line.front() == '"') return true;
    }
    return false;
}

/// A document of a text.
struct Part {
    std::string name;  ///< in messages
    std::size_t line = 1;
    std::optional<Assignment> called;  ///< by the heading above it
    Json value;

    /// Throws InputError unless the document is of Kafka's version 1, or does not name its version.
    [[nodiscard]] JsonValue top() {
        const JsonValue document(value, name);
        if (const auto version = document.find("version"); version && version->json() != 1)
            version->refuse("1");
        return document;
    }
};

/// Which assignment is announced by the last heading of kafka-reassign-partitions among these
/// lines.
std::optional<Assignment> heading_in(std::string_view lines) {
    const std::size_t current = lines.rfind("Current partition replica assignment");
    const std::size_t proposed = lines.rfind("Proposed partition reassignment configuration");
    if (current == std::string_view::npos && proposed == std::string_view::npos)
        return std::nullopt;
    const bool is_current = proposed == std::string_view::npos ||
                            (current != std::string_view::npos && current > proposed);
    return is_current ? Assignment::current : Assignment::proposed;
}

/// The documents of a text that have this list; if none has, its first document, so that the error
/// can be about that.
std::vector<Part> parts_with(const char* list, std::string_view text, const std::string& name) {
    std::vector<Part> parts;
    std::optional<Part> other;
    const std::vector<JsonDocument> documents = json_documents(text, name);
    for (const JsonDocument& document : documents) {
        Part part{documents.size() == 1 ? name : name + ':' + std::to_string(document.line),
                  document.line, heading_in(document.before), parse_json(document, name)};
        if (part.value.contains(list)) {
            parts.push_back(std::move(part));
        } else if (!other) {
            other = std::move(part);
        }
    }
    if (parts.empty()) parts.push_back(std::move(*other));
    return parts;
}

const char* word_of(Assignment assignment) {
    return assignment == Assignment::current ? "current" : "proposed";
}

/// The wanted part. Throws InputError if it is not clear which one that is.
Part& chosen(std::vector<Part>& parts, const std::string& name, Assignment wanted,
             std::vector<std::string>* notes) {
    std::vector<Part*> found;  // what may be meant
    for (Part& part : parts)
        if (!part.called || part.called == wanted) found.push_back(&part);
    Part* const part = parts.size() == 1   ? parts.data()
                       : found.size() == 1 ? found.front()
                                           : nullptr;
    if (part == nullptr)
        throw InputError(name + ": expected one " + word_of(wanted) +
                         " assignment of partitions, found " +
                         (found.empty() ? "none" : std::to_string(found.size())) + " (of " +
                         std::to_string(parts.size()) + " assignments)");
    if (notes == nullptr) return *part;
    if (parts.size() > 1) {
        notes->push_back(name + " holds " + std::to_string(parts.size()) + " assignments; the " +
                         word_of(wanted) + " one, on line " + std::to_string(part->line) +
                         ", is read");
    } else if (part->called && part->called != wanted) {
        notes->push_back(name + " holds one assignment; it is read as the " + word_of(wanted) +
                         " one, though its heading says " + word_of(*part->called));
    }
    return *part;
}

Items partitions_of(Part& part) {
    Items items;
    items.are_partitions = true;
    std::unordered_set<std::string> seen;
    const JsonValue top = part.top();
    top.at("partitions").for_each([&](const JsonValue& partition) {
        const std::string thing = partition.at("topic").text() + '-' +
                                  std::to_string(partition.at("partition").whole<std::uint64_t>());
        if (!seen.insert(thing).second) partition.refuse("every partition once");
        const std::uint32_t known = items.things.number_of(thing);
        const JsonValue replicas = partition.at("replicas");
        auto brokers = replicas.numbers<std::uint64_t>();
        for (const std::uint64_t broker : brokers) {
            items.thing.push_back(known);
            items.places.push_back(items.nodes.number_of(std::to_string(broker)));
        }
        if (brokers.empty()) replicas.refuse("a broker or more");
        std::sort(brokers.begin(), brokers.end());
        if (std::adjacent_find(brokers.begin(), brokers.end()) != brokers.end())
            replicas.refuse("every broker once");
    });
    return items;
}

/// Whether replicas are to be in a directory other than "any".
bool names_directories(const Part& part) {
    for (const Json& partition : part.value["partitions"]) {
        const auto directories = partition.find("log_dirs");
        if (directories == partition.end() || !directories->is_array()) continue;
        for (const Json& directory : *directories)
            if (directory.is_string() && directory != "any") return true;
    }
    return false;
}

/// The same with the numbers of known partitions and brokers.
std::vector<Replicas> known_replicas(Part& part, const Items& items) {
    const Items read = partitions_of(part);
    std::vector<Replicas> lists;
    for (std::uint32_t copy = 0; copy < read.count(); ++copy) {
        if (copy == 0 || read.thing[copy] != read.thing[copy - 1]) {
            const auto thing = items.things.find(read.name(copy));
            if (!thing)
                throw InputError(part.name +
                                 ": expected a partition of the file of items, found \"" +
                                 printable(read.name(copy)) + '"');
            lists.push_back({*thing, {}});
        }
        const std::string broker = read.node_name(read.places[copy]);
        const auto node = items.nodes.find(broker);
        if (!node)
            throw InputError(part.name +
                             ": expected a broker that holds partitions or that --nodes names, "
                             "found \"" +
                             printable(broker) + '"');
        lists.back().nodes.push_back(*node);
    }
    return lists;
}

/// By broker and partition.
using SizesByPlace = std::map<std::pair<std::string, std::string>, Tokens>;

/// While a copy moves from one disk of a broker to another it is there twice: the larger size
/// counts.
void add_sizes(Part& part, SizesByPlace& sizes) {
    const JsonValue top = part.top();
    top.at("brokers").for_each([&](const JsonValue& broker) {
        const std::string node = std::to_string(broker.at("broker").whole<std::uint64_t>());
        broker.at("logDirs").for_each([&](const JsonValue& directory) {
            directory.at("partitions").for_each([&](const JsonValue& partition) {
                const auto bytes = partition.at("size").whole<std::uint64_t>();
                Tokens& size = sizes[{node, partition.at("partition").text()}];
                size =
                    std::max(size, static_cast<Tokens>(std::min<std::uint64_t>(bytes, tokens_max)));
            });
        });
    });
}

}  // namespace

bool holds_documents(const std::string& path) {
    if (path.ends_with(".json")) return true;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) return false;
    std::ifstream file(path, std::ios::binary);
    std::string beginning(std::size_t{1} << 16U, '\0');
    file.read(beginning.data(), static_cast<std::streamsize>(beginning.size()));
    beginning.resize(static_cast<std::size_t>(file.gcount()));
    return begins_object(beginning);
}

Items read_partitions(std::string_view text, const std::string& name, Assignment wanted,
                      std::vector<std::string>* notes) {
    std::vector<Part> parts = parts_with("partitions", text, name);
    return partitions_of(chosen(parts, name, wanted, notes));
}

EndsByThing read_proposal(std::string_view text, const std::string& name, const Items& items,
                          std::vector<std::string>* notes) {
    std::vector<Part> parts = parts_with("partitions", text, name);
    Part& part = chosen(parts, name, Assignment::proposed, notes);
    EndsByThing ends(items.things.size());
    for (Replicas& list : known_replicas(part, items))
        ends[list.thing] = std::move(list.nodes);
    if (notes != nullptr && names_directories(part))
        notes->push_back(part.name + " names directories (log_dirs), which are not planned");
    return ends;
}

std::vector<std::vector<Replicas>> read_reassignments(std::string_view text,
                                                      const std::string& name, const Items& items) {
    std::vector<std::vector<Replicas>> all;
    for (Part& part : parts_with("partitions", text, name))
        if (part.called != Assignment::current) all.push_back(known_replicas(part, items));
    if (all.empty())
        throw InputError(name + ": expected a reassignment, found only the current assignment");
    return all;
}

void read_partition_sizes(std::string_view text, const std::string& name, Items& items) {
    SizesByPlace sizes;
    for (Part& part : parts_with("brokers", text, name))
        add_sizes(part, sizes);
    Tokens total = 0;
    items.sizes.clear();
    for (std::uint32_t copy = 0; copy < items.count(); ++copy) {
        const std::string node = items.node_name(items.places[copy]);
        const auto found = sizes.find({node, items.name(copy)});
        if (found == sizes.end())
            throw InputError(name + ": expected the size of partition \"" +
                             printable(items.name(copy)) + "\" on broker " + node + ", found none");
        items.sizes.push_back(found->second);
        if (items.sizes.back() > tokens_max - total)
            throw InputError(name + ": expected sizes of at most " + std::to_string(tokens_max) +
                             " in all");
        total += items.sizes.back();
    }
}

}  // namespace equipoise::load
