#include "equipoise/base/memory.hpp"

#include <string>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"

namespace equipoise {
namespace {

TEST(Memory, WhatAMachineHoldsIsAllowedAndWhatItCannotHoldIsRefusedWithItsSize) {
    const std::uint64_t most = memory_bytes_max();
    ASSERT_GT(most, 0U);
    EXPECT_NO_THROW(expect_memory(most, "all"));
    try {
        expect_memory(UInt128{1} << 70U, "a network of 2^64 links");
        FAIL() << "expected a refusal";
    } catch (const InputError& error) {
        const std::string message = error.what();
        EXPECT_TRUE(message.starts_with(
            "a network of 2^64 links would take more than 16 EiB of memory: this machine has "))
            << message;
    }
}

}  // namespace
}  // namespace equipoise
