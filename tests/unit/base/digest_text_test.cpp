#include "equipoise/base/digest_text.hpp"

#include <cstdint>

#include <gtest/gtest.h>

#include "equipoise/base/digest.hpp"

namespace {

using namespace equipoise;

TEST(DigestText, IsReadBackAsTheDigest) {
    for (const std::uint64_t digest : {std::uint64_t{0}, std::uint64_t{0xabc}, ~std::uint64_t{0}})
        EXPECT_EQ(digest_from_text(digest_text(digest)), digest);
    EXPECT_EQ(digest_text(0xabc), "0000000000000abc");
    EXPECT_EQ(Digest().text(), digest_text(Digest().value()));
}

TEST(DigestText, HasSixteenHexadecimalDigits) {
    for (const char* text : {"", "abc", "0000000000000abcd", "0000000000000abg", "-000000000000abc",
                             "0x00000000000abc", " 000000000000abc"})
        EXPECT_FALSE(digest_from_text(text)) << text;
}

}  // namespace
