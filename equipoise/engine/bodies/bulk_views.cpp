#include "equipoise/engine/bodies/bulk_views.hpp"

#include <algorithm>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"

namespace equipoise::engine {

using model::LinkEnd;
using model::StateWord;

namespace {

template <class T>
void forget_all(std::vector<BulkColumn<T>>& columns) {
    for (BulkColumn<T>& column : columns)
        column.forget();
}

/// The column of random words for a draw. The memory of columns must not move, so each draw has a
/// column of its own, and their number is limited.
BulkColumn<std::uint64_t>& word_column(std::vector<BulkColumn<std::uint64_t>>& columns,
                                       std::uint64_t draw, const std::string& rule) {
    if (draw >= columns.size())
        throw InputError(rule + ": expected fewer random words in a step, found a draw of word " +
                         std::to_string(draw));
    return columns[draw];
}

constexpr std::size_t words_max = 32;

}  // namespace

const BulkGround& BulkPass::ground() const {
    if (!is_open_)
        throw InputError(rule_ +
                         ": what a rule is given can be asked only while it runs: expected a copy "
                         "of what is needed later");
    return ground_;
}

LinkBatch::LinkBatch(const std::string& rule, std::size_t capacity, std::size_t node_fields,
                     std::size_t link_fields)
    : pass_(rule), capacity_(capacity), of_links_(link_fields), words_(words_max) {
    tail_.states.resize(node_fields);
    head_.states.resize(node_fields);
    ends_.reserve(capacity);
    slots_.reserve(capacity);
    states_.reserve(capacity);
}

void LinkBatch::clear() {
    ends_.clear();
    slots_.clear();
    states_.clear();
}

void LinkBatch::sample(const LinkBatch& of, const BulkSample& some) {
    clear();
    for (std::size_t k = 0; k < some.size(); ++k)
        add(of.ends_[some.at(k)], of.slots_[some.at(k)], of.states_[some.at(k)]);
}

void LinkBatch::open(const BulkGround& ground, std::span<StateWord> link_states) {
    for (Side* const side : {&tail_, &head_}) {
        side->loads.forget();
        side->degrees.forget();
        side->speeds.forget();
        forget_all(side->states);
    }
    forget_all(of_links_);
    forget_all(words_);
    link_states_ = link_states;
    pass_.open(ground);
}

void LinkBatch::store_states() const {
    for (std::size_t field = 0; field < of_links_.size(); ++field) {
        if (!of_links_[field].known()) continue;
        const std::span<const StateWord> values = of_links_[field].first(count());
        for (std::size_t i = 0; i < values.size(); ++i)
            link_states_[states_[i] * of_links_.size() + field] = values[i];
    }
}

StateWord LinkBatch::left(std::size_t i, std::size_t field) const {
    return of_links_[field].known() ? of_links_[field].first(count())[i]
                                    : link_states_[states_[i] * of_links_.size() + field];
}

std::span<const Tokens> LinkBatch::loads(LinkEnd end) {
    const std::span<const Tokens> loads = pass_.ground().loads;
    return side(end).loads.fill(count(), capacity_,
                                [&](std::size_t i) { return loads[node(end, i)]; });
}

std::span<const Tokens> LinkBatch::degrees(LinkEnd end) {
    const BulkGround& ground = pass_.ground();
    return side(end).degrees.fill(count(), capacity_,
                                  [&](std::size_t i) { return ground.degree(node(end, i)); });
}

std::span<const Tokens> LinkBatch::speeds(LinkEnd end) {
    const BulkGround& ground = pass_.ground();
    return side(end).speeds.fill(count(), capacity_,
                                 [&](std::size_t i) { return ground.speed(node(end, i)); });
}

std::span<const StateWord> LinkBatch::node_state(LinkEnd end, std::size_t field) {
    const BulkGround& ground = pass_.ground();
    return side(end).states[field].fill(
        count(), capacity_, [&](std::size_t i) { return ground.state(node(end, i), field); });
}

std::span<StateWord> LinkBatch::link_state(std::size_t field) {
    static_cast<void>(pass_.ground());
    return of_links_[field].fill(count(), capacity_, [&](std::size_t i) {
        return link_states_[states_[i] * of_links_.size() + field];
    });
}

std::span<const std::uint64_t> LinkBatch::slots() {
    static_cast<void>(pass_.ground());
    return slots_;
}

std::span<const std::uint64_t> LinkBatch::random(std::uint64_t index) {
    const model::StepInfo at = pass_.ground().at;
    return word_column(words_, index, pass_.rule()).fill(count(), capacity_, [&](std::size_t i) {
        return model::EdgeStep{at.step, at.seed, slots_[i]}.random().at(index);
    });
}

NodeBatch::NodeBatch(const std::string& rule, std::size_t nodes, std::size_t ports,
                     std::size_t fields)
    : pass_(rule),
      node_capacity_(nodes),
      port_capacity_(ports),
      states_(fields),
      words_(words_max) {
    nodes_.reserve(nodes);
    old_.reserve(nodes);
    first_.reserve(nodes + 1);
    neighbours_.reserve(ports);
    arcs_.reserve(ports);
    clear();
}

void NodeBatch::clear() {
    nodes_.clear();
    old_.clear();
    first_.assign(1, 0);
    neighbours_.clear();
    arcs_.clear();
}

void NodeBatch::sample(const NodeBatch& of, const BulkSample& some) {
    clear();
    for (std::size_t k = 0; k < some.size(); ++k) {
        const std::size_t from = some.at(k);
        add(of.nodes_[from], of.old_[from]);
        for (auto port = static_cast<std::size_t>(of.first_[from]);
             port < static_cast<std::size_t>(of.first_[from + 1]); ++port)
            add_port(of.neighbours_[port], of.arcs_[port]);
    }
}

void NodeBatch::open(const BulkGround& ground) {
    for (BulkColumn<Tokens>* const column :
         {&loads_, &degrees_, &speeds_, &port_loads_, &port_degrees_, &port_speeds_})
        column->forget();
    owners_.forget();
    forget_all(states_);
    forget_all(words_);
    pass_.open(ground);
}

void NodeBatch::play(const BulkGround& ground, const Function& function) {
    open(ground);
    function(*this);
    store_states();
    close();
    clear();
}

void NodeBatch::store_states() const {
    const BulkGround& ground = pass_.ground();
    for (std::size_t field = 0; field < states_.size(); ++field) {
        if (!states_[field].known()) continue;
        const std::span<const StateWord> values = states_[field].first(count());
        for (std::size_t i = 0; i < values.size(); ++i)
            ground.state(nodes_[i], field) = values[i];
    }
}

StateWord NodeBatch::left(std::size_t i, std::size_t field) const {
    return states_[field].known() ? states_[field].first(count())[i]
                                  : pass_.ground().state(nodes_[i], field);
}

std::span<const Tokens> NodeBatch::loads() {
    const BulkGround& ground = pass_.ground();
    return loads_.fill(count(), node_capacity_,
                       [&](std::size_t i) { return ground.loads[nodes_[i]]; });
}

std::span<const Tokens> NodeBatch::old_loads() {
    static_cast<void>(pass_.ground());
    return old_;
}

std::span<const Tokens> NodeBatch::degrees() {
    const BulkGround& ground = pass_.ground();
    return degrees_.fill(count(), node_capacity_,
                         [&](std::size_t i) { return ground.degree(nodes_[i]); });
}

std::span<const Tokens> NodeBatch::speeds() {
    const BulkGround& ground = pass_.ground();
    return speeds_.fill(count(), node_capacity_,
                        [&](std::size_t i) { return ground.speed(nodes_[i]); });
}

std::span<StateWord> NodeBatch::state(std::size_t field) {
    const BulkGround& ground = pass_.ground();
    return states_[field].fill(count(), node_capacity_,
                               [&](std::size_t i) { return ground.state(nodes_[i], field); });
}

std::span<const std::uint64_t> NodeBatch::random(std::uint32_t set, std::uint64_t index) {
    const BulkGround& ground = pass_.ground();
    if (set > 1)
        throw InputError(pass_.rule() + ": expected set 0 or 1 of a node's random words, found " +
                         std::to_string(set));
    return word_column(words_, 2 * index + set, pass_.rule())
        .fill(count(), node_capacity_, [&](std::size_t i) {
            const RandomStream stream(ground.at.seed, Purpose::rule, ground.part->global(nodes_[i]),
                                      2 * ground.at.step + set);
            return stream.at(index);
        });
}

std::span<const std::int64_t> NodeBatch::first_ports() const {
    static_cast<void>(pass_.ground());
    return first_;
}

std::span<const std::int64_t> NodeBatch::owners() {
    static_cast<void>(pass_.ground());
    std::size_t owner = 0;
    return owners_.fill(port_count(), port_capacity_, [&](std::size_t port) {
        while (static_cast<std::size_t>(first_[owner + 1]) <= port)
            ++owner;
        return static_cast<std::int64_t>(owner);
    });
}

std::span<const Tokens> NodeBatch::neighbour_loads() {
    const BulkGround& ground = pass_.ground();
    return port_loads_.fill(port_count(), port_capacity_,
                            [&](std::size_t port) { return ground.loads[neighbours_[port]]; });
}

std::span<const Tokens> NodeBatch::neighbour_degrees() {
    const BulkGround& ground = pass_.ground();
    return port_degrees_.fill(port_count(), port_capacity_,
                              [&](std::size_t port) { return ground.degree(neighbours_[port]); });
}

std::span<const Tokens> NodeBatch::neighbour_speeds() {
    const BulkGround& ground = pass_.ground();
    return port_speeds_.fill(port_count(), port_capacity_,
                             [&](std::size_t port) { return ground.speed(neighbours_[port]); });
}

}  // namespace equipoise::engine
