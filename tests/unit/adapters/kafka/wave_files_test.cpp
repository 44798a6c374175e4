// Files of waves: their names, what is written to them and read from them.

#include "equipoise/adapters/kafka/wave_files.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::kafka {
namespace {

/// A folder with files, which goes with the test.
class WaveFilesTest : public testing::Test {
  protected:
    void SetUp() override {
        folder_ = std::filesystem::temp_directory_path() /
                  ("equipoise-wave-files-" + std::to_string(getpid()));
        std::filesystem::create_directories(folder_);
    }
    void TearDown() override { std::filesystem::remove_all(folder_); }

    [[nodiscard]] std::string path(const std::string& name) const { return folder_ / name; }
    void make(const std::string& name) const { std::ofstream(path(name)) << "{}\n"; }
    [[nodiscard]] std::vector<std::string> paths(const std::vector<std::string>& names) const {
        std::vector<std::string> all;
        all.reserve(names.size());
        for (const std::string& name : names)
            all.push_back(path(name));
        return all;
    }

  private:
    std::filesystem::path folder_;
};

TEST_F(WaveFilesTest, FollowTheNumbersOfTheirNames) {
    for (const char* const name : {"p-0.json", "p-1.json", "p-2.json", "p-4.json", "day-7.json"})
        make(name);
    EXPECT_EQ(wave_files_from(path("p-0.json")).paths, paths({"p-0.json", "p-1.json", "p-2.json"}));
    EXPECT_EQ(wave_files_from(path("p-0.json")).words(), path("p-0.json") + " to p-2.json");
    EXPECT_EQ(wave_files_from(path("p.json")).paths, paths({"p-0.json", "p-1.json", "p-2.json"}));
    EXPECT_EQ(wave_files_from(path("p-2.json")).paths, paths({"p-2.json"}));
    EXPECT_EQ(wave_files_from(path("p-2.json")).first, 2U);
    EXPECT_EQ(wave_files_up_to(path("p-1.json")).paths, paths({"p-0.json", "p-1.json"}));
    EXPECT_EQ(wave_files_up_to(path("p-1.json")).first, 0U);
    EXPECT_EQ(wave_files_up_to(path("p.json")).paths, paths({"p-0.json", "p-1.json", "p-2.json"}));
    // Numbers that are none of waves.
    EXPECT_EQ(wave_files_up_to(path("day-7.json")).paths, paths({"day-7.json"}));
    EXPECT_EQ(wave_files_from(path("p-01.json")).paths, paths({"p-01.json"}));
    EXPECT_EQ(wave_files_from(path("moves-0.csv")).paths, paths({"moves-0.csv"}));
    EXPECT_EQ(wave_files_from(path("none.json")).paths, paths({"none.json"}));
    make("p.json");
    EXPECT_EQ(wave_files_from(path("p.json")).paths, paths({"p.json"}));
    try {
        static_cast<void>(wave_files_up_to(path("p-4.json")));
        ADD_FAILURE();
    } catch (const InputError& error) {
        EXPECT_EQ(error.what(), path("p-4.json") +
                                    ": expected the files of all earlier waves, found no " +
                                    path("p-3.json"));
    }
}

TEST_F(WaveFilesTest, ThatHaveNoFirstOneAreRefusedUnlessOneStandsAlone) {
    for (const char* const name : {"p-1.json", "p-2.json"})
        make(name);
    for (const char* const name : {"p-1.json", "p-2.json"}) {
        try {
            static_cast<void>(wave_files_up_to(path(name)));
            ADD_FAILURE() << name;
        } catch (const InputError& error) {
            EXPECT_EQ(error.what(), path(name) +
                                        ": expected the files of all earlier waves, found no " +
                                        path("p-0.json"));
        }
    }
}

/// Two partitions on the brokers 1, 2 and 3, whose directories are known in part.
Cluster two_partitions() {
    Cluster cluster;
    for (const char* const broker : {"1", "2", "3", "4"})
        static_cast<void>(cluster.brokers.number_of(broker));
    cluster.partitions.push_back({"a-b", 0, {{0, "/x", 7, false}, {1, "/y", 7, false}}, {}, {}});
    cluster.partitions.push_back({"c", 12, {{1, "", 5, false}, {2, "", 5, false}}, {}, {}});
    return cluster;
}

TEST(WaveDocuments, KeepTheDirectoriesOfReplicasThatStay) {
    const Cluster cluster = two_partitions();
    LogDirs log_dirs(cluster);
    // 2 leaves the first partition and comes back: it may then be in any directory.
    const std::vector<std::string> documents =
        wave_documents({{{0, {0, 2}}, {1, {3, 2}}}, {{0, {1, 0}}}}, items_of(cluster), log_dirs);
    ASSERT_EQ(documents.size(), 2U);
    std::string first = documents.front();
    std::erase_if(first, [](char each) { return each == ' ' || each == '\n'; });
    EXPECT_EQ(first, R"({"version":1,"partitions":[)"
                     R"({"topic":"a-b","partition":0,"replicas":[1,3],"log_dirs":["/x","any"]},)"
                     R"({"topic":"c","partition":12,"replicas":[4,3]}]})");
    EXPECT_NE(documents.back().find("\"any\",\n        \"/x\""), std::string::npos)
        << documents.back();
}

TEST(WaveDocuments, NeedNumbersAsNames) {
    Cluster cluster;
    static_cast<void>(cluster.brokers.number_of("one"));
    cluster.partitions.push_back({"t", 0, {{0, "", {}, false}}, {}, {}});
    LogDirs log_dirs;
    EXPECT_THROW(static_cast<void>(wave_documents({{{0, {0}}}}, items_of(cluster), log_dirs)),
                 InputError);
}

TEST_F(WaveFilesTest, DoNotOverwriteWhatIsDoneNorLeaveWavesOfALongerPlan) {
    write_wave_files("--schedule", path("w.json"), {"{}", "{}"});
    EXPECT_EQ(wave_files_from(path("w.json")).paths, paths({"w-0.json", "w-1.json"}));
    EXPECT_THROW(write_wave_files("--schedule", path("w.json"), {"{}"}), InputError);
    FileSet done;
    add_files_up_to(done, path("w-1.json"));
    const auto meets = [&](const std::string& name) {
        FileSet written;
        add_files_of_waves(written, path(name));
        return written.common(done);
    };
    EXPECT_EQ(meets("w.json"), path("w-0.json"));
    EXPECT_EQ(meets("rest.json"), std::nullopt);
    EXPECT_EQ(meets("w.csv"), std::nullopt);
    EXPECT_EQ(written_words("w.json", 2), "written to w-0.json to w-1.json");
    EXPECT_EQ(written_words("w.json", 0), "no file written: nothing has to move");
}

TEST_F(WaveFilesTest, AreWrittenAllOrNone) {
    std::filesystem::create_directory(path("w-1.json"));
    EXPECT_THROW(write_wave_files("--schedule", path("w.json"), {"{}", "{}"}), InputError);
    EXPECT_FALSE(std::filesystem::exists(path("w-0.json")));
}

}  // namespace
}  // namespace equipoise::kafka
