#include "equipoise/base/numbers_view.hpp"

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace equipoise {
namespace {

static_assert(Number<float> && Number<long double> && Number<std::int8_t> && Number<std::uint64_t>);
static_assert(!Number<bool> && !Number<char> && !Number<char16_t> && !Number<std::string>);
static_assert(NumberOrNumbers<std::array<float, 2>> && !NumberOrNumbers<std::array<float, 0>>);
static_assert(RangeOfNumbers<const std::vector<int>&> && RangeOfNumbers<std::span<const float>>);
static_assert(RangeOfNumbers<std::vector<std::array<int, 3>>> &&
              RangeOfNumbers<std::array<double, 4>&>);
static_assert(!RangeOfNumbers<std::vector<bool>> && !RangeOfNumbers<std::string>);

template <class T>
class NumbersViewOf : public testing::Test {};
using Types =
    testing::Types<float, double, long double, std::int8_t, std::uint8_t, std::int16_t,
                   std::uint16_t, std::int32_t, std::uint32_t, std::int64_t, std::uint64_t>;
TYPED_TEST_SUITE(NumbersViewOf, Types);

TYPED_TEST(NumbersViewOf, ReadsThemAsTheDoublesThatTheyEqual) {
    const std::vector<TypeParam> numbers = {0, 1, 7, 100, std::numeric_limits<TypeParam>::min()};
    std::vector<double> room;
    const View<double> read = NumbersView(numbers).read(room, "weights");
    ASSERT_EQ(numbers.size(), read.size());
    for (std::size_t i = 0; i < numbers.size(); ++i)
        EXPECT_EQ(static_cast<double>(numbers[i]), read[i]);
    EXPECT_EQ((std::is_same_v<TypeParam, double>), room.empty());
}

TYPED_TEST(NumbersViewOf, LooksIntoArrays) {
    const std::vector<std::array<TypeParam, 3>> rows = {{1, 2, 3}, {4, 5, 6}};
    const NumbersView view = rows;
    EXPECT_EQ(6U, view.size());
    EXPECT_EQ(3U, view.in_each());
    std::vector<double> room;
    const View<double> read = view.read(room, "weights");
    EXPECT_EQ((std::vector<double>{1, 2, 3, 4, 5, 6}), std::vector(read.begin(), read.end()));
}

TEST(NumbersView, CopiesNoDoubles) {
    const std::vector<double> numbers = {1, 2};
    std::vector<double> room;
    EXPECT_EQ(numbers.data(), NumbersView(numbers).read(room, "weights").data());
    EXPECT_EQ(numbers.data(), NumbersView(numbers.data(), 2).doubles().data());
    EXPECT_EQ(0U, room.capacity());
    EXPECT_TRUE(NumbersView().doubles().empty());
}

template <class T>
std::string refusal(T number) {
    try {
        return "read as " + std::to_string(as_double(number, "weights"));
    } catch (const InputError& error) {
        return error.what();
    }
}

TEST(AsDouble, RefusesWholeNumbersThatNoDoubleEquals) {
    const std::string expected =
        "expected weights that a double can equal (all whole numbers up to 2^53, and larger ones "
        "of at most 53 digits in binary), found ";
    constexpr std::int64_t edge = std::int64_t{1} << 53U;
    EXPECT_EQ(expected + "9007199254740993", refusal(edge + 1));
    EXPECT_EQ(expected + "-9007199254740993", refusal(-edge - 1));
    EXPECT_EQ(expected + "18446744073709551615",
              refusal(std::numeric_limits<std::uint64_t>::max()));
    EXPECT_EQ(expected + "9223372036854775807", refusal(std::numeric_limits<std::int64_t>::max()));
    for (const std::int64_t exact :
         {edge, -edge, edge + 2, 3 * edge, std::numeric_limits<std::int64_t>::min()})
        EXPECT_EQ(exact, static_cast<std::int64_t>(as_double(exact, "weights")));
    EXPECT_EQ(std::ldexp(1.0, 63), as_double(std::uint64_t{1} << 63U, "weights"));
}

// The doubles of a whole number and of those beside it differ just where it is refused.
TEST(AsDouble, RefusesNoOthers) {
    for (int shift = 50; shift < 62; ++shift)
        for (std::int64_t beside = -9; beside <= 9; ++beside) {
            const std::int64_t number = (std::int64_t{1} << shift) + beside;
            const bool equals = static_cast<std::int64_t>(static_cast<double>(number)) == number;
            EXPECT_EQ(equals, refusal(number).starts_with("read as ")) << number;
            EXPECT_EQ(equals, refusal(-number).starts_with("read as ")) << number;
        }
}

TEST(AsDouble, LeavesWhatIsNotFiniteToItsReaders) {
    EXPECT_TRUE(std::isnan(as_double(std::numeric_limits<float>::quiet_NaN(), "weights")));
    EXPECT_TRUE(std::isinf(as_double(std::numeric_limits<long double>::max(), "weights")));
}

TEST(AsInt64, RefusesWhatNeedsMoreBitsByTheGivenNumber) {
    const std::vector<std::uint64_t> most = {0, (std::uint64_t{1} << 63U) - 1};
    EXPECT_EQ((std::vector<std::int64_t>{0, std::numeric_limits<std::int64_t>::max()}),
              as_int64(most, "ranks"));
    EXPECT_EQ((std::vector<std::int64_t>{-1}), as_int64(std::vector<std::int8_t>{-1}, "ranks"));
    try {
        static_cast<void>(
            as_int64(std::vector<std::uint64_t>{1, std::uint64_t{1} << 63U}, "ranks"));
        ADD_FAILURE() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_STREQ("expected ranks below 2^63, found 9223372036854775808", error.what());
    }
}

TEST(NumberName, SaysHowManyBits) {
    EXPECT_EQ("float", number_name<float>());
    EXPECT_EQ("double", number_name<double>());
    EXPECT_EQ("int64", number_name<long>());
    EXPECT_EQ("uint8", number_name<unsigned char>());
}

}  // namespace
}  // namespace equipoise
