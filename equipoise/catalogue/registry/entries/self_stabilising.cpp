#include "equipoise/programs/self_stabilising.hpp"

#include <algorithm>
#include <string>
#include <variant>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/common/program.hpp"
#include "equipoise/theory/deal_agreement.hpp"

namespace equipoise::catalogue::entries::self_stabilising {

namespace {

using programs::LabelledLink;
using programs::SelfStabilising;
using programs::SequenceLink;

/// Whether packets carry labels instead of numbers.
bool is_labelled(const Task& task, const engine::FaultPlan& faults) {
    const std::string& link = task.parameters.word("link");
    return link == "labelled" ||
           (link == "auto" && faults.capacity > 0 && faults.capacity <= LabelledLink::capacity_max);
}

void expect_supported(const Task& task, const engine::FaultPlan& faults) {
    const auto refuse = [](const std::string& what) {
        throw UnsuitableError("self-stabilising: " + what);
    };
    const std::string most = std::to_string(LabelledLink::capacity_max);
    if (!is_labelled(task, faults)) {
        if (faults.corrupt_start)
            refuse(
                "numbered packets do not tolerate an arbitrary start; expected link=labelled and a "
                "capacity of 1 to " +
                most + " with corrupt-start");
        return;
    }
    if (faults.capacity > LabelledLink::capacity_max)
        refuse("labelled packets need channels of capacity 1 to " + most + ", found " +
               std::to_string(faults.capacity));
    if (faults.capacity == 0 && (faults.duplicate > 0 || faults.reorder > 0))
        refuse(
            "labelled packets tolerate duplicates and reordering only in channels of bounded "
            "capacity; expected capacity=K in --faults, or link=numbered");
}

model::Guarantee promise(const Task& task) {
    return {theory::one_balanced_discrepancy(task.facts.diameter().upper),
            {},
            theory::cite(theory::papers::dinitz, "Section 5, repaired")};
}

/// The number of tokens for which a node has room. From a clean start deals are genuine and need no
/// bound; an arbitrary start may contain any offer, and sums of forged deals must stay within 64
/// bits.
Tokens room_of(const Task& task, const engine::FaultPlan& faults) {
    constexpr Tokens least = 4096;
    if (!faults.corrupt_start) return tokens_max;
    return std::clamp(2 * load::total(task.loads), least, tokens_max);
}

Tokens batch_of(const Task& task) {
    const auto asked = static_cast<Tokens>(task.parameters.whole("batch"));
    return asked == 0 ? tokens_max : asked;
}

/// The clock of packets over links of this kind. A single port takes a message a tick: packets of
/// all neighbours together must be less frequent.
template <class Link>
model::Ticks period(const Task& task, const engine::SimulationOptions& asynchrony,
                    const Link& link) {
    const model::Ticks asked = task.parameters.whole("period");
    if (!asynchrony.single_port) return asked;
    const model::Ticks degree = all_channels(task.facts).degree_max();
    return std::max(asked, 4 * degree * link.packets());
}

std::variant<SelfStabilising<SequenceLink>, SelfStabilising<LabelledLink>> make(
    const Task& task, const engine::SimulationOptions& asynchrony) {
    const auto over = [&](const auto& link) {
        return SelfStabilising(link, period(task, asynchrony, link),
                               room_of(task, asynchrony.faults), batch_of(task));
    };
    if (!is_labelled(task, asynchrony.faults)) return over(SequenceLink());
    return over(LabelledLink(asynchrony.faults.capacity == 0 ? 1 : asynchrony.faults.capacity));
}

}  // namespace

Algorithm entry() {
    return {
        .name = "self-stabilising",
        .after = "async-deal-agreement",
        .title =
            "self-stabilising deal-agreement: offers and deals over channels that lose, duplicate "
            "and reorder",
        .source = theory::cite(theory::papers::dinitz, "Section 5, Algorithm 5"),
        .model = StepModel::asynchronous,
        .parameters = {word_parameter(
                           "link", {"auto", "labelled", "numbered"},
                           "how packets are told apart: labelled (self-stabilising, for channels "
                           "of bounded capacity), numbered (for any channels, from a clean start) "
                           "or auto (labelled where --faults gives a capacity)"),
                       whole_parameter(
                           "period", "8", {1, 1'000'000},
                           "ticks of silence after which packets are repeated, on average; with "
                           "--ports 1 it is raised to at least 4 d times the packets of an offer"),
                       whole_parameter(
                           "batch", "0", {0, 1'000'000'000},
                           "a node offers at most this many tokens at a time; 0: any number")},
        .guarantee =
            "neighbours differ by at most 1, also from an arbitrary start (for the tokens that are "
            "left); from a clean start no token is lost, made or owed",
        .stop = "no token can move any more",
        .anytime = true,
        .goal_one_balanced = true,
        .promise = promise,
        .program = runs(make, {.kinds = {"packet", "acknowledgement"},
                               .acknowledgements = model::KindSet::of(
                                   SelfStabilising<SequenceLink>::Kind::acknowledgement),
                               .expect_supported = expect_supported,
                               .supports_churn = true,
                               .supports_arrivals = true}),
    };
}

}  // namespace equipoise::catalogue::entries::self_stabilising
