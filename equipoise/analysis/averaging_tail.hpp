#pragma once
// Averaging one random link a step with a coin for the odd token: how probable it is that a
// discrepancy is left, exactly, on small networks.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::analysis {

/// For all loads of 0 .. `most` tokens a node at once: the probability that the discrepancy is
/// above `goal` after some steps, each of which averages one link, all equally likely. Value
/// iteration: the probability before a step is the mean of those after it.
///
/// Only additions and products of numbers that are not negative: the relative error is at most
/// steps (links + 2) 2^-53.
class AveragingTail {
  public:
    /// Before any step. Throws UnsuitableError if there are more than 2^22 loads, or no link.
    AveragingTail(const network::Network& network, Tokens most, Tokens goal);

    /// Cost O(links (most + 1)^nodes).
    void step();

    [[nodiscard]] double from(const load::Loads& loads) const;

    struct Worst {
        double probability = 0;
        load::Loads loads;
    };
    /// Loads from which it is the largest.
    [[nodiscard]] Worst worst() const;

  private:
    /// What a token at an end of a link adds to an index, the smaller number first.
    struct Pair {
        std::size_t low;
        std::size_t high;
    };
    /// One order of the nodes as digits of an index, and the links that are averaged in it: the
    /// smaller of a link's two numbers is how many values lie in a row.
    struct Layout {
        std::vector<std::uint32_t> places;  ///< by index of the first layout: the index here
        std::vector<Pair> pairs;
        std::vector<double> chances;
        std::vector<double> sums;
    };
    void choose_layouts(const network::Network& network);
    void average(Layout& layout, Pair pair);
    [[nodiscard]] load::Loads loads_of(std::size_t index) const;

    std::size_t base_;                  ///< most + 1
    std::vector<std::size_t> weights_;  ///< by node: what a token of it adds to an index
    double links_;
    std::vector<double> chances_;  ///< by index
    std::vector<Layout> layouts_;
    std::vector<double> means_;
};

}  // namespace equipoise::analysis
