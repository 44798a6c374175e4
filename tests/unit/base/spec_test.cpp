#include "equipoise/base/spec.hpp"

#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

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
}

TEST(Spec, ReadsKeysInAnyOrderAndKeepsTheText) {
    const Spec spec = Spec::parse("random-regular:n=1000,d=4,seed=7");
    EXPECT_EQ(spec.text(), "random-regular:n=1000,d=4,seed=7");
    EXPECT_EQ(spec.name(), "random-regular");
    EXPECT_EQ(spec.whole("seed", 0, 100), 7U);
    EXPECT_EQ(spec.whole("d", 1, 10), 4U);
    EXPECT_EQ(spec.whole("n", 1, 10000), 1000U);
    EXPECT_EQ(spec.whole("k", 1, 10, 3), 3U);
}

TEST(Spec, ReadsSidesAndKeysTogether) {
    const Spec spec = Spec::parse("torus:8x3x1,seed=2");
    EXPECT_EQ(spec.sides(1, 100), (std::vector<std::uint64_t>{8, 3, 1}));
    EXPECT_EQ(spec.whole("seed", 0, 9), 2U);
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
              "spec 'path:n=x': n=: expected a whole number from 1 to 10, found \"x\"");
    EXPECT_EQ(message_of([] { (void)Spec::parse("path").whole("n", 1, 10); }),
              "spec 'path': n=: expected a whole number from 1 to 10, found nothing");
}

TEST(Spec, AnUnknownKeyIsNamedWithTheNearestAndBeforeOneThatIsMissing) {
    constexpr std::array<std::string_view, 2> known = {"clique", "path"};
    const auto refusal = [&](std::string_view text) {
        return message_of([&] { Spec::parse(text).expect_only(known); });
    };
    EXPECT_EQ(refusal("barbell:clik=1"),
              "spec 'barbell:clik=1': unknown key \"clik\": expected clique or path");
    EXPECT_EQ(refusal("barbell:cliqe=1"),
              "spec 'barbell:cliqe=1': unknown key \"cliqe\": did you mean \"clique\"?");
    EXPECT_EQ(refusal("barbell:8,path=1"),
              "spec 'barbell:8,path=1': expected clique=VALUE or path=VALUE, found \"8\"");
    EXPECT_EQ(refusal("barbell:path=x"), "no error");
}

TEST(Spec, WhatTakesNoKeysSaysSo) {
    const auto refusal = [](std::string_view text, bool positional) {
        return message_of([&] { Spec::parse(text).expect_only({}, positional); });
    };
    EXPECT_EQ(refusal("mesh:8x8", true), "no error");
    EXPECT_EQ(refusal("mesh:8x8,n=3", true),
              "spec 'mesh:8x8,n=3': unknown key \"n\": mesh takes no keys");
    EXPECT_EQ(refusal("unit:3", false),
              "spec 'unit:3': expected nothing after 'unit', found \"3\"");
}

TEST(Spec, ValuesWithoutANameAreCalledAsTheCallerSays) {
    constexpr std::array<std::string_view, 2> known = {"loss", "crash"};
    const Spec faults = Spec::parse_values("--faults", "loss=2,crash=0.1");
    EXPECT_NO_THROW(faults.expect_only(known));
    EXPECT_DOUBLE_EQ(faults.real("crash", 0, 1), 0.1);
    EXPECT_EQ(message_of([&] { (void)faults.real("loss", 0, 1); }),
              "--faults 'loss=2,crash=0.1': loss=: expected a number from 0 to 1, found \"2\"");
    EXPECT_EQ(message_of([] { (void)Spec::parse_values("--faults", "loss").real("loss", 0, 1); }),
              "--faults 'loss': loss=: expected a number from 0 to 1, found nothing");
    for (const auto& [text, set] : {std::pair("corrupt", true), std::pair("corrupt=1", true),
                                    std::pair("corrupt=0", false), std::pair("loss=1", false)})
        EXPECT_EQ(Spec::parse_values("--faults", text).flag("corrupt"), set) << text;
}

}  // namespace
}  // namespace equipoise
