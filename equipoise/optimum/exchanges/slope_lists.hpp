#pragma once
// Sorted lists of slopes that are merged and shifted: the convex functions of subtrees.

#include <cstdint>
#include <utility>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/random.hpp"

namespace equipoise::optimum {

/// Lists of slopes, ascending, over elements 0 .. n-1, each of which is in at most one list. A list
/// is a treap named by its root. Merging keeps each list's own order, also among equal slopes.
class SlopeLists {
  public:
    using List = NodeId;
    static constexpr List empty = no_node;

    explicit SlopeLists(std::size_t count) : elements_(count) {}

    [[nodiscard]] std::uint32_t size(List list) const {
        return list == empty ? 0 : elements_[list].size;
    }

    /// The list of one element, of slope 0.
    [[nodiscard]] List single(NodeId element) {
        elements_[element] = {};
        return element;
    }

    /// All elements of both lists; among equal slopes those of `a` come first (an order that
    /// depended on priorities would grow long spines). Cost O(k log(n / k)) for k alternations
    /// between the lists.
    [[nodiscard]] List merge(List a, List b) {
        if (a == empty) return b;
        if (b == empty) return a;
        const bool a_on_top = priority(a) > priority(b);
        const List top = a_on_top ? a : b;
        push(top);
        const std::int64_t slope = elements_[top].slope;
        const auto [low, high] = a_on_top ? split(b, slope) : split(a, slope + 1);
        const List left =
            a_on_top ? merge(elements_[top].left, low) : merge(low, elements_[top].left);
        const List right =
            a_on_top ? merge(elements_[top].right, high) : merge(high, elements_[top].right);
        elements_[top].left = left;
        elements_[top].right = right;
        elements_[top].size = 1 + size(left) + size(right);
        return top;
    }

    /// Lowers the first `count` slopes by 1 and raises all others by 1. Cost O(log n).
    void shift(List list, std::uint32_t count) {
        while (list != empty) {
            push(list);
            Element& at = elements_[list];
            const std::uint32_t before = size(at.left);
            if (count <= before) {
                ++at.slope;
                add(at.right, 1);
                list = at.left;
            } else {
                --at.slope;
                add(at.left, -1);
                count -= before + 1;
                list = at.right;
            }
        }
    }

    /// Calls `visit(element)` for the first `count` elements, in order.
    template <class Visit>
    void for_first(List list, std::uint32_t count, const Visit& visit) const {
        if (list == empty || count == 0) return;
        const std::uint32_t before = size(elements_[list].left);
        for_first(elements_[list].left, count, visit);
        if (count <= before) return;
        visit(list);
        for_first(elements_[list].right, count - before - 1, visit);
    }

  private:
    struct Element {
        std::int64_t slope = 0;
        std::int64_t below = 0;  ///< still to be added to both subtrees
        List left = empty;
        List right = empty;
        std::uint32_t size = 1;
    };

    [[nodiscard]] static std::uint64_t priority(List list) { return mix_bits(list + 1); }

    void add(List list, std::int64_t slope) {
        if (list == empty) return;
        elements_[list].slope += slope;
        elements_[list].below += slope;
    }
    void push(List list) {
        Element& at = elements_[list];
        if (at.below == 0) return;
        add(at.left, at.below);
        add(at.right, at.below);
        at.below = 0;
    }
    /// The list of elements below a slope, and the list of the others.
    [[nodiscard]] std::pair<List, List> split(List list, std::int64_t slope) {
        if (list == empty) return {empty, empty};
        push(list);
        std::pair<List, List> parts;
        if (elements_[list].slope < slope) {
            parts = split(elements_[list].right, slope);
            elements_[list].right = parts.first;
            parts.first = list;
        } else {
            parts = split(elements_[list].left, slope);
            elements_[list].left = parts.second;
            parts.second = list;
        }
        elements_[list].size = 1 + size(elements_[list].left) + size(elements_[list].right);
        return parts;
    }

    std::vector<Element> elements_;
};

}  // namespace equipoise::optimum
