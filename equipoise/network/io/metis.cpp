#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/network/io/raw_network.hpp"
#include "equipoise/network/io/skipped_number.hpp"

// METIS: a header `nodes links [format [constraints]]`, then one line per node with the numbers of
// its neighbours, counted from 1. Weights are skipped. Comments begin with %.
//
// Every link must be on the lines of both its ends. Lines come in ascending order of the nodes, so
// the line of a link's smaller end is read first; the larger ends of that node, sorted, must then
// be met in exactly that order on later lines. One cursor per node checks all of it.

namespace equipoise::network {

namespace {

struct Header {
    std::uint64_t nodes = 0;
    std::uint64_t links = 0;
    bool link_weights = false;
    std::uint64_t skipped_first = 0;  ///< sizes and weights of the node at the front of a line
};

class MetisParser {
  public:
    MetisParser(LineSource& source, const ParseOptions& options)
        : source_(source), options_(options) {}

    RawNetwork parse() {
        read_header();
        std::string_view line;
        while (next_line(line)) {
            if (raw_.node_count == header_.nodes) {
                if (line.find_first_not_of(" \t") == std::string_view::npos) continue;
                source_.fail("no more than " + std::to_string(header_.nodes) +
                                 " lines of neighbours, as the header says",
                             line);
            }
            read_row(line);
            options_.simplify ? keep_row() : check_row();
            ++raw_.node_count;
        }
        if (raw_.node_count < header_.nodes)
            source_.fail_plainly(
                std::to_string(header_.nodes) + " lines of neighbours, as the header says",
                with_noun(raw_.node_count, "line", "lines"));
        if (!options_.simplify) check_end();
        raw_.both_directions = options_.simplify;
        raw_.first_number = 1;
        return std::move(raw_);
    }

  private:
    /// The next line that is not a comment.
    bool next_line(std::string_view& line) {
        while (source_.next(line))
            if (const std::size_t begin = line.find_first_not_of(" \t");
                begin == std::string_view::npos || line[begin] != '%')
                return true;
        return false;
    }

    void read_header() {
        std::string_view line;
        do {
            if (!next_line(line)) source_.fail(R"(a header "nodes links [format]")", "");
        } while (line.find_first_not_of(" \t") == std::string_view::npos);
        std::string_view rest = line;
        const auto nodes = whole_number(take_word(rest));
        const auto links = whole_number(take_word(rest));
        std::string_view format = take_word(rest);
        const std::string_view constraints = take_word(rest);
        const bool format_known =
            format.size() <= 3 && format.find_first_not_of("01") == std::string_view::npos;
        const auto weights = whole_number(constraints.empty() ? "1" : constraints, UINT32_MAX);
        if (!nodes || !links || !format_known || !weights || !take_word(rest).empty())
            source_.fail(R"(a header "nodes links [format [constraints]]")", line);
        if (*nodes >= no_node)
            source_.fail("at most " + std::to_string(no_node - 1) + " nodes", line);
        header_.nodes = *nodes;
        header_.links = *links;
        const auto flag = [&](std::size_t from_right) {
            return format.size() >= from_right && format[format.size() - from_right] == '1';
        };
        header_.link_weights = flag(1);
        header_.skipped_first = (flag(2) ? *weights : 0) + (flag(3) ? 1 : 0);
    }

    /// Fills `row_` with the neighbours that a line names, in ascending order.
    void read_row(std::string_view line) {
        std::string_view rest = line;
        for (std::uint64_t i = 0; i < header_.skipped_first; ++i) {
            const std::string_view word = take_word(rest);
            if (!is_printed_number(word)) source_.fail("a weight of the node", word);
        }
        row_.clear();
        while (true) {
            const std::string_view word = take_word(rest);
            if (word.empty()) break;
            const auto number = whole_number(word, header_.nodes);
            if (!number || *number == 0)
                source_.fail("the number of a node (1 to " + std::to_string(header_.nodes) + ")",
                             word);
            if (header_.link_weights) {
                const std::string_view weight = take_word(rest);
                if (!is_printed_number(weight))
                    source_.fail("a weight after every neighbour", weight);
            }
            const auto other = static_cast<NodeId>(*number - 1);
            if (other != raw_.node_count) {
                row_.push_back(other);
            } else if (options_.simplify) {
                ++raw_.loops;
            } else {
                source_.fail(no_loop, word);
            }
        }
        std::sort(row_.begin(), row_.end());
    }

    void check_row() {
        const NodeId node = raw_.node_count;
        const auto twin = std::adjacent_find(row_.begin(), row_.end());
        if (twin != row_.end())
            source_.fail("every neighbour once (use --simplify to drop repeats)", name(*twin));
        cursors_.push_back(raw_.links.size());
        for (const NodeId other : row_) {
            if (other > node) {
                raw_.links.push_back({node, other});
                continue;
            }
            std::uint64_t& cursor = cursors_[other];
            const std::uint64_t end = row_ends_[other];
            if (cursor < end && raw_.links[cursor].head == node) {
                ++cursor;
            } else if (cursor < end && raw_.links[cursor].head < node) {
                fail_one_sided(raw_.links[cursor].head, other);
            } else {
                fail_one_sided(other, node);
            }
        }
        row_ends_.push_back(raw_.links.size());
    }

    void check_end() {
        for (NodeId node = 0; node < raw_.node_count; ++node)
            if (cursors_[node] < row_ends_[node])
                fail_one_sided(raw_.links[cursors_[node]].head, node);
        if (raw_.links.size() != header_.links)
            source_.fail(std::to_string(header_.links) + " links, as the header says",
                         std::to_string(raw_.links.size()) + " links");
    }

    /// Throws the error that the line of `silent` does not name `naming`, though that of `naming`
    /// names `silent`.
    [[noreturn]] void fail_one_sided(NodeId silent, NodeId naming) {
        if (source_.rewind()) {
            std::string_view line;
            read_header();
            for (NodeId node = 0; node <= silent && next_line(line);)
                ++node;
        }
        source_.fail(
            "neighbour " + name(naming) + " of node " + name(silent) +
                ", since the link is given the other way (use --simplify to drop directions)",
            "a line without it");
    }

    static std::string name(NodeId node) { return std::to_string(std::uint64_t{node} + 1); }

    /// With simplification the links of every line are kept; later both directions are joined.
    void keep_row() {
        for (const NodeId other : row_)
            raw_.links.push_back({raw_.node_count, other});
    }

    LineSource& source_;
    const ParseOptions& options_;
    Header header_;
    RawNetwork raw_;
    std::vector<NodeId> row_;
    std::vector<std::uint64_t> cursors_;   ///< of every node: its first link not yet met again
    std::vector<std::uint64_t> row_ends_;  ///< of every node: where its links to larger ends end
};

}  // namespace

RawNetwork parse_metis(LineSource& source, const ParseOptions& options) {
    return MetisParser(source, options).parse();
}

}  // namespace equipoise::network
