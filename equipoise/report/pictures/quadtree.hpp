#pragma once
// Repulsion between many points at the same time.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/network/any_network.hpp"

namespace equipoise::report {

/// Points in a tree of quarters: points far away act together, from their centre of mass.
///
/// Source: Barnes and Hut 1986, a hierarchical O(N log N) force calculation algorithm. A cell acts
///   as a whole when its side is below 0.9 times its distance.
class Quadtree {
  public:
    explicit Quadtree(std::span<const network::Position> points);

    /// The sum over all other points q of (p - q) / |p - q|^2 at the place `p` of point `index`.
    /// Points closer than `near` act as if they were that far away.
    [[nodiscard]] network::Position repulsion(std::uint32_t index, double near) const;

  private:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    /// Points that are deeper share a leaf, so that coinciding points are not split for ever.
    static constexpr int depth_max = 24;

    struct Cell {
        double x = 0;  ///< centre of mass
        double y = 0;
        double mass = 0;
        double side = 0;
        std::uint32_t first_child = none;  ///< four in a row; none: a leaf
        std::uint32_t first_point = none;  ///< of a leaf: head of a chain of points
    };
    struct Square {
        double x, y, side;
    };

    void insert(std::uint32_t point, Square square);
    void split(std::uint32_t cell, const Square& square);
    [[nodiscard]] static std::uint32_t quarter(const network::Position& point, Square& square);

    std::span<const network::Position> points_;
    std::vector<Cell> cells_;
    std::vector<std::uint32_t> next_point_;
};

}  // namespace equipoise::report
