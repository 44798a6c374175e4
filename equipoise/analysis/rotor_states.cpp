#include "equipoise/analysis/rotor_states.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <unordered_set>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise::analysis {

RotorPorts rotor_ports(const network::Network& network) {
    RotorPorts ports(network.node_count());
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const Port degree = network.degree(node);
        if (degree == 0 || degree != network.degree_max())
            throw UnsuitableError("rotor_ports: expected a regular network with links");
        for (Port port = 0; port < degree; ++port)
            ports[node].push_back(network.neighbour(node, port));
        ports[node].insert(ports[node].end(), degree, node);
    }
    return ports;
}

namespace {

constexpr std::size_t nodes_max = 8;
constexpr double values_max = 8.6e9;  // 2^33

/// c or K, by node; unused nodes are 0.
using Counts = std::array<std::int32_t, nodes_max>;

struct HashCounts {
    std::size_t operator()(const Counts& counts) const {
        std::uint64_t mixed = 0;
        for (const std::int32_t count : counts)
            mixed = mixed * 1'000'003U + static_cast<std::uint32_t>(count);
        return static_cast<std::size_t>(mixed ^ mixed >> 29U);
    }
};
using States = std::unordered_set<Counts, HashCounts>;

template <class Value>
using Matrix = std::array<std::array<Value, nodes_max>, nodes_max>;

/// One step of c, and how far c can spread on states that recur.
class RotorMap {
  public:
    explicit RotorMap(const RotorPorts& ports)
        : nodes_(ports.size()), ports_(static_cast<std::int32_t>(ports.front().size())) {
        for (std::size_t from = 0; from < nodes_; ++from) {
            for (auto& dealt : dealt_[from])
                dealt.assign(ports[from].size(), 0);
            for (std::size_t port = 0; port < ports[from].size(); ++port) {
                const NodeId to = ports[from][port];
                ++whole_[from][to];
                // Of the tokens 0 .. rest - 1 of a turn, those up to `port` have been dealt to it.
                for (std::size_t rest = port + 1; rest < ports[from].size(); ++rest)
                    ++dealt_[from][to][rest];
            }
        }
        measure_rounding();
        measure_spread();
    }

    [[nodiscard]] std::size_t nodes() const { return nodes_; }
    [[nodiscard]] std::int32_t ports() const { return ports_; }
    /// How many ports of one node lead to another.
    [[nodiscard]] std::int32_t links(std::size_t from, std::size_t to) const {
        return whole_[from][to];
    }
    /// K + g(c).
    [[nodiscard]] Counts next(const Counts& c, const Counts& constant) const {
        Counts after = constant;
        for (std::size_t from = 0; from < nodes_; ++from) {
            const std::int32_t turns = turns_of(c[from]);
            const auto rest = static_cast<std::size_t>(c[from] - turns * ports_);
            for (std::size_t to = 0; to < nodes_; ++to)
                after[to] += turns * whole_[from][to] + dealt_[from][to][rest];
        }
        return after;
    }
    /// The same state with c between 0 and D - 1 at the first node.
    [[nodiscard]] Counts normalised(Counts c) const {
        const std::int32_t turns = turns_of(c[0]) * ports_;
        for (std::size_t node = 0; node < nodes_; ++node)
            c[node] -= turns;
        return c;
    }
    [[nodiscard]] std::int32_t turns_of(std::int32_t count) const {
        return count >= 0 ? count / ports_ : -((ports_ - 1 - count) / ports_);
    }
    /// Where c lies, up to the same number at all nodes, but for `spread`, on states that recur.
    [[nodiscard]] std::array<double, nodes_max> centre(const Counts& constant) const;
    /// The most by which the difference of two nodes' c is off that of `centre`.
    [[nodiscard]] double spread(std::size_t one, std::size_t other) const {
        return spread_[one][other];
    }

