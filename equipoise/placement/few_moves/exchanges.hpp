#pragma once
// Improves an assignment by moves of one item and exchanges of two.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "equipoise/placement/few_moves/pool.hpp"

namespace equipoise::placement {

/// Improves assignments of one pool.
class Exchanges {
  public:
    /// Cost O(items).
    Exchanges(const Pool& pool, const Capacity& capacity);

    /// Lowers the level until it is at most `enough`, or no move or exchange lowers the fullest
    /// rank without lifting another one as high, or `steps` pairs of items were examined. Returns
    /// how many were.
    std::uint64_t lower(Assignment& assignment, double enough, std::uint64_t steps);

    /// Lowers the cost while no rank rises above the level: items return home where there is room,
    /// or change places with an item that is not at home there, or with one that costs less.
    void come_home(Assignment& assignment, double level);

  private:
    struct Step {
        double level = 0;  // of the higher of the two ranks afterwards
        Cost cost = 0;     // added
        std::uint32_t gives = 0;
        std::uint32_t takes = 0;
        std::size_t to = 0;
        bool found = false;
    };

    /// As Pool::cost.
    [[nodiscard]] Cost cost(std::uint32_t item, int rank) const;
    void list(const Assignment& assignment);
    void insert(std::uint32_t item, std::size_t rank);
    void erase(std::uint32_t item, std::size_t rank);
    void move(std::uint32_t item, std::size_t to, Assignment& assignment);
    void look(std::size_t from, std::size_t to, double enough, const Assignment& assignment,
              Step& best);
    void limit_crossing(std::size_t from, std::size_t to, const Assignment& assignment,
                        const Step& best);
    void look_everywhere(std::size_t from, std::size_t to, double enough,
                         const Assignment& assignment, Step& best);
    void consider(std::uint32_t gives, std::uint32_t takes, std::size_t from, std::size_t to,
                  double enough, const Assignment& assignment, Step& best);
    [[nodiscard]] bool fits(std::size_t rank, const Assignment& assignment, std::uint32_t added,
                            std::uint32_t removed) const;
    bool return_one(std::uint32_t item, Assignment& assignment);

    const Pool* pool_;
    const Capacity* capacity_;
    std::size_t ranks_;
    std::size_t kinds_;
    std::vector<Units> sizes_;
    std::vector<Cost> away_;  // by item: its cost on any other rank; empty if machines matter
    std::vector<std::vector<std::uint32_t>> lists_;  // by rank, by falling size
    std::vector<std::size_t> foreigners_;            // by rank: items there that are not at home
    std::vector<Units> caps_;
    std::vector<Units> load_here_;  // of the ranks that a step is considered for
    std::vector<Units> load_there_;
    struct Crossing {
        Units least = 0;
        Units most = 0;
    };
    std::vector<Crossing> crosses_;  // by kind: what may go from one rank to the other
    double ceiling_ = 0;             // no step that leaves a rank above it is of use
    std::uint64_t looked_at_ = 0;
};

}  // namespace equipoise::placement
