#include "equipoise/base/json_writer.hpp"

#include <nlohmann/json.hpp>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/json.hpp"

namespace equipoise {

void JsonWriter::open(char bracket, JsonLayout layout) {
    entry();
    text_ += bracket;
    levels_.push_back({layout, bracket == '{'});
}

void JsonWriter::close() {
    EQUIPOISE_ASSERT(!levels_.empty());
    const Level level = levels_.back();
    levels_.pop_back();
    if (level.layout.indented && level.count > 0) line(levels_.size());
    text_ += level.is_object ? '}' : ']';
}

void JsonWriter::name(std::string_view key) {
    entry();
    put(key);
    text_ += ": ";
    named_ = true;
}

void JsonWriter::finish() {
    EQUIPOISE_ASSERT(levels_.empty());
    text_ += '\n';
    spill();
}

void JsonWriter::spill() {
    sink_(text_);
    text_.clear();
}

void JsonWriter::put(double number) {
    text_ += json_text(nlohmann::json(number));
}

void JsonWriter::put(std::string_view text) {
    text_ += json_text(nlohmann::json(text));
}

}  // namespace equipoise
