#include "equipoise/base/line_source.hpp"

#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise {
namespace {

std::vector<std::string> lines_of(LineSource& source) {
    std::vector<std::string> lines;
    std::string_view line;
    while (source.next(line))
        lines.emplace_back(line);
    return lines;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    LineSource source(stream, "text");
    return lines_of(source);
}

TEST(LineSource, EndsOfLinesAreLineFeedsWithOrWithoutCarriageReturns) {
    using Lines = std::vector<std::string>;
    EXPECT_EQ(lines_of(""), Lines{});
    EXPECT_EQ(lines_of("a"), Lines{"a"});
    EXPECT_EQ(lines_of("a\n"), Lines{"a"});
    EXPECT_EQ(lines_of("a\r\nb\r\n"), (Lines{"a", "b"}));
    EXPECT_EQ(lines_of("\n\r\nb\r"), (Lines{"", "", "b"}));
    EXPECT_EQ(lines_of("\xEF\xBB\xBF"
                       "a\nb"),
              (Lines{"a", "b"}));
}

TEST(LineSource, CarriageReturnsAloneEndLinesToo) {
    using Lines = std::vector<std::string>;
    EXPECT_EQ(lines_of("1 2\r2 3\r"), (Lines{"1 2", "2 3"}));
    EXPECT_EQ(lines_of("a\r\rb\r\nc\rd\n\re"), (Lines{"a", "", "b", "c", "d", "", "e"}));
    // Wherever a block ends: before, within and after a pair of returns.
    for (std::size_t length = 4090; length < 4100; ++length) {
        const std::string line(length, 'x');
        EXPECT_EQ(lines_of(line + "\rb\r\r\nc"), (Lines{line, "b", "", "c"})) << length;
        EXPECT_EQ(lines_of(line + "\r\nb\r"), (Lines{line, "b"})) << length;
    }
}

TEST(LineSource, LinesLongerThanBlocksAndAcrossBlocksArriveWhole) {
    std::vector<std::string> lines;
    std::string text;
    for (std::size_t i = 0; i < 40; ++i) {
        lines.emplace_back(i * 100'000, static_cast<char>('a' + i % 26));
        text += lines.back() + (i % 3 == 0 ? "\r\n" : "\n");
    }
    EXPECT_EQ(lines_of(text), lines);
}

TEST(LineSource, AFileCanBeReadTwiceAndCountsItsLines) {
    const std::string path = std::filesystem::path(testing::TempDir()) / "line_source_twice";
    write_file(path, "one\r\ntwo\r\nthree");
    LineSource source(path);
    EXPECT_EQ(source.size(), 15U);
    const auto first = lines_of(source);
    EXPECT_EQ(source.line_number(), 3U);
    ASSERT_TRUE(source.rewind());
    EXPECT_EQ(lines_of(source), first);
    EXPECT_EQ(source.line_number(), 3U);
    std::filesystem::remove(path);
}

TEST(LineSource, AMissingFileAndAFolderAreErrors) {
    EXPECT_THROW(LineSource("/nowhere/at/all"), InputError);
    EXPECT_THROW(LineSource("/"), InputError);
}

TEST(LineSource, RefusesOtherFilesAtTheirFirstZeroByte) {
    const auto message = [](LineSource&& source) -> std::string {
        try {
            lines_of(source);
        } catch (const InputError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(message(LineSource("/dev/zero")),
              "/dev/zero:1: expected text, found a byte of value 0");
    std::istringstream stream(std::string("a\nb\nc\0d\n", 8));
    EXPECT_EQ(message(LineSource(stream, "x")), "x:3: expected text, found a byte of value 0");
    std::istringstream returns(std::string("a\rb\rc\0d\r", 8));
    EXPECT_EQ(message(LineSource(returns, "x")), "x:3: expected text, found a byte of value 0");
}

TEST(Words, AreTakenFromTheFront) {
    std::string_view rest = " \tone  two\t";
    EXPECT_EQ(take_word(rest), "one");
    EXPECT_EQ(take_word(rest), "two");
    EXPECT_EQ(take_word(rest), "");
}

TEST(Numbers, AreTakenWholeOrNotAtAll) {
    EXPECT_EQ(whole_number("18446744073709551615"), UINT64_MAX);
    for (const char* bad : {"18446744073709551616", "", "-1", "+1", "1 ", " 1", "1x", "0x1"})
        EXPECT_EQ(whole_number(bad), std::nullopt) << bad;
    EXPECT_EQ(whole_number("8", 7), std::nullopt);
    EXPECT_TRUE(is_canonical_number("0"));
    EXPECT_FALSE(is_canonical_number("00"));
    EXPECT_EQ(real_number("-1.5e2"), -150.0);
    for (const char* bad : {"nan", "inf", "1e999", "", "1,5"})
        EXPECT_EQ(real_number(bad), std::nullopt) << bad;
}

}  // namespace
}  // namespace equipoise
