#include "equipoise/adapters/experts/yaml.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <sstream>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#ifdef EQUIPOISE_WITH_YAML
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>
#endif

#include "equipoise/base/error.hpp"
#include "equipoise/base/file_kind.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/line_source.hpp"

namespace equipoise::experts {

#ifdef EQUIPOISE_WITH_YAML

namespace {

/// Builds the value as the parser tells what it finds: memory grows with the text alone.
class Builder : public YAML::EventHandler {
  public:
    explicit Builder(const std::string& name) : name_(name) {}

    [[nodiscard]] nlohmann::json take() { return std::move(root_); }

    void OnDocumentStart(const YAML::Mark& mark) override {
        if (documents_++ > 0) fail(mark, "expected one document, found another one");
    }
    void OnDocumentEnd() override {}
    void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        if (awaits_key()) fail(mark, "expected a key, found none");
        put(nullptr);
    }
    void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
        fail(mark, "expected a value, found an alias, which is not supported");
    }
    void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  const std::string& value) override {
        if (awaits_key()) {
            Level& level = levels_.back();
            if (level.value->contains(value))
                fail(mark, "expected every key once, found \"" + value + "\" twice");
            level.key = value;
            level.has_key = true;
            return;
        }
        const auto number = whole_number(value, std::numeric_limits<std::int64_t>::max());
        const bool plain = tag == "?";
        if (plain && number) {
            put(*number);
        } else {
            put(value);
        }
    }
    void OnSequenceStart(const YAML::Mark& mark, const std::string& /*tag*/,
                         YAML::anchor_t /*anchor*/, YAML::EmitterStyle::value /*style*/) override {
        open(mark, nlohmann::json::array());
    }
    void OnSequenceEnd() override { levels_.pop_back(); }
    void OnMapStart(const YAML::Mark& mark, const std::string& /*tag*/, YAML::anchor_t /*anchor*/,
                    YAML::EmitterStyle::value /*style*/) override {
        open(mark, nlohmann::json::object());
    }
    void OnMapEnd() override { levels_.pop_back(); }

  private:
    /// A list or a map that is open. Values stay where they are while deeper ones are open.
    struct Level {
        nlohmann::json* value;
        std::string key = {};
        bool has_key = false;
    };

    [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what) const {
        throw InputError(name_ + ':' + std::to_string(mark.line + 1) + ": " + what);
    }
    [[nodiscard]] bool awaits_key() const {
        return !levels_.empty() && levels_.back().value->is_object() && !levels_.back().has_key;
    }
    void open(const YAML::Mark& mark, nlohmann::json value) {
        if (awaits_key())
            fail(mark, "expected a key that is a word or a number, found a list or a map");
        if (levels_.size() == static_cast<std::size_t>(json_levels_max))
            fail(mark,
                 "expected at most " + std::to_string(json_levels_max) + " levels, found more");
        levels_.push_back({&put(std::move(value))});
    }
    nlohmann::json& put(nlohmann::json value) {
        if (levels_.empty()) return root_ = std::move(value);
        Level& level = levels_.back();
        if (level.value->is_object()) {
            level.has_key = false;
            return (*level.value)[level.key] = std::move(value);
        }
        level.value->push_back(std::move(value));
        return level.value->back();
    }

    const std::string& name_;
    nlohmann::json root_;
    std::vector<Level> levels_;
    int documents_ = 0;
};

/// Throws InputError if these bytes are no text.
void expect_text(std::string_view text, const std::string& name) {
    if (const auto kind = kind_other_than_text(text))
        throw InputError(name + ": expected YAML, found " + std::string(*kind));
    if (text.find('\0') != std::string_view::npos)
        throw InputError(name + ": expected text, found a byte of value 0");
}

}  // namespace

bool has_yaml() {
    return true;
}

nlohmann::json json_of_yaml(std::string_view text, const std::string& name) {
    expect_text(text, name);
    Builder builder(name);
    try {
        std::istringstream stream{std::string(text)};
        YAML::Parser parser(stream);
        while (parser.HandleNextDocument(builder)) {
        }
    } catch (const YAML::Exception& error) {
        throw InputError(name + ':' + std::to_string(error.mark.line + 1) +
                         ": expected well-formed YAML, found an error: " + error.msg);
    }
    return builder.take();
}

#else

bool has_yaml() {
    return false;
}

nlohmann::json json_of_yaml(std::string_view /*text*/, const std::string& name) {
    throw UnsuitableError(name +
                          ": this program was built without yaml-cpp; make JSON of the YAML first, "
                          "or build with libyaml-cpp-dev");
}

#endif

}  // namespace equipoise::experts
