#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/studies/structures/list.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/schedule.hpp"
#include "equipoise/network/structure/circuits.hpp"
#include "equipoise/protocols/balancing_circuit.hpp"
#include "equipoise/report/pictures/circuit_drawing.hpp"
#include "equipoise/report/pictures/network_panels.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::catalogue {

namespace {

using load::Loads;
using network::Circuit;
using report::DrawnCircuit;
using report::DrawnTokens;

constexpr std::size_t levels_most = 120;
constexpr NodeId wires_most = report::panel_nodes_max;

/// The loads before the first level and after each, for this many rounds.
std::vector<Loads> played(const Circuit& circuit, const Loads& loads, std::size_t rounds) {
    model::PeriodicSchedule schedule(circuit.levels);
    engine::EdgeRounds<protocols::BalancingCircuit> play(protocols::BalancingCircuit{}, schedule,
                                                         loads, circuit.network(), {});
    std::vector<Loads> after = {loads};
    for (std::size_t step = 0; step < rounds * circuit.levels.size(); ++step) {
        play.step();
        after.emplace_back(play.loads().begin(), play.loads().end());
    }
    return after;
}

/// The circuit with its wires in this order, top down.
DrawnCircuit drawn_circuit(const Circuit& circuit, const std::vector<NodeId>& order,
                           std::size_t rounds) {
    DrawnCircuit drawn;
    drawn.round = std::max<std::size_t>(1, circuit.levels.size());
    std::vector<NodeId> place(order.size());
    for (NodeId at = 0; at < order.size(); ++at)
        place[order[at]] = at;
    for (std::size_t round = 0; round < rounds; ++round)
        for (const std::vector<Ends>& level : circuit.levels) {
            drawn.levels.emplace_back();
            for (const auto& [tail, head] : level)
                drawn.levels.back().push_back({place[tail], place[head]});
        }
    return drawn;
}

std::vector<NodeId> by_number(NodeId wires) {
    std::vector<NodeId> order(wires);
    for (NodeId wire = 0; wire < wires; ++wire)
        order[wire] = wire;
    return order;
}

/// The heavy tokens of the proof of Theorem 9(b), one on every wire that has tokens; the others are
/// light.
Loads heavy_of(const Loads& loads) {
    Loads heavy;
    for (const Tokens load : loads)
        heavy.push_back(std::min<Tokens>(load, 1));
    return heavy;
}

struct Parts {
    Loads heavy;  ///< counted: on the first wires of the order
    Loads light;  ///< at most one on a wire
};

/// The tokens after the rounds that the heavy ones need to be counted.
Parts after_heavy_are_counted(const Circuit& circuit, const std::vector<NodeId>& order,
                              const Loads& loads) {
    const std::size_t levels = circuit.levels.size();
    const std::vector<Loads> all = played(circuit, loads, order.size());
    const std::vector<Loads> heavy = played(circuit, heavy_of(loads), order.size());
    const auto counted = [&](const Loads& loads_now) {
        return std::is_sorted(order.begin(), order.end(),
                              [&](NodeId a, NodeId b) { return loads_now[a] > loads_now[b]; });
    };
    // De Bruijn: one round for each wire is enough.
    std::size_t step = 0;
    while (step + levels < all.size() && !counted(heavy[step]))
        step += levels;
    Parts parts{heavy[step], all[step]};
    for (std::size_t wire = 0; wire < parts.light.size(); ++wire)
        parts.light[wire] -= parts.heavy[wire];
    return parts;
}

/// Figure 3: the circuit with heavy and light tokens, and the sorter that moves the light ones in
/// the same way.
class Reduction {
  public:
    Reduction(const Circuit& circuit, std::vector<NodeId> order, const Loads& loads,
              std::size_t rounds)
        : circuit_(&circuit), order_(std::move(order)), rounds_(rounds) {
        const Parts parts = after_heavy_are_counted(circuit, order_, loads);
        heavy_ = parts.heavy;
        light_ = parts.light;
        heavy_count_ = static_cast<std::size_t>(load::total(heavy_));
        sorter_ = circuit;
        for (auto& level : sorter_.levels)
            for (Ends& pair : level)
                if (crosses(pair)) std::swap(pair.tail, pair.head);
    }

    [[nodiscard]] DrawnCircuit original(const std::vector<std::string>& names) const {
        DrawnCircuit drawn = drawn_circuit(*circuit_, order_, rounds_);
        drawn.caption =
            "the circuit once the heavy tokens (discs) are counted: light ones (rings) pass them";
        Loads loads = heavy_;
        for (std::size_t wire = 0; wire < loads.size(); ++wire)
            loads[wire] += light_[wire];
        finish(drawn, *circuit_, order_, names, loads, true);
        return drawn;
    }
    [[nodiscard]] DrawnCircuit sorter(const std::vector<std::string>& names) const {
        std::vector<NodeId> turned = order_;
        std::rotate(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(heavy_count_),
                    turned.end());
        DrawnCircuit drawn = drawn_circuit(sorter_, turned, rounds_);
        drawn.caption =
            "the sorter: wires without heavy tokens first, the balancers between both parts "
            "turned (dashed), light tokens alone";
        finish(drawn, sorter_, turned, names, light_, false);
        return drawn;
    }

