// Kafka's files of partitions and of their sizes.

#include <algorithm>
#include <map>
#include <unordered_set>
#include <utility>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/load/items.hpp"

namespace equipoise::load {

namespace {

using Json = nlohmann::json;

/// Values of a document, with their places in messages.
class Reading {
  public:
    explicit Reading(const std::string& name) : name_(name) {}

    [[noreturn]] void fail(const std::string& place, const std::string& expected) const {
        throw InputError(name_ + ": " + place + ": expected " + expected);
    }
    [[nodiscard]] const Json& member(const Json& object, const std::string& place, const char* key,
                                     Json::value_t type, const std::string& expected) const {
        if (!object.is_object()) fail(place, "an object");
        const auto found = object.find(key);
        if (found == object.end() || found->type() != type)
            fail(place, "\"" + std::string(key) + "\" with " + expected);
        return *found;
    }
    /// Kafka's documents of version 1, or those that do not say their version.
    void expect_version(const Json& document) const {
        if (!document.is_object() || !document.contains("version")) return;
        const Json& version = document["version"];
        if (version != 1)
            throw InputError(name_ + ": the document: expected \"version\" 1, found " +
                             printable(json_text(version)));
    }
    [[nodiscard]] const Json& list(const Json& object, const std::string& place,
                                   const char* key) const {
        return member(object, place, key, Json::value_t::array, "a list");
    }
    [[nodiscard]] std::uint64_t number(const Json& value, const std::string& place) const {
        if (!value.is_number_unsigned()) fail(place, "a whole number of 0 or more");
        return value.get<std::uint64_t>();
    }

  private:
    const std::string& name_;
};

std::string place_of(const char* list, std::size_t at) {
    return std::string(list) + '[' + std::to_string(at) + ']';
}

}  // namespace

Items read_partitions(std::string_view text, const std::string& name) {
    const Json document = parse_json(text, name);
    const Reading reading(name);
    reading.expect_version(document);
    Items items;
    items.are_partitions = true;
    std::unordered_set<std::string> seen;
    std::size_t at = 0;
    for (const Json& partition : reading.list(document, "the document", "partitions")) {
        const std::string place = place_of("partitions", at++);
        const auto& topic =
            reading.member(partition, place, "topic", Json::value_t::string, "the name of a topic");
        const std::uint64_t number = reading.number(
            reading.member(partition, place, "partition", Json::value_t::number_unsigned,
                           "a whole number of 0 or more"),
            place);
        const std::string thing =
            topic.get_ref<const std::string&>() + '-' + std::to_string(number);
        if (!seen.insert(thing).second)
            reading.fail(place, "every partition once, found \"" + printable(thing) + "\" again");
        const std::uint32_t known = items.things.add(thing);
        std::vector<std::uint64_t> brokers;
        for (const Json& replica : reading.list(partition, place, "replicas")) {
            brokers.push_back(reading.number(replica, place + ".replicas"));
            if (std::count(brokers.begin(), brokers.end(), brokers.back()) > 1)
                reading.fail(place + ".replicas", "every broker once");
            items.thing.push_back(known);
            items.places.push_back(items.nodes.add(std::to_string(brokers.back())));
        }
        if (brokers.empty()) reading.fail(place + ".replicas", "a broker or more");
    }
    return items;
}

void read_partition_sizes(std::string_view text, const std::string& name, Items& items) {
    const Json document = parse_json(text, name);
    const Reading reading(name);
    reading.expect_version(document);
    std::map<std::pair<std::string, std::string>, Tokens> sizes;  // by broker and partition
    std::size_t at = 0;
    for (const Json& broker : reading.list(document, "the document", "brokers")) {
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
