#include "equipoise/load/csv.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/node_names.hpp"

namespace equipoise::load {

namespace {

std::string_view without_blanks(std::string_view text) {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t'))
        text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t'))
        text.remove_suffix(1);
    return text;
}

/// The first field of a line, without its quotes, and what follows the comma after it; nothing if
/// there is no such comma.
std::optional<std::pair<std::string, std::string_view>> split_first_field(std::string_view line) {
    line = without_blanks(line);
    std::string field;
    if (!line.starts_with('"')) {
        const std::size_t comma = line.rfind(',');
        if (comma == std::string_view::npos) return std::nullopt;
        field = without_blanks(line.substr(0, comma));
        return std::pair{std::move(field), without_blanks(line.substr(comma + 1))};
    }
    std::size_t at = 1;
    for (; at < line.size(); ++at) {
        if (line[at] == '"') {
            if (at + 1 == line.size() || line[at + 1] != '"') break;
            ++at;
        }
        field += line[at];
    }
    if (at >= line.size()) return std::nullopt;
    const std::string_view rest = without_blanks(line.substr(at + 1));
    if (!rest.starts_with(',')) return std::nullopt;
    return std::pair{std::move(field), without_blanks(rest.substr(1))};
}

struct Column {
    std::string_view header;     ///< "tokens"
    std::string one_value;       ///< "a whole number of tokens (0 or more)"
    std::uint64_t fallback = 0;  ///< for nodes that are not named
    std::uint64_t most = UINT64_MAX;
    std::uint64_t total_most = UINT64_MAX;
};

std::vector<std::uint64_t> read_column(LineSource& source, const network::AnyNetwork& network,
                                       const Column& column) {
    const network::NodeNames names(network);
    const std::string header = "node," + std::string(column.header);
    std::vector<std::uint64_t> values(network.node_count(), column.fallback);
    std::vector<bool> named(network.node_count(), false);
    std::uint64_t sum = 0;
    bool header_read = false;
    std::string_view line;
    while (source.next(line)) {
        if (without_blanks(line).empty()) continue;
        const auto fields = split_first_field(line);
        if (!header_read) {
            if (!fields || fields->first != "node" || fields->second != column.header)
                source.fail(R"(the header ")" + header + "\"", line);
            header_read = true;
            continue;
        }
        if (!fields) source.fail("two fields, " + header, line);
        const auto node = names.find(fields->first);
        if (!node) source.fail(names.expected(), fields->first);
        if (named[*node])
            throw InputError(source.name() + ':' + std::to_string(source.line_number()) +
                             ": node \"" + printable(fields->first) + "\" is listed twice");
        named[*node] = true;
        const auto value = whole_number(fields->second, column.most);
        if (!value) source.fail(column.one_value, fields->second);
        if (*value > column.total_most - sum)
            source.fail("at most " + std::to_string(column.total_most) + " in all", fields->second);
        sum += *value;
        values[*node] = *value;
    }
    if (!header_read) source.fail(R"(the header ")" + header + "\"", "");
    return values;
}

}  // namespace

Loads read_loads(LineSource& source, const network::AnyNetwork& network) {
    const std::vector<std::uint64_t> tokens =
        read_column(source, network,
                    {.header = "tokens",
                     .one_value = "a whole number of tokens (0 or more)",
                     .fallback = 0,
                     .total_most = static_cast<std::uint64_t>(tokens_max)});
    return {tokens.begin(), tokens.end()};
}

Loads read_csv(const std::string& path, const network::AnyNetwork& network) {
    LineSource source(path);
    return read_loads(source, network);
}

std::vector<std::uint64_t> read_speeds(const std::string& path, const network::AnyNetwork& network,
                                       std::uint64_t most) {
    LineSource source(path);
    return read_speeds(source, network, most);
}

std::vector<std::uint64_t> read_speeds(LineSource& source, const network::AnyNetwork& network,
                                       std::uint64_t most) {
    const std::string range =
        most == UINT64_MAX ? " (0 or more)" : " from 0 to " + std::to_string(most);
    return read_column(
        source, network,
        {.header = "speed", .one_value = "a whole number" + range, .fallback = 1, .most = most});
}

Loads read_capacities(const std::string& path, const network::AnyNetwork& network) {
    LineSource source(path);
    return read_capacities(source, network);
}

Loads read_capacities(LineSource& source, const network::AnyNetwork& network) {
    const auto unlimited = static_cast<std::uint64_t>(tokens_max);
    Loads capacities;
    for (const std::uint64_t tokens :
         read_column(source, network,
                     {.header = "capacity",
                     .one_value = "a whole number of tokens (0 or more)",
                     .fallback = unlimited}))
        capacities.push_back(static_cast<Tokens>(std::min(tokens, unlimited)));
    return capacities;
}

LoadsWriter::LoadsWriter(AtomicFile& file) : file_(file) {
    file_.write("node,tokens\n");
}

void LoadsWriter::write(std::string_view node, Tokens tokens) {
    file_.write(csv_field(node) + "," + std::to_string(tokens) + "\n");
}

void write_csv(const std::string& path, const network::AnyNetwork& network,
               std::span<const Tokens> loads) {
    EQUIPOISE_ASSERT(loads.size() == network.node_count());
    AtomicFile file(path);
    LoadsWriter writer(file);
    for (NodeId node = 0; node < network.node_count(); ++node)
        writer.write(network.name(node), loads[node]);
    file.commit();
}

}  // namespace equipoise::load
