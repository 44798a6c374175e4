#include "equipoise/base/json_value.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "equipoise/base/digest_text.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise {

namespace {

/// A key as a message shows it.
std::string shown(std::string_view key) {
    return printable(beginning_of(key));
}

/// The known keys that a wrong key may be meant for: those that are similar, or all if they are
/// few.
std::string meant(const std::string& key, std::span<const std::string_view> known) {
    constexpr std::size_t few = 16;
    const std::vector<std::string> words(known.begin(), known.end());
    return known.size() <= few ? suggestion(key, words) : did_you_mean(key, words);
}

/// Whether a value is a whole number between these; `bits` is then its two's complement.
bool read_whole(const nlohmann::json& json, std::int64_t least, std::uint64_t most,
                std::uint64_t& bits) {
    if (json.is_number_unsigned()) {
        bits = json.get<std::uint64_t>();
        return bits <= most && (least <= 0 || bits >= static_cast<std::uint64_t>(least));
    }
    if (!json.is_number_integer()) return false;
    const auto number = json.get<std::int64_t>();
    bits = static_cast<std::uint64_t>(number);
    return number >= least && (number < 0 || bits <= most);
}

/// Names a range; bounds of 64 bits are named only where they matter.
std::string range_text(std::int64_t least, std::uint64_t most, const nlohmann::json& found) {
    constexpr double large = 9e18;
    const double number = found.is_number() ? found.get<double>() : 0;
    if (number > -large && number < large) {
        if (least == 0 && most == std::numeric_limits<std::uint64_t>::max())
            return "a whole number, 0 or more";
        if (least == std::numeric_limits<std::int64_t>::min()) return "a whole number";
    }
    return "a whole number from " + std::to_string(least) + " to " + std::to_string(most);
}

}  // namespace

bool JsonValue::is_null() const {
    return json_->is_null();
}

bool JsonValue::is_object() const {
    return json_->is_object();
}

bool JsonValue::is_list() const {
    return json_->is_array();
}

bool JsonValue::is_text() const {
    return json_->is_string();
}

void JsonValue::expect_object() const {
    if (!is_object()) refuse("an object");
}

void JsonValue::expect_keys(std::initializer_list<std::string_view> known) const {
    expect_keys(std::span(known.begin(), known.size()));
}

void JsonValue::expect_keys(std::span<const std::string_view> known) const {
    expect_object();
    for (auto member = json_->begin(); member != json_->end(); ++member)
        if (std::find(known.begin(), known.end(), member.key()) == known.end())
            fail("unknown key \"" + shown(member.key()) + '"' + meant(member.key(), known));
}

bool JsonValue::has(std::string_view key) const {
    return json_->find(key) != json_->end();
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const& {
    const auto found = json_->find(key);
    if (found == json_->end()) return std::nullopt;
    return JsonValue(*found, *this, key, 0);
}

JsonValue JsonValue::at(std::string_view key) const& {
    expect_object();
    auto found = find(key);
    if (!found) fail("expected the key \"" + shown(key) + "\", found none");
    return *found;
}

void JsonValue::for_each_member(
    const std::function<void(const std::string&, const JsonValue&)>& visit) const {
    expect_object();
    for (auto member = json_->begin(); member != json_->end(); ++member)
        visit(member.key(), JsonValue(member.value(), *this, member.key(), 0));
}

std::map<std::string, std::string> JsonValue::texts_by_key() const {
    std::map<std::string, std::string> texts;
    for_each_member(
        [&](const std::string& key, const JsonValue& value) { texts[key] = value.text(); });
    return texts;
}

std::size_t JsonValue::size(std::string_view what) const {
    if (!is_list()) refuse(what);
    return json_->size();
}

JsonValue JsonValue::at(std::size_t number) const& {
    return JsonValue((*json_)[number], *this, {}, number);
}

void JsonValue::for_each(const std::function<void(const JsonValue&)>& visit,
                         std::string_view what) const {
    const std::size_t count = size(what);
    for (std::size_t number = 0; number < count; ++number)
        visit(at(number));
}

std::vector<std::string> JsonValue::texts() const {
    std::vector<std::string> texts;
    for_each([&](const JsonValue& element) { texts.push_back(element.text()); }, "a list of texts");
    return texts;
}

std::string JsonValue::text() const {
    if (!is_text()) refuse("a text");
    return json_->get<std::string>();
}

bool JsonValue::truth() const {
    if (!json_->is_boolean()) refuse("true or false");
    return json_->get<bool>();
}

double JsonValue::real() const {
    if (!json_->is_number()) refuse("a number");
    return json_->get<double>();
}

std::uint64_t JsonValue::digest() const {
    const auto digest =
        is_text() ? digest_from_text(json_->get_ref<const std::string&>()) : std::nullopt;
    if (!digest) refuse("16 hexadecimal digits");
    return *digest;
}

std::uint64_t JsonValue::whole_in(Range range) const {
    std::uint64_t bits = 0;
    if (!read_whole(*json_, range.least, range.most, bits))
        refuse(range_text(range.least, range.most, *json_));
    return bits;
}

std::uint64_t JsonValue::whole_at(std::size_t number, Range range) const {
    std::uint64_t bits = 0;
    if (!read_whole((*json_)[number], range.least, range.most, bits))
        at(number).refuse(range_text(range.least, range.most, (*json_)[number]));
    return bits;
}

void JsonValue::tuple_at(std::size_t number, std::string_view shape, const Range* ranges,
                         std::uint64_t* found, std::size_t count) const {
    const nlohmann::json& tuple = (*json_)[number];
    if (!tuple.is_array() || tuple.size() != count) at(number).refuse(shape);
    for (std::size_t i = 0; i < count; ++i)
        if (!read_whole(tuple[i], ranges[i].least, ranges[i].most, found[i])) {
            const JsonValue holder = at(number);
            holder.at(i).refuse(range_text(ranges[i].least, ranges[i].most, tuple[i]));
        }
}

void JsonValue::refuse(std::string_view expected) const {
    fail("expected " + std::string(expected) + ", found " +
         printable(beginning_of(json_text(*json_))));
}

void JsonValue::fail(std::string_view what) const {
    const std::string where = place();
    throw InputError(*file_ + ": " + where + (where.empty() ? "" : ": ") + std::string(what));
}

std::string JsonValue::place() const {
    if (holder_ == nullptr) return {};
    const std::string above = holder_->place();
    if (key_.data() == nullptr) return above + '[' + std::to_string(number_) + ']';
    return above.empty() ? shown(key_) : above + '.' + shown(key_);
}

}  // namespace equipoise
