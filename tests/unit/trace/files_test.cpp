#include "equipoise/trace/files.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/thrown.hpp"

namespace equipoise::trace {
namespace {

TEST(TraceFiles, HaveTheirRankBeforeJson) {
    EXPECT_EQ(12, named_file("a/data.12.json").rank);
    EXPECT_EQ(7, named_file("run3-007.json.br").rank);
    EXPECT_EQ("data.12.json", named_file("a/data.12.json").name);
    for (const char* name : {"data.json", "12.txt", "data.12.json.gz", "12/data.json", ""})
        EXPECT_FALSE(named_file(name).rank.has_value()) << name;
    EXPECT_EQ(
        "input: data.99999999999999999999.json: expected a rank of at most 1073741824 before "
        ".json",
        test::thrown_by([] { static_cast<void>(named_file("data.99999999999999999999.json")); }));
}

TEST(TraceFiles, OfAFolderAreInTheOrderOfRanks) {
    const std::filesystem::path folder = testing::TempDir() + "trace_files";
    std::filesystem::remove_all(folder);
    std::filesystem::create_directories(folder / "sub.1.json");
    EXPECT_EQ("input: " + folder.string() +
                  ": expected files named with their rank, such as data.0.json or data.0.json.br, "
                  "found none",
              test::thrown_by([&] {
                  std::filesystem::remove(folder / "sub.1.json");
                  static_cast<void>(files_of_trace({folder.string()}));
              }));
    for (const char* name : {"d.10.json", "d.2.json.br", "notes.txt", "config.json"})
        std::ofstream(folder / name) << "x";
    std::vector<std::string> names;
    for (const NamedFile& file : files_of_trace({folder.string()}))
        names.push_back(file.name);
    EXPECT_EQ((std::vector<std::string>{"d.2.json.br", "d.10.json"}), names);
    std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace equipoise::trace
