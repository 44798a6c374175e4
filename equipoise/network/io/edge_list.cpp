#include <algorithm>
#include <bit>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/name_table.hpp"
#include "equipoise/base/separated_values.hpp"
#include "equipoise/network/io/edge_list_comment.hpp"
#include "equipoise/network/io/edge_list_lines.hpp"
#include "equipoise/network/io/edge_list_writer.hpp"
#include "equipoise/network/io/header_words.hpp"
#include "equipoise/network/io/raw_network.hpp"

// Edge lists: one link per line, two ids and optionally a weight and a time, which are skipped,
// separated by blanks, tabs, commas or semicolons; comments begin with # or %; `# node: ID`
// declares a node that need not have links. The first line may name the columns.
//
// As long as all ids are whole numbers below 2^32 - 1, links hold them as they are, and they are
// renumbered in ascending order at the end; the first other id turns all of them into names.
//
// Whether a first line of two words is a header is known only at the end. Until then it is held
// aside: its words get the numbers that they need if it is a link, and lose them if it is not.

namespace equipoise::network {

namespace {

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

/// A line that is a link or names the columns.
struct HeldLine {
    FirstLine told;
    std::string tail;
    std::string head;
    LineShape shape = LineShape::none;
    NodeId tail_number = no_node;  ///< in `table_`, once ids are names
    NodeId head_number = no_node;
    std::size_t isolated_before = 0;  ///< entries of `isolated_` that are older
    bool names_more_ends = false;     ///< behind the first two fields
};

class EdgeListParser {
  public:
    EdgeListParser(LineSource& source, const ParseOptions& options)
        : source_(source), options_(options) {}

    RawNetwork parse() {
        read_first_lines();
        switch (separator_) {
            case Separator::comma:
                read_lines<Separator::comma>();
                break;
            case Separator::semicolon:
                read_lines<Separator::semicolon>();
                break;
            case Separator::tab:
                read_lines<Separator::tab>();
                break;
            case Separator::blanks:
                read_lines<Separator::blanks>();
                break;
        }
        if (held_) judge_held_line();
        expect_links();
        if (named_) {
            number_names();
        } else {
            number_small_numbers();
        }
        compact_names(raw_);
        return std::move(raw_);
    }

  private:
    /// Two lines, by which the separator is found, and the comments among them.
    void read_first_lines() {
        std::string_view line;
        std::vector<std::string> declared;
        if (!next_line(line, declared)) return declare(declared);
        declare(declared);
        declared.clear();
        const std::string first(line);
        first_line_number_ = source_.line_number();
        const bool more = next_line(line, declared);
        separator_ = separator_of(first, more ? std::optional(line) : std::nullopt);
        read_first_line(first);
        first_line_number_ = 0;
        declare(declared);
        if (more) read_odd_line(line);
    }

    /// The next line that is neither blank nor a comment; gathers the nodes that comments declare.
    bool next_line(std::string_view& line, std::vector<std::string>& declared) {
        while (source_.next(line)) {
            if (is_blank(line)) continue;
            if (!is_comment(line)) return true;
            if (auto name = declared_name(line)) declared.push_back(std::move(*name));
        }
        return false;
    }

    void declare(const std::vector<std::string>& names) {
        for (const std::string& name : names)
            isolated_.push_back(id_of(name));
    }

    void read_first_line(const std::string& line) {
        if (options_.header.value_or(false)) return;
        const bool whole = split_fields(line, separator_, fields_);
        const LineShape shape = whole ? shape_of(fields_) : LineShape::none;
        if (shape == LineShape::none) fail_at(line);
        if (!options_.header && is_undecided()) return hold(line, shape);
        if (shape == LineShape::header) fail_at(line);
        add(fields_[0].text, fields_[1].text, line);
    }

    /// Whether, as far as is known when it is read, the first line may name columns.
    bool is_undecided() {
        for (const std::size_t end : {0U, 1U})
            if (real_number(fields_[end].text) || is_declared(fields_[end].text)) return false;
        return fields_[0].text != fields_[1].text;
    }

