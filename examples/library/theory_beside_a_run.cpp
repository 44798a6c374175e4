// What a theorem promises beside what is measured: rounds of deal-agreement-2 as networks grow.
// Build: the target example_theory_beside_a_run, or as examples/README.md says.
// Look at how near the discrepancy comes to its bound, and how far rounds stay below theirs.

#include <cstdio>
#include <string>

#include <equipoise/equipoise.hpp>
#include <equipoise/theory/deal_agreement.hpp>

namespace theory = equipoise::theory;

int main() {
    std::puts("network        rounds     by Theorem 2   by the potential   discrepancy  at most");
    for (const unsigned n : {8U, 16U, 32U, 64U, 128U}) {
        const std::string spec = "cycle:n=" + std::to_string(n);
        const auto network = equipoise::network::generate(spec, 0);
        const auto loads = equipoise::load::make_loads("spike:tokens=10000", network, 0);
        const auto run = equipoise::run("deal-agreement-2", network, loads);

        const unsigned diameter = n / 2;
        const auto initial = run.initial_discrepancy();
        const auto theorem = theory::deal_agreement_2_rounds(n, diameter, initial);
        const auto potential =
            theory::deal_rounds_by_potential(equipoise::load::potential(loads), n);
        std::printf(
            "%-12s %8llu %16llu %18llu %13lld %8lld\n", spec.c_str(),
            static_cast<unsigned long long>(run.rounds()), static_cast<unsigned long long>(theorem),
            static_cast<unsigned long long>(potential), static_cast<long long>(run.discrepancy()),
            static_cast<long long>(theory::one_balanced_discrepancy(diameter)));
    }
}
