#pragma once
// Numbers drawn for tests.

#include <cstdint>

#include "equipoise/base/random.hpp"

namespace equipoise::test {

/// Whole numbers between two bounds, which repeat with the seed.
template <class Whole>
class Draw {
  public:
    explicit Draw(std::uint64_t seed) : stream_(seed, Purpose::sampling) {}
    Whole operator()(Whole least, Whole most) {
        return least +
               static_cast<Whole>(stream_.below(static_cast<std::uint64_t>(most - least) + 1));
    }

  private:
    RandomStream stream_;
};

}  // namespace equipoise::test
