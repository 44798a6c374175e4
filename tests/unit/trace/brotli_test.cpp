#include "equipoise/trace/brotli.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "tests/support/thrown.hpp"

namespace equipoise::trace {
namespace {

/// Decompressed in blocks of `block` bytes.
std::string decompressed(std::string_view bytes, std::size_t block = std::size_t{1} << 16U) {
    const std::string name = "x";
    Decompressor decompressor(name);
    std::string added;
    for (std::size_t at = 0; at < bytes.size(); at += block)
        added += decompressor.follow(bytes.substr(at, block));
    std::string text = std::move(decompressor).text();
    EXPECT_EQ(text, added);
    return text;
}

TEST(Brotli, GivesBackWhatWasCompressed) {
    if (!has_brotli()) GTEST_SKIP() << "built without brotli";
    for (const std::string& text :
         {std::string(), std::string("{}"), std::string(3'000'000, ' '), std::string("\0\xff{", 3)})
        for (const std::size_t block : {1U, 7U, 65536U})
            EXPECT_EQ(text, decompressed(compressed(text, "x"), block));
}

TEST(Brotli, RefusesDamagedBytes) {
    if (!has_brotli()) GTEST_SKIP() << "built without brotli";
    const auto complaint = [](const std::string& bytes) {
        return test::thrown_by([&] { static_cast<void>(decompressed(bytes)); });
    };
    const std::string bytes = compressed(R"({"phases": [], "type": "LBDatafile"})", "x");
    for (std::size_t size = 0; size < bytes.size(); ++size)
        EXPECT_EQ("input: x: expected more compressed bytes, found the end of the file",
                  complaint(bytes.substr(0, size)))
            << size;
    EXPECT_EQ("input: x: expected nothing after the compressed trace, found more",
              complaint(bytes + "ab"));
    EXPECT_EQ("input: x: expected bytes that brotli compressed, found others",
              complaint("{\"phases\": []}"));
}

TEST(Brotli, IsKnownByItsFirstBytes) {
    if (!has_brotli()) GTEST_SKIP() << "built without brotli";
    const std::string text = R"({"phases": [], "type": "LBDatafile"})";
    for (const std::string& object : {text, " \n" + text, "\xEF\xBB\xBF" + text}) {
        EXPECT_TRUE(begins_an_object(object));
        const std::string bytes = compressed(object, "x");
        EXPECT_TRUE(may_be_compressed_object(bytes));
        EXPECT_TRUE(may_be_compressed_object(bytes.substr(0, 1)));  // it may still become one
        EXPECT_FALSE(begins_an_object(bytes));
    }
    for (const std::string& other :
         {text, std::string("[1, 2]"), std::string("nonsense and more of it"),
          std::string(100'000, '\0'), compressed("[]", "x")})
        EXPECT_FALSE(may_be_compressed_object(other)) << other.substr(0, 20);
    EXPECT_TRUE(
        may_be_compressed_object(compressed('{' + std::string(std::size_t{100} << 20U, ' '), "x")));
}

TEST(Brotli, TakesNoMemoryForBombs) {
    if (!has_brotli()) GTEST_SKIP() << "built without brotli";
    const std::string bomb = compressed(std::string(std::size_t{100} << 20U, ' '), "x");
    ASSERT_LT(bomb.size(), 10'000U);
    EXPECT_EQ("input: x: expected a trace of at most 67108864 bytes, found more once decompressed",
              test::thrown_by([&] { static_cast<void>(decompressed(bomb)); }));
}

TEST(Brotli, SaysSoWhereItIsNotBuiltIn) {
    if (has_brotli()) GTEST_SKIP() << "built with brotli";
    EXPECT_EQ(
        "unsuitable: x: this program was built without brotli; decompress the trace first "
        "(brotli -d), or build with libbrotli-dev",
        test::thrown_by([] { static_cast<void>(decompressed("")); }));
}

}  // namespace
}  // namespace equipoise::trace
