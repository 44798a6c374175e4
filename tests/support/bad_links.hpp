#pragma once
// Links on the plain host that lose and duplicate packets, and what arbitrary starts must draw.

#include <cstdint>

#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "tests/support/reference_host.hpp"

namespace equipoise::test {

/// Runs with packets that are lost and duplicated, in channels of `capacity` packets.
template <class Program>
void run_over_bad_links(ReferenceHost<Program>& host, unsigned capacity, std::uint64_t seed,
                        int choices) {
    RandomStream random(seed, Purpose::fault);
    for (int made = 0; made < choices; ++made) {
        const auto open = host.choices();
        const auto& choice = open[static_cast<std::size_t>(random.below(open.size()))];
        if (choice.arc && random.below(10) < 2)
            host.lose(*choice.arc);
        else if (choice.arc && random.below(10) < 1)
            host.duplicate(*choice.arc);
        else
            host.take(choice);
        for (LinkId arc = 0; arc < host.arc_count(); ++arc)
            while (host.on_the_way(arc) > capacity)
                host.lose(arc);
    }
}

/// The bits that were set in some word and clear in some other.
class BothWays {
  public:
    void see(std::uint64_t word) {
        set_ |= word;
        clear_ |= ~word;
    }
    void see(Tokens amount) { see(static_cast<std::uint64_t>(amount)); }
    /// A word of 32 bits.
    void see(std::uint32_t word) { see(std::uint64_t{word} << 32U | word); }
    [[nodiscard]] bool all() const { return (set_ & clear_) == ~std::uint64_t{0}; }

  private:
    std::uint64_t set_ = 0;
    std::uint64_t clear_ = 0;
};

}  // namespace equipoise::test
