#include "equipoise/network/structure/circuits.hpp"

#include <algorithm>
#include <bit>
#include <numeric>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "equipoise/network/structure/eccentricities.hpp"
#include "equipoise/network/structure/matchings.hpp"

namespace equipoise::network {

namespace {

using Wires = std::vector<NodeId>;

/// Levels that grow while a network is built by recursion; balancers of independent parts share
/// levels.
class Levels {
  public:
    void add(std::size_t level, NodeId up, NodeId down) {
        if (levels_.size() <= level) levels_.resize(level + 1);
        levels_[level].push_back({up, down});
    }
    [[nodiscard]] std::vector<std::vector<Ends>> take() { return std::move(levels_); }

  private:
    std::vector<std::vector<Ends>> levels_;
};

Wires every_other(const Wires& wires, std::size_t first) {
    Wires out;
    for (std::size_t i = first; i < wires.size(); i += 2)
        out.push_back(wires[i]);
    return out;
}

unsigned logarithm(std::size_t power) {
    return static_cast<unsigned>(std::countr_zero(power));
}

/// The last layer of both constructions: the i-th outputs of two halves meet in a balancer.
Wires join(const Wires& upper, const Wires& lower, std::size_t level, Levels& levels) {
    Wires out;
    for (std::size_t i = 0; i < upper.size(); ++i) {
        levels.add(level, upper[i], lower[i]);
        out.push_back(upper[i]);
        out.push_back(lower[i]);
    }
    return out;
}

/// Merger[2k] on two sequences of k wires, from `level` on; the wires in output order.
Wires merger(const Wires& x, const Wires& y, std::size_t level, Levels& levels) {
    if (x.size() == 1) return join(x, y, level, levels);
    const Wires upper = merger(every_other(x, 0), every_other(y, 1), level, levels);
    const Wires lower = merger(every_other(x, 1), every_other(y, 0), level, levels);
    return join(upper, lower, level + logarithm(x.size()), levels);
}

/// Bitonic[w], from level 0 on.
Wires bitonic(const Wires& wires, Levels& levels) {
    if (wires.size() == 1) return wires;
    const auto middle = wires.begin() + static_cast<std::ptrdiff_t>(wires.size() / 2);
    const Wires x = bitonic(Wires(wires.begin(), middle), levels);
    const Wires y = bitonic(Wires(middle, wires.end()), levels);
    const std::size_t half_log = logarithm(x.size());
    return merger(x, y, half_log * (half_log + 1) / 2, levels);
}

/// Block[w]: cochains A (numbers that end in binary 00 or 11) and B (01 or 10), then one layer.
Wires block(const Wires& wires, std::size_t level, Levels& levels) {
    if (wires.size() == 2) return join({wires[0]}, {wires[1]}, level, levels);
    Wires chain_a;
    Wires chain_b;
    for (std::size_t i = 0; i < wires.size(); ++i)
        (i % 4 == 0 || i % 4 == 3 ? chain_a : chain_b).push_back(wires[i]);
    const Wires a = block(chain_a, level, levels);
    const Wires b = block(chain_b, level, levels);
    return join(a, b, level + logarithm(a.size()), levels);
}

Wires all_wires(NodeId wire_count, const char* what) {
    if (!std::has_single_bit(wire_count))
        throw InputError(std::string(what) + ": expected a power of two wires, found " +
                         std::to_string(wire_count));
    Wires wires(wire_count);
    for (NodeId wire = 0; wire < wire_count; ++wire)
        wires[wire] = wire;
    return wires;
}

/// Numbers the wires in the order in which the circuit's outputs stand.
Circuit in_output_order(std::vector<std::vector<Ends>> levels, const Wires& output) {
    std::vector<NodeId> numbers(output.size());
    for (NodeId i = 0; i < output.size(); ++i)
        numbers[output[i]] = i;
    const Circuit circuit{static_cast<NodeId>(output.size()), std::move(levels)};
    return renumber(circuit, numbers);
}

}  // namespace

Network Circuit::network() const {
    std::vector<Ends> links;
    for (const auto& level : levels)
        for (const Ends& pair : level)
            links.push_back({std::min(pair.tail, pair.head), std::max(pair.tail, pair.head)});
    std::sort(links.begin(), links.end());
    links.erase(std::unique(links.begin(), links.end()), links.end());
    return {wire_count, std::move(links)};
}

Circuit hamiltonian_cycle_circuit(NodeId wire_count) {
    if (wire_count < 2)
        throw InputError("cycle circuit: expected at least 2 wires, found " +
                         std::to_string(wire_count));
    Circuit circuit{wire_count, std::vector<std::vector<Ends>>(2)};
    for (NodeId i = 0; i + 1 < wire_count; ++i)
        circuit.levels[i % 2].push_back({i, i + 1});
    if (wire_count > 2) {
        if (wire_count % 2 == 1) circuit.levels.emplace_back();
        circuit.levels.back().push_back({0, wire_count - 1});
    } else {
        circuit.levels.pop_back();
    }
    return circuit;
}

std::vector<NodeId> upright_order(const Circuit& circuit) {
    const NodeId wires = circuit.wire_count;
    std::vector<std::size_t> above(wires, 0);
    for (const auto& level : circuit.levels)
        for (const Ends& pair : level)
            ++above[pair.head];
    std::vector<NodeId> order;
    for (NodeId wire = 0; wire < wires; ++wire)
        if (above[wire] == 0) order.push_back(wire);
    if (order.size() != 1) return {};
    std::vector<std::vector<NodeId>> below(wires);
    for (const auto& level : circuit.levels)
        for (const Ends& pair : level)
            below[pair.tail].push_back(pair.head);
    // Successive wires share a balancer if and only if each step of the order has no alternative.
    for (std::size_t next = 0; next < order.size(); ++next) {
        if (order.size() > next + 1) return {};
        for (const NodeId wire : below[order[next]])
            if (--above[wire] == 0) order.push_back(wire);
    }
    return order.size() == wires ? order : std::vector<NodeId>{};
}

std::vector<NodeId> counting_order(const Circuit& circuit) {
    std::vector<NodeId> order = upright_order(circuit);
    if (order.size() < 2) return order;
    const Ends ends{order.front(), order.back()};
    const bool closed =
        std::any_of(circuit.levels.begin(), circuit.levels.end(), [&](const auto& level) {
            return std::find(level.begin(), level.end(), ends) != level.end();
        });
    return closed ? order : std::vector<NodeId>{};
}

bool has_almost_hamiltonian_cycle(const Circuit& circuit) {
    return circuit.wire_count < 2 || !counting_order(circuit).empty();
}

Circuit bitonic_counting_network(NodeId wire_count) {
    const Wires wires = all_wires(wire_count, "bitonic counting network");
    Levels levels;
    const Wires output = bitonic(wires, levels);
    return in_output_order(levels.take(), output);
}

Circuit periodic_counting_network(NodeId wire_count, unsigned blocks) {
    Wires wires = all_wires(wire_count, "periodic counting network");
    if (wire_count == 1) return {1, {}};
    Levels levels;
    for (unsigned i = 0; i < blocks; ++i) {
        const std::size_t first_level = std::size_t{i} * logarithm(wire_count);
        wires = block(wires, first_level, levels);
    }
    return in_output_order(levels.take(), wires);
}

bool is_counting_network(const Circuit& circuit) {
    const NodeId wires = circuit.wire_count;
    if (wires < 2 || !std::has_single_bit(wires)) return false;
    return circuit.levels == bitonic_counting_network(wires).levels ||
           circuit.levels == periodic_counting_network(wires, logarithm(wires)).levels;
}

std::vector<NodeId> snake_numbers(const Grid& grid) {
    std::vector<NodeId> numbers(grid.node_count());
    for (NodeId node = 0; node < grid.node_count(); ++node) {
        // A coordinate runs backwards where the snake has entered its line an odd number of times.
        NodeId number = 0;
        bool backwards = false;
        for (std::size_t axis = 0; axis < grid.dimension(); ++axis) {
            const NodeId side = grid.sides()[axis];
            const NodeId along = grid.coordinate(node, axis);
            const NodeId place = backwards ? side - 1 - along : along;
            number = number * side + place;
            backwards = number % 2 == 1;
        }
        numbers[node] = number;
    }
    return numbers;
}

void orient_by(std::vector<std::vector<Ends>>& levels, std::span<const NodeId> numbers) {
    for (auto& level : levels)
        for (Ends& pair : level)
            if (numbers[pair.tail] > numbers[pair.head]) std::swap(pair.tail, pair.head);
}

Circuit renumber(const Circuit& circuit, std::span<const NodeId> numbers) {
    Circuit out = circuit;
    for (auto& level : out.levels)
        for (Ends& pair : level)
            pair = {numbers[pair.tail], numbers[pair.head]};
    return out;
}

const std::vector<std::string>& matchings_names() {
    static const std::vector<std::string> names = {"standard", "snake", "uphill", "bitonic",
                                                   "periodic"};
    return names;
}

std::vector<std::vector<Ends>> named_matchings(std::string_view word, const AnyNetwork& network) {
    const std::string what = "matchings \"" + std::string(word) + "\": ";
    if (word == "snake") {
        if (network.grid() == nullptr) throw UnsuitableError(what + "expected a mesh or a torus");
        std::vector<std::vector<Ends>> matchings = natural_matchings(network);
        orient_by(matchings, snake_numbers(*network.grid()));
        return matchings;
    }
    if (network.node_count() == 0) return {};
    if (word == "standard") {
        std::vector<NodeId> numbers(network.node_count());
        std::iota(numbers.begin(), numbers.end(), NodeId{0});
        std::vector<std::vector<Ends>> matchings = natural_matchings(network);
        orient_by(matchings, numbers);
        return matchings;
    }
    if (word == "uphill") {
        const std::vector<std::uint32_t> heights = distances_from(network, far_end(network));
        std::vector<NodeId> depths;
        const std::uint32_t top = *std::max_element(heights.begin(), heights.end());
        for (const std::uint32_t height : heights)
            depths.push_back(top - height);
        std::vector<std::vector<Ends>> matchings = natural_matchings(network);
        orient_by(matchings, depths);
        return matchings;
    }
    const NodeId wires = network.node_count();
    if (!std::has_single_bit(wires))
        throw UnsuitableError(what + "expected a number of nodes that is a power of two, found " +
                              std::to_string(wires));
    const Circuit circuit =
        word == "bitonic"
            ? bitonic_counting_network(wires)
            : periodic_counting_network(wires, static_cast<unsigned>(std::countr_zero(wires)));
    for (const std::vector<Ends>& level : circuit.levels)
        for (const auto& [tail, head] : level)
            if (!port_to(network, tail, head))
                throw UnsuitableError(what + std::string(word) + " needs a link between " +
                                      network.name(tail) + " and " + network.name(head) +
                                      ", which the network lacks; complete networks have all");
    return circuit.levels;
}

}  // namespace equipoise::network
