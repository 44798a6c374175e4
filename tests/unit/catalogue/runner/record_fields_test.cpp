// What the description of a record's fields says of replays and of verify is true of them.
#include "equipoise/model/run/record_fields.hpp"

#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/verify/verify.hpp"
#include "tests/support/catalogue_runs.hpp"

namespace equipoise::catalogue {
namespace {

using model::FieldFacts;

/// Gives one field of a record another value, if it is a number, a truth value, a text or a list.
class Forger {
  public:
    explicit Forger(std::string field) : field_(std::move(field)) {}

    template <class T>
    void operator()(const char* key, FieldFacts /*facts*/, T&& value) {
        if (inside_ + key == field_) forge(value);
    }
    template <class Fields>
    void object(const char* key, FieldFacts /*facts*/, const Fields& fields) {
        inside_ = std::string(key) + '.';
        fields(*this);
        inside_.clear();
    }
    template <class... Values>
    void optional(const char* /*key*/, FieldFacts /*facts*/, const Values&... /*values*/) {}
    template <class... Values>
    void list(const char* /*key*/, FieldFacts /*facts*/, const Values&... /*values*/) {}

    [[nodiscard]] bool forged() const { return forged_; }

  private:
    template <class T>
    void forge(T& value) {
        if constexpr (requires { value.value; }) {
            forge(value.value);
        } else if constexpr (std::is_same_v<T, bool>) {
            value = !value;
            forged_ = true;
        } else if constexpr (std::is_arithmetic_v<T>) {
            ++value;
            forged_ = true;
        } else if constexpr (std::is_same_v<T, std::string>) {
            value += '?';
            forged_ = true;
        } else if constexpr (requires { value.emplace_back(); }) {
            value.emplace_back();
            forged_ = true;
        }
    }

    std::string field_;
    std::string inside_;
    bool forged_ = false;
};

const FieldFacts& facts_of(const std::string& name) {
    for (const auto& [field, facts] : model::named_fields())
        if (field == name) return facts;
    throw std::logic_error("no field " + name);
}

/// Calls `check` with a field's name, its facts and a record in which it was forged. Counts calls.
template <class Check>
std::size_t for_each_forgery(const model::Record& honest, const Check& check) {
    std::size_t forgeries = 0;
    for (const auto& [field, facts] : model::named_fields()) {
        model::Record record = honest;
        Forger forger(field);
        model::record_fields(forger, record);
        if (!forger.forged()) continue;
        ++forgeries;
        check(field, facts, record);
    }
    return forgeries;
}

model::Record honest_record() {
    const network::AnyNetwork path = network::generate("path:n=5", 0);
    RunOptions options;
    options.record_level = model::RecordLevel::full;
    return run("threshold-2", path, test::spike(path, 17), options).record;
}

TEST(RecordFields, ThatAreSaidToBeAlwaysCheckedMakeVerifyFailIfTheyAreForged) {
    const model::Record honest = honest_record();
    ASSERT_TRUE(verify::verify(honest).passed());
    std::size_t checked = 0;
    for_each_forgery(honest, [&](const std::string& field, const FieldFacts& facts,
                                 const model::Record& record) {
        const FieldFacts& holder = facts_of(field.substr(0, field.find('.')));
        if (facts.proof != model::Proof::always || holder.proof != model::Proof::always) return;
        ++checked;
        EXPECT_FALSE(verify::verify(record).passed()) << field;
    });
    EXPECT_GE(checked, 10U);
}

TEST(RecordFields, ThatAReplayMustGetAgainAreNoticedIfTheyAreForged) {
    const model::Record honest = honest_record();
    ASSERT_TRUE(replay(honest).same);
    std::size_t compared = 0;
    for_each_forgery(honest, [&](const std::string& field, const FieldFacts& facts,
                                 const model::Record& record) {
        if (facts.replayed == model::Replayed::no) return;
        ++compared;
        const auto same = [&] {
            try {
                return replay(record).same;
            } catch (const InputError&) {
                return false;  // nothing to replay
            }
        };
        EXPECT_FALSE(same()) << field;
    });
    EXPECT_GE(compared, 30U);
}

}  // namespace
}  // namespace equipoise::catalogue
