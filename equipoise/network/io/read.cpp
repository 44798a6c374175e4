#include "equipoise/network/io/read.hpp"

#include <array>
#include <new>
#include <set>
#include <stdexcept>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/network/io/attributes.hpp"
#include "equipoise/network/io/format_of_text.hpp"
#include "equipoise/network/io/raw_network.hpp"

namespace equipoise::network {

namespace {

struct FormatEntry {
    Format format;
    std::string_view word;
    std::array<std::string_view, 4> extensions;
    RawNetwork (*parse)(LineSource&, const ParseOptions&);
};

constexpr std::array<FormatEntry, 6> formats = {{
    {Format::edge_list, "edge-list", {".edges", ".edgelist", ".txt", ".csv"}, parse_edge_list},
    {Format::metis, "metis", {".graph", ".metis"}, parse_metis},
    {Format::matrix_market, "matrix-market", {".mtx"}, parse_matrix_market},
    {Format::gml, "gml", {".gml"}, parse_gml},
    {Format::graphml, "graphml", {".graphml"}, parse_graphml},
    {Format::gexf, "gexf", {".gexf"}, parse_gexf},
}};

/// ".edges, .edgelist, ... or .gexf".
std::string known_extensions() {
    std::vector<std::string> known;
    for (const FormatEntry& entry : formats)
        for (const std::string_view extension : entry.extensions)
            if (!extension.empty()) known.emplace_back(extension);
    return listed(known, " or ");
}

const FormatEntry& entry_of(Format format) {
    for (const FormatEntry& entry : formats)
        if (entry.format == format) return entry;
    throw InputError("expected a format of networks: " + to_string(format) + " is none");
}

/// The format that the text's beginning shows, if that outweighs the file's name or the name shows
/// none; else that of the name. Throws InputError if neither shows one.
Format recognise(LineSource& source) {
    const std::string_view beginning = source.beginning();
    const auto by_name = format_of_path(source.name());
    const auto by_text = format_of_text(beginning);
    if (begins_as_dot(beginning) || source.name().ends_with(".dot") ||
        source.name().ends_with(".gv"))
        throw InputError(
            source.name() +
            ": expected a format that can be read, found DOT, which can only be written "
            "(gv2gml of Graphviz converts it to GML)");
    const bool in_xml = by_name == Format::graphml || by_name == Format::gexf;
    if (by_text && (!by_name || in_xml || by_text == Format::matrix_market)) return *by_text;
    if (by_name) return *by_name;
    throw InputError(source.name() + ": expected a file name that ends in " + known_extensions() +
                     ", or --format with " + listed(format_words(), " or "));
}

/// Throws the error for a link that is repeated or given in one direction only, with its line if
/// the source can be read again.
[[noreturn]] void fail_at_fault(LineSource& source, const FormatEntry& entry,
                                const LinkFault& fault, const RawNetwork& raw,
                                const ReadOptions& options) {
    const std::string expected = expected_instead_of(fault);
    Labels labels;
    labels.names = raw.names;
    labels.first_number = raw.first_number;
    const std::string found = labels.name(fault.ends.tail) + " " + labels.name(fault.ends.head);
    if (!source.rewind())
        throw InputError(source.name() + ": expected " + expected + R"(, found ")" + found + "\"");
    const RawNetwork again =
        entry.parse(source, {.simplify = false, .keep_lines = true, .header = options.header});
    std::set<Ends> met;
    std::size_t at = 0;
    for (; at + 1 < again.links.size(); ++at) {
        const Ends ends = again.links[at];
        const Ends undirected = {std::min(ends.tail, ends.head), std::max(ends.tail, ends.head)};
        if (undirected == fault.ends && (!fault.twice || !met.insert(ends).second)) break;
    }
    throw InputError::at(source.name(), again.lines[at], expected, found);
}

AnyNetwork read(LineSource& source, const ReadOptions& options, ReadReport* report_out) {
    ReadReport report;
    report.format = options.format == Format::automatic ? recognise(source) : options.format;
    const FormatEntry& entry = entry_of(report.format);
    if (options.header && report.format != Format::edge_list)
        throw InputError(source.name() + ": expected no header for the format " +
                         to_string(report.format) + ", found one");
    RawNetwork raw = entry.parse(
        source, {.simplify = options.simplify, .keep_lines = false, .header = options.header});
    report.windows_1252 = source.windows_1252();
    if (const auto fault = make_simple(raw, options.simplify, report))
        fail_at_fault(source, entry, *fault, raw, options);

    AnyNetwork result = finished(std::move(raw), source.name(), options, report);
    if (report_out != nullptr) *report_out = report;
    return result;
}

AnyNetwork read_within_memory(LineSource& source, const ReadOptions& options, ReadReport* report) {
    try {
        return read(source, options, report);
    } catch (const std::bad_alloc&) {
        throw InputError(source.name() + ": the network does not fit into memory");
    } catch (const std::length_error&) {
        throw InputError(source.name() + ": the network does not fit into memory");
    }
}

}  // namespace

AnyNetwork read(const std::string& path, const ReadOptions& options, ReadReport* report) {
    LineSource source(path);
    return read_within_memory(source, options, report);
}

AnyNetwork read(std::istream& stream, const std::string& name, const ReadOptions& options,
                ReadReport* report) {
    if (options.format == Format::automatic)
        throw InputError(name + ": expected --format with " + listed(format_words(), " or "));
    LineSource source(stream, name);
    return read_within_memory(source, options, report);
}

AttributedNetwork read_attributed(LineSource& source) {
    const Format format = recognise(source);
    if (format != Format::gml && format != Format::graphml)
        throw InputError(source.name() + ": expected a file in GML or GraphML, found one in " +
                         to_string(format));
    AttributedNetwork network;
    RawNetwork raw = entry_of(format).parse(source, {.attributes = &network});
    ReadReport report;
    if (const auto fault = make_simple(raw, false, report))
        fail_at_fault(source, entry_of(format), *fault, raw, {});
    return network;
}

std::vector<std::string> format_words() {
    std::vector<std::string> words;
    words.reserve(std::size(formats));
    for (const FormatEntry& entry : formats)
        words.emplace_back(entry.word);
    return words;
}

Format format_from_word(const std::string& word) {
    for (const FormatEntry& entry : formats)
        if (entry.word == word) return entry.format;
    throw InputError("--format: " + expected_word(word, format_words()));
}

std::string to_string(Format format) {
    for (const FormatEntry& entry : formats)
        if (entry.format == format) return std::string(entry.word);
    return "automatic";
}

std::optional<Format> format_of_path(std::string_view path) {
    for (const FormatEntry& entry : formats)
        for (const std::string_view extension : entry.extensions)
            if (!extension.empty() && path.ends_with(extension)) return entry.format;
    return std::nullopt;
}

}  // namespace equipoise::network
