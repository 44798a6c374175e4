#include "equipoise/base/json_writer.hpp"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace {

using namespace equipoise;

TEST(JsonWriter, SetsObjectsAndListsOutAsAsked) {
    std::string text;
    JsonWriter out([&](std::string_view more) { text += more; }, 2);
    out.open_object();
    out.open_object("schema", json_one_line);
    out.member("name", "a \"name\"");
    out.member("version", 1);
    out.close();
    out.open_list("rows");
    out.tuple(1, 2);
    out.tuple(std::int64_t{-3}, true);
    out.close();
    out.open_list("wrapped", {.indented = false, .a_line = 2});
    for (int i = 0; i < 5; ++i)
        out.value(i);
    out.close();
    out.numbers("numbers", std::vector<std::uint8_t>{7, 255});
    out.open_list("none");
    out.close();
    out.member("nothing", std::optional<int>());
    out.member("half", 0.5);
    out.close();
    out.finish();
    EXPECT_EQ(text, R"({
  "schema": {"name": "a \"name\"", "version": 1},
  "rows": [
    [1,2],
    [-3,true]
  ],
  "wrapped": [0,1,
2,3,
4],
  "numbers": [7,255],
  "none": [],
  "nothing": null,
  "half": 0.5
}
)");
}

TEST(JsonWriter, PassesLongTextsOnInBlocks) {
    std::string text;
    std::size_t blocks = 0;
    JsonWriter out(
        [&](std::string_view more) {
            text += more;
            ++blocks;
        },
        1);
    const std::vector<std::uint64_t> numbers(100'000, std::numeric_limits<std::uint64_t>::max());
    out.open_object();
    out.numbers("numbers", numbers);
    out.close();
    out.finish();
    EXPECT_GT(blocks, 10U);
    EXPECT_EQ(nlohmann::json::parse(text)["numbers"].get<std::vector<std::uint64_t>>(), numbers);
}

}  // namespace