    bool is_declared(std::string_view name) {
        const NodeId known = table_.size();
        return named_ && table_.number_of(name) < known;
    }

    void hold(const std::string& line, LineShape shape) {
        held_.emplace();
        held_->told.text = line;
        held_->told.number = first_line_number_;
        held_->tail = fields_[0].text;
        held_->head = fields_[1].text;
        held_->shape = shape;
        held_->isolated_before = isolated_.size();
        held_->names_more_ends =
            std::any_of(fields_.begin() + 2, fields_.end(),
                        [](const Field& field) { return names_an_end(field.text); });
        if (named_) number_held_line();
    }

    void number_held_line() {
        held_->tail_number = table_.number_of(held_->tail);
        held_->head_number = table_.number_of(held_->head);
    }

    [[nodiscard]] bool is_held(NodeId id) const {
        return held_ && (id == held_->tail_number || id == held_->head_number);
    }

    /// Decides what the held line is, now that all other lines are known.
    void judge_held_line() {
        FirstLine& told = held_->told;
        const bool others = !raw_.links.empty() || !isolated_.empty();
        const bool known = name_the_ends(held_->tail, held_->head) && !is_counted_on();
        const bool only_header = held_->shape == LineShape::header;
        if (only_header && !others) fail_at(told);
        told.recurs = recurs();
        told.is_header = !told.recurs && ((known && held_->shape != LineShape::with_more) ||
                                          only_header || (others && others_are_numbers()));
        if (told.is_header) {
            if (held_->names_more_ends && !known)
                throw InputError::at(source_.name(), told.number,
                                     "the ids of both ends in the first two columns", told.text);
            raw_.first_line = told;
            return;
        }
        if (only_header)
            throw InputError::at(source_.name(), told.number,
                                 "two node ids and optionally a weight (use --header yes if this "
                                 "line names the columns)",
                                 told.text);
        if (others && (known || !told.recurs)) raw_.first_line = told;
        if (!named_) turn_into_names();
        raw_.links.insert(raw_.links.begin(), {held_->tail_number, held_->head_number});
        if (options_.keep_lines) raw_.lines.insert(raw_.lines.begin(), told.number);
        held_.reset();
    }

    [[nodiscard]] bool recurs() const {
        return std::any_of(raw_.links.begin(), raw_.links.end(),
                           [&](Ends ends) { return is_held(ends.tail) || is_held(ends.head); }) ||
               std::any_of(isolated_.begin(), isolated_.end(),
                           [&](NodeId id) { return is_held(id); });
    }

    [[nodiscard]] bool others_are_numbers() const {
        if (!named_) return true;
        for (NodeId id = 0; id < table_.size(); ++id)
            if (!is_held(id) && !real_number(table_.name(id))) return false;
        return true;
    }

    /// Whether other names continue the count of the held line: "node3" after "node1,node2".
    [[nodiscard]] bool is_counted_on() const {
        const std::string_view stem = stem_of(held_->tail);
        if (stem.empty() || !named_) return false;
        for (NodeId id = 0; id < table_.size(); ++id) {
            const std::string_view name = table_.name(id);
            if (!is_held(id) && name.starts_with(stem) && whole_number(name.substr(stem.size())))
                return true;
        }
        return false;
    }

    template <Separator separator>
    void read_lines() {
        std::string_view line;
        while (source_.next(line)) {
            std::string_view rest = line;
            std::string_view tail = take_field<separator>(rest);
            std::string_view head = take_field<separator>(rest);
            const bool plain = !tail.empty() && !head.empty() && tail.front() != '#' &&
                               tail.front() != '%' && take_plain_quotes(tail) &&
                               take_plain_quotes(head) &&
                               (rest.empty() || is_numbers<separator>(rest));
            if (plain) {
                add(tail, head, line);
            } else {
                read_odd_line(line);
            }
        }
    }

    /// Removes the quotes of a field, if it has any; false if that takes more than this, because
    /// they hold quotes, separators or nothing.
    static bool take_plain_quotes(std::string_view& field) {
        if (field.front() != '"') return true;
        if (field.size() < 3 || field.find('"', 1) != field.size() - 1) return false;
        field = field.substr(1, field.size() - 2);
        return true;
    }

