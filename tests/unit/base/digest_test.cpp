#include "equipoise/base/digest.hpp"

#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

std::uint64_t digest_of(const std::vector<std::uint64_t>& words) {
    Digest digest;
    for (const std::uint64_t word : words)
        digest.add(word);
    return digest.value();
}

TEST(Digest, DependsOnWordsTheirOrderAndTheirNumber) {
    std::set<std::uint64_t> values;
    std::size_t sequences = 0;
    for (std::uint64_t a = 0; a < 20; ++a) {
        values.insert(digest_of({a}));
        ++sequences;
        for (std::uint64_t b = 0; b < 20; ++b) {
            values.insert(digest_of({a, b}));
            values.insert(digest_of({a, b, 0}));
            sequences += 2;
        }
    }
    values.insert(digest_of({}));
    EXPECT_EQ(values.size(), sequences + 1);
}

TEST(Digest, ReadingTheValueDoesNotChangeIt) {
    Digest digest;
    digest.add(7);
    const std::uint64_t once = digest.value();
    EXPECT_EQ(digest.value(), once);
    digest.add(8);
    EXPECT_EQ(digest.value(), digest_of({7, 8}));
}

TEST(Digest, TextIsTheValueInSixteenHexadecimalDigits) {
    for (std::uint64_t word = 0; word < 200; ++word) {
        Digest digest;
        digest.add(word);
        const std::string text = digest.text();
        ASSERT_EQ(text.size(), 16U);
        EXPECT_EQ(std::stoull(text, nullptr, 16), digest.value());
    }
}

}  // namespace
}  // namespace equipoise
