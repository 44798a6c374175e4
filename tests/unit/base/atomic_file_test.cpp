#include "equipoise/base/atomic_file.hpp"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/resource.h>

#include "equipoise/base/error.hpp"
#include "tests/support/contents.hpp"

namespace equipoise {
namespace {

using test::contents;

namespace fs = std::filesystem;

class AtomicFileTest : public testing::Test {
  protected:
    void SetUp() override {
        const auto* test = testing::UnitTest::GetInstance()->current_test_info();
        folder_ = fs::path(testing::TempDir()) / (std::string("atomic_file_") + test->name());
        fs::remove_all(folder_);
        fs::create_directories(folder_);
    }
    void TearDown() override { fs::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
    [[nodiscard]] std::ptrdiff_t files() const {
        return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    }

    fs::path folder_;
};

TEST_F(AtomicFileTest, TheOldContentsStandUntilTheCommit) {
    write_file(path("a"), "old");
    AtomicFile file(path("a"));
    file.write("new ");
    file.write("words");
    EXPECT_EQ(contents(path("a")), "old");
    file.commit();
    EXPECT_EQ(contents(path("a")), "new words");
    EXPECT_EQ(files(), 1);
}

TEST_F(AtomicFileTest, WithoutACommitNothingIsLeftBehind) {
    {
        AtomicFile file(path("a"));
        file.write("half");
        EXPECT_LE(files(), 1);
    }
    EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, ASignalHandlerLeavesNothingBehind) {
    AtomicFile file(path("a"));
    file.write("half");
    remove_unfinished_files();
    EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, AFileBeyondTheLimitForSizesIsAnErrorAndLeavesNothingBehind) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
    auto* const handler = std::signal(SIGXFSZ, SIG_IGN);
    rlimit small = before;
    small.rlim_cur = 1000;
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
    EXPECT_THROW(write_file(path("a"), std::string(100'000, 'x')), InputError);
    ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
    static_cast<void>(std::signal(SIGXFSZ, handler));
    EXPECT_EQ(files(), 0);
}

TEST_F(AtomicFileTest, ManyFilesAtATimeAreAllWritten) {
    std::vector<std::unique_ptr<AtomicFile>> all;
    for (int i = 0; i < 100; ++i) {
        all.push_back(std::make_unique<AtomicFile>(path(std::to_string(i))));
        all.back()->write("words");
    }
    for (const auto& file : all)
        file->commit();
    EXPECT_EQ(files(), 100);
    EXPECT_EQ(contents(path("99")), "words");
}

TEST_F(AtomicFileTest, SeveralFilesAreAllWrittenOrNone) {
    write_files({{path("a"), "one"}, {path("b"), "two"}});
    EXPECT_EQ(contents(path("a")) + ' ' + contents(path("b")), "one two");
    fs::create_directory(path("d"));
    EXPECT_THROW(write_files({{path("a"), "other"}, {path("c"), "three"}, {path("d"), "four"}}),
                 InputError);
    EXPECT_EQ(contents(path("a")), "one");
    EXPECT_EQ(files(), 3);  // a, b and the folder d
}

TEST_F(AtomicFileTest, SeveralFilesMayBeMoreThanAProcessMayHaveOpen) {
    rlimit before{};
    ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
    rlimit few = before;
    few.rlim_cur = 50;
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &few), 0);
    std::vector<NamedText> many;
    for (int i = 0; i < 1500; ++i)
        many.emplace_back(path(std::to_string(i)), "words");
    EXPECT_NO_THROW(write_files(many));
    ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &before), 0);
    EXPECT_EQ(files(), 1500);
    EXPECT_EQ(contents(path("1499")), "words");
}

TEST_F(AtomicFileTest, WhatTellsOfTheOthersIsAbsentWhileTheyChange) {
    write_file(path("a"), "old");
    fs::create_symlink("a", path("link"));
    AtomicFile file(path("link"));
    file.write("new");
    file.finish();
    EXPECT_EQ(contents(path("a")), "old");
    file.withdraw();
    EXPECT_FALSE(fs::exists(path("a")));
    file.commit();
    EXPECT_EQ(contents(path("a")), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(files(), 2);
}

TEST_F(AtomicFileTest, ALinkIsFollowedAndPermissionsAreKept) {
    write_file(path("real"), "old");
    fs::permissions(path("real"), fs::perms::owner_read | fs::perms::owner_write);
    fs::create_symlink(path("real"), path("link"));
    write_file(path("link"), "new");
    EXPECT_TRUE(fs::is_symlink(path("link")));
    EXPECT_EQ(contents(path("real")), "new");
    EXPECT_EQ(fs::status(path("real")).permissions(),
              fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFileTest, AMissingFolderAndAFolderAreNamedInTheError) {
    for (const std::string& bad : {path("missing/a"), folder_.string()}) {
        try {
            AtomicFile file(bad);
            FAIL() << "expected an error for " << bad;
        } catch (const InputError& error) {
            EXPECT_NE(std::string(error.what()).find(bad + ": cannot be written"),
                      std::string::npos)
                << error.what();
        }
    }
}

TEST_F(AtomicFileTest, AFullDeviceIsAnError) {
    if (!fs::exists("/dev/full")) GTEST_SKIP() << "/dev/full is absent";
    EXPECT_THROW(write_file("/dev/full", "words"), InputError);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

TEST_F(AtomicFileTest, AFileIsTheSameUnderEveryName) {
    write_file(path("one"), "words");
    write_file(path("other"), "words");
    fs::create_hard_link(path("one"), path("hard"));
    fs::create_symlink(path("one"), path("soft"));
    EXPECT_TRUE(is_same_file(path("one"), path("hard")));
    EXPECT_TRUE(is_same_file(path("one"), path("soft")));
    EXPECT_FALSE(is_same_file(path("one"), path("other")));
    EXPECT_TRUE(is_same_file(path("absent"), path("folder/../absent")));
    EXPECT_FALSE(is_same_file(path("absent"), path("one")));
}

}  // namespace
}  // namespace equipoise
