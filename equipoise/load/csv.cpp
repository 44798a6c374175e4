#include "equipoise/load/csv.hpp"

#include <algorithm>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/table_reader.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/node_names.hpp"

namespace equipoise::load {

namespace {

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
    TableReader lines(source, {"node," + std::string(column.header)},
                      TableReader::Lines::with_long_first_field);
    std::vector<std::uint64_t> values(network.node_count(), column.fallback);
    std::vector<bool> named(network.node_count(), false);
    std::uint64_t sum = 0;
    std::vector<std::string> fields;
    while (lines.next(fields)) {
        const auto node = names.find(fields[0]);
        if (!node) source.fail(names.expected(), fields[0]);
        if (named[*node])
            throw InputError(source.name() + ':' + std::to_string(source.line_number()) +
                             ": node \"" + printable(fields[0]) + "\" is listed twice");
        named[*node] = true;
        const auto value = whole_number(fields[1], column.most);
        if (!value) source.fail(column.one_value, fields[1]);
        if (*value > column.total_most - sum)
            source.fail("at most " + std::to_string(column.total_most) + " in all", fields[1]);
        sum += *value;
        values[*node] = *value;
    }
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
