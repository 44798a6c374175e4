#pragma once
// Reading networks from files.

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/network/any_network.hpp"

namespace equipoise::network {

/// The formats that are read; docs/how-to/formats.md describes them.
enum class Format : std::uint8_t { automatic, edge_list, metis, matrix_market, gml, graphml, gexf };

/// How a file is read, and which part of it is kept.
struct ReadOptions {
    Format format = Format::automatic;  ///< automatic: by its name and what it begins with
    bool simplify = false;              ///< drop loops, directions and repeats instead of failing
    bool largest_component = false;     ///< keep only the largest connected component
    /// Whether the first line of an edge list names its columns; by default this is detected: it
    /// does if its two ids are words that are on no other line and, besides, one of these holds:
    /// they are usual names of columns; all other ids are numbers; words follow them.
    std::optional<bool> header = std::nullopt;
};

/// What the first line of an edge list was taken for, where other programs might read it
/// differently.
struct FirstLine {
    std::string text;
    std::uint64_t number = 0;  ///< counted from 1
    bool is_header = false;
    bool recurs = false;  ///< whether an id of it is on another line too
};

/// What reading dropped and noticed, and what else of the file the network does not show.
struct ReadReport {
    Format format = Format::automatic;
    std::uint64_t loops = 0;               ///< loops dropped
    std::uint64_t doubles = 0;             ///< links given more than once, in either direction
    std::uint64_t nodes_left_out = 0;      ///< nodes outside the largest component
    bool directed = false;                 ///< the file said its links are directed
    std::uint64_t positions_unusable = 0;  ///< nodes whose coordinates are not numbers
    bool windows_1252 = false;             ///< the file is not UTF-8 and was read as Windows-1252
    std::optional<FirstLine> first_line;
};

/// Reads a network. Node names are the file's (numbers of METIS and Matrix Market stay 1-based; ids
/// of edge lists are kept; labels of GML, GraphML and GEXF, or their ids if a label is repeated or
/// missing). Throws InputError naming file, line, what was expected and what was found.
[[nodiscard]] AnyNetwork read(const std::string& path, const ReadOptions& options = {},
                              ReadReport* report = nullptr);

/// The same from a stream; `name` stands for the file in messages, `options.format` must be given.
[[nodiscard]] AnyNetwork read(std::istream& stream, const std::string& name,
                              const ReadOptions& options, ReadReport* report = nullptr);

/// "edge-list", "metis", "matrix-market", "gml", "graphml", "gexf".
[[nodiscard]] std::vector<std::string> format_words();
/// Throws InputError for another word.
[[nodiscard]] Format format_from_word(const std::string& word);
[[nodiscard]] std::string to_string(Format format);
/// The format that the extension of a path stands for, or nothing.
[[nodiscard]] std::optional<Format> format_of_path(std::string_view path);

}  // namespace equipoise::network
