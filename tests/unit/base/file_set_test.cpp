#include "equipoise/base/file_set.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/atomic_file.hpp"

namespace equipoise {
namespace {

namespace fs = std::filesystem;

class FileSetTest : public testing::Test {
  protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::path(testing::TempDir()) / (std::string("file_set_") + test->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_ / "sub");
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
    [[nodiscard]] FileSet file(const std::string& name) const {
        FileSet set;
        set.add(path(name));
        return set;
    }
    [[nodiscard]] FileSet numbered(const std::string& stem) const {
        FileSet set;
        set.add_numbered(path(stem), ".json");
        return set;
    }

  private:
    fs::path folder_;
};

TEST_F(FileSetTest, AFileIsTheSameUnderEveryName) {
    write_file(path("one"), "words");
    fs::create_symlink(path("one"), path("soft"));
    EXPECT_EQ(file("soft").common(file("one")), path("soft"));
    EXPECT_EQ(file("sub/../absent").common(file("absent")), path("sub/../absent"));
    EXPECT_EQ(file("one").common(file("absent")), std::nullopt);
}

TEST_F(FileSetTest, NumberedFilesBelongToItWhateverTheirNumber) {
    EXPECT_EQ(file("p-0.json").common(numbered("p")), path("p-0.json"));
    EXPECT_EQ(numbered("sub/../p").common(file("p-17.json")), path("p-17.json"));
    for (const char* const other : {"p.json", "p-.json", "p-01.json", "p-x.json", "p-0.csv",
                                    "q-0.json", "sub/p-0.json", "p-1-0.json"})
        EXPECT_EQ(file(other).common(numbered("p")), std::nullopt) << other;
}

TEST_F(FileSetTest, NumberedFilesMeetWhereTheirStemsAreTheSame) {
    EXPECT_EQ(numbered("sub/../p").common(numbered("p")), path("sub/../p-0.json"));
    EXPECT_EQ(numbered("p").common(numbered("p-1")), std::nullopt);
}

TEST_F(FileSetTest, ANumberedFileMayBeALink) {
    write_file(path("now.json"), "{}");
    fs::create_symlink(path("now.json"), path("p-3.json"));
    EXPECT_EQ(numbered("p").common(file("now.json")), path("p-3.json"));
    fs::create_directory_symlink(path("sub"), path("other"));
    EXPECT_EQ(numbered("other/p").common(file("sub/p-0.json")), path("sub/p-0.json"));
}

TEST_F(FileSetTest, WhatIsNoRegularFileBelongsToNoSet) {
    FileSet null;
    null.add("/dev/null");
    EXPECT_EQ(null.common(null), std::nullopt);
}

}  // namespace
}  // namespace equipoise
