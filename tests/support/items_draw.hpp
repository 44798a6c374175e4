#pragma once
// Small problems of items that move in waves, many of them with copies.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/waves/problem.hpp"
#include "tests/support/draw.hpp"

namespace equipoise::test {

/// Draws problems as the planner of items makes them from files and options.
class ItemsDraw {
  public:
    explicit ItemsDraw(std::uint64_t seed) : draw_(seed) {}

    enum class Kind { one_size, several_sizes, given_places };

    /// Copies are apart. The target is within capacities.
    optimum::ItemsProblem operator()(Kind kind) {
        optimum::ItemsProblem problem;
        problem.nodes = static_cast<NodeId>(draw_(2, 4));
        add_items(problem, kind != Kind::one_size && draw_(0, 3) > 0);
        if (problem.one_size() == 0 && kind == Kind::one_size) problem.sizes.clear();
        const bool drains = draw_(0, 1) == 1;
        if (draw_(0, 1) == 1) add_rates(problem);
        if (draw_(0, 2) > 0) problem.at_once = draw_(1, 2);
        if (draw_(0, 2) == 0)
            for (NodeId node = 0; node < problem.nodes; ++node)
                problem.capacities.push_back(problem.loads()[node] + draw_(0, 1) * draw_(0, 6));
        if (kind == Kind::given_places) {
            problem.final_places = spread_places(problem);
            return problem;
        }
        set_target(problem, drains);
        problem.keep_target_within_capacities();
        return problem;
    }

  private:
    void add_items(optimum::ItemsProblem& problem, bool several_sizes) {
        const Tokens things = draw_(1, 4);
        things_ = static_cast<std::size_t>(things);
        const bool copies = draw_(0, 4) > 0;
        const bool unlike = draw_(0, 4) == 0;  // copies of several sizes
        for (Tokens thing = 0; thing < things && problem.items() < 6; ++thing) {
            const Tokens wanted = copies ? draw_(1, 3) : 1;
            const Tokens size = draw_(0, 3) == 0 ? draw_(6, 12) : draw_(0, 5);
            std::set<NodeId> used;
            for (Tokens copy = 0; copy < wanted; ++copy) {
                const auto node = static_cast<NodeId>(draw_(0, problem.nodes - 1));
                if (!used.insert(node).second) continue;
                problem.places.push_back(node);
                problem.copies_of.push_back(static_cast<std::uint32_t>(thing));
                if (several_sizes) problem.sizes.push_back(size + (unlike ? draw_(0, 2) : 0));
            }
        }
        if (!copies) problem.copies_of.clear();
    }

    void add_rates(optimum::ItemsProblem& problem) {
        for (NodeId node = 0; node < problem.nodes; ++node) {
            problem.gives.push_back(draw_(0, 9) == 0 ? 0
                                                     : draw_(problem.sizes.empty() ? 1 : 5, 14));
            problem.takes.push_back(draw_(0, 9) == 0 ? 0
                                                     : draw_(problem.sizes.empty() ? 1 : 5, 14));
        }
    }

    /// Copies that are where one is to end stay.
    std::vector<NodeId> spread_places(const optimum::ItemsProblem& problem) {
        std::vector<std::set<NodeId>> ends(things_);
        std::vector<std::set<NodeId>> present(things_);
        for (optimum::ItemId item = 0; item < problem.items(); ++item) {
            auto node = static_cast<NodeId>(draw_(0, problem.nodes - 1));
            while (!ends[thing(problem, item)].insert(node).second)
                node = (node + 1) % problem.nodes;
            present[thing(problem, item)].insert(problem.places[item]);
        }
        std::vector<NodeId> places;
        for (optimum::ItemId item = 0; item < problem.items(); ++item) {
            std::set<NodeId>& of_thing = ends[thing(problem, item)];
            NodeId end = problem.places[item];
            if (!of_thing.contains(end))
                end = *std::find_if(of_thing.begin(), of_thing.end(), [&](NodeId node) {
                    return !present[thing(problem, item)].contains(node);
                });
            of_thing.erase(end);
            places.push_back(end);
        }
        return places;
    }
    static std::uint32_t thing(const optimum::ItemsProblem& problem, optimum::ItemId item) {
        return problem.copies_of.empty() ? item : problem.copies_of[item];
    }

    void set_target(optimum::ItemsProblem& problem, bool drains) {
        const NodeId kept = problem.nodes - (drains ? 1 : 0);
        if (problem.one_size() != 0) {
            std::vector<std::uint64_t> speeds(problem.nodes, 0);
            std::fill_n(speeds.begin(), kept, 1);
            const Tokens unit = problem.one_size();
            load::Loads counts = problem.counts();
            problem.target = optimum::floor_or_ceiling(counts, speeds);
            for (Tokens& base : problem.target.base)
                base *= unit;
            return;
        }
        const Tokens mean = load::total(problem.loads()) / kept;
        problem.target =
            optimum::at_most(problem.nodes, mean + mean * draw_(0, 3) / 10 + draw_(0, 1));
        problem.may_hold_one.assign(problem.nodes, true);
        problem.ends_empty.assign(problem.nodes, false);
        if (!drains) return;
        problem.target.base.back() = 0;
        problem.may_hold_one.back() = false;
        problem.ends_empty.back() = true;
    }

    Draw<Tokens> draw_;
    std::size_t things_ = 0;
};

}  // namespace equipoise::test
