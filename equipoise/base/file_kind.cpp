#include "equipoise/base/file_kind.hpp"

#include <array>

namespace equipoise {

namespace {

using std::string_view_literals::operator""sv;

struct Kind {
    std::string_view first_bytes;
    std::string_view words;
};

constexpr std::array<Kind, 19> kinds = {{
    {"\x1f\x8b"sv, "a file compressed by gzip (decompress it first: gzip -d)"},
    {"\x1f\x9d"sv, "a file compressed by compress (decompress it first: gzip -d)"},
    {"\xfd\x37zXZ\x00"sv, "a file compressed by xz (decompress it first: xz -d)"},
    {"\x28\xb5\x2f\xfd"sv, "a file compressed by zstd (decompress it first: zstd -d)"},
    {"\x04\x22\x4d\x18"sv, "a file compressed by lz4 (decompress it first: lz4 -d)"},
    {"LZIP\x01"sv, "a file compressed by lzip (decompress it first: lzip -d)"},
    {"PK\x03\x04"sv, "a ZIP archive, perhaps a workbook (unpack it, or export it as CSV)"},
    {"PK\x05\x06"sv, "an empty ZIP archive"},
    {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive (unpack it first)"},
    {"Rar!\x1a\x07"sv, "a RAR archive (unpack it first)"},
    {"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"sv, "a workbook or document (export it as CSV)"},
    {"\x89HDF\r\n\x1a\n"sv, "an HDF5 file (export it as text)"},
    {"PAR1\x15"sv, "a Parquet file (export it as CSV)"},
    {"SQLite format 3\x00"sv, "an SQLite database (export it as CSV)"},
    {"\x89PNG\r\n\x1a\n"sv, "a picture (PNG)"},
    {"%PDF-"sv, "a PDF document"},
    {"\xff\xfe"sv, "text in UTF-16 (save it in UTF-8)"},
    {"\xfe\xff"sv, "text in UTF-16 (save it in UTF-8)"},
    {"version https://git-lfs.github.com/spec/"sv,
     "a pointer of Git LFS (git lfs pull gets the file)"},
}};

}  // namespace

std::optional<std::string_view> kind_other_than_text(std::string_view beginning) {
    // Then one digit, the level.
    constexpr std::string_view bzip2 = "BZh";
    constexpr std::string_view bzip2_after_level = "1AY&SY";
    if (beginning.starts_with(bzip2) && beginning.size() > bzip2.size() &&
        beginning.substr(bzip2.size() + 1).starts_with(bzip2_after_level))
        return "a file compressed by bzip2 (decompress it first: bzip2 -d)";
    for (const Kind& kind : kinds)
        if (beginning.starts_with(kind.first_bytes)) return kind.words;
    return std::nullopt;
}

}  // namespace equipoise
