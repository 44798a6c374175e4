#include "equipoise/catalogue/runner/world.hpp"

#include <optional>
#include <string_view>

#include "equipoise/base/error.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/network/node_names.hpp"

namespace equipoise::catalogue {

namespace {

using engine::Adversary;
using engine::DelayModel;

void parse_delays(const std::string& text, engine::SimulationOptions& world) {
    if (text.starts_with(model::delays_on_ranks)) return;  // the deliveries determine all
    const Spec spec = Spec::parse(text);
    if (spec.name() == "unit") {
        world.delays = DelayModel::unit;
    } else if (spec.name() == "random") {
        world.delays = DelayModel::random;
        world.delay_max = spec.whole("max", 1, 1U << 30U, 16);
    } else if (spec.name() == "heavy-tail") {
        world.delays = DelayModel::heavy_tail;
        world.delay_max = spec.whole("max", 2, 1U << 30U, 1U << 20U);
    } else {
        throw InputError("--delays: expected unit, random or heavy-tail, found \"" + text + '"');
    }
    spec.expect_done();
}

/// The link from one node to another among the channels; `FROM-TO` in names of nodes, which may
/// hold dashes themselves.
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
        throw InputError(
            "--adversary slow-link: the algorithm uses no link from " +
            std::string(names.substr(0, dash)) + " to " + std::string(names.substr(dash + 1)) +
            (channels.link_count() < named.link_count() ? " (it runs on a spanning tree)" : ""));
    }
    throw InputError("--adversary slow-link: expected two names of nodes FROM-TO, found \"" +
                     std::string(names) + '"');
}

Adversary parse_adversary(const std::string& text, const ProgramPlay& program,
                          const NetworkFacts& facts) {
    const std::string_view all = text;
    const std::size_t colon = all.find(':');
    const std::string_view name = all.substr(0, colon);
    const std::string_view value =
        colon == std::string_view::npos ? std::string_view() : all.substr(colon + 1);
    Adversary adversary;
    if (name == "starve") {
        adversary.kind = Adversary::Kind::starve_node;
        const network::NodeNames nodes(facts.network());
        const auto node = nodes.find(value);
        if (!node)
            throw InputError("--adversary starve: expected " + nodes.expected() + ", found \"" +
                             std::string(value) + '"');
        adversary.node = *node;
    } else if (name == "slow-link") {
        adversary.kind = Adversary::Kind::slow_link;
        find_link(value, facts.network(), program.channels(facts), adversary);
    } else if (all == "newest-first") {
        adversary.kind = Adversary::Kind::newest_first;
    } else if (all == "hold-acks") {
        adversary.kind = Adversary::Kind::hold_kinds;
        adversary.kinds = program.acknowledgements;
    } else {
        throw InputError(
            "--adversary: expected starve:NODE, slow-link:FROM-TO, newest-first or hold-acks, "
            "found \"" +
            text + '"');
    }
    return adversary;
}

/// `corrupt-start` takes no value.
std::string with_values(std::string_view text) {
    constexpr std::string_view flag = "corrupt-start";
    std::string all;
    while (true) {
        const std::size_t comma = text.find(',');
        const std::string_view item = text.substr(0, comma);
        all += item;
        if (item == flag) all += "=1";
        if (comma == std::string_view::npos) return all;
        all += ',';
        text.remove_prefix(comma + 1);
    }
}

engine::FaultPlan parse_faults(const std::string& text) {
    const Spec spec = Spec::parse("faults:" + with_values(text));
    engine::FaultPlan faults;
    faults.loss = spec.real("loss", 0, 0.99, 0);
    faults.duplicate = spec.real("duplicate", 0, 1, 0);
    faults.reorder = spec.real("reorder", 0, 1, 0);
    faults.capacity = static_cast<std::uint32_t>(spec.whole("capacity", 1, 1U << 30U, 0));
    faults.until = spec.whole("until", 0, model::for_ever, model::for_ever);
    faults.crash = spec.real("crash", 0, 0.5, 0);
    faults.down_max = spec.whole("down", 1, 1U << 30U, faults.down_max);
    faults.corrupt_start = spec.whole("corrupt-start", 0, 1, 0) == 1;
    spec.expect_done();
    return faults;
}

}  // namespace

engine::SimulationOptions world_of(const Algorithm& algorithm, const NetworkFacts& facts,
                                   const WorldTexts& texts) {
    engine::SimulationOptions world;
    if (!algorithm.program) {
        if (!texts.empty())
            throw UnsuitableError(algorithm.name +
                                  " is synchronous: expected no --delays, --adversary, --faults or "
                                  "--ports");
        return world;
    }
    if (!texts.delays.empty()) parse_delays(texts.delays, world);
    if (!texts.ports.empty() && texts.ports != "1" && texts.ports != "all")
        throw InputError("--ports: expected 1 or all, found \"" + texts.ports + '"');
    world.single_port = texts.ports == "1";
    if (!texts.adversary.empty())
        world.adversary = parse_adversary(texts.adversary, *algorithm.program, facts);
    if (texts.faults.empty()) return world;
    world.faults = parse_faults(texts.faults);
    if (algorithm.program->expect_borne == nullptr)
        throw UnsuitableError(algorithm.name +
                              " sends tokens in its messages and does not support channels that "
                              "lose, duplicate or reorder them: expected no --faults");
    if (world.faults.corrupt_start && world.faults.capacity == 0)
        throw UnsuitableError(
            "--faults corrupt-start: channels without a bound may hold any number of forged "
            "messages; expected capacity=K with it");
    return world;
}

}  // namespace equipoise::catalogue
