#include "equipoise/engine/rounds/bulk_edge_rounds.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/run_control.hpp"

namespace equipoise::engine {

using model::LinkEnd;
using model::StateWord;

BulkEdgeRounds::BulkEdgeRounds(const model::BulkEdgeRule& rule, AnySchedule&& schedule,
                               LoadedPart&& loaded, const RoundOptions& options)
    : EdgePlay(std::move(loaded), std::move(schedule), options, rule.may_owe),
      rule_(rule),
      errors_(rule.name, rule.node_name) {
    start();
}

void BulkEdgeRounds::make_room() {
    RoundPlay::make_room();
    node_states_.resize(std::max<std::size_t>(
        node_states_.size(), std::size_t{part_.local_count()} * rule_.nodes.node_fields));
}

Values BulkEdgeRounds::states() {
    return {std::as_writable_bytes(std::span(node_states_)),
            rule_.nodes.node_fields * sizeof(StateWord)};
}

Values BulkEdgeRounds::link_memory() {
    return {std::as_writable_bytes(std::span(link_states_)), rule_.link_fields * sizeof(StateWord)};
}

std::size_t BulkEdgeRounds::first_body(const EdgeSetting& /*setting*/) const {
    return 0;
}

void BulkEdgeRounds::take_body(std::size_t /*number*/, const EdgeSetting& setting) {
    owes_ = rule_.may_owe || setting.load_least < 0;
    in_place_ = setting.schedule.disjoint;
    const auto links =
        std::max<std::size_t>(1, std::min<std::uint64_t>(bulk_size, part_.link_count()));
    batch_ =
        std::make_shared<LinkBatch>(rule_.name, links, rule_.nodes.node_fields, rule_.link_fields);
    again_ =
        std::make_shared<LinkBatch>(rule_.name, links, rule_.nodes.node_fields, rule_.link_fields);
    flows_.resize(links);
    if (rule_.nodes.start_nodes || rule_.nodes.after_step)
        nodes_ = std::make_shared<NodeBatch>(
            rule_.name, std::min<std::size_t>(bulk_size, std::max<NodeId>(1, part_.own_count())), 0,
            rule_.nodes.node_fields);
    if (in_place_) return;
    inflows_.resize(part_.own_count());
    is_touched_.resize(part_.own_count());
}

BulkGround BulkEdgeRounds::ground(Step now) {
    return {&part_,
            live_ ? &*live_ : nullptr,
            loads_,
            speeds_,
            node_states_,
            rule_.nodes.node_fields,
            {now, options_.seed}};
}

void BulkEdgeRounds::start_nodes() {
    if (!rule_.nodes.start_nodes) return;
    nodes_->play_each(ground(control_->costs().steps), rule_.nodes.start_nodes,
                      [&](const auto& add) {
                          for (NodeId node = 0; node < part_.own_count(); ++node)
                              add(node, loads_[node]);
                      });
}

void BulkEdgeRounds::restart(NodeId node) {
    for (std::size_t field = 0; field < rule_.nodes.node_fields; ++field)
        node_states_[node * rule_.nodes.node_fields + field] = 0;
    if (rule_.nodes.start_nodes)
        nodes_->play_each(ground(control_->costs().steps), rule_.nodes.start_nodes,
                          [&](const auto& add) { add(node, loads_[node]); });
}

void BulkEdgeRounds::renew_links(std::uint64_t count) {
    link_states_.assign(count * rule_.link_fields, 0);
}

void BulkEdgeRounds::start_links(const ActiveLinks& links) {
    links.for_each([&](const Ends& /*ends*/, std::uint64_t /*slot*/, std::uint64_t state) {
        for (std::size_t field = 0; field < rule_.link_fields; ++field)
            link_states_[state * rule_.link_fields + field] = 0;
    });
}

void BulkEdgeRounds::exchange(const ActiveLinks& links, Reach /*reach*/, Step now,
                              StepTotals& totals) {
    batch_->clear();
    links.for_each([&](const Ends& ends, std::uint64_t slot, std::uint64_t state) {
        if (batch_->full()) play_batch(now, totals);
        batch_->add(ends, slot, state);
    });
    if (!batch_->empty()) play_batch(now, totals);
}

void BulkEdgeRounds::play_batch(Step now, StepTotals& totals) {
    LinkBatch& batch = *batch_;
    const std::span<Tokens> flows = std::span(flows_).first(batch.count());
    batch.open(ground(now), link_states_);
    const std::span<const Tokens> tail = batch.loads(LinkEnd::tail);
    const std::span<const Tokens> head = batch.loads(LinkEnd::head);
    rule_.evaluate(batch, flows);
    if (repeats_some(now)) evaluate_again(now);
    batch.store_states();
    for (std::size_t i = 0; i < flows.size(); ++i) {
        const Ends& ends = batch.ends(i);
        if (flows[i] < -tokens_max || flows[i] > tokens_max)
            throw errors_.at_link(part_, now, ends,
                                  "expected a number of tokens, found " + std::to_string(flows[i]));
        if (in_place_)
            apply(ends, flows[i], now);
        else {
            if (part_.owns(ends.tail)) arrive(ends.tail, -flows[i]);
            if (part_.owns(ends.head)) arrive(ends.head, flows[i]);
        }
        if (!part_.owns(ends.tail)) continue;
        totals.move(flows[i]);
        totals.steep = totals.steep || is_steep(tail[i] - head[i]);
        totals.messages += 2;
        if (wants_transfers_) note(batch.slot(i), ends, flows[i], now);
    }
    if (in_place_ && rule_.nodes.after_step) {
        for (std::size_t i = 0; i < flows.size(); ++i) {
            end_node(batch.ends(i).tail, tail[i], now);
            end_node(batch.ends(i).head, head[i], now);
        }
        end_nodes(now);
    }
    batch.close();
    batch.clear();
}

// With a rule that looks at other links, draws random numbers of its own or remembers things in
// secret, runs would depend on how links are divided. To detect such rules, some links are
// evaluated again, among others and in another order.
void BulkEdgeRounds::evaluate_again(Step now) {
    const BulkSample some(batch_->count(), now);
    again_->sample(*batch_, some);
    again_->open(ground(now), link_states_);
    flows_again_.resize(again_->count());
    rule_.evaluate(*again_, flows_again_);
    for (std::size_t k = 0; k < flows_again_.size(); ++k) {
        const std::size_t i = some.at(k);
        if (flows_[i] != flows_again_[k])
            throw errors_.at_link(part_, now, batch_->ends(i),
                                  BulkErrors::impure(flows_[i], flows_again_[k]));
        for (std::size_t field = 0; field < rule_.link_fields; ++field)
            if (batch_->left(i, field) != again_->left(k, field))
                throw errors_.at_link(part_, now, batch_->ends(i), BulkErrors::impure_state());
    }
    again_->close();
}

void BulkEdgeRounds::set_load(NodeId node, Tokens load, Step now) {
    errors_.expect_load(part_, now, node, loads_[node], load, owes_);
    loads_[node] = load;
}

void BulkEdgeRounds::apply(const Ends& ends, Tokens flow, Step now) {
    if (part_.owns(ends.tail)) set_load(ends.tail, loads_[ends.tail] - flow, now);
    if (part_.owns(ends.head)) set_load(ends.head, loads_[ends.head] + flow, now);
}

void BulkEdgeRounds::arrive(NodeId node, Tokens inflow) {
    inflows_[node] = checked_add(inflows_[node], inflow);
    if (is_touched_[node] != 0) return;
    is_touched_[node] = 1;
    touched_.push_back(node);
}

void BulkEdgeRounds::settle(Step now, StepTotals& /*totals*/) {
    for (const NodeId node : touched_) {
        const Tokens old_load = loads_[node];
        const Tokens load = checked_add(old_load, std::exchange(inflows_[node], 0));
        is_touched_[node] = 0;
        set_load(node, load, now);
        if (rule_.nodes.after_step) end_node(node, old_load, now);
    }
    touched_.clear();
    if (rule_.nodes.after_step) end_nodes(now);
}

void BulkEdgeRounds::end_node(NodeId node, Tokens old_load, Step now) {
    if (!part_.owns(node)) return;
    if (!nodes_->has_room(0)) end_nodes(now);
    nodes_->add(node, old_load);
}

void BulkEdgeRounds::end_nodes(Step now) {
    if (!nodes_->empty()) nodes_->play(ground(now), rule_.nodes.after_step);
}

}  // namespace equipoise::engine
