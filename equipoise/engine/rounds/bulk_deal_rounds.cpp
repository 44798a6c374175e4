#include "equipoise/engine/rounds/bulk_deal_rounds.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/kernels/parallel.hpp"

namespace equipoise::engine {

using model::BulkSurroundings;
using model::StateWord;

BulkDealRounds::BulkDealRounds(const model::BulkDealRule& rule, LoadedPart&& loaded,
                               const RoundOptions& options)
    : DealPlay(std::move(loaded), options, 1, rule.may_owe),
      rule_(rule),
      errors_(rule.name, rule.node_name) {
    start();
}

BulkGround BulkDealRounds::ground(Step now) {
    return {&part_,
            live_ ? &*live_ : nullptr,
            loads_,
            speeds_,
            node_states_,
            rule_.nodes.node_fields,
            {now, options_.seed}};
}

// The batches are made here, since states are set up before a body is chosen.
void BulkDealRounds::start_nodes() {
    const auto nodes = std::min<std::size_t>(bulk_size, std::max<NodeId>(1, part_.own_count()));
    std::size_t ports = std::min<std::size_t>(bulk_size, rows_.neighbours.size());
    for (NodeId node = 0; node < part_.own_count(); ++node)
        ports = std::max<std::size_t>(ports, rows_.degree(node));
    batch_ = std::make_shared<NodeBatch>(rule_.name, nodes, ports, rule_.nodes.node_fields);
    again_ = std::make_shared<NodeBatch>(rule_.name, nodes, ports, rule_.nodes.node_fields);
    offered_.resize(ports);
    given_.resize(ports);
    node_states_.resize(std::size_t{part_.own_count()} * rule_.nodes.node_fields);
    if (rule_.nodes.after_step) old_loads_.resize(part_.own_count());
    if (rule_.nodes.start_nodes)
        batch_->play_each(ground(0), rule_.nodes.start_nodes, [&](const auto& add) {
            for (NodeId node = 0; node < part_.own_count(); ++node)
                add(node, loads_[node]);
        });
}

void BulkDealRounds::restart(NodeId node) {
    for (std::size_t field = 0; field < rule_.nodes.node_fields; ++field)
        node_states_[node * rule_.nodes.node_fields + field] = 0;
    if (rule_.nodes.start_nodes)
        batch_->play_each(ground(control_->costs().steps), rule_.nodes.start_nodes,
                          [&](const auto& add) { add(node, loads_[node]); });
}

void BulkDealRounds::take_body(std::size_t /*number*/, const DealSetting& setting) {
    owes_ = rule_.may_owe || setting.load_least < 0;
}

template <class Play>
void BulkDealRounds::in_batches(const NodeSet& nodes, const Play& play) {
    for (NodeId i = 0; i < nodes.count; ++i) {
        const NodeId node = nodes.some.empty() ? i : nodes.some[i];
        if (!is_up(node)) continue;
        const std::span<const NodeId> row = rows_.of(node);
        if (!batch_->has_room(row.size())) play();
        batch_->add(node, loads_[node]);
        for (std::size_t port = 0; port < row.size(); ++port)
            if (!live_ || live_->live(node, row[port]))
                batch_->add_port(row[port], rows_.first_arc(node) + port);
    }
    if (!batch_->empty()) play();
}

// As in BulkEdgeRounds: results must not depend on which nodes a rule is called with.
template <class Play>
void BulkDealRounds::repeat(Step now, std::span<const Tokens> given, const Play& play) {
    const BulkSample some(batch_->count(), now);
    again_->sample(*batch_, some);
    again_->open(ground(now));
    std::vector<Tokens> again(again_->port_count());
    play(*again_, std::span<Tokens>(again));
    std::size_t port = 0;
    for (std::size_t k = 0; k < again_->count(); ++k) {
        const std::size_t i = some.at(k);
        for (auto at = static_cast<std::size_t>(batch_->first_ports()[i]);
             at < static_cast<std::size_t>(batch_->first_ports()[i + 1]); ++at, ++port)
            if (given[at] != again[port])
                throw errors_.at_node(part_, now, batch_->node(i),
                                      BulkErrors::impure(given[at], again[port]));
        for (std::size_t field = 0; field < rule_.nodes.node_fields; ++field)
            if (batch_->left(i, field) != again_->left(k, field))
                throw errors_.at_node(part_, now, batch_->node(i), BulkErrors::impure_state());
    }
    again_->close();
}

void BulkDealRounds::propose(const NodeSet& nodes, Step now) {
    // Nodes and links come and go only in runs of one process, where all nodes are inner.
    if (live_ && !nodes.boundary) std::fill(proposals_.begin(), proposals_.end(), 0);
    in_batches(nodes, [&] { propose_batch(now); });
}

void BulkDealRounds::propose_batch(Step now) {
    NodeBatch& batch = *batch_;
    const std::span<Tokens> out = std::span(given_).first(batch.port_count());
    batch.open(ground(now));
    rule_.propose(batch, out);
    if (repeats_some(now))
        repeat(now, out,
               [&](BulkSurroundings& some, std::span<Tokens> to) { rule_.propose(some, to); });
    batch.store_states();
    for (std::size_t i = 0; i < batch.count(); ++i)
        for (auto port = static_cast<std::size_t>(batch.first_ports()[i]);
             port < static_cast<std::size_t>(batch.first_ports()[i + 1]); ++port) {
            if (out[port] < 0 || out[port] > tokens_max)
                throw errors_.at_link(
                    part_, now, {batch.node(i), batch.neighbour(port)},
                    "expected a proposal of 0 tokens or more, found " + std::to_string(out[port]));
            proposals_[batch.arc(port)] = out[port];
        }
    batch.close();
    batch.clear();
}

void BulkDealRounds::accept(const NodeSet& nodes, Step now) {
    std::vector<Tokens>& taken = arcs_.taken;
    if (rule_.accept) {
        if (live_ && !nodes.boundary) std::fill(taken.begin(), taken.end(), 0);
        return in_batches(nodes, [&] { accept_batch(now); });
    }
    for (NodeId i = 0; i < nodes.count; ++i) {
        const NodeId node = nodes.some.empty() ? i : nodes.some[i];
        for (std::uint64_t arc = rows_.first_arc(node); arc < rows_.first_arc(node + 1); ++arc)
            taken[arc] = offered(arc);
    }
}

void BulkDealRounds::accept_batch(Step now) {
    NodeBatch& batch = *batch_;
    const std::size_t ports = batch.port_count();
    const auto hear = [&](const NodeBatch& some, std::span<Tokens> heard) {
        for (std::size_t port = 0; port < heard.size(); ++port)
            heard[port] = offered(some.arc(port));
    };
    const std::span<Tokens> heard = std::span(offered_).first(ports);
    const std::span<Tokens> out = std::span(given_).first(ports);
    hear(batch, heard);
    batch.open(ground(now));
    rule_.accept(batch, heard, out);
    if (repeats_some(now))
        repeat(now, out, [&](BulkSurroundings& some, std::span<Tokens> to) {
            std::vector<Tokens> heard_again(to.size());
            hear(*again_, heard_again);
            rule_.accept(some, heard_again, to);
        });
    batch.store_states();
    for (std::size_t i = 0; i < batch.count(); ++i)
        for (auto port = static_cast<std::size_t>(batch.first_ports()[i]);
             port < static_cast<std::size_t>(batch.first_ports()[i + 1]); ++port) {
            if (out[port] < 0 || out[port] > heard[port])
                throw errors_.at_link(part_, now, {batch.neighbour(port), batch.node(i)},
                                      "expected to take 0 to " + std::to_string(heard[port]) +
                                          " tokens, as many as are offered, found " +
                                          std::to_string(out[port]));
            arcs_.taken[batch.arc(port)] = out[port];
        }
    batch.close();
    batch.clear();
}

void BulkDealRounds::settle(Step now, StepTotals& totals) {
    const std::vector<Tokens>& taken = arcs_.taken;
    for (NodeId node = 0; node < part_.own_count(); ++node) {
        Tokens load = loads_[node];
        for (std::uint64_t arc = rows_.first_arc(node); arc < rows_.first_arc(node + 1); ++arc) {
            const Tokens inflow = taken[arc] - taken[arcs_.reverse[arc]];
            load = checked_add(load, inflow);
            totals.move(inflow);
        }
        errors_.expect_load(part_, now, node, loads_[node], load, owes_);
        if (rule_.nodes.after_step) old_loads_[node] = loads_[node];
        loads_[node] = load;
    }
    if (rule_.nodes.after_step)
        batch_->play_each(ground(now), rule_.nodes.after_step, [&](const auto& add) {
            for (NodeId node = 0; node < part_.own_count(); ++node)
                if (is_up(node)) add(node, old_loads_[node]);
        });
}

}  // namespace equipoise::engine
