#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <utility>

#include "equipoise/network/io/edge_list_comment.hpp"
#include "equipoise/network/io/edge_list_writer.hpp"
#include "equipoise/network/io/name_table.hpp"
#include "equipoise/network/io/raw_network.hpp"
#include "equipoise/network/io/skipped_number.hpp"

// Edge lists: one link per line, two ids and optionally a weight and a time, which are skipped,
// separated by blanks or commas; comments begin with # or %; `# node: ID` declares a node that need
// not have links. A first line separated by commas whose fields are called source and target, or
// the like, is a header.
//
// As long as all ids are whole numbers below 2^32 - 1, links hold them as they are, and they are
// renumbered in ascending order at the end; the first other id turns all of them into names.

namespace equipoise::network {

namespace {

constexpr std::string_view expected_line = "two node ids and optionally a weight";

/// A whole number below 2^32 - 1 without leading zeros; `no_node` for anything else.
NodeId small_number(std::string_view word) {
    constexpr std::size_t digits_max = 10;
    if (word.size() > digits_max || (word.size() > 1 && word.front() == '0')) return no_node;
    std::uint64_t value = 0;
    for (const char c : word) {
        const auto digit = static_cast<unsigned char>(c - '0');
        if (digit > 9) return no_node;
        value = 10 * value + digit;
    }
    return value < no_node ? static_cast<NodeId>(value) : no_node;
}

/// Whether a line separated by commas only names its columns.
bool is_header(std::string_view tail, std::string_view head) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 6> headers = {{
        {"source", "target"},
        {"Source", "Target"},
        {"from", "to"},
        {"tail", "head"},
        {"u", "v"},
        {"node1", "node2"},
    }};
    return std::find(headers.begin(), headers.end(), std::pair(tail, head)) != headers.end();
}

class EdgeListParser {
  public:
    EdgeListParser(LineSource& source, const ParseOptions& options)
        : source_(source), options_(options) {}

    RawNetwork parse() {
        std::string_view line;
        while (source_.next(line)) {
            const bool commas = line.find(',') != std::string_view::npos && part_at_commas(line);
            std::string_view rest = commas ? std::string_view(parted_) : line;
            const std::string_view tail = take_word(rest);
            if (tail.empty()) continue;
            if (tail.front() == '#' || tail.front() == '%') {
                read_comment(line);
                continue;
            }
            const std::string_view head = take_word(rest);
            if (commas && raw_.links.empty() && is_header(tail, head)) continue;
            if (head.empty()) source_.fail(expected_line, line);
            if (!rest.empty()) check_extras(rest, line);
            add(tail, head, line);
        }
        if (named_) {
            number_names();
        } else {
            number_small_numbers();
        }
        compact_names(raw_);
        return std::move(raw_);
    }

  private:
    /// Whether commas, outside braces, separate the fields of a line; then `parted_` is the line
    /// with blanks in their place.
    bool part_at_commas(std::string_view line) {
        const std::string_view fields = line.substr(0, line.find('{'));
        parted_ = line;
        for (std::size_t begin = 0; begin < fields.size();) {
            const std::size_t end = std::min(fields.find(',', begin), fields.size());
            std::string_view field = fields.substr(begin, end - begin);
            if (take_word(field).empty() && end < fields.size()) return false;
            if (!take_word(field).empty()) return false;
            if (end < fields.size()) parted_[end] = ' ';
            begin = end + 1;
        }
        return fields.find(',') != std::string_view::npos;
    }

    void read_comment(std::string_view line) {
        judge_links(links_said_by(line), line);
        if (!line.starts_with(node_mark)) return;
        line.remove_prefix(node_mark.size());
        isolated_.push_back(id_of(take_word(line)));
    }

    void judge_links(LinksSaid said, std::string_view line) {
        if (said == LinksSaid::bipartite)
            source_.fail(
                "nodes of one kind, as ids stand for different nodes on the left and on the "
                "right of a bipartite network of KONECT",
                line);
        if (said != LinksSaid::directed) return;
        if (!options_.simplify) source_.fail(undirected_only, line);
        raw_.directed = true;
    }

    /// What may follow the two ids: at most two numbers (weight, time) or a list in braces.
    void check_extras(std::string_view rest, std::string_view line) const {
        constexpr int extras_max = 2;
        for (int extras = 0;; ++extras) {
            const std::string_view word = take_word(rest);
            if (word.empty() || word.front() == '{') return;
            if (extras == extras_max || !is_printed_number(word)) source_.fail(expected_line, line);
        }
    }

