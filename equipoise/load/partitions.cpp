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
#include "equipoise/base/printable.hpp"

namespace equipoise::load {

namespace {

using Json = nlohmann::json;

/// Values of a document, with their places in messages.
class Reading {
  public:
    explicit Reading(const std::string& name) : name_(name) {}

    /// `found`: null if nothing is there.
    [[noreturn]] void fail(const std::string& place, const std::string& expected,
                           const Json* found) const {
        throw InputError(name_ + ": " + place + ": expected " + expected + ", found " +
                         (found == nullptr ? std::string("nothing")
                                           : printable(beginning_of(json_text(*found)))));
    }
    [[nodiscard]] const Json& member(const Json& object, const std::string& place, const char* key,
                                     Json::value_t type, const std::string& expected) const {
        if (!object.is_object()) fail(place, "an object", &object);
        const auto found = object.find(key);
        if (found == object.end() || found->type() != type)
            fail(place, "\"" + std::string(key) + "\" with " + expected,
                 found == object.end() ? nullptr : &*found);
        return *found;
    }
    /// Kafka's documents of version 1, or those that do not say their version.
    void expect_version(const Json& document) const {
        if (!document.is_object() || !document.contains("version")) return;
        const Json& version = document["version"];
        if (version != 1) fail("the document", "\"version\" 1", &version);
    }
    [[nodiscard]] const Json& list(const Json& object, const std::string& place,
                                   const char* key) const {
        return member(object, place, key, Json::value_t::array, "a list");
    }
    [[nodiscard]] std::uint64_t number(const Json& value, const std::string& place) const {
        if (!value.is_number_unsigned()) fail(place, "a whole number of 0 or more", &value);
        return value.get<std::uint64_t>();
    }

  private:
    const std::string& name_;
};

std::string place_of(const char* list, std::size_t at) {
    return std::string(list) + '[' + std::to_string(at) + ']';
}

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
const Part& chosen(const std::vector<Part>& parts, const std::string& name, Assignment wanted,
                   std::vector<std::string>* notes) {
    std::vector<const Part*> found;  // the candidates
    for (const Part& part : parts)
        if (!part.called || part.called == wanted) found.push_back(&part);
    const Part* const part = parts.size() == 1   ? parts.data()
                             : found.size() == 1 ? found.front()
                                                 : nullptr;
    if (part == nullptr)
        throw InputError(name + ": expected one " + word_of(wanted) +
                         " assignment of partitions, found " +
                         (found.empty() ? "none" : std::to_string(found.size())) + " among " +
                         std::to_string(parts.size()));
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

Items partitions_of(const Part& part) {
    const Reading reading(part.name);
    reading.expect_version(part.value);
    Items items;
    items.are_partitions = true;
    std::unordered_set<std::string> seen;
    std::size_t at = 0;
    for (const Json& partition : reading.list(part.value, "the document", "partitions")) {
        const std::string place = place_of("partitions", at++);
        const auto& topic =
            reading.member(partition, place, "topic", Json::value_t::string, "the name of a topic");
        const std::uint64_t number = reading.number(
            reading.member(partition, place, "partition", Json::value_t::number_unsigned,
                           "a whole number of 0 or more"),
            place);
        const std::string thing =
            topic.get_ref<const std::string&>() + '-' + std::to_string(number);
        if (!seen.insert(thing).second) reading.fail(place, "every partition once", &partition);
        const std::uint32_t known = items.things.add(thing);
        std::vector<std::uint64_t> brokers;
        const Json& replicas = reading.list(partition, place, "replicas");
        for (const Json& replica : replicas) {
            brokers.push_back(reading.number(replica, place + ".replicas"));
            items.thing.push_back(known);
            items.places.push_back(items.nodes.add(std::to_string(brokers.back())));
        }
        if (brokers.empty()) reading.fail(place + ".replicas", "a broker or more", &replicas);
        std::sort(brokers.begin(), brokers.end());
        if (std::adjacent_find(brokers.begin(), brokers.end()) != brokers.end())
            reading.fail(place + ".replicas", "every broker once", &replicas);
    }
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
std::vector<Replicas> known_replicas(const Part& part, const Items& items) {
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
        const std::string& broker = read.nodes.name(read.places[copy]);
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
void add_sizes(const Part& part, SizesByPlace& sizes) {
    const Reading reading(part.name);
    reading.expect_version(part.value);
    std::size_t at = 0;
    for (const Json& broker : reading.list(part.value, "the document", "brokers")) {
        const std::string place = place_of("brokers", at++);
        const std::string node = std::to_string(
            reading.number(reading.member(broker, place, "broker", Json::value_t::number_unsigned,
                                          "a whole number of 0 or more"),
                           place));
        for (const Json& directory : reading.list(broker, place, "logDirs"))
            for (const Json& partition :
                 reading.list(directory, place + ".logDirs", "partitions")) {
                const std::string inner = place + ".logDirs.partitions";
                const auto& thing = reading.member(partition, inner, "partition",
                                                   Json::value_t::string, "topic-partition");
                const std::uint64_t bytes = reading.number(
                    reading.member(partition, inner, "size", Json::value_t::number_unsigned,
                                   "a whole number of 0 or more"),
                    inner);
                Tokens& size = sizes[{node, thing.get<std::string>()}];
                size =
                    std::max(size, static_cast<Tokens>(std::min<std::uint64_t>(bytes, tokens_max)));
            }
    }
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
    return partitions_of(chosen(parts_with("partitions", text, name), name, wanted, notes));
}

EndsByThing read_proposal(std::string_view text, const std::string& name, const Items& items,
                          std::vector<std::string>* notes) {
    const std::vector<Part> parts = parts_with("partitions", text, name);
    const Part& part = chosen(parts, name, Assignment::proposed, notes);
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
    for (const Part& part : parts_with("partitions", text, name))
        if (part.called != Assignment::current) all.push_back(known_replicas(part, items));
    if (all.empty())
        throw InputError(name + ": expected a reassignment, found the current assignment alone");
    return all;
}

void read_partition_sizes(std::string_view text, const std::string& name, Items& items) {
    SizesByPlace sizes;
    for (const Part& part : parts_with("brokers", text, name))
        add_sizes(part, sizes);
    Tokens total = 0;
    items.sizes.clear();
    for (std::uint32_t copy = 0; copy < items.count(); ++copy) {
        const std::string& node = items.nodes.name(items.places[copy]);
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
