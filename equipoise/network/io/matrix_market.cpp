#include <array>
#include <string>
#include <utility>

#include "equipoise/base/lower_case.hpp"
#include "equipoise/base/plural.hpp"
#include "equipoise/network/io/raw_network.hpp"
#include "equipoise/network/io/skipped_number.hpp"

// Matrix Market: the banner, comments, `rows columns entries`, then one line `row column [value]`
// per entry, counted from 1. Every entry off the diagonal is a link; values are skipped. A general
// matrix must hold each entry in both directions unless it is simplified. Some collections turn the
// line of sizes into a comment: then the last comment of three numbers is used.

namespace equipoise::network {

namespace {

class MatrixMarketParser {
  public:
    MatrixMarketParser(LineSource& source, const ParseOptions& options)
        : source_(source), options_(options) {}

    RawNetwork parse() {
        read_banner();
        std::string_view line;
        while (source_.next(line)) {
            const std::size_t begin = line.find_first_not_of(" \t");
            if (begin == std::string_view::npos) continue;
            if (line[begin] == '%') {
                if (!sizes_known_) remember_commented_sizes(line.substr(begin + 1));
                continue;
            }
            if (!sizes_known_ && read_sizes(line)) continue;
            read_entry(line);
        }
        if (!sizes_known_) source_.fail(R"(the sizes "rows columns entries")", "");
        if (entries_ != entries_said_)
            source_.fail_plainly(
                with_noun(entries_said_, "entry", "entries") + ", as the sizes say",
                with_noun(entries_, "entry", "entries"));
        const std::uint64_t nodes_most = node_count_most(entries_);
        if (nodes_ > nodes_most)
            source_.fail_plainly("at most " + std::to_string(nodes_most) + " rows for " +
                                     with_noun(entries_, "entry", "entries"),
                                 with_noun(nodes_, "row", "rows"));
        raw_.node_count = static_cast<NodeId>(nodes_);
        raw_.first_number = 1;
        return std::move(raw_);
    }

  private:
    void read_banner() {
        constexpr std::string_view expected =
            "%%MatrixMarket matrix coordinate pattern|integer|real|complex symmetric|general";
        std::string_view line;
        if (!source_.next(line)) source_.fail(expected, "");
        std::array<std::string, 5> words;
        std::string_view rest = line;
        for (std::string& word : words)
            word = lower_case(take_word(rest));
        const auto& [mark, object, layout, field, symmetry] = words;
        pattern_ = field == "pattern";
        raw_.both_directions = symmetry == "general";
        const bool known =
            mark == "%%matrixmarket" && object == "matrix" && layout == "coordinate" &&
            (pattern_ || field == "integer" || field == "real" || field == "complex") &&
            (raw_.both_directions || symmetry == "symmetric" || symmetry == "skew-symmetric" ||
             symmetry == "hermitian");
        if (!known) source_.fail(expected, line);
    }

    void remember_commented_sizes(std::string_view text) {
        const Sizes sizes = sizes_of(text);
        if (sizes.complete) commented_ = sizes;
    }

    /// Whether a line gives the sizes; false if they were in a comment and this is an entry.
    bool read_sizes(std::string_view line) {
        Sizes sizes = sizes_of(line);
        const bool own = sizes.complete;
        if (!own && commented_.complete) sizes = commented_;
        if (!sizes.complete) source_.fail(R"(the sizes "rows columns entries")", line);
        if (sizes.rows != sizes.columns)
            source_.fail_plainly("a square matrix",
                                 with_noun(sizes.rows, "row", "rows") + " and " +
                                     with_noun(sizes.columns, "column", "columns"));
        if (sizes.rows >= no_node)
            source_.fail("at most " + std::to_string(no_node - 1) + " rows", line);
        nodes_ = sizes.rows;
        entries_said_ = sizes.entries;
        sizes_known_ = true;
        return own;
    }

    void read_entry(std::string_view line) {
        std::string_view rest = line;
        const auto row = whole_number(take_word(rest), nodes_);
        const auto column = whole_number(take_word(rest), nodes_);
        if (!row || !column || *row == 0 || *column == 0)
            source_.fail("row and column from 1 to " + std::to_string(nodes_), line);
        if (!pattern_ && !is_printed_number(take_word(rest)))
            source_.fail("row, column and value", line);
        if (++entries_ > entries_said_)
            source_.fail("no more than " + with_noun(entries_said_, "entry", "entries") +
                             ", as the sizes say",
                         line);
        const auto tail = static_cast<NodeId>(*row - 1);
        const auto head = static_cast<NodeId>(*column - 1);
        if (tail == head) {
            if (!options_.simplify) source_.fail(no_loop, line);
            ++raw_.loops;
            return;
        }
        if (raw_.both_directions || tail < head) {
            raw_.links.push_back({tail, head});
        } else {
            raw_.links.push_back({head, tail});
        }
        if (options_.keep_lines) raw_.lines.push_back(source_.line_number());
    }

    struct Sizes {
        std::uint64_t rows = 0;
        std::uint64_t columns = 0;
        std::uint64_t entries = 0;
        bool complete = false;
    };

    static Sizes sizes_of(std::string_view text) {
        const auto rows = whole_number(take_word(text));
        const auto columns = whole_number(take_word(text));
        const auto entries = whole_number(take_word(text));
        if (!rows || !columns || !entries || !take_word(text).empty()) return {};
        return {*rows, *columns, *entries, true};
    }

    LineSource& source_;
    const ParseOptions& options_;
    RawNetwork raw_;
    bool pattern_ = false;
    bool sizes_known_ = false;
    Sizes commented_;
    std::uint64_t nodes_ = 0;
    std::uint64_t entries_said_ = 0;
    std::uint64_t entries_ = 0;
};

}  // namespace

RawNetwork parse_matrix_market(LineSource& source, const ParseOptions& options) {
    return MatrixMarketParser(source, options).parse();
}

}  // namespace equipoise::network
