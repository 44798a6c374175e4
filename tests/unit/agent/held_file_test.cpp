#include "equipoise/agent/held_file.hpp"

#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "equipoise/base/error.hpp"

namespace equipoise::agent {
namespace {

TEST(HeldFile, IsReadAsItWasWritten) {
    const std::string path =
        (std::filesystem::temp_directory_path() / ("held_" + std::to_string(::getpid()))).string();
    EXPECT_TRUE(read_held_jobs(path).jobs.empty());  // there is none yet
    const HeldJobs held{
        .stream = "JOBS",
        .made = 1'700'000'000'000'000'000,
        .server = "NDXK",
        .extended = {.boot = "0c5d", .nanoseconds = 12'345'678'901'234},
        .jobs = {{.sequence = 1, .reply = "$JS.ACK.JOBS.W.1.1.1.5.0", .to = "denver"},
                 {.sequence = ~std::uint64_t{0}, .reply = "r", .to = ""}}};
    write_held_jobs(path, held);
    const HeldJobs read = read_held_jobs(path);
    EXPECT_EQ(read.stream, held.stream);
    EXPECT_EQ(read.made, held.made);
    EXPECT_EQ(read.server, held.server);
    EXPECT_EQ(read.extended, held.extended);
    EXPECT_EQ(read.jobs, held.jobs);
    std::ofstream(path) << "{\"version\": 1, \"stream\": \"S\", \"made\": 1, \"boot\": \"\", "
                           "\"extended\": 1, \"jobs\": [[1, 2]]}";
    EXPECT_THROW(static_cast<void>(read_held_jobs(path)), InputError);
    std::ofstream(path) << "{\"version\": 1, \"stream\": \"S\", \"made\": 1, \"boot\": \"\", "
                           "\"extended\": 1, \"jobs\": []}";  // of an agent that names no server
    EXPECT_EQ(read_held_jobs(path).server, "");
    std::ofstream(path) << "half a fi";
    EXPECT_THROW(static_cast<void>(read_held_jobs(path)), InputError);
    std::filesystem::remove(path);
}

}  // namespace
}  // namespace equipoise::agent
