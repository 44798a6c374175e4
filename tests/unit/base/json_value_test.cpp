#include "equipoise/base/json_value.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"

namespace {

using namespace equipoise;

/// What `read` makes of a text.
template <class Read>
auto read(const std::string& text, const Read& read) {
    const std::string name = "a.json";
    nlohmann::json document = parse_json(text, name);
    return read(JsonValue(document, name));
}

/// What is said of a text when it is read so.
std::string complaint(const std::string& text,
                      const std::function<void(const JsonValue&)>& reader) {
    try {
        read(text, [&](const JsonValue& top) { reader(top); });
    } catch (const InputError& error) {
        return error.what();
    }
    return "nothing";
}

TEST(JsonValue, IsReadAsWhatItIs) {
    const std::string text =
        R"({"a": [-3, 4], "b": {"k": "v"}, "c": true, "d": 1.5, "e": "00000000000000ff"})";
    read(text, [](const JsonValue& top) {
        top.expect_keys({"a", "b", "c", "d", "e"});
        EXPECT_EQ(top.at("a").numbers<int>(), (std::vector<int>{-3, 4}));
        EXPECT_EQ(top.at("b").texts_by_key().at("k"), "v");
        EXPECT_TRUE(top.at("c").truth());
        EXPECT_EQ(top.at("d").real(), 1.5);
        EXPECT_EQ(top.at("e").digest(), 255U);
        EXPECT_FALSE(top.find("f"));
        EXPECT_FALSE(top.has("f"));
    });
    read("[[1, -2], [3, 4]]", [](const JsonValue& top) {
        std::uint8_t first = 0;
        std::int64_t second = 0;
        ASSERT_EQ(top.size(), 2U);
        top.tuple(0, "[first, second]", first, second);
        EXPECT_EQ(first, 1U);
        EXPECT_EQ(second, -2);
    });
}

TEST(JsonValue, SaysWhereItStandsWhatWasExpectedAndWhatWasFound) {
    const std::string text = R"({"loads": [{"value": 1}, {"value": "many"}]})";
    EXPECT_EQ(complaint(text,
                        [](const JsonValue& top) {
                            top.at("loads").for_each([](const JsonValue& load) {
                                static_cast<void>(load.at("value").whole<int>(0, 9));
                            });
                        }),
              R"(a.json: loads[1].value: expected a whole number from 0 to 9, found "many")");
    EXPECT_EQ(complaint(text, [](const JsonValue& top) { static_cast<void>(top.at("load")); }),
              R"(a.json: expected the key "load", found none)");
    EXPECT_EQ(complaint(text, [](const JsonValue& top) { top.expect_keys({"load"}); }),
              R"(a.json: unknown key "loads": did you mean "load"?)");
    EXPECT_EQ(complaint("[3]", [](const JsonValue& top) { static_cast<void>(top.at("k")); }),
              "a.json: expected an object, found [3]");
    EXPECT_EQ(complaint(R"([{"k\u001b": [1]}])",
                        [](const JsonValue& top) {
                            static_cast<void>(top.at(std::size_t{0}).texts_by_key());
                        }),
              R"(a.json: [0].k\u001b: expected a text, found [1])");
    EXPECT_EQ(complaint("[[1, 2], [1]]",
                        [](const JsonValue& top) {
                            int number = 0;
                            top.tuple(1, "[tail, head]", number, number);
                        }),
              "a.json: [1]: expected [tail, head], found [1]");
    EXPECT_EQ(complaint("[[1, 256]]",
                        [](const JsonValue& top) {
                            std::uint8_t number = 0;
                            top.tuple(0, "[tail, head]", number, number);
                        }),
              "a.json: [0][1]: expected a whole number from 0 to 255, found 256");
}

TEST(JsonValue, NamesTheBoundsOf64BitsOnlyWhereTheyMatter) {
    const auto of = [](const std::string& text) {
        return complaint(text, [](const JsonValue& top) {
            static_cast<void>(top.at(std::size_t{0}).whole<std::uint64_t>());
        });
    };
    EXPECT_EQ(of("[18446744073709551615]"), "nothing");
    EXPECT_EQ(of("[-1]"), "a.json: [0]: expected a whole number, 0 or more, found -1");
    EXPECT_EQ(of("[1.0]"), "a.json: [0]: expected a whole number, 0 or more, found 1.0");
    EXPECT_EQ(of("[18446744073709551616]"),
              "a.json: [0]: expected a whole number from 0 to 18446744073709551615, found "
              "1.8446744073709552e+19");
    const auto of_signed = [](const std::string& text) {
        return complaint(text, [](const JsonValue& top) {
            static_cast<void>(top.at(std::size_t{0}).whole<std::int64_t>());
        });
    };
    EXPECT_EQ(of_signed("[-9223372036854775808]"), "nothing");
    EXPECT_EQ(of_signed("[null]"), "a.json: [0]: expected a whole number, found null");
    EXPECT_EQ(of_signed("[9223372036854775808]"),
              "a.json: [0]: expected a whole number from -9223372036854775808 to "
              "9223372036854775807, found 9223372036854775808");
}

TEST(JsonValue, OfADigestHasSixteenDigits) {
    for (const std::string digits : {"0", "00000000000000fg", "00000000000000fff", ""})
        EXPECT_EQ(complaint("[\"" + digits + "\"]",
                            [](const JsonValue& top) {
                                static_cast<void>(top.at(std::size_t{0}).digest());
                            }),
                  "a.json: [0]: expected 16 hexadecimal digits, found \"" + digits + '"');
}

}  // namespace
