#include "equipoise/adapters/kafka/log_dirs.hpp"

#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/documents.hpp"
#include "equipoise/adapters/kafka/partition_list.hpp"
#include "equipoise/adapters/kafka/words.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::kafka {

namespace {

/// A replica as a broker has it.
struct Found {
    Tokens size = 0;
    std::string directory;
    std::size_t document = 0;  ///< the last that has it, from 1
};

class LogDirReader {
  public:
    LogDirReader(const std::string& name, Cluster& cluster) : name_(name), cluster_(cluster) {
        for (const Partition& partition : cluster_.partitions)
            static_cast<void>(partitions_.number_of(partition.name()));
    }

    void take(const Document& document) {
        ++document_;
        const JsonValue top = document.top();
        top.at("brokers").for_each([&](const JsonValue& broker) {
            const std::string id =
                std::to_string(broker.at("broker").whole<std::uint64_t>(0, broker_id_max));
            std::size_t usable = 0;
            broker.at("logDirs").for_each([&](const JsonValue& directory) {
                if (take_directory(directory, id)) ++usable;
            });
            if (usable > 1) several_directories_ = true;
        });
    }

    void give() {
        Tokens total = 0;
        for (std::uint32_t number = 0; number < cluster_.partitions.size(); ++number) {
            Partition& partition = cluster_.partitions[number];
            for (Replica& replica : partition.replicas) {
                replica.size = size_of(number, partition, replica);
                if (*replica.size > tokens_max - total)
                    throw InputError(name_ + ": expected sizes of at most " +
                                     std::to_string(tokens_max) + " in all");
                total += *replica.size;
            }
        }
        note_directories();
    }

  private:
    /// Whether the directory can be used.
    bool take_directory(const JsonValue& directory, const std::string& broker) {
        const auto path = directory.find("logDir");
        const std::string where = path ? path->text() : std::string();
        const auto error = directory.find("error");
        const bool broken = error && !error->is_null() && !error->text().empty();
        if (broken)
            cluster_.notes.push_back(name_ + ": directory " + printable(where) + " of broker " +
                                     broker + " has an error: " + printable(error->text()));
        directory.at("partitions").for_each([&](const JsonValue& partition) {
            const auto bytes = partition.at("size").whole<std::uint64_t>();
            const std::string name = partition.at("partition").text();
            const auto future = partition.find("isFuture");
            if (future && future->truth()) return;
            const auto number = partitions_.find(name);
            const auto id = cluster_.brokers.find(broker);
            if (!number) return;
            const auto size = static_cast<Tokens>(std::min<std::uint64_t>(bytes, tokens_max));
            Tokens& largest = largest_[*number];
            largest = std::max(largest, size);
            if (!id) return;
            const auto [known, is_new] = found_.try_emplace(key(*id, *number));
            if (!is_new && known->second.document == document_)
                partition.refuse("every replica of a broker once");
            if (is_new || size > known->second.size) known->second = {size, where, 0};
            known->second.document = document_;
        });
        return !broken;
    }

    static std::uint64_t key(BrokerId broker, std::uint32_t partition) {
        return std::uint64_t{broker} << 32U | partition;
    }

    Tokens size_of(std::uint32_t number, const Partition& partition, Replica& replica) {
        const auto found = found_.find(key(replica.broker, number));
        if (replica.adding) {
            if (const auto largest = largest_.find(number); largest != largest_.end())
                return largest->second;
        }
        const std::string broker(cluster_.brokers.name(replica.broker));
        if (found == found_.end())
            throw InputError(name_ + ": expected the size of partition \"" +
                             printable(partition.name()) + "\" on broker " + broker +
                             ", found none");
        const std::string& directory = found->second.directory;
        if (!replica.log_dir.empty() && !directory.empty() && replica.log_dir != directory) {
            replica.log_dir = directory;
            elsewhere_.push_back(partition.name() + " of broker " + broker);
        }
        return found->second.size;
    }

    void note_directories() {
        if (!elsewhere_.empty()) {
            const char* const words =
                elsewhere_.size() == 1 ? " is in another directory" : " are in other directories";
            cluster_.notes.push_back(
                name_ + ": " + some_of(std::move(elsewhere_)) + words +
                " than the assignment names; such replicas stay where they are");
        } else if (several_directories_ && !cluster_.names_directories()) {
            cluster_.notes.push_back(name_ +
                                     ": brokers have several directories; replicas that stay keep "
                                     "theirs, and brokers choose those of others");
        }
    }

    const std::string& name_;
    Cluster& cluster_;
    NameTable partitions_;
    std::unordered_map<std::uint64_t, Found> found_;     ///< by `key`
    std::unordered_map<std::uint32_t, Tokens> largest_;  ///< by partition, on any broker
    std::vector<std::string> elsewhere_;
    bool several_directories_ = false;
    std::size_t document_ = 0;
};

}  // namespace

void read_log_dirs(std::string_view text, const std::string& name, Cluster& cluster) {
    LogDirReader reader(name, cluster);
    for (const Document& document : documents_with("brokers", documents_of(text, name)))
        reader.take(document);
    reader.give();
}

}  // namespace equipoise::kafka
