#include "equipoise/adapters/kafka/partitions.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "equipoise/adapters/kafka/documents.hpp"
#include "equipoise/adapters/kafka/partition_list.hpp"
#include "equipoise/adapters/kafka/printed.hpp"
#include "equipoise/adapters/kafka/progress.hpp"
#include "equipoise/adapters/kafka/words.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::kafka {

namespace {

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

/// An assignment among the documents of a text.
struct Part {
    Document document;
    std::optional<Assignment> called;  ///< by the heading above it
};

std::vector<Part> parts_of(std::vector<Document> documents) {
    std::vector<Part> parts;
    for (Document& document : documents_with("partitions", std::move(documents))) {
        const std::optional<Assignment> called = heading_in(document.before);
        parts.push_back({std::move(document), called});
    }
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
                         word_of(wanted) + " one, on line " + std::to_string(part->document.line) +
                         ", is read");
    } else if (part->called && part->called != wanted) {
        notes->push_back(name + " holds one assignment; it is read as the " + word_of(wanted) +
                         " one, though its heading says " + word_of(*part->called));
    }
    return *part;
}

/// Whether a path is absolute, on whatever system the brokers run.
bool is_absolute(std::string_view path) {
    return path.starts_with('/') || path.starts_with('\\') || path.find(':') == 1;
}

/// The replicas of a partition, in the directories that it names.
std::vector<Replica> replicas_of(const JsonValue& partition, NameTable& brokers) {
    const JsonValue list = partition.at("replicas");
    auto ids = list.numbers<std::uint64_t>();
    std::vector<Replica> replicas(ids.size());
    for (std::size_t at = 0; at < ids.size(); ++at)
        replicas[at].broker = brokers.number_of(std::to_string(ids[at]));
    if (ids.empty()) list.refuse("a broker or more");
    std::sort(ids.begin(), ids.end());
    if (ids.back() > broker_id_max)
        list.refuse("ids of brokers, which are at most " + std::to_string(broker_id_max));
    if (std::adjacent_find(ids.begin(), ids.end()) != ids.end()) list.refuse("every broker once");
    const auto directories = partition.find("log_dirs");
    if (!directories || directories->is_null()) return replicas;
    if (directories->size("a list of directories") != replicas.size())
        directories->refuse("a directory for each replica");
    for (std::size_t at = 0; at < replicas.size(); ++at) {
        const JsonValue directory = directories->at(at);
        if (directory.text() == "any") continue;
        replicas[at].log_dir = directory.text();
        if (!is_absolute(replicas[at].log_dir)) directory.refuse("an absolute path or \"any\"");
    }
    return replicas;
}

Cluster cluster_of(const Part& part) {
    Cluster cluster;
    PartitionList list(cluster);
    std::uint64_t replicas = 0;
    const JsonValue top = part.document.top();
    top.at("partitions").for_each([&](const JsonValue& each) {
        const std::string topic = each.at("topic").text();
        if (topic.empty()) each.at("topic").refuse("the name of a topic");
        const JsonValue number = each.at("partition");
        const auto wide = number.whole<std::uint64_t>();
        if (wide > partition_number_max)
            number.refuse("at most " + std::to_string(partition_number_max));
        Partition* const partition = list.add(topic, static_cast<std::uint32_t>(wide));
        if (partition == nullptr) each.refuse("every partition once");
        partition->replicas = replicas_of(each, cluster.brokers);
        replicas += partition->replicas.size();
        if (replicas > replicas_max)
            each.refuse("at most " + std::to_string(replicas_max) + " replicas in all");
    });
    return cluster;
}

NodeId known_broker(std::string_view broker, const std::string& name, const Items& items) {
    if (const auto node = items.nodes.find(broker)) return *node;
    throw InputError(name +
                     ": expected a broker that holds partitions or that --machines or, in plan, "
                     "--nodes names, found \"" +
                     printable(broker) + '"');
}

