#include "equipoise/adapters/kafka/topics.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/partition_list.hpp"
#include "equipoise/adapters/kafka/words.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::kafka {

namespace {

/// The values of a line by their keys: "Topic:", "Adding Replicas:", ... Only the last value may
/// hold blanks, and is cut at the first.
std::map<std::string, std::string, std::less<>> values_of(std::string_view line) {
    std::map<std::string, std::string, std::less<>> values;
    std::string key;
    std::string before;  // the first word of a key
    while (true) {
        const std::string_view word = take_word(line);
        if (word.empty()) return values;
        const bool is_open = !key.empty() && values[key].empty();
        const bool is_topic = is_open && key == "Topic:";  // whatever it looks like
        const std::size_t colon = is_topic ? std::string_view::npos : word.find(':');
        if (colon != std::string_view::npos) {
            key = std::exchange(before, {}).append(word.substr(0, colon + 1));
            values[key] = word.substr(colon + 1);
        } else if (!is_topic && (word == "Adding" || word == "Removing")) {
            before = std::string(word) + ' ';
        } else if (is_open) {
            values[key] = word;
        }
    }
}

class TopicReader {
  public:
    explicit TopicReader(LineSource& source) : source_(source), list_(cluster_) {}

    Cluster read() {
        std::string_view line;
        while (source_.next(line))
            if (is_topic_line(line)) take(line);
        if (cluster_.partitions.empty())
            throw InputError(source_.name() + ": expected the partitions of a topic, found none");
        expect_all();
        note_leaderless(source_.name(), std::move(leaderless_), cluster_);
        return std::move(cluster_);
    }

  private:
    using Values = std::map<std::string, std::string, std::less<>>;

    void take(std::string_view line) {
        const Values values = values_of(line);
        const std::string& topic = values.find("Topic:")->second;
        const auto count = values.find("PartitionCount:");
        if (count == values.end()) return take_partition(values, topic);
        const auto number = whole_number(count->second);
        if (!number) source_.fail("a whole number after PartitionCount:", count->second);
        counts_[topic].expected = *number;
    }

    void take_partition(const Values& values, const std::string& topic) {
        const auto number = whole_number(value(values, "Partition:"), partition_number_max);
        if (!number) source_.fail("a whole number after Partition:", value(values, "Partition:"));
        std::vector<std::string> replicas = brokers(values, "Replicas:");
        if (replicas.empty()) source_.fail("brokers after Replicas:", value(values, "Replicas:"));
        Partition* const partition = list_.add(topic, static_cast<std::uint32_t>(*number));
        if (partition == nullptr)
            source_.fail("every partition once", topic + '-' + std::to_string(*number));
        Count& count = counts_[topic];
        if (count.expected && *number >= *count.expected)
            source_.fail("a number below the PartitionCount, " + std::to_string(*count.expected),
                         std::to_string(*number));
        ++count.found;
        const std::vector<std::string> all = replicas;  // those that go, too
        const std::vector<std::string> removing = brokers(values, "Removing Replicas:");
        const std::vector<std::string> adding = brokers(values, "Adding Replicas:");
        std::erase_if(replicas, [&](const std::string& broker) { return holds(removing, broker); });
        if (replicas.empty()) source_.fail_plainly("a replica that stays", "none");
        if (!list_.set_replicas(*partition, replicas))
            source_.fail_plainly("at most " + std::to_string(replicas_max) + " replicas", "more");
        for (Replica& replica : partition->replicas)
            replica.adding = holds(adding, std::string(cluster_.brokers.name(replica.broker)));
        if (!adding.empty() || !removing.empty()) list_.mark_under_way(*partition);
        for (const std::string& broker : brokers(values, "Isr:"))
            if (holds(replicas, broker))
                partition->in_sync.push_back(cluster_.brokers.number_of(broker));
        take_leader(value(values, "Leader:"), all, *partition);
    }

    /// A leader that is being removed is not known as the leader of the partition.
    void take_leader(const std::string& leader, const std::vector<std::string>& all,
                     Partition& partition) {
        if (leader == "none" || leader == "-1") {
            leaderless_.push_back(partition.name());
            return;
        }
        const auto id = whole_number(leader);
        if (!id) source_.fail("a broker or none after Leader:", leader);
        const std::string broker = std::to_string(*id);
        if (!holds(all, broker)) source_.fail("one of the Replicas: after Leader:", leader);
        const auto number = cluster_.brokers.find(broker);
        const auto leads = [&](const Replica& replica) { return replica.broker == number; };
        if (std::any_of(partition.replicas.begin(), partition.replicas.end(), leads))
            partition.leader = number;
    }

    [[nodiscard]] const std::string& value(const Values& values, const char* key) const {
        const auto found = values.find(key);
        if (found == values.end()) source_.fail_plainly(key, "none");
        return found->second;
    }

    /// The brokers behind a key; none if it is not there, or has no value.
    [[nodiscard]] std::vector<std::string> brokers(const Values& values, const char* key) const {
        const auto found = values.find(key);
        if (found == values.end() || found->second.empty()) return {};
        std::optional<std::vector<std::string>> list = broker_list(found->second);
        if (!list) source_.fail(std::string("brokers, each once, after ") + key, found->second);
        return std::move(*list);
    }

    static bool holds(const std::vector<std::string>& brokers, const std::string& broker) {
        return std::find(brokers.begin(), brokers.end(), broker) != brokers.end();
    }

    void expect_all() const {
        for (const auto& [topic, count] : counts_)
            if (count.expected && *count.expected != count.found)
                throw InputError(source_.name() + ": expected " +
                                 with_noun(*count.expected, "partition", "partitions") +
                                 " of topic \"" + printable(topic) + "\", found " +
                                 std::to_string(count.found));
    }

    /// Partitions of a topic.
    struct Count {
        std::optional<std::uint64_t> expected;
        std::uint64_t found = 0;
    };

    LineSource& source_;
    Cluster cluster_;
    PartitionList list_;
    std::map<std::string, Count> counts_;
    std::vector<std::string> leaderless_;
};

}  // namespace

bool is_topic_line(std::string_view line) {
    if (!take_word(line).starts_with("Topic:")) return false;
    return line.find("PartitionCount:") != std::string_view::npos ||
           line.find("Partition:") != std::string_view::npos;
}

Cluster read_topics(std::string_view text, const std::string& name) {
    std::istringstream stream{std::string(text)};
    LineSource source(stream, name);
    return TopicReader(source).read();
}

}  // namespace equipoise::kafka
