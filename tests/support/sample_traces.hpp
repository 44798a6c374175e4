#pragma once
// Small traces of vt, as text and read.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/trace/content.hpp"
#include "equipoise/trace/read.hpp"
#include "equipoise/trace/write.hpp"

namespace equipoise::test {

/// The JSON of one task.
inline std::string task_json(std::uint64_t id, int rank, double seconds, bool migratable = true,
                             const std::string& more = "") {
    return R"({"entity":{"home":)" + std::to_string(rank) + R"(,"id":)" + std::to_string(id) +
           R"(,"migratable":)" + (migratable ? "true" : "false") + R"(,"type":"object"},"node":)" +
           std::to_string(rank) + R"(,"resource":"cpu","time":)" + std::to_string(seconds) + more +
           "}";
}

/// The JSON of one communication between objects that may migrate.
inline std::string sent_json(std::uint64_t from, std::uint64_t to, int messages, double bytes) {
    const auto end = [](std::uint64_t id) {
        return R"({"home":0,"id":)" + std::to_string(id) + R"(,"migratable":true,"type":"object"})";
    };
    return R"({"bytes":)" + std::to_string(bytes) + R"(,"from":)" + end(from) + R"(,"messages":)" +
           std::to_string(messages) + R"(,"to":)" + end(to) + R"(,"type":"SendRecv"})";
}

inline std::string list_json(const std::vector<std::string>& elements) {
    std::string text = "[";
    for (const std::string& element : elements)
        text += (text.size() == 1 ? "" : ",") + element;
    return text + "]";
}

inline std::string phase_json(int id, const std::vector<std::string>& tasks,
                              const std::vector<std::string>& sent = {}) {
    return R"({"id":)" + std::to_string(id) + R"(,"tasks":)" + list_json(tasks) +
           (sent.empty() ? "" : R"(,"communications":)" + list_json(sent)) + "}";
}

inline std::string file_json(const std::vector<std::string>& phases, const std::string& more = "") {
    return R"({"type":"LBDatafile",)" + more + R"("phases":)" + list_json(phases) + "}";
}

/// The trace whose rank r has the text r.
inline trace::Trace trace_from(const std::vector<std::string>& texts) {
    std::vector<trace::RankFile> files;
    std::vector<trace::FileContent> contents;
    for (std::size_t rank = 0; rank < texts.size(); ++rank) {
        const std::string name = "data." + std::to_string(rank) + ".json";
        trace::FileContent content =
            trace::parse_content(texts[rank], name, static_cast<int>(rank), true);
        files.push_back({name, name, content.metadata, false, content.typed});
        contents.push_back(std::move(content));
    }
    return trace::assemble(std::move(files), std::move(contents));
}

/// What the files of a trace say under a placement.
inline std::vector<std::string> texts_of(const trace::Trace& read,
                                         const trace::Placement& placement) {
    const std::vector<trace::PhaseLists> lists = trace::lists_under(read, placement);
    std::vector<std::string> texts;
    for (std::size_t rank = 0; rank < read.rank_count(); ++rank)
        texts.push_back(trace::file_text(read, lists, rank));
    return texts;
}

}  // namespace equipoise::test
