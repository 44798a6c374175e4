#include "equipoise/engine/bodies/diffusion_edges.hpp"

#include <algorithm>
#include <limits>

namespace equipoise::engine {

namespace {

/// From this number on, 16-bit words cannot tell degrees apart.
constexpr std::size_t classes_max = std::size_t{std::numeric_limits<std::uint16_t>::max()} + 1;

}  // namespace

std::vector<Port> degrees_of(Part& part) {
    static_cast<void>(part.rows());  // brings all neighbours into the halo
    std::vector<bool> met;
    for (NodeId node = 0; node < part.local_count(); ++node) {
        const Port degree = part.degree(node);
        if (degree >= met.size()) met.resize(std::size_t{degree} + 1);
        met[degree] = true;
    }
    std::vector<Port> degrees;
    for (std::size_t degree = 1; degree < met.size(); ++degree)
        if (met[degree]) degrees.push_back(static_cast<Port>(degree));
    return degrees;
}

bool divisors_serve(std::span<const Port> degrees, std::span<const Tokens> divisors) {
    if (degrees.empty() || degrees.size() > classes_max) return false;
    for (std::size_t i = 0; i < degrees.size(); ++i)
        if (divisors[i] <= degrees[i]) return false;
    return true;
}

PartDivisors::PartDivisors(Part& part, std::span<const Port> degrees, std::vector<Tokens> divisors)
    : divisors_(std::move(divisors)) {
    const Rows rows = part.rows();
    rows_ = {rows.offsets, rows.neighbours, 0, {}, divisors_};
    const bool own_differ = [&] {
        for (NodeId node = 1; node < part.own_count(); ++node)
            if (rows.degree(node) != rows.degree(0)) return true;
        return false;
    }();
    if (!own_differ && part.own_count() > 0) rows_.degree = rows.degree(0);
    if (std::all_of(divisors_.begin(), divisors_.end(),
                    [&](Tokens divisor) { return divisor == divisors_.front(); }))
        return;
    std::vector<std::uint16_t> class_of(std::size_t{degrees.back()} + 1);
    for (std::size_t i = 0; i < degrees.size(); ++i)
        class_of[degrees[i]] = static_cast<std::uint16_t>(i);
    std::vector<std::uint16_t> by_node(part.local_count());
    for (NodeId node = 0; node < part.local_count(); ++node)
        by_node[node] = class_of[part.degree(node)];
    classes_.reserve(rows.neighbours.size());
    for (NodeId node = 0; node < part.own_count(); ++node)
        for (const NodeId other : rows.of(node))
            classes_.push_back(std::max(by_node[node], by_node[other]));
    rows_.classes = classes_;
}

}  // namespace equipoise::engine
