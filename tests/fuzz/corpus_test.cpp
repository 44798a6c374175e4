#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "tests/fuzz/targets.hpp"

namespace equipoise::fuzz {
namespace {

// The corpora hold what the fuzzers started with and every input that once made a reader fail.

TEST(FuzzCorpus, EveryInputIsReadOrRefusedWithAnInputError) {
    const std::filesystem::path root = EQUIPOISE_SOURCE_DIR "/tests/fuzz/corpus";
    for (const auto& [name, feed] : targets()) {
        std::size_t inputs = 0;
        for (const auto& entry : std::filesystem::directory_iterator(root / name)) {
            SCOPED_TRACE(entry.path().string());
            std::ifstream stream(entry.path(), std::ios::binary);
            const std::string text{std::istreambuf_iterator<char>(stream), {}};
            EXPECT_NO_THROW(feed(text));
            ++inputs;
        }
        EXPECT_GT(inputs, 0U) << name << " has no corpus";
    }
}

TEST(FuzzCorpus, EveryPrefixOfEveryInputIsReadOrRefusedWithAnInputError) {
    const std::filesystem::path root = EQUIPOISE_SOURCE_DIR "/tests/fuzz/corpus";
    constexpr std::size_t prefix_max = 600;
    for (const auto& [name, feed] : targets()) {
        for (const auto& entry : std::filesystem::directory_iterator(root / name)) {
            SCOPED_TRACE(entry.path().string());
            std::ifstream stream(entry.path(), std::ios::binary);
            const std::string text{std::istreambuf_iterator<char>(stream), {}};
            for (std::size_t size = 0; size < std::min(prefix_max, text.size()); ++size)
                EXPECT_NO_THROW(feed(std::string_view(text).substr(0, size)));
        }
    }
}

}  // namespace
}  // namespace equipoise::fuzz
