#include "equipoise/catalogue/studies/placeholders.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise::catalogue {
namespace {

const PlaceholderValues values = {{"n", "7"}, {"k", "3"}, {"kind", "path"}, {"p", "0.5"}};

std::string filled(const std::string& text) {
    return fill_placeholders(text, values);
}

std::string refusal(const std::string& text) {
    try {
        static_cast<void>(filled(text));
    } catch (const InputError& error) {
        return error.what();
    }
    return "";
}

TEST(Placeholders, StandForTheirValues) {
    EXPECT_EQ(filled("torus:{n}x{k}"), "torus:7x3");
    EXPECT_EQ(filled("{kind}:n={n}"), "path:n=7");
    EXPECT_EQ(filled("gnp:n={n},p={p}"), "gnp:n=7,p=0.5");
    EXPECT_EQ(filled("no placeholder"), "no placeholder");
}

TEST(Placeholders, MayBeSumsAndProductsOfWholeNumbers) {
    EXPECT_EQ(filled("{n*n}"), "49");
    EXPECT_EQ(filled("{2*n+k}"), "17");
    EXPECT_EQ(filled("{ 2 * (n + k) }"), "20");
    EXPECT_EQ(filled("{n-1}"), "6");
    EXPECT_EQ(filled("{n-1-1}"), "5");
    EXPECT_EQ(filled("{12}"), "12");
}

TEST(Placeholders, DivideAndRoundDown) {
    EXPECT_EQ(filled("{n/2}"), "3");
    EXPECT_EQ(filled("{n/2*2}"), "6");
    EXPECT_EQ(filled("{10+(0-n)/2}"), "6");  // -3.5 becomes -4
    EXPECT_EQ(refusal("{n/(k-3)}"), "\"{n/(k-3)}\": expected no division by 0");
}

TEST(Placeholders, SayWhatIsWrong) {
    EXPECT_EQ(refusal("{n"), "\"{n\": expected a closing brace, found none");
    EXPECT_EQ(refusal("{}"), "\"{}\": expected a name or a whole number, found the end");
    EXPECT_EQ(refusal("{n+}"), "\"{n+}\": expected a name or a whole number, found the end");
    EXPECT_EQ(refusal("{n k}"), "\"{n k}\": expected +, -, * or /, found \"k\"");
    EXPECT_EQ(refusal("{(n}"), "\"{(n}\": expected a closing parenthesis, found the end");
    EXPECT_EQ(refusal("{k-n}"), "\"{k-n}\": expected 0 or more, found -4");
    EXPECT_EQ(refusal("{m}"), "{m} has no value");
    EXPECT_EQ(refusal("{2*p}"), "\"{2*p}\": expected a whole number for p, found \"0.5\"");
    EXPECT_EQ(refusal("{9223372036854775807+n}"),
              "\"{9223372036854775807+n}\": expected a number of at most 63 bits");
    EXPECT_NE(refusal('{' + std::string(100, '(') + 'n' + std::string(100, ')') + '}')
                  .find("fewer parentheses"),
              std::string::npos);
}

TEST(Placeholders, NameWhatTheyStandFor) {
    EXPECT_EQ(placeholder_names("{kind}:n={n*k-1}, {3}"),
              (std::set<std::string>{"k", "kind", "n"}));
    EXPECT_TRUE(is_placeholder_name("k_2"));
    EXPECT_FALSE(is_placeholder_name("2k"));
    EXPECT_FALSE(is_placeholder_name(""));
}

}  // namespace
}  // namespace equipoise::catalogue
