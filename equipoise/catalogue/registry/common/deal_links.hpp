#pragma once
// What entries of programs share whose nodes deal over links that faults may hit.

#include <string>
#include <variant>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/programs/deal_link.hpp"

namespace equipoise::catalogue {

/// The parameters `link` and `period`.
[[nodiscard]] Parameter link_parameter();
[[nodiscard]] Parameter period_parameter();

/// Whether packets carry labels instead of numbers.
[[nodiscard]] bool has_labelled_links(const Task& task, const engine::FaultPlan& faults);

/// Throws UnsuitableError, which begins with the algorithm's name, unless the task's links tolerate
/// these faults.
void expect_links_supported(const std::string& algorithm, const Task& task,
                            const engine::FaultPlan& faults);

/// The number of tokens for which a node has room. From a clean start deals are genuine and need no
/// bound; an arbitrary start may contain any offer, and sums of forged deals must stay within 64
/// bits.
[[nodiscard]] Tokens room_for_offers(const Task& task, const engine::FaultPlan& faults);

/// The clock of packets over links that need this many of them for an offer. A single port takes a
/// message a tick: packets of all neighbours together must be less frequent.
[[nodiscard]] model::Ticks period_of_packets(const Task& task,
                                             const engine::SimulationOptions& asynchrony,
                                             unsigned packets);

/// The program that `make(link)` returns for the link that the task asks for, which carries offers
/// of this type: a variant of the program over numbered and over labelled links.
template <class Offered, class Make>
[[nodiscard]] auto over_deal_links(const Task& task, const engine::SimulationOptions& asynchrony,
                                   const Make& make) {
    using Numbered = programs::SequenceLinkOf<Offered>;
    using Labelled = programs::LabelledLinkOf<Offered>;
    using Either = std::variant<decltype(make(Numbered())), decltype(make(Labelled(1)))>;
    if (!has_labelled_links(task, asynchrony.faults)) return Either(make(Numbered()));
    const unsigned capacity = asynchrony.faults.capacity;
    return Either(make(Labelled(capacity == 0 ? 1 : capacity)));
}

}  // namespace equipoise::catalogue
