#include "equipoise/adapters/kafka/documents.hpp"

#include <algorithm>
#include <iterator>

#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/base/json_documents.hpp"

namespace equipoise::kafka {

bool Document::has(const char* key) const {
    return value->contains(key);
}

JsonValue Document::top() const {
    const JsonValue document(*value, name);
    if (const auto version = document.find("version"); version && version->json() != 1)
        version->refuse("1");
    return document;
}

std::vector<Document> documents_of(std::string_view text, const std::string& name) {
    std::vector<Document> documents;
    const std::vector<JsonDocument> found = json_documents(text, name);
    documents.reserve(found.size());
    for (const JsonDocument& each : found)
        documents.push_back({found.size() == 1 ? name : name + ':' + std::to_string(each.line),
                             each.line, each.before,
                             std::make_shared<nlohmann::json>(parse_json(each, name))});
    return documents;
}

std::vector<Document> documents_with(const char* list, std::vector<Document> documents) {
    const auto others = std::stable_partition(documents.begin(), documents.end(),
                                              [&](const Document& each) { return each.has(list); });
    const bool some = others != documents.begin();
    documents.erase(some ? others : std::next(others), documents.end());
    return documents;
}

}  // namespace equipoise::kafka
