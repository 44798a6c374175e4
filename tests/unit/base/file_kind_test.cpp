#include "equipoise/base/file_kind.hpp"

#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/line_source.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise {
namespace {

using std::string_literals::operator""s;

std::string refusal_of(const std::string& bytes) {
    return test::thrown_by([&] {
        std::istringstream stream(bytes);
        LineSource source(stream, "f");
        std::string_view line;
        static_cast<void>(source.next(line));
    });
}

TEST(FileKind, CompressedFilesAndArchivesAreNamed) {
    const auto expect = [](const std::string& bytes, const std::string& words) {
        const std::string message = refusal_of(bytes);
        EXPECT_TRUE(message.starts_with("input: f: expected text, found " + words)) << message;
    };
    expect("\x1f\x8b\x08\x08\x01\x02", "a file compressed by gzip (decompress it first: gzip -d)");
    expect("BZh91AY&SY\xff", "a file compressed by bzip2");
    expect("\xfd\x37zXZ\0\0"s, "a file compressed by xz");
    expect("\x28\xb5\x2f\xfd\x24", "a file compressed by zstd");
    expect("PK\x03\x04\x14", "a ZIP archive");
    expect("\xff\xfe\x31\0\x20\0"s, "text in UTF-16");
    expect("version https://git-lfs.github.com/spec/v1\noid sha256:1\n", "a pointer of Git LFS");
    // Whatever the first block holds besides, and however short it is.
    expect("\x1f\x8b", "a file compressed by gzip");
}

TEST(FileKind, TextsThatBeginAlikeAreTexts) {
    for (const std::string& text :
         {"BZh a"s, "BZ"s, "BZh"s, "BZh9"s, "BZh91"s, "PK x"s, "PK"s, "PAR1 LYO2"s, "version 2"s,
          "LZIP a"s, "7z b"s, "%PDF x"s, "%"s, ""s})
        EXPECT_FALSE(kind_other_than_text(text)) << text;
}

std::vector<std::string> all_lines(const std::string& text, bool* windows_1252 = nullptr) {
    std::istringstream stream(text);
    LineSource source(stream, "f");
    std::vector<std::string> lines;
    for (std::string_view line; source.next(line);)
        lines.emplace_back(line);
    if (windows_1252 != nullptr) *windows_1252 = source.windows_1252();
    return lines;
}

TEST(Encoding, LinesThatAreNotUtf8AreTakenForWindows1252) {
    using Lines = std::vector<std::string>;
    bool converted = false;
    EXPECT_EQ(all_lines("S\xe3o Paulo\nK\xf6ln\r\n\x80\n", &converted),
              (Lines{"São Paulo", "Köln", "€"}));
    EXPECT_TRUE(converted);
    EXPECT_EQ(all_lines("São\nplain\n", &converted), (Lines{"São", "plain"}));
    EXPECT_FALSE(converted);
    EXPECT_EQ(all_lines("plain\n", &converted), Lines{"plain"});
    EXPECT_FALSE(converted);
}

TEST(Encoding, IsFoundOutInEveryBlockOfALongText) {
    std::string text;
    constexpr int lines = 300'000;
    for (int line = 0; line < lines; ++line)
        text += line % 1000 == 999 ? "\xe4 \xf6\n" : "1 2\n";
    const std::vector<std::string> read = all_lines(text);
    ASSERT_EQ(read.size(), static_cast<std::size_t>(lines));
    for (int line = 0; line < lines; ++line)
        ASSERT_EQ(read[static_cast<std::size_t>(line)], line % 1000 == 999 ? "ä ö" : "1 2") << line;
}

TEST(Encoding, WhatATextBeginsWithCanBeSeenBeforeItIsRead) {
    std::istringstream stream("\xEF\xBB\xBFone\ntwo\n");
    LineSource source(stream, "f");
    EXPECT_EQ(source.beginning(), "one\ntwo\n");
    EXPECT_EQ(source.beginning(), "one\ntwo\n");
    std::string_view line;
    EXPECT_TRUE(source.next(line));
    EXPECT_EQ(line, "one");
    std::istringstream nothing;
    EXPECT_EQ(LineSource(nothing, "f").beginning(), "");
}

}  // namespace
}  // namespace equipoise
