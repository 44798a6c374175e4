#include "equipoise/base/spec.hpp"

#include <array>
#include <functional>
#include <string_view>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec_keys.hpp"

namespace equipoise {
namespace {

std::string message_of(const std::function<void()>& action) {
    try {
        action();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(Spec, ReadsANameAlone) {
    const Spec spec = Spec::parse("staircase");
    EXPECT_EQ(spec.name(), "staircase");
    EXPECT_EQ(spec.positional(), "");
    EXPECT_FALSE(spec.has("n"));
    EXPECT_NO_THROW(spec.expect_done());
}

TEST(Spec, ReadsKeysInAnyOrderAndKeepsTheText) {
    const Spec spec = Spec::parse("random-regular:n=1000,d=4,seed=7");
    EXPECT_EQ(spec.text(), "random-regular:n=1000,d=4,seed=7");
    EXPECT_EQ(spec.name(), "random-regular");
    EXPECT_EQ(spec.whole("seed", 0, 100), 7U);
    EXPECT_EQ(spec.whole("d", 1, 10), 4U);
    EXPECT_EQ(spec.whole("n", 1, 10000), 1000U);
    EXPECT_EQ(spec.whole("k", 1, 10, 3), 3U);
    EXPECT_NO_THROW(spec.expect_done());
}

TEST(Spec, ReadsSidesAndKeysTogether) {
    const Spec spec = Spec::parse("torus:8x3x1,seed=2");
    EXPECT_EQ(spec.sides(1, 100), (std::vector<std::uint64_t>{8, 3, 1}));
    EXPECT_EQ(spec.whole("seed", 0, 9), 2U);
    EXPECT_NO_THROW(spec.expect_done());
}

TEST(Spec, ReadsRealsAndWords) {
    const Spec spec = Spec::parse("gnp:p=0.05,kind=odd");
    EXPECT_DOUBLE_EQ(spec.real("p", 0, 1), 0.05);
    EXPECT_DOUBLE_EQ(spec.real("q", 0, 1, 0.25), 0.25);
    EXPECT_EQ(spec.word("kind", "even"), "odd");
    EXPECT_EQ(spec.word("shape", "round"), "round");
}

TEST(Spec, RefusesTextThatIsNotASpec) {
    for (const char* text : {"", ":n=1", "a:", "a:n=", "a:=3", "a:n=1,", "a:n=1,,m=2", "a:n=1,8x8",
                             "a:n=1,n=2", "a=b", "a,b:c"})
        EXPECT_THROW((void)Spec::parse(text), InputError) << text;
}

TEST(Spec, RefusesNumbersThatAreNoneOrOutOfRange) {
    for (const char* text : {"path:n=x", "path:n=-3", "path:n=2.5", "path:n=11", "path:n=0",
                             "path:n=99999999999999999999", "path:n= 3", "path:m=3"})
        EXPECT_THROW((void)Spec::parse(text).whole("n", 1, 10), InputError) << text;
    for (const char* text : {"gnp:p=nan", "gnp:p=1.5", "gnp:p=-0.1", "gnp:p=half", "gnp:q=0.5"})
        EXPECT_THROW((void)Spec::parse(text).real("p", 0, 1), InputError) << text;
    for (const char* text : {"mesh", "mesh:8x", "mesh:x8", "mesh:8xx8", "mesh:0x3", "mesh:n=3"})
        EXPECT_THROW((void)Spec::parse(text).sides(1, 100), InputError) << text;
}

TEST(Spec, NamesWhatWasExpectedAndFound) {
    EXPECT_EQ(message_of([] { (void)Spec::parse("path:n=x").whole("n", 1, 10); }),
              "spec 'path:n=x': expected n= with a whole number from 1 to 10, found \"x\"");
    EXPECT_EQ(message_of([] { (void)Spec::parse("path").whole("n", 1, 10); }),
              "spec 'path': expected n= with a whole number from 1 to 10, found nothing");
}

TEST(Spec, NamesAKeyThatNobodyAskedFor) {
    const Spec spec = Spec::parse("path:n=5,colour=red");
    EXPECT_EQ(spec.whole("n", 1, 10), 5U);
    EXPECT_EQ(message_of([&] { spec.expect_done(); }),
              "spec 'path:n=5,colour=red': expected only keys that path knows, found "
              "\"colour=red\"");
    EXPECT_THROW(Spec::parse("path:7").expect_done(), InputError);
}

TEST(SpecKeys, AnUnknownKeyIsNamedBeforeOneThatIsMissing) {
    constexpr std::array<std::string_view, 2> known = {"clique", "path"};
    EXPECT_EQ(message_of([&] { expect_only(Spec::parse("barbell:foo=1"), known); }),
              "spec 'barbell:foo=1': expected only keys that barbell knows, found \"foo=1\"");
    EXPECT_THROW(expect_only(Spec::parse("barbell:8,path=1"), known), InputError);
    EXPECT_NO_THROW(expect_only(Spec::parse("barbell:path=x"), known));
    EXPECT_NO_THROW(expect_only(Spec::parse("mesh:8x8"), {}, true));
    EXPECT_THROW(expect_only(Spec::parse("mesh:8x8,n=3"), {}, true), InputError);
}

TEST(Spec, AKeyTestedForButNotReadIsStillUnused) {
    const Spec spec = Spec::parse("path:n=5");
    EXPECT_TRUE(spec.has("n"));
    EXPECT_THROW(spec.expect_done(), InputError);
}

}  // namespace
}  // namespace equipoise
