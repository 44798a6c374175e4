#pragma once
// Which of Kafka's tools a text is from, and how its files are read.

#include <optional>
#include <string>
#include <string_view>

namespace equipoise::kafka {

/// What texts are told apart by.
enum class Printed {
    documents,  ///< JSON, alone or among other lines
    topics,     ///< kafka-topics --describe
    progress,   ///< kafka-reassign-partitions --verify or --list
    brokers,    ///< kafka-broker-api-versions
};

/// What the first lines of a text are (up to 2^16 bytes of them); nothing for a table and any other
/// text.
[[nodiscard]] std::optional<Printed> printed_in(std::string_view text);

/// Whether the partitions of a text are those of kafka-topics rather than of documents: whichever
/// comes first.
[[nodiscard]] bool are_topics(std::string_view text);

/// Whether some line of a text is one of kafka-topics --describe.
[[nodiscard]] bool has_topics(std::string_view text);

/// Whether some line of a text begins an object.
[[nodiscard]] bool has_documents(std::string_view text);

/// Whether a file is one of Kafka's rather than a table: its name ends in .json, or its first lines
/// are what a tool prints (pipes are not looked into). Throws nothing: a file that cannot be read
/// counts as a table.
[[nodiscard]] bool holds_documents(const std::string& path);

/// The text of such a file, read once and in order (a pipe will do), and judged while it is read.
/// Throws InputError naming file and line.
[[nodiscard]] std::string read_printed(const std::string& path);

}  // namespace equipoise::kafka