/// The replicas with the numbers of known partitions and brokers. `name` stands for the text.
std::vector<Replicas> known_replicas(const Cluster& read, const std::string& name,
                                     const Items& items) {
    std::vector<Replicas> lists;
    for (const Partition& partition : read.partitions) {
        const auto thing = items.things.find(partition.name());
        if (!thing)
            throw InputError(name + ": expected a partition of the file of items, found \"" +
                             printable(partition.name()) + '"');
        Replicas& list = lists.emplace_back(Replicas{*thing, {}});
        for (const Replica& replica : partition.replicas)
            list.nodes.push_back(known_broker(read.brokers.name(replica.broker), name, items));
    }
    return lists;
}

/// Makes a wave what is said to have become of it: partitions that are elsewhere or on their way
/// elsewhere have these replicas, those that failed are left out.
void correct(std::vector<Replicas>& wave, const std::vector<Progress>& progress,
             const std::string& name, const Items& items) {
    std::unordered_map<std::uint32_t, std::size_t> numbers;
    for (std::size_t at = 0; at < wave.size(); ++at)
        numbers.emplace(wave[at].thing, at);
    for (const Progress& each : progress) {
        const std::string place = name + ':' + std::to_string(each.line);
        const auto thing = items.things.find(each.partition);
        const auto known = thing ? numbers.find(*thing) : numbers.end();
        if (thing) expect_there(each, name);
        if (known == numbers.end() && each.replicas.empty())
            throw InputError(place +
                             ": expected the reassignment that was verified, which says "
                             "where partition " +
                             printable(each.partition) + " goes, before this line, found none");
        // What --list says of other topics is about nothing that is planned.
        if (!thing) continue;
        std::vector<NodeId> nodes;
        nodes.reserve(each.replicas.size());
        for (const std::string& broker : each.replicas)
            nodes.push_back(known_broker(broker, place, items));
        if (known == numbers.end()) {
            numbers.emplace(*thing, wave.size());
            wave.push_back({*thing, std::move(nodes)});
        } else if (!nodes.empty() || each.state == Progress::State::failed) {
            wave[known->second].nodes = std::move(nodes);
        }
    }
    std::erase_if(wave, [](const Replicas& replicas) { return replicas.nodes.empty(); });
}

}  // namespace

Cluster read_assignment(std::string_view text, const std::string& name, Assignment wanted) {
    return read_assignment(documents_of(text, name), name, wanted);
}

Cluster read_assignment(std::vector<Document> documents, const std::string& name,
                        Assignment wanted) {
    std::vector<Part> parts = parts_of(std::move(documents));
    std::vector<std::string> notes;
    Cluster cluster = cluster_of(chosen(parts, name, wanted, &notes));
    cluster.notes = std::move(notes);
    return cluster;
}

EndsByThing read_proposal(std::string_view text, const std::string& name, const Items& items,
                          std::vector<std::string>* notes) {
    std::vector<Part> parts = parts_of(documents_of(text, name));
    const Part& part = chosen(parts, name, Assignment::proposed, notes);
    const Cluster proposed = cluster_of(part);
    EndsByThing ends(items.things.size());
    for (Replicas& list : known_replicas(proposed, part.document.name, items))
        ends[list.thing] = std::move(list.nodes);
    if (notes != nullptr && proposed.names_directories())
        notes->push_back(part.document.name +
                         " names directories (log_dirs), which are not planned");
    return ends;
}

std::vector<std::vector<Replicas>> read_reassignments(std::string_view text,
                                                      const std::string& name, const Items& items) {
    std::vector<std::vector<Replicas>> all;
    const bool has_waves = has_documents(text) || printed_in(text) != Printed::progress;
    if (has_waves)
        for (const Part& part : parts_of(documents_of(text, name)))
            if (part.called != Assignment::current)
                all.push_back(known_replicas(cluster_of(part), part.document.name, items));
    if (has_waves && all.empty())
        throw InputError(name + ": expected a reassignment, found only the current assignment");
    const std::vector<Progress> progress = read_progress(text, name);
    if (all.empty() && !progress.empty()) all.emplace_back();
    if (!progress.empty()) correct(all.back(), progress, name, items);
    return all;
}

}  // namespace equipoise::kafka
