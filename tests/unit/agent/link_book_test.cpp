#include "equipoise/agent/link_book.hpp"

#include <gtest/gtest.h>

namespace equipoise::agent {
namespace {

TEST(LinkBook, CountsJobsAsComingUntilALookAtTheStreamBeganAfterTheySettled) {
    LinkBook book;
    book.hear(1, {.given = 0, .settled = 0}, 10);
    book.take(5);
    EXPECT_EQ(book.incoming(10), 5);
    book.hear(1, {.given = 5, .settled = 3}, 20);
    EXPECT_EQ(book.incoming(20), 5);
    book.see(15, 25);  // this look may have missed them
    EXPECT_EQ(book.incoming(25), 5);
    book.see(30, 35);
    EXPECT_EQ(book.incoming(35), 2);
}

TEST(LinkBook, BelievesAGiverThatBeginsAnew) {
    LinkBook book;
    book.hear(1, {.given = 0, .settled = 0}, 10);
    book.take(5);
    book.hear(2, {.given = 0, .settled = 0}, 20);
    EXPECT_EQ(book.incoming(20), 0);
    // And one that was there before: what it owes is to come.
    LinkBook late;
    late.hear(7, {.given = 100, .settled = 90}, 10);
    EXPECT_EQ(late.incoming(10), 10);
}

TEST(LinkBook, ForgetsADealThatTheGiverNeverMade) {
    LinkBook book;
    book.hear(1, {.given = 0, .settled = 0}, 10);
    book.take(5);
    for (unsigned message = 0; message <= LinkBook::messages_least; ++message)
        book.hear(1, {.given = 0, .settled = 0}, 20 + message);
    EXPECT_EQ(book.incoming(30), 5);  // it may still learn of the deal
    book.hear(1, {.given = 0, .settled = 0}, 30 + LinkBook::patience);
    EXPECT_EQ(book.incoming(30 + LinkBook::patience), 0);
    EXPECT_EQ(book.forgotten(), 5);
}

TEST(LinkBook, ExpectsNothingFromASilentNeighbour) {
    LinkBook book;
    book.hear(1, {.given = 0, .settled = 0}, 10);
    book.take(5);
    EXPECT_EQ(book.incoming(10 + LinkBook::silence_max), 5);
    EXPECT_EQ(book.incoming(11 + LinkBook::silence_max), 0);
}

TEST(LinkBook, BelievesNoMoreThanABatchCanHold) {
    LinkBook book;
    book.hear(1, {.given = Tokens{1} << 53U, .settled = 0}, 10);
    EXPECT_EQ(book.incoming(10), LinkBook::incoming_max);
}

}  // namespace
}  // namespace equipoise::agent
