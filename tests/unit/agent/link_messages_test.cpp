#include "equipoise/agent/link_messages.hpp"

#include <string>

#include <gtest/gtest.h>

namespace equipoise::agent {
namespace {

LinkMessage some_message() {
    LinkMessage message;
    message.incarnation = 12'345'678'901'234'567'890U;
    message.ticket = 7;
    message.tickets = {8, ~std::uint64_t{0}};
    message.crossed = {.given = 10, .settled = 9};
    message.message = Message{};
    message.message->kind = Program::Kind::packet;
    message.message->amount = 100;
    message.message->level = 200;
    message.message->load = tokens_max;
    message.message->stamp = {.label = 1, .bit = true};
    return message;
}

TEST(LinkMessages, AreReadAsTheyWereWritten) {
    LinkMessage message = some_message();
    for (const bool closing : {false, true}) {
        message.message->closing = closing;
        message.asks = closing;
        const auto read = read_link_message(written(message));
        ASSERT_TRUE(read.has_value());
        EXPECT_EQ(read->incarnation, message.incarnation);
        EXPECT_EQ(read->ticket, message.ticket);
        EXPECT_EQ(read->tickets, message.tickets);
        EXPECT_EQ(read->asks, message.asks);
        EXPECT_EQ(read->crossed, message.crossed);
        ASSERT_TRUE(read->message.has_value());
        EXPECT_EQ(read->message->kind, message.message->kind);
        EXPECT_EQ(read->message->amount, message.message->amount);
        EXPECT_EQ(read->message->level, message.message->level);
        EXPECT_EQ(read->message->load, message.message->load);
        EXPECT_EQ(read->message->stamp.label, message.message->stamp.label);
        EXPECT_EQ(read->message->stamp.bit, message.message->stamp.bit);
        EXPECT_EQ(read->message->closing, closing);
    }
    message.message.reset();
    EXPECT_FALSE(read_link_message(written(message))->message.has_value());
}

TEST(LinkMessages, OfAnotherShapeVersionOrSizeAreNone) {
    const std::string good = written(some_message());
    const auto with = [&](const std::string& from, const std::string& to) {
        std::string text = good;
        const std::size_t at = text.find(from);
        EXPECT_NE(at, std::string::npos) << from;
        return text.replace(at, from.size(), to);
    };
    EXPECT_TRUE(read_link_message(good).has_value());
    EXPECT_FALSE(read_link_message("").has_value());
    EXPECT_FALSE(read_link_message(good.substr(1)).has_value());
    EXPECT_FALSE(read_link_message(good + "x").has_value());
    EXPECT_FALSE(read_link_message(good + std::string(3000, ' ')).has_value());
    EXPECT_FALSE(read_link_message(with(R"("version":1)", R"("version":2)")).has_value());
    EXPECT_FALSE(read_link_message(with(R"("version":1)", R"("other":1)")).has_value());
    EXPECT_FALSE(read_link_message(with(R"("settled":9)", R"("settled":11)")).has_value());
    EXPECT_FALSE(read_link_message(with(R"("settled":9)", R"("settled":-1)")).has_value());
    EXPECT_FALSE(read_link_message(with(R"("ticket":7)", R"("ticket":0.5)")).has_value());
    EXPECT_FALSE(read_link_message(with(R"("kind":"packet")", R"("kind":"x")")).has_value());
    EXPECT_FALSE(read_link_message(with(R"("label":1)", R"("label":256)")).has_value());
}

TEST(LinkMessages, OfferJobsOnlyAsPacketsThatDoNotClose) {
    Message message = *some_message().message;
    EXPECT_TRUE(offers_jobs(message));
    message.closing = true;
    EXPECT_FALSE(offers_jobs(message));
    message.closing = false;
    message.amount = 0;
    EXPECT_FALSE(offers_jobs(message));
    message.amount = 5;
    message.kind = Program::Kind::acknowledgement;
    EXPECT_FALSE(offers_jobs(message));
}

}  // namespace
}  // namespace equipoise::agent
