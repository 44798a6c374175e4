#pragma once
// The JSON documents among the lines that Kafka's tools print.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "equipoise/base/json_value.hpp"

namespace equipoise::kafka {

/// A document of a text, which outlives it.
struct Document {
    std::string name;  ///< in messages
    std::size_t line = 1;
    std::string_view before;  ///< what stands between it and the document before it
    std::shared_ptr<nlohmann::json> value;

    [[nodiscard]] bool has(const char* key) const;
    /// Throws InputError unless the document is of Kafka's version 1, or does not name its version.
    [[nodiscard]] JsonValue top() const;
};

/// All documents of a text, one or more. Throws InputError.
[[nodiscard]] std::vector<Document> documents_of(std::string_view text, const std::string& name);

/// Those that have this list; if none has, the first one, so that the error can be about that.
[[nodiscard]] std::vector<Document> documents_with(const char* list,
                                                   std::vector<Document> documents);

}  // namespace equipoise::kafka