    void add(std::string_view tail_word, std::string_view head_word, std::string_view line) {
        NodeId tail = id_of(tail_word);
        NodeId head = named_ ? table_.number_of(head_word) : small_number(head_word);
        if (head == no_node) {  // the first id that is not a small number
            turn_into_names();
            tail = table_.number_of(tail_word);
            head = table_.number_of(head_word);
        }
        if (tail == head) {
            if (!options_.simplify) source_.fail(no_loop, line);
            ++raw_.loops;
            isolated_.push_back(head);
            return;
        }
        raw_.links.push_back({tail, head});
        if (options_.keep_lines) raw_.lines.push_back(source_.line_number());
    }

    NodeId id_of(std::string_view word) {
        if (!named_) {
            const NodeId number = small_number(word);
            if (number != no_node) return number;
            turn_into_names();
        }
        return table_.number_of(word);
    }

    void turn_into_names() {
        const auto name = [&](NodeId& id) { id = table_.number_of(std::to_string(id)); };
        for (Ends& ends : raw_.links) {
            name(ends.tail);
            name(ends.head);
        }
        for (NodeId& id : isolated_)
            name(id);
        named_ = true;
    }

    /// Nodes in ascending order of their ids.
    void number_small_numbers() {
        NodeId largest = 0;
        for (const Ends& ends : raw_.links)
            largest = std::max({largest, ends.tail, ends.head});
        for (const NodeId id : isolated_)
            largest = std::max(largest, id);
        const std::uint64_t ids = raw_.links.size() + isolated_.size();
        if (ids == 0) source_.fail("at least one link", "");
        constexpr std::uint64_t bits_an_id = 64;
        if (largest / bits_an_id > ids + (1U << 16U)) {  // a bit for every number would be a waste
            turn_into_names();
            number_names();
            return;
        }
        constexpr std::uint64_t word_bits = 64;
        std::vector<std::uint64_t> present(largest / word_bits + 1, 0);
        const auto mark = [&](NodeId id) {
            present[id / word_bits] |= std::uint64_t{1} << (id % word_bits);
        };
        for (const Ends& ends : raw_.links) {
            mark(ends.tail);
            mark(ends.head);
        }
        for (const NodeId id : isolated_)
            mark(id);
        std::vector<NodeId> before(present.size());  // nodes whose ids are in earlier words
        for (std::size_t word = 0; word < present.size(); ++word) {
            before[word] = raw_.node_count;
            raw_.node_count += static_cast<NodeId>(std::popcount(present[word]));
        }
        const auto rank = [&](NodeId id) {
            const std::uint64_t below = (std::uint64_t{1} << (id % word_bits)) - 1;
            return before[id / word_bits] +
                   static_cast<NodeId>(std::popcount(present[id / word_bits] & below));
        };
        const NodeId first = largest + 1 - raw_.node_count;
        const bool consecutive =
            rank(first) == 0 && (present[first / word_bits] >> (first % word_bits) & 1U) != 0;
        for (Ends& ends : raw_.links) {
            if (consecutive) {
                ends = {ends.tail - first, ends.head - first};
            } else {
                ends = {rank(ends.tail), rank(ends.head)};
            }
            if (ends.tail > ends.head) std::swap(ends.tail, ends.head);
        }
        raw_.first_number = first;
        if (consecutive) return;
        raw_.names.reserve(raw_.node_count);
        for (std::size_t word = 0; word < present.size(); ++word)
            for (std::uint64_t bits = present[word]; bits != 0; bits &= bits - 1)
                raw_.names.push_back(std::to_string(
                    word * word_bits + static_cast<std::uint64_t>(std::countr_zero(bits))));
    }

    /// Nodes in the order of first appearance, or by number if all ids are numbers.
    void number_names() {
        raw_.node_count = table_.size();
        std::vector<NodeId> order(table_.size());
        bool numbers = true;
        for (NodeId id = 0; id < order.size(); ++id) {
            order[id] = id;
            numbers = numbers && is_canonical_number(table_.name(id));
        }
        if (numbers) {
            std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
                return *whole_number(table_.name(a)) < *whole_number(table_.name(b));
            });
        }
        std::vector<NodeId> place(order.size());
        raw_.names.reserve(order.size());
        for (NodeId at = 0; at < order.size(); ++at) {
            place[order[at]] = at;
            raw_.names.emplace_back(table_.name(order[at]));
        }
        for (Ends& ends : raw_.links) {
            ends = {place[ends.tail], place[ends.head]};
            if (ends.tail > ends.head) std::swap(ends.tail, ends.head);
        }
    }

    LineSource& source_;
    const ParseOptions& options_;
    RawNetwork raw_;
    std::string parted_;
    std::vector<NodeId> isolated_;  ///< ids that may have no link
    NameTable table_;
    bool named_ = false;  ///< ids are numbers of `table_`, not those of the file
};

}  // namespace

RawNetwork parse_edge_list(LineSource& source, const ParseOptions& options) {
    return EdgeListParser(source, options).parse();
}

}  // namespace equipoise::network
