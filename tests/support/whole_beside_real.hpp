#pragma once
// Whole loads whose odd tokens go where a coin says, beside real ones over the same links: all
// coins, by their probabilities.

#include <map>
#include <vector>

#include "equipoise/base/ids.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/network/network.hpp"

namespace equipoise::test {

/// The real loads and, given the same links, the whole ones with their probabilities.
struct Beside {
    std::vector<double> real;
    std::map<load::Loads, double> whole;
};

/// What arrives at which node in a step that averages `link`.
struct Arrival {
    NodeId node;
    Tokens tokens;
};

[[nodiscard]] inline Beside after(const Beside& before, Ends link, Arrival arrival) {
    Beside next{before.real, {}};
    next.real[arrival.node] += static_cast<double>(arrival.tokens);
    const double mean = (next.real[link.tail] + next.real[link.head]) / 2;
    next.real[link.tail] = next.real[link.head] = mean;
    for (const auto& [loads, probability] : before.whole) {
        load::Loads moved = loads;
        moved[arrival.node] += arrival.tokens;
        const Tokens sum = moved[link.tail] + moved[link.head];
        for (const Tokens coin : {Tokens{0}, sum % 2}) {
            moved[link.tail] = sum / 2 + coin;
            moved[link.head] = sum - moved[link.tail];
            next.whole[moved] += probability / 2;
        }
    }
    return next;
}

/// Visits what every sequence of up to `steps` links leads to, with the number of steps;
/// `arrivals(step, link)` is what arrives.
template <class Arrivals, class Visit>
void for_each_sequence(const network::Network& network, const load::Loads& start,
                       const Arrivals& arrivals, Step steps, const Visit& visit) {
    const auto go_on = [&](const auto& self, const Beside& now, Step step) -> void {
        visit(now, step);
        if (step == steps) return;
        for (LinkId link = 0; link < network.link_count(); ++link)
            self(self, after(now, network.ends(link), arrivals(step, network.ends(link))),
                 step + 1);
    };
    go_on(go_on, {std::vector<double>(start.begin(), start.end()), {{start, 1.0}}}, 0);
}

template <class Value>
[[nodiscard]] double expected(const std::map<load::Loads, double>& distribution,
                              const Value& value) {
    double sum = 0;
    for (const auto& [loads, probability] : distribution)
        sum += probability * value(loads);
    return sum;
}

}  // namespace equipoise::test
