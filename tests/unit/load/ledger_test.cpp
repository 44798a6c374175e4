#include "equipoise/load/ledger.hpp"

#include <gtest/gtest.h>

#include "equipoise/load/loads.hpp"

namespace equipoise::load {
namespace {

TEST(Ledger, BalancesExactlyWhileEveryTokenIsAccountedFor) {
    Loads loads = {3, 0, 5};
    Ledger ledger(loads);
    EXPECT_EQ(ledger.opened(), 8);
    EXPECT_TRUE(ledger.balances(loads));
    loads[0] -= 2;
    EXPECT_FALSE(ledger.balances(loads));
    EXPECT_TRUE(ledger.balances(loads, 2));
    ledger.create(4);
    ledger.destroy(1);
    EXPECT_EQ(ledger.expected(), 11);
    loads[1] += 5;
    EXPECT_TRUE(ledger.balances(loads));
}

TEST(Ledger, RefusesTotalsThatDoNotFit) {
    EXPECT_THROW(Ledger(Loads{tokens_max, 1}), OverflowError);
    Ledger ledger(Loads{0});
    ledger.create(INT64_MAX);
    EXPECT_THROW(ledger.create(1), OverflowError);
}

}  // namespace
}  // namespace equipoise::load
