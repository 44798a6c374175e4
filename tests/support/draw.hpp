#pragma once
// Numbers drawn for tests.

#include <cstdint>

#include "equipoise/base/random.hpp"

namespace equipoise::test {

/// Numbers that repeat with the seed.
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : stream_(seed, Purpose::sampling) {}
    std::uint64_t operator()(std::uint64_t least, std::uint64_t most) {
        return least + stream_.below(most - least + 1);
    }

  private:
    RandomStream stream_;
};

}  // namespace equipoise::test
