#include "equipoise/network/io/declared_nodes.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <system_error>
#include <utility>

#include "equipoise/base/error.hpp"

namespace equipoise::network {

namespace {

/// A label on one line, without blanks around it.
std::string tidy(std::string_view text) {
    std::string label(text);
    for (char& c : label)
        if (static_cast<unsigned char>(c) < 0x20) c = ' ';
    const std::size_t from = label.find_first_not_of(' ');
    if (from == std::string::npos) return {};
    return label.substr(from, label.find_last_not_of(' ') - from + 1);
}

bool all_distinct_and_there(const std::vector<std::string>& names) {
    std::vector<std::string_view> sorted(names.begin(), names.end());
    std::sort(sorted.begin(), sorted.end());
    return (sorted.empty() || !sorted.front().empty()) &&
           std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
}

void append_utf8(std::string& text, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { text += static_cast<char>(byte); };
    const auto tail = [&](std::uint32_t shift) { put(0x80U | ((code >> shift) & 0x3fU)); };
    if (code < 0x80U) {
        put(code);
    } else if (code < 0x800U) {
        put(0xc0U | (code >> 6U));
        tail(0);
    } else if (code < 0x10000U) {
        put(0xe0U | (code >> 12U));
        tail(6);
        tail(0);
    } else {
        put(0xf0U | (code >> 18U));
        tail(12);
        tail(6);
        tail(0);
    }
}

/// Appends what an entity (the text between & and ;) stands for; false if it is not an entity.
bool append_entity(std::string& text, std::string_view entity) {
    constexpr std::array<std::pair<std::string_view, char>, 5> named = {
        {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}}};
    for (const auto& [name, character] : named) {
        if (entity != name) continue;
        text += character;
        return true;
    }
    if (!entity.starts_with('#')) return false;
    entity.remove_prefix(1);
    const bool hexadecimal = entity.starts_with('x') || entity.starts_with('X');
    if (hexadecimal) entity.remove_prefix(1);
    std::uint32_t code = 0;
    const auto [end, error] =
        std::from_chars(entity.data(), entity.data() + entity.size(), code, hexadecimal ? 16 : 10);
    constexpr std::uint32_t code_most = 0x10ffff;
    const bool surrogate = code >= 0xd800U && code < 0xe000U;
    if (error != std::errc{} || end != entity.data() + entity.size() || code == 0 ||
        code > code_most || surrogate)
        return false;
    append_utf8(text, code);
    return true;
}

}  // namespace

std::string without_entities(std::string_view text) {
    std::string result;
    while (true) {
        const std::size_t ampersand = text.find('&');
        result += text.substr(0, ampersand);
        if (ampersand == std::string_view::npos) return result;
        text.remove_prefix(ampersand);
        const std::size_t end = text.find(';');
        if (end != std::string_view::npos && append_entity(result, text.substr(1, end - 1))) {
            text.remove_prefix(end + 1);
        } else {
            result += '&';
            text.remove_prefix(1);
        }
    }
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
    labels_.push_back(tidy(node.label));
    raw_.positions.emplace_back();
    if (node.x && node.y) {
        raw_.positions.back() = Position{*node.x, *node.y};
        located_ = true;
    }
}

void DeclaredNodes::add_link(std::string_view tail_id, std::string_view head_id,
                             std::uint64_t line) {
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
}

void DeclaredNodes::set_directed(std::uint64_t line, std::string_view found) {
    if (!options_.simplify)
        throw InputError::at(source_.name(), line,
                             "an undirected graph (use --simplify to drop directions)", found);
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
    compact_names(raw_);
    return std::move(raw_);
}

}  // namespace equipoise::network
