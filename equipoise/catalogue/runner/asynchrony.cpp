#include "equipoise/catalogue/runner/asynchrony.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_rows.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/network/node_names.hpp"

namespace equipoise::catalogue {

namespace {

using engine::Adversary;
using engine::DelayModel;

struct DelaysRow {
    SpecInfo info;
    std::vector<std::string_view> keys;
    void (*set)(const Spec& spec, engine::SimulationOptions& asynchrony);
};

const std::vector<DelaysRow>& delays_table() {
    static const std::vector<DelaysRow> rows = {
        {{"unit", "unit", "every message takes 1 tick"},
         {},
         [](const Spec&, engine::SimulationOptions& asynchrony) {
             asynchrony.delays = DelayModel::unit;
         }},
        {{"random", "random:max=16", "1 to max ticks, uniform", true},
         {"max"},
         [](const Spec& spec, engine::SimulationOptions& asynchrony) {
             asynchrony.delays = DelayModel::random;
             asynchrony.delay_max = spec.whole("max", 1, 1U << 30U, 16);
         }},
        {{"heavy-tail", "heavy-tail:max=1048576",
          "at least 2^k ticks with probability 2^-k, always fewer than twice max", true},
         {"max"},
         [](const Spec& spec, engine::SimulationOptions& asynchrony) {
             asynchrony.delays = DelayModel::heavy_tail;
             asynchrony.delay_max = spec.whole("max", 2, 1U << 30U, 1U << 20U);
         }},
    };
    return rows;
}

void parse_delays(const std::string& text, engine::SimulationOptions& asynchrony) {
    const Spec spec = Spec::parse(text);
    const DelaysRow* const row = find_row(delays_table(), spec.name());
    if (row == nullptr) throw InputError(unknown_row("kind of delays", text, delay_models()));
    spec.expect_only(row->keys);
    row->set(spec, asynchrony);
}

/// Finds the link from one node to another among the channels: `FROM-TO` in names of nodes, which
/// may contain dashes themselves.
void find_link(std::string_view names, const network::AnyNetwork& named,
               const network::Network& channels, Adversary& adversary) {
    const network::NodeNames nodes(named);
    for (std::size_t dash = names.find('-'); dash != std::string_view::npos;
         dash = names.find('-', dash + 1)) {
        const auto from = nodes.find(names.substr(0, dash));
        const auto to = nodes.find(names.substr(dash + 1));
        if (!from || !to) continue;
        if (const auto port = network::port_to(channels, *from, *to)) {
            adversary.link = channels.link(*from, *port);
            adversary.from_head = channels.ends(adversary.link).head == *from;
            return;
        }
        const std::string ends = " from " + std::string(names.substr(0, dash)) + " to " +
                                 std::string(names.substr(dash + 1));
        throw InputError(
            "--adversary slow-link: " +
            (network::port_to(named, *from, *to)
                 ? "the link" + ends + " is not in the spanning tree on which the algorithm runs"
                 : "there is no link" + ends));
    }
    throw InputError("--adversary slow-link: expected two names of nodes FROM-TO, found \"" +
                     std::string(names) + '"');
}

Adversary starving(std::string_view name, const ProgramPlay& /*program*/,
                   const NetworkFacts& facts) {
    const network::NodeNames nodes(facts.network());
    const auto node = nodes.find(name);
    if (!node)
        throw InputError("--adversary starve: expected " + nodes.expected() + ", found " +
                         (name.empty() ? "none" : '"' + std::string(name) + '"'));
    Adversary adversary;
    adversary.kind = Adversary::Kind::starve_node;
    adversary.node = *node;
    return adversary;
}

Adversary slowing(std::string_view names, const ProgramPlay& program, const NetworkFacts& facts) {
    Adversary adversary;
    adversary.kind = Adversary::Kind::slow_link;
    find_link(names, facts.network(), program.channels(facts), adversary);
    return adversary;
}

/// Takes a value if its form shows one.
struct AdversaryRow {
    SpecInfo info;
    Adversary (*make)(std::string_view value, const ProgramPlay& program,
                      const NetworkFacts& facts);
};

const std::vector<AdversaryRow>& adversary_table() {
    static const std::vector<AdversaryRow> rows = {
        {{"starve", "starve:0",
          "a node starts late, and messages to and from it take 1,000 times as long", false,
          "starve:NODE"},
         starving},
        {{"slow-link", "slow-link:0-1",
          "messages from one node to another take 1,000 times as long", false, "slow-link:FROM-TO"},
         slowing},
        {{"newest-first", "newest-first", "the message sent last, on any link, arrives first"},
         [](std::string_view, const ProgramPlay&, const NetworkFacts&) {
             Adversary adversary;
             adversary.kind = Adversary::Kind::newest_first;
             return adversary;
         }},
        {{"hold-acks", "hold-acks", "acknowledgements arrive only when nothing else can"},
         [](std::string_view, const ProgramPlay& program, const NetworkFacts&) {
             Adversary adversary;
             adversary.kind = Adversary::Kind::hold_kinds;
             adversary.kinds = program.acknowledgements;
             return adversary;
         }},
    };
    return rows;
}

const AdversaryRow& adversary_row(const std::string& text) {
    const std::size_t colon = text.find(':');
    const AdversaryRow* const row = find_row(adversary_table(), text.substr(0, colon));
    if (row == nullptr) throw InputError(unknown_row("adversary", text, adversaries()));
    if (colon != std::string::npos && row->info.form.empty())
        throw InputError("--adversary: expected " + row->info.name + " alone, found \"" + text +
                         '"');
    return *row;
}

Adversary parse_adversary(const std::string& text, const ProgramPlay& program,
                          const NetworkFacts& facts) {
    const std::string_view all = text;
    const std::size_t colon = std::min(all.find(':'), all.size());
    return adversary_row(text).make(all.substr(std::min(colon + 1, all.size())), program, facts);
}

bool single_port(const std::string& ports) {
    if (!ports.empty() && ports != "1" && ports != "all")
        throw InputError("--ports: expected 1 or all, found \"" + ports + '"');
    return ports == "1";
}

struct FaultRow {
    SpecInfo info;
    FaultInfo::Of of;
    void (*set)(const Spec& spec, engine::FaultPlan& plan);
};

const std::vector<FaultRow>& fault_table() {
    using Of = FaultInfo::Of;
    using Plan = engine::FaultPlan;
    static const std::vector<FaultRow> rows = {
        {{"loss", "loss=0.1", "probability that a message is lost", true},
         Of::channels,
         [](const Spec& spec, Plan& plan) { plan.loss = spec.real("loss", 0, 0.99, 0); }},
        {{"duplicate", "duplicate=0.1", "probability that a message arrives twice", true},
         Of::channels,
         [](const Spec& spec, Plan& plan) { plan.duplicate = spec.real("duplicate", 0, 1, 0); }},
        {{"reorder", "reorder=0.1", "probability that a message is delivered out of order", true},
         Of::channels,
         [](const Spec& spec, Plan& plan) { plan.reorder = spec.real("reorder", 0, 1, 0); }},
        {{"capacity", "capacity=4",
          "at most this many messages under way in one direction of a link; more "
          "are lost"},
         Of::channels,
         [](const Spec& spec, Plan& plan) {
             plan.capacity = static_cast<std::uint32_t>(spec.whole("capacity", 1, 1U << 30U, 0));
         }},
        {{"crash", "crash=0.01", "probability that a node crashes instead of acting", true},
         Of::nodes,
         [](const Spec& spec, Plan& plan) { plan.crash = spec.real("crash", 0, 0.5, 0); }},
        {{"down", "down=64", "a crashed node starts again after 1 to 64 ticks"},
         Of::nodes,
         [](const Spec& spec, Plan& plan) {
             plan.down_max = spec.whole("down", 1, 1U << 30U, plan.down_max);
         }},
        {{"corrupt-start", "corrupt-start",
          "nodes and channels begin in arbitrary states; requires capacity", true},
         Of::nodes,
         [](const Spec& spec, Plan& plan) { plan.corrupt_start = spec.flag("corrupt-start"); }},
        {{"until", "until=1000",
          "from this tick on there are no faults, except that messages above the capacity are "
          "lost"},
         Of::both,
         [](const Spec& spec, Plan& plan) {
             plan.until = spec.whole("until", 0, model::for_ever, model::for_ever);
         }},
    };
    return rows;
}

engine::FaultPlan parse_faults(const std::string& text) {
    const Spec spec = Spec::parse_values("--faults", text);
    std::vector<std::string_view> keys;
    for (const FaultRow& fault : fault_table())
        keys.push_back(fault.info.name);
    spec.expect_only(keys);
    engine::FaultPlan plan;
    for (const FaultRow& fault : fault_table())
        fault.set(spec, plan);
    return plan;
}

}  // namespace

const std::vector<SpecInfo>& delay_models() {
    static const std::vector<SpecInfo> infos = infos_of(delays_table());
    return infos;
}

const std::vector<SpecInfo>& adversaries() {
    static const std::vector<SpecInfo> infos = infos_of(adversary_table());
    return infos;
}

std::vector<FaultInfo> fault_kinds() {
    std::vector<FaultInfo> kinds;
    for (const FaultRow& fault : fault_table())
        kinds.push_back({fault.info, fault.of});
    return kinds;
}

void check(const AsynchronyTexts& texts) {
    engine::SimulationOptions unused;
    if (!texts.delays.empty()) parse_delays(texts.delays, unused);
    if (!texts.adversary.empty()) static_cast<void>(adversary_row(texts.adversary));
    if (!texts.faults.empty()) static_cast<void>(parse_faults(texts.faults));
    static_cast<void>(single_port(texts.ports));
}

engine::SimulationOptions simulation_options(const Algorithm& algorithm, const NetworkFacts& facts,
                                             const AsynchronyTexts& texts) {
    engine::SimulationOptions asynchrony;
    if (!algorithm.program) {
        if (!texts.empty())
            throw UnsuitableError(algorithm.name +
                                  " is synchronous: --delays, --adversary, --faults and --ports "
                                  "cannot be used with it");
        return asynchrony;
    }
    if (!texts.delays.empty()) parse_delays(texts.delays, asynchrony);
    asynchrony.single_port = single_port(texts.ports);
    if (!texts.adversary.empty())
        asynchrony.adversary = parse_adversary(texts.adversary, *algorithm.program, facts);
    if (texts.faults.empty()) return asynchrony;
    asynchrony.faults = parse_faults(texts.faults);
    if (algorithm.program->expect_supported == nullptr)
        throw UnsuitableError(algorithm.name +
                              " sends tokens in its messages and does not support channels that "
                              "lose, duplicate or reorder them: --faults cannot be used with it");
    if (asynchrony.faults.corrupt_start && asynchrony.faults.capacity == 0)
        throw UnsuitableError(
            "--faults corrupt-start: channels without a bound may hold any number of forged "
            "messages; expected capacity=K with it");
    return asynchrony;
}

}  // namespace equipoise::catalogue
