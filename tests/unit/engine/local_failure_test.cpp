#include "equipoise/engine/local_failure.hpp"

#include <new>
#include <stdexcept>
#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/joint_error.hpp"

namespace equipoise::engine {
namespace {

using Kind = LocalFailure::Kind;

TEST(LocalFailure, KeepsTheFirstAndItsKind) {
    LocalFailure failure;
    failure.guard([] { throw std::bad_alloc(); });
    failure.guard([] { ADD_FAILURE() << "runs although something failed"; });
    EXPECT_EQ(Kind::memory, failure.kind());
    LocalFailure length;
    length.guard([] { throw std::length_error("vector"); });
    EXPECT_EQ(Kind::memory, length.kind());
    LocalFailure unsuitable;
    unsuitable.guard([] { throw UnsuitableError("no tree"); });
    EXPECT_EQ(Kind::unsuitable, unsuitable.kind());
    LocalFailure joint;
    joint.guard([] { throw JointError("too little room"); });
    EXPECT_EQ(Kind::joint, joint.kind());
    joint.name_rank(3);
    EXPECT_EQ("too little room", joint.text());
    LocalFailure other;
    other.guard([] { throw 7; });
    EXPECT_EQ(Kind::other, other.kind());
    EXPECT_EQ(other.text(), "an exception that is not a std::exception");
}

TEST(LocalFailure, CutsTextsThatAreTooLong) {
    LocalFailure input;
    input.guard([] { throw InputError(std::string(5000, 'i')); });
    EXPECT_EQ(Kind::input, input.kind());
    EXPECT_EQ(std::string(LocalFailure::text_max, 'i'), input.text());
}

TEST(LocalFailure, CutsNoCharacterInTwo) {
    std::string umlauts = "x";
    for (int i = 0; i < 2000; ++i)
        umlauts += "\xc3\xa4";
    LocalFailure input;
    input.note(Kind::input, umlauts);
    EXPECT_EQ(umlauts.substr(0, LocalFailure::text_max - 1), input.text());
    LocalFailure whole;
    whole.note(Kind::input, umlauts.substr(1));
    EXPECT_EQ(umlauts.substr(1, LocalFailure::text_max), whole.text());
}

TEST(LocalFailure, SaysWhatLeftTheRangeInWords) {
    LocalFailure overflow;
    overflow.guard([] { throw OverflowError("the sum"); });
    EXPECT_EQ(overflow.text(), "the sum");
    EXPECT_EQ(overflow.message(), "the sum is too large for the integers that hold it");
    overflow.name_rank(3);
    EXPECT_EQ(overflow.message(), "rank 3: the sum is too large for the integers that hold it");
}

}  // namespace
}  // namespace equipoise::engine
