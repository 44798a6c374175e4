#include "equipoise/network/io/declared_nodes.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/lower_case.hpp"
#include "equipoise/network/io/character_source.hpp"

namespace equipoise::network {

namespace {

bool all_distinct_and_there(const std::vector<std::string>& names) {
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::sort(sorted.begin(), sorted.end());
    return (sorted.empty() || !sorted.front().empty()) &&
           std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && is_space(static_cast<unsigned char>(text.front())))
        text.remove_prefix(1);
    while (!text.empty() && is_space(static_cast<unsigned char>(text.back())))
        text.remove_suffix(1);
    return text;
}

}  // namespace

std::string label_of(std::string_view text) {
    std::string label(text);
    for (char& c : label)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    const std::size_t from = label.find_first_not_of(' ');
    if (from == std::string::npos) return {};
    return label.substr(from, label.find_last_not_of(' ') - from + 1);
}

Meaning meaning_of(std::string_view attribute_name) {
    const std::string word = lower_case(attribute_name);
    if (word == "label") return Meaning::label;
    if (word == "name") return Meaning::name;
    if (word == "longitude" || word == "lon") return Meaning::longitude;
    if (word == "latitude" || word == "lat") return Meaning::latitude;
    if (word == "x") return Meaning::x;
    if (word == "y") return Meaning::y;
    return Meaning::nothing;
}

void DeclaredNode::take(Meaning meaning, std::string_view value) {
    const auto coordinate = [&](std::optional<double>& into) {
        const std::string_view text = without_blanks(value);
        into = real_number(text);
        odd = odd || (!into && !text.empty());
    };
    switch (meaning) {
        case Meaning::label:
            label = value;
            break;
        case Meaning::name:
            name = value;
            break;
        case Meaning::longitude:
            coordinate(on_earth.x);
            break;
        case Meaning::latitude:
            coordinate(on_earth.y);
            break;
        case Meaning::x:
            coordinate(in_drawing.x);
            break;
        case Meaning::y:
            coordinate(in_drawing.y);
            break;
        case Meaning::nothing:
            break;
    }
}

std::optional<Position> DeclaredNode::position() const {
    for (const auto& [x, y] : {on_earth, in_drawing})
        if (x && y) return Position{*x, *y};
    return std::nullopt;
}

NodeId DeclaredNodes::mention(std::string_view id, std::uint64_t line) {
    const NodeId number = ids_.number_of(id);
    if (number == place_.size()) {
        place_.push_back(no_node);
        mentions_.push_back(line);
    }
    return number;
}

void DeclaredNodes::add_node(const DeclaredNode& node) {
    const NodeId number = mention(node.id, node.line);
    if (place_[number] != no_node)
        throw InputError::at(source_.name(), node.line, "every node id once", node.id);
    place_[number] = raw_.node_count++;
    id_of_node_.push_back(number);
    labels_.push_back(label_of(node.label));
    if (labels_.back().empty()) labels_.back() = label_of(node.name);
    if (options_.attributes != nullptr)
        options_.attributes->nodes.push_back({{}, node.line, node.attributes});
    raw_.positions.push_back(node.position());
    if (raw_.positions.back()) {
        located_ = true;
    } else if (node.odd) {
        ++raw_.positions_unusable;
    }
}

void DeclaredNodes::add_link(std::string_view tail_id, std::string_view head_id, std::uint64_t line,
                             std::vector<Attribute> attributes) {
    const Ends ends = {mention(tail_id, line), mention(head_id, line)};
    if (ends.tail == ends.head) {
        if (!options_.simplify)
            throw InputError::at(source_.name(), line, no_loop,
                                 std::string(tail_id) + " " + std::string(head_id));
        ++raw_.loops;
        return;
    }
    raw_.links.push_back(ends);
    if (options_.keep_lines) raw_.lines.push_back(line);
    if (options_.attributes != nullptr)
        options_.attributes->links.push_back({ends.tail, ends.head, line, std::move(attributes)});
}

void DeclaredNodes::set_label(std::string_view label) const {
    if (options_.attributes != nullptr) options_.attributes->label = label_of(label);
}

void DeclaredNodes::set_directed(std::uint64_t line, std::string_view found) {
    if (!options_.simplify) throw InputError::at(source_.name(), line, undirected_only, found);
    raw_.directed = true;
}

RawNetwork DeclaredNodes::finish() {
    for (NodeId id = 0; id < place_.size(); ++id)
        if (place_[id] == no_node)
            throw InputError::at(source_.name(), mentions_[id],
                                 "the id of a node declared in the file", ids_.name(id));
    for (Ends& ends : raw_.links) {
        ends = {place_[ends.tail], place_[ends.head]};
        if (ends.tail > ends.head) std::swap(ends.tail, ends.head);
    }
    if (!located_) raw_.positions.clear();
    if (all_distinct_and_there(labels_)) {
        raw_.names = std::move(labels_);
    } else {
        for (const NodeId id : id_of_node_)
            raw_.names.emplace_back(ids_.name(id));
    }
    if (options_.attributes != nullptr) finish_attributes();
    compact_names(raw_);
    return std::move(raw_);
}

void DeclaredNodes::finish_attributes() {
    AttributedNetwork& network = *options_.attributes;
    for (NodeId v = 0; v < raw_.node_count; ++v)
        network.nodes[v].name = raw_.names[v];
    for (AttributedLink& link : network.links) {
        link.source = place_[link.source];
        link.target = place_[link.target];
    }
}

}  // namespace equipoise::network
