#include "equipoise/trace/strict_json.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::trace {

void StrictValue::expect_keys(std::initializer_list<const char*> known) const {
    expect_object();
    for (const auto& [key, value] : json_->items()) {
        const std::string_view given = key;
        if (std::none_of(known.begin(), known.end(),
                         [&](const char* name) { return given == name; }))
            fail("unknown key \"" + printable(beginning_of(key)) + '"' +
                 suggestion(key, {known.begin(), known.end()}));
    }
}

void StrictValue::expect_object() const {
    if (!json_->is_object()) refuse("an object");
}

std::optional<StrictValue> StrictValue::find(const char* key) const {
    const auto found = json_->find(key);
    if (found == json_->end()) return std::nullopt;
    return StrictValue(*found, *this, key, 0);
}

StrictValue StrictValue::at(const char* key) const {
    auto found = find(key);
    if (!found) fail(std::string("expected the key \"") + key + "\", found none");
    return *found;
}

void StrictValue::for_each(const std::function<void(const StrictValue&)>& visit) const {
    if (!json_->is_array()) refuse("a list");
    std::size_t number = 0;
    for (nlohmann::json& element : *json_)
        visit(StrictValue(element, *this, nullptr, number++));
}

std::string StrictValue::text() const {
    if (!json_->is_string()) refuse("a string");
    return json_->get<std::string>();
}

bool StrictValue::truth() const {
    if (!json_->is_boolean()) refuse("true or false");
    return json_->get<bool>();
}

void StrictValue::expect_whole() const {
    if (!json_->is_number_integer()) refuse("a whole number");
}

std::int64_t StrictValue::signed_whole() const {
    expect_whole();
    if (json_->is_number_unsigned() &&
        json_->get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
        refuse("a whole number below 2^63");
    return json_->get<std::int64_t>();
}

std::uint64_t StrictValue::unsigned_whole() const {
    if (!json_->is_number_unsigned()) refuse("a whole number, 0 or more");
    return json_->get<std::uint64_t>();
}

std::int64_t StrictValue::count(std::int64_t most) const {
    if (!json_->is_number_unsigned() ||
        json_->get<std::uint64_t>() > static_cast<std::uint64_t>(most))
        refuse("a whole number from 0 to " + std::to_string(most));
    return json_->get<std::int64_t>();
}

double StrictValue::amount(const char* what) const {
    const double value = json_->is_number() ? json_->get<double>() : -1.0;
    if (!(value >= 0) || !std::isfinite(value))
        refuse(std::string(what) + " (a number, 0 or more)");
    *json_ = value + 0.0;  // no -0
    return value + 0.0;
}

void StrictValue::refuse(const std::string& expected) const {
    fail("expected " + expected + ", found " + beginning_of(json_text(*json_)));
}

void StrictValue::fail(const std::string& what) const {
    const std::string where = place();
    throw InputError(*file_ + ": " + where + (where.empty() ? "" : ": ") + what);
}

std::string StrictValue::place() const {
    if (holder_ == nullptr) return {};
    const std::string above = holder_->place();
    if (key_ == nullptr) return above + '[' + std::to_string(number_) + ']';
    return above.empty() ? key_ : above + '.' + key_;
}

}  // namespace equipoise::trace