    /// Reads a line of any kind: blank, a comment, with other quotes, at fault.
    void read_odd_line(std::string_view line) {
        if (is_blank(line)) return;
        if (is_comment(line)) {
            if (const auto name = declared_name(line)) isolated_.push_back(id_of(*name));
            return;
        }
        if (!split_fields(line, separator_, fields_)) fail_at(line);
        const LineShape shape = shape_of(fields_);
        if (shape == LineShape::none || shape == LineShape::header) fail_at(line);
        add(fields_[0].text, fields_[1].text, line);
    }

    static bool is_comment(std::string_view line) {
        const char first = line[std::min(line.find_first_not_of(" \t"), line.size() - 1)];
        return first == '#' || first == '%';
    }

    /// The name that a comment declares, if it does.
    std::optional<std::string> declared_name(std::string_view line) {
        judge_links(links_said_by(line), line);
        if (!line.starts_with(node_mark)) return std::nullopt;
        const std::string_view rest = line.substr(node_mark.size());
        if (!split_fields(rest, Separator::blanks, fields_) || fields_.size() != 1 ||
            fields_[0].text.empty())
            source_.fail("the id of one node, in quotes if it holds blanks", rest);
        return fields_[0].text;
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

    void expect_links() const {
        if (!raw_.links.empty() || !isolated_.empty()) return;
        if (held_)
            throw InputError::at(source_.name(), held_->told.number,
                                 "a link after the header (use --header no if this line is one)",
                                 held_->told.text);
        source_.fail("at least one link", "");
    }

    [[nodiscard]] std::uint64_t line_number() const {
        return first_line_number_ > 0 ? first_line_number_ : source_.line_number();
    }

    [[noreturn]] void fail_at(std::string_view line) const {
        std::string expected = "two node ids and optionally a weight";
        if (separator_ != Separator::blanks)
            expected.append(", separated by ").append(to_string(separator_));
        throw InputError::at(source_.name(), line_number(), expected, line);
    }
    [[noreturn]] void fail_at(const FirstLine& line) {
        first_line_number_ = line.number;
        fail_at(std::string_view(line.text));
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
            if (!options_.simplify)
                throw InputError::at(source_.name(), line_number(), no_loop, line);
            ++raw_.loops;
            isolated_.push_back(head);
            return;
        }
        raw_.links.push_back({tail, head});
        if (options_.keep_lines) raw_.lines.push_back(line_number());
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
        const auto held =
            isolated_.begin() + static_cast<std::ptrdiff_t>(held_ ? held_->isolated_before : 0);
        std::for_each(isolated_.begin(), held, name);
        if (held_) number_held_line();
        for (Ends& ends : raw_.links) {
            name(ends.tail);
            name(ends.head);
        }
        std::for_each(held, isolated_.end(), name);
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
        std::vector<NodeId> order;
        order.reserve(table_.size());
        for (NodeId id = 0; id < table_.size(); ++id)
            if (!is_held(id)) order.push_back(id);
        raw_.node_count = static_cast<NodeId>(order.size());
        if (std::all_of(order.begin(), order.end(),
                        [&](NodeId id) { return is_canonical_number(table_.name(id)); })) {
            std::sort(order.begin(), order.end(), [&](NodeId a, NodeId b) {
                return *whole_number(table_.name(a)) < *whole_number(table_.name(b));
            });
        }
        std::vector<NodeId> place(table_.size());
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
    Separator separator_ = Separator::blanks;
    std::vector<Field> fields_;
    std::uint64_t first_line_number_ = 0;  ///< while the first line is read
    std::optional<HeldLine> held_;  ///< stays if it is a header: then no node has its numbers
    std::vector<NodeId> isolated_;  ///< ids that may have no link
    NameTable table_;
    bool named_ = false;  ///< ids are numbers of `table_`, not those of the file
};

}  // namespace

RawNetwork parse_edge_list(LineSource& source, const ParseOptions& options) {
    return EdgeListParser(source, options).parse();
}

}  // namespace equipoise::network