  private:
    /// g_v(c) is the mean of c over the ports that lead to v, plus `offset_`, within `rounding_`.
    void measure_rounding() {
        for (std::size_t to = 0; to < nodes_; ++to) {
            double half_width = 0;
            for (std::size_t from = 0; from < nodes_; ++from) {
                double least = 0;
                double most = 0;
                for (std::size_t rest = 0; rest < dealt_[from][to].size(); ++rest) {
                    const double rounded =
                        dealt_[from][to][rest] - static_cast<double>(rest) * weight(from, to);
                    least = std::min(least, rounded);
                    most = std::max(most, rounded);
                }
                half_width += (most - least) / 2;
                offset_[to] += (most + least) / 2;
            }
            rounding_ = std::max(rounding_, half_width);
        }
    }
    /// spread(u, v) = rounding times the sum over t of |row u - row v| of P^t. Terms shrink by a
    /// constant factor every n steps, so what is left out is far below the margin.
    void measure_spread() {
        constexpr double term_least = 1e-9;
        constexpr double margin = 0.01;
        constexpr int terms_max = 100'000;
        Matrix<double> power{};
        for (std::size_t node = 0; node < nodes_; ++node)
            power[node][node] = 1;
        double largest = 1;
        for (int terms = 0; largest > term_least; ++terms) {
            if (terms == terms_max)
                throw UnsuitableError(
                    "recurrent_rotor_states: expected a connected network, and own places or a "
                    "cycle of odd length");
            largest = 0;
            for (std::size_t one = 0; one < nodes_; ++one)
                for (std::size_t other = 0; other < one; ++other) {
                    double term = 0;
                    for (std::size_t to = 0; to < nodes_; ++to)
                        term += std::abs(power[one][to] - power[other][to]);
                    largest = std::max(largest, term);
                    spread_[one][other] = spread_[other][one] += term;
                }
            power = times_weights(power);
        }
        for (auto& row : spread_)
            for (double& value : row)
                value = value * rounding_ + margin;
    }
    [[nodiscard]] double weight(std::size_t from, std::size_t to) const {
        return static_cast<double>(whole_[from][to]) / ports_;
    }
    [[nodiscard]] Matrix<double> times_weights(const Matrix<double>& matrix) const {
        Matrix<double> product{};
        for (std::size_t row = 0; row < nodes_; ++row)
            for (std::size_t from = 0; from < nodes_; ++from)
                for (std::size_t to = 0; to < nodes_; ++to)
                    product[row][from] += matrix[row][to] * weight(from, to);
        return product;
    }

    std::size_t nodes_;
    std::int32_t ports_;  ///< D
    Matrix<std::int32_t> whole_{};
    /// By both ends and the tokens of a turn that have been dealt.
    Matrix<std::vector<std::int32_t>> dealt_;
    std::array<double, nodes_max> offset_{};
    double rounding_ = 0;
    Matrix<double> spread_{};
};

std::array<double, nodes_max> RotorMap::centre(const Counts& constant) const {
    std::array<double, nodes_max> pull{};
    double mean = 0;
    for (std::size_t node = 0; node < nodes_; ++node) {
        pull[node] = constant[node] + offset_[node];
        mean += pull[node] / static_cast<double>(nodes_);
    }
    std::array<double, nodes_max> centre{};
    constexpr int rounds = 4000;
    for (int round = 0; round < rounds; ++round) {
        std::array<double, nodes_max> after{};
        for (std::size_t to = 0; to < nodes_; ++to) {
            after[to] = pull[to] - mean;
            for (std::size_t from = 0; from < nodes_; ++from)
                after[to] += weight(from, to) * centre[from];
        }
        centre = after;
    }
    return centre;
}

/// One K of every class modulo D at all nodes and the Laplacian, by a triangular basis of these.
class ClassesOfConstants {
  public:
    explicit ClassesOfConstants(const RotorMap& map) : nodes_(map.nodes()) {
        rows_.emplace_back();
        std::fill_n(rows_.back().begin(), nodes_, map.ports());
        for (std::size_t node = 0; node < nodes_; ++node) {
            auto& row = rows_.emplace_back();
            row[node] = map.ports();
            for (std::size_t from = 0; from < nodes_; ++from)
                row[from] -= map.links(node, from);
        }
        for (std::size_t column = 0; column < nodes_; ++column)
            reduce(column);
        for (std::size_t column = 0; column < nodes_; ++column)
            count_ *= static_cast<std::uint64_t>(rows_[column][column]);
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] Counts constant(std::uint64_t number) const {
        Counts constant{};
        for (std::size_t column = 0; column < nodes_; ++column) {
            const auto size = static_cast<std::uint64_t>(rows_[column][column]);
            constant[column] = static_cast<std::int32_t>(number % size);
            number /= size;
        }
        return constant;
    }

  private:
    /// Euclid's algorithm on the rows from `column` on: below it the column becomes 0.
    void reduce(std::size_t column) {
        while (true) {
            const auto smaller = [&](const auto& left, const auto& right) {
                const auto size = [&](const auto& row) {
                    return row[column] == 0 ? INT64_MAX : std::abs(row[column]);
                };
                return size(left) < size(right);
            };
            const auto first = rows_.begin() + static_cast<std::ptrdiff_t>(column);
            std::iter_swap(first, std::min_element(first, rows_.end(), smaller));
            if ((*first)[column] < 0)
                for (std::int64_t& value : *first)
                    value = -value;
            if ((*first)[column] == 0)
                throw UnsuitableError("recurrent_rotor_states: expected a connected network");
            bool done = true;
            for (auto row = first + 1; row != rows_.end(); ++row) {
                const std::int64_t times = (*row)[column] / (*first)[column];
                for (std::size_t i = 0; i < nodes_; ++i)
                    (*row)[i] -= times * (*first)[i];
                done = done && (*row)[column] == 0;
            }
            if (done) return;
        }
    }

