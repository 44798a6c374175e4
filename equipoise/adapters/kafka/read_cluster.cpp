#include "equipoise/adapters/kafka/read_cluster.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/documents.hpp"
#include "equipoise/adapters/kafka/metadata.hpp"
#include "equipoise/adapters/kafka/partition_list.hpp"
#include "equipoise/adapters/kafka/partitions.hpp"
#include "equipoise/adapters/kafka/printed.hpp"
#include "equipoise/adapters/kafka/progress.hpp"
#include "equipoise/adapters/kafka/topics.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::kafka {

namespace {

/// The metadata of kcat if there is no assignment, which then counts.
Cluster read_documents(std::vector<Document> documents, const std::string& name) {
    const auto has_assignment = [](const Document& each) { return each.has("partitions"); };
    const auto metadata = std::find_if(documents.begin(), documents.end(), is_metadata);
    if (metadata == documents.end() ||
        std::any_of(documents.begin(), documents.end(), has_assignment))
        return read_assignment(std::move(documents), name);
    if (std::count_if(documents.begin(), documents.end(), is_metadata) > 1)
        throw InputError(name + ": expected what kcat -L -J prints once, found it several times");
    return read_metadata(*metadata);
}

/// Throws InputError if --verify speaks of one of several assignments.
void expect_one_verified(const std::vector<Progress>& progress,
                         const std::vector<Document>& documents, const std::string& name) {
    const auto assignments =
        std::count_if(documents.begin(), documents.end(),
                      [](const Document& each) { return each.has("partitions"); });
    const bool refers = std::any_of(progress.begin(), progress.end(), [](const Progress& each) {
        return each.state == Progress::State::completed || each.state == Progress::State::failed;
    });
    if (assignments > 1 && refers)
        throw InputError(name +
                         ": expected one assignment beside what --verify says of it, found " +
                         std::to_string(assignments));
}

/// Throws InputError if a text has partitions both of kafka-topics and of documents.
void expect_one_form(std::string_view text, const std::string& name) {
    if (!has_topics(text) || !has_documents(text)) return;
    for (const Document& each : documents_of(text, name))
        if (each.has("partitions") || is_metadata(each))
            throw InputError(name +
                             ": expected partitions from one tool, found those of kafka-topics "
                             "--describe and, on line " +
                             std::to_string(each.line) + ", others in JSON");
}

/// What --execute prints is no longer so.
void note_executed(std::string_view text, const std::string& name, Cluster& cluster) {
    if (text.find("Save this to use as the --reassignment-json-file option during rollback") ==
        std::string_view::npos)
        return;
    cluster.notes.push_back(name + ": what --execute prints is where partitions were before it; " +
                            "kafka-topics --describe says where they are");
}

}  // namespace

Cluster read_cluster(std::string_view text, const std::string& name) {
    expect_one_form(text, name);
    const std::vector<Progress> progress = read_progress(text, name);
    Cluster cluster;
    if (are_topics(text)) {
        cluster = read_topics(text, name);
    } else {
        std::vector<Document> documents = documents_of(text, name);
        expect_one_verified(progress, documents, name);
        cluster = read_documents(std::move(documents), name);
        note_executed(text, name, cluster);
    }
    std::vector<std::string> under_way = take_progress(progress, name, cluster);
    for (const std::uint32_t number : cluster.under_way)
        under_way.push_back(cluster.partitions[number].name());
    if (!under_way.empty()) cluster.notes.push_back(under_way_note(name, std::move(under_way)));
    note_not_in_sync(name, cluster);
    return cluster;
}

}  // namespace equipoise::kafka
