// Checkpoints: what is written is read again, and nothing else is accepted.

#include "equipoise/model/run/checkpoint.hpp"

#include <algorithm>
#include <cstddef>
#include <span>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"

namespace equipoise::model {
namespace {

Checkpoint example(std::uint64_t nodes) {
    Checkpoint checkpoint;
    checkpoint.run = {{"algorithm", "diffusion-2"}, {"network", "path \"x\""}, {"seed", "7"}};
    checkpoint.books = {{12, 3, 40, 99}, 5, 2, 1, 0};
    checkpoint.sections = {{"loads", nodes, 2}, {"link states", nodes / 2, 24}};
    return checkpoint;
}

std::vector<std::byte> values_of(const CheckpointSection& section) {
    std::vector<std::byte> values(section.count * section.bytes);
    RandomStream random(1, Purpose::sampling, section.bytes);
    for (std::byte& value : values)
        value = static_cast<std::byte>(random() & 0xffU);
    return values;
}

std::string text_of(const Checkpoint& checkpoint) {
    std::string text;
    CheckpointWriter writer([&](std::string_view bytes) { text += bytes; }, checkpoint);
    for (const CheckpointSection& section : checkpoint.sections)
        writer.write(values_of(section));
    return text;
}

/// Reads all of it.
void read_whole(const std::string& text, const Checkpoint& expected) {
    std::istringstream stream(text);
    CheckpointReader reader(stream, "file");
    EXPECT_EQ(reader.checkpoint(), expected);
    for (const CheckpointSection& section : expected.sections) {
        const std::vector<std::byte> values = values_of(section);
        std::uint64_t next = 0;
        reader.read(reader.expect_section(section.name, section.count), 0, section.count,
                    [&](std::uint64_t first, std::span<const std::byte> held) {
                        ASSERT_EQ(first, next);
                        next += held.size() / section.bytes;
                        EXPECT_TRUE(std::equal(
                            held.begin(), held.end(),
                            values.begin() + static_cast<std::ptrdiff_t>(first * section.bytes)));
                    });
        EXPECT_EQ(next, section.count);
    }
}

TEST(Checkpoints, AreReadAsTheyWereWritten) {
    for (const std::uint64_t nodes : {0u, 1u, 100u, 65535u, 65536u, 65537u, 200001u})
        read_whole(text_of(example(nodes)), example(nodes));
}

TEST(Checkpoints, RememberSinceWhenARunIsLevel) {
    for (const Step since : {Step{0}, example(20).books.costs.steps}) {
        Checkpoint checkpoint = example(20);
        checkpoint.books.level_since = since;
        read_whole(text_of(checkpoint), checkpoint);
    }
    Checkpoint later = example(0);
    later.books.level_since = later.books.costs.steps + 1;
    std::istringstream stream(text_of(later));
    try {
        static_cast<void>(CheckpointReader(stream, "file"));
        FAIL() << "was read";
    } catch (const InputError& error) {
        EXPECT_NE(std::string(error.what()).find("books.level_since: expected a whole number"),
                  std::string::npos)
            << error.what();
    }
}

TEST(Checkpoints, RememberTheSmallestLoadOfRulesThatMayOwe) {
    for (const Tokens least : {Tokens{0}, Tokens{7}, Tokens{-820'272}, tokens_max, -tokens_max}) {
        Checkpoint checkpoint = example(20);
        checkpoint.books.least_load = least;
        read_whole(text_of(checkpoint), checkpoint);
    }
    const auto refused = [](const std::string& least) {
        Checkpoint checkpoint = example(0);
        checkpoint.books.least_load = -5;
        std::string text = text_of(checkpoint);
        text.replace(text.find("-5"), 2, least);
        const std::string line = text.substr(0, text.find('\n'));
        std::istringstream stream(line + '\n' + checkpoint_digest(line) + '\n');
        try {
            static_cast<void>(CheckpointReader(stream, "file"));
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    for (const char* least : {"null", "1.5", "\"-5\"", "9223372036854775808", "[]",
                              "-9223372036854775808", "18446744073709551615"})
        EXPECT_NE(refused(least).find("books.least_load: expected a whole number from -"),
                  std::string::npos)
            << least << ": " << refused(least);
}

TEST(Checkpoints, AreReadInPartsBlockByBlock) {
    const Checkpoint checkpoint = example(3 * checkpoint_block + 5);
    std::istringstream stream(text_of(checkpoint));
    CheckpointReader reader(stream, "file");
    std::vector<std::uint64_t> firsts;
    reader.read(reader.checkpoint().sections[0], checkpoint_block + 9, 2 * checkpoint_block,
                [&](std::uint64_t first, std::span<const std::byte>) { firsts.push_back(first); });
    EXPECT_EQ(firsts, std::vector<std::uint64_t>{checkpoint_block});
}

TEST(Checkpoints, ThatAreCutOrAlteredAnywhereAreRefused) {
    const Checkpoint checkpoint = example(20);
    const std::string text = text_of(checkpoint);
    for (std::size_t size = 0; size < text.size(); ++size) {
        std::istringstream stream(text.substr(0, size));
        EXPECT_THROW(CheckpointReader(stream, "file"), InputError) << size;
    }
    std::istringstream longer(text + "x");
    EXPECT_THROW(CheckpointReader(longer, "file"), InputError);
    const auto read_all = [&](const std::string& from) {
        std::istringstream stream(from);
        CheckpointReader reader(stream, "file");
        for (const CheckpointSection& section : reader.checkpoint().sections)
            reader.read(section, 0, section.count, [](auto, auto) {});
    };
    EXPECT_NO_THROW(read_all(text));
    for (std::size_t at = 0; at < text.size(); ++at)
        for (const int bit : {0, 6}) {
            std::string altered = text;
            altered[at] = static_cast<char>(altered[at] ^ (1 << bit));
            EXPECT_THROW(read_all(altered), InputError) << "byte " << at;
        }
}

TEST(Checkpoints, SayWhatTheyMissInOneLineThatNamesTheFile) {
    const Checkpoint checkpoint = example(20);
    std::istringstream stream(text_of(checkpoint));
    const CheckpointReader reader(stream, "file");
    for (const auto& look :
         {+[](const CheckpointReader& r) { (void)r.expect_section("loads", 21); },
          +[](const CheckpointReader& r) { (void)r.expect_section("x", 20); }})
        try {
            look(reader);
            FAIL();
        } catch (const InputError& error) {
            const std::string what = error.what();
            EXPECT_TRUE(what.starts_with("file: belongs to another run: expected ")) << what;
            EXPECT_EQ(what.find('\n'), std::string::npos);
        }
}

}  // namespace
}  // namespace equipoise::model