    std::size_t nodes_;
    std::vector<std::array<std::int64_t, nodes_max>> rows_;
    std::uint64_t count_ = 1;
};

/// All c of one K that may recur, one round per node later.
class Candidates {
  public:
    Candidates(const RotorMap& map, const Counts& constant)
        : map_(map), constant_(constant), centre_(map.centre(constant)) {}

    [[nodiscard]] States states() {
        choose(0);
        return std::move(states_);
    }

  private:
    void choose(std::size_t node) {
        if (node == map_.nodes()) {
            Counts after = c_;
            for (std::size_t round = 0; round < map_.nodes(); ++round)
                after = map_.next(after, constant_);
            states_.insert(map_.normalised(after));
            return;
        }
        double least = 0;
        double most = map_.ports() - 1;
        for (std::size_t other = 0; other < node; ++other) {
            const double middle = c_[other] + centre_[node] - centre_[other];
            const double reach = map_.spread(node, other);
            if (other == 0) {
                least = middle - reach;
                most = middle + reach;
            }
            least = std::max(least, middle - reach);
            most = std::min(most, middle + reach);
        }
        for (auto value = static_cast<std::int32_t>(std::ceil(least));
             value <= static_cast<std::int32_t>(std::floor(most)); ++value) {
            c_[node] = value;
            choose(node + 1);
        }
    }

    const RotorMap& map_;
    const Counts& constant_;
    std::array<double, nodes_max> centre_;
    Counts c_{};
    States states_;
};

void expect_ports(const RotorPorts& ports) {
    std::array<std::size_t, nodes_max> into{};
    const bool few = !ports.empty() && ports.size() <= nodes_max;
    bool regular = few && !ports.front().empty();
    for (std::size_t node = 0; regular && node < ports.size(); ++node) {
        regular = ports[node].size() == ports.front().size();
        for (const NodeId end : ports[node]) {
            regular = regular && end < ports.size();
            if (regular) ++into[end];
        }
    }
    for (std::size_t node = 0; regular && node < ports.size(); ++node)
        regular = into[node] == ports.front().size();
    if (!regular)
        throw UnsuitableError(
            "recurrent_rotor_states: expected 1 to 8 nodes, as many ports at each, and as many "
            "ports that lead to each");
}

/// Takes the states of one K into account.
void add(RecurrentRotorStates& found, const RotorMap& map, const Counts& constant,
         const States& states) {
    found.count += states.size();
    for (const Counts& c : states) {
        const Counts after = map.next(c, constant);
        load::Loads loads(map.nodes());
        for (std::size_t node = 0; node < map.nodes(); ++node)
            loads[node] = Tokens{after[node]} - c[node];
        if (!found.loads.empty() && load::discrepancy(loads) <= found.discrepancy) continue;
        found.discrepancy = load::discrepancy(loads);
        const Tokens least = *std::min_element(loads.begin(), loads.end());
        const Tokens turns = map.turns_of(static_cast<std::int32_t>(least));
        found.rotors.clear();
        for (std::size_t node = 0; node < map.nodes(); ++node) {
            loads[node] -= turns * map.ports();
            found.rotors.push_back(
                static_cast<std::uint32_t>(c[node] - map.turns_of(c[node]) * map.ports()));
        }
        found.loads = std::move(loads);
    }
}

}  // namespace

RecurrentRotorStates recurrent_rotor_states(const RotorPorts& ports) {
    expect_ports(ports);
    const RotorMap map(ports);
    const ClassesOfConstants classes(map);
    double values = static_cast<double>(classes.count()) * map.ports();
    for (std::size_t node = 1; node < map.nodes(); ++node)
        values *= 2 * map.spread(node, node - 1) + 1;
    if (values > values_max)
        throw UnsuitableError("recurrent_rotor_states: too many states to try all");
    RecurrentRotorStates found;
    for (std::uint64_t number = 0; number < classes.count(); ++number) {
        const Counts constant = classes.constant(number);
        States states = Candidates(map, constant).states();
        // States that recur stay; when no others are left, every state comes from one of them.
        while (true) {
            States after;
            for (const Counts& c : states)
                after.insert(map.normalised(map.next(c, constant)));
            if (after == states) break;
            states = std::move(after);
        }
        add(found, map, constant, states);
    }
    return found;
}

}  // namespace equipoise::analysis