  private:
    /// Whether the pair joins a wire with a heavy token to one without: the set L of the proof.
    [[nodiscard]] bool crosses(const Ends& pair) const {
        return heavy_[pair.tail] != heavy_[pair.head];
    }
    void finish(DrawnCircuit& drawn, const Circuit& circuit, const std::vector<NodeId>& order,
                const std::vector<std::string>& names, const Loads& loads, bool with_heavy) const {
        std::vector<std::size_t> place(order.size());
        for (std::size_t at = 0; at < order.size(); ++at) {
            drawn.wires.push_back(names[order[at]]);
            place[order[at]] = at;
        }
        for (std::size_t step = 0; step < drawn.levels.size(); ++step) {
            const std::vector<Ends>& level = circuit.levels[step % circuit.levels.size()];
            for (std::size_t k = 0; k < level.size(); ++k)
                drawn.levels[step][k].marked = crosses(level[k]);
        }
        for (const Loads& now : played(circuit, loads, rounds_)) {
            drawn.tokens.emplace_back();
            for (const NodeId wire : order) {
                const auto heavy = static_cast<unsigned>(with_heavy ? heavy_[wire] : 0);
                drawn.tokens.back().push_back(
                    {"", heavy, static_cast<unsigned>(now[wire]) - heavy});
            }
        }
    }

    const Circuit* circuit_;
    std::vector<NodeId> order_;
    std::size_t rounds_;
    Loads heavy_;
    Loads light_;
    std::size_t heavy_count_ = 0;
    Circuit sorter_;
};

void expect_reducible(const std::vector<NodeId>& order, const Loads& loads) {
    if (order.empty())
        throw UnsuitableError(
            "circuit:sorter=yes: expected a circuit with an almost Hamiltonian cycle of standard "
            "balancers, along which it counts");
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    if (*least != 0 || *most != 2)
        throw InputError(
            fmt::format("circuit:sorter=yes: expected loads of 0, 1 and 2 tokens, "
                        "found from {} to {}",
                        *least, *most));
}

/// A wire's number along the order, and its node's name if that is another.
std::vector<std::string> wire_names(const network::AnyNetwork& network,
                                    const std::vector<NodeId>& order) {
    std::vector<std::string> names(order.size());
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::string name = network.name(order[at]);
        const std::string number = std::to_string(at);
        names[order[at]] = name == number ? name : fmt::format("{} (node {})", number, name);
    }
    return names;
}

std::string draw_circuit(const Spec& spec, const StructureInput& input) {
    const network::AnyNetwork& network = input.network();
    const NodeId wires = network.node_count();
    if (wires > wires_most)
        throw InputError(fmt::format("--structure circuit: expected at most {} nodes, found {}",
                                     wires_most, wires));
    const Circuit circuit{wires, input.matchings()};
    const std::size_t levels = std::max<std::size_t>(1, circuit.levels.size());
    const auto rounds = static_cast<std::size_t>(
        spec.whole("rounds", 1, std::max<std::size_t>(1, levels_most / levels), 1));
    const std::vector<NodeId> counting = network::counting_order(circuit);
    const std::vector<NodeId> order = counting.empty() ? by_number(wires) : counting;
    const std::vector<std::string> names = wire_names(network, order);
    const std::string title = "Balancing circuit of " + network.labels().origin;
    const std::array<std::string, 1> note = {
        "A balancer sends its tokens alternately to both wires, the odd one to the arrow's head."};
    const std::string sorter = spec.word("sorter", "no");
    if (sorter != "yes" && sorter != "no")
        throw InputError("spec '" + spec.text() + "': sorter=: expected yes or no, found \"" +
                         sorter + '"');
    if (sorter == "yes") {
        const Loads loads = input.loads();
        expect_reducible(counting, loads);
        const Reduction reduction(circuit, order, loads, rounds);
        return report::circuit_svg(title + " and its sorter",
                                   std::array{reduction.original(names), reduction.sorter(names)},
                                   note);
    }
    DrawnCircuit drawn = drawn_circuit(circuit, order, rounds);
    drawn.caption = counting.empty() ? "wires by the numbers of their nodes"
                                     : "wires in the order along which it counts";
    for (const NodeId wire : order)
        drawn.wires.push_back(names[wire]);
    if (input.given_loads.given())
        for (const Loads& now : played(circuit, input.loads(), rounds)) {
            drawn.tokens.emplace_back();
            for (const NodeId wire : order)
                drawn.tokens.back().push_back({report::grouped(now[wire])});
        }
    return report::circuit_svg(title, std::array{std::move(drawn)}, note);
}

}  // namespace

Structure circuit_structure() {
    return {{"circuit", "circuit:rounds=2,sorter=no",
             "the wires, balancers and tokens of a balancing circuit; sorter=yes: also "
             "what sorts its light tokens"},
            {"rounds", "sorter"},
            draw_circuit};
}

}  // namespace equipoise::catalogue
