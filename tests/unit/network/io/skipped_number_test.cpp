#include "equipoise/network/io/skipped_number.hpp"

#include <string>

#include <gtest/gtest.h>

#include "tests/support/network_text.hpp"

namespace equipoise::network {
namespace {

TEST(SkippedNumber, MayBeWrittenAsAnyProgramDoes) {
    for (const char* word : {"0",    "-1",      "+2",  "1.",        ".5",     "-.5e3",    "1e-3",
                             "1E+5", "1.0D+00", "1d0", "1.0+100",   "2-308",  "1q2",      "nan",
                             "NaN",  "-nan",    "inf", "-Infinity", "1.#IND", "-1.#QNAN", "1e999"})
        EXPECT_TRUE(is_printed_number(word)) << word;
    for (const char* word : {"", "-", ".", "e5", "1e", "1.0D", "abc", "1x", "1,5", "1.2.3", "--1",
                             "0x10", "infinite", "1+", "na"})
        EXPECT_FALSE(is_printed_number(word)) << word;
}

TEST(SkippedNumber, StandsInEveryFormatThatHasWeights) {
    const std::string banner = "%%MatrixMarket matrix coordinate real symmetric\n";
    EXPECT_EQ(test::text_of(Format::matrix_market,
                            banner + "  % a comment with blanks\n\t%\n   3  3   2\n3 2 1.0D+00\n  "
                                     "% another\n  2 1 nan  \n"),
              "1|2|3: 1-2 2-3");
    EXPECT_EQ(test::text_of(Format::metis, "  % comment\n2 1 11\n1.0D+00 2 nan\n % x\n1 1 1d0\n"),
              "1|2: 1-2");
    EXPECT_EQ(test::text_of(Format::edge_list, "a b 1.0D+00\nb c nan inf\n"), "a|b|c: a-b b-c");
}

}  // namespace
}  // namespace equipoise::network
