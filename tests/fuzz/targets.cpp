// Every place where text enters the library. Anything but an InputError or a consistent result is a
// finding.
#include "tests/fuzz/targets.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "equipoise/adapters/kafka/cluster.hpp"
#include "equipoise/adapters/kafka/log_dirs.hpp"
#include "equipoise/adapters/kafka/partition_waves.hpp"
#include "equipoise/adapters/kafka/partitions.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/file_kind.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/ranges.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/utf8.hpp"
#include "equipoise/load/csv.hpp"
#include "equipoise/load/items.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/model/run/checkpoint.hpp"
#include "equipoise/model/run/record_json.hpp"
#include "equipoise/network/generators/links.hpp"
#include "equipoise/network/io/edge_list_comment.hpp"
#include "equipoise/network/io/entities.hpp"
#include "equipoise/network/io/format_of_text.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/optimum/windows/file.hpp"
#include "equipoise/trace/brotli.hpp"
#include "equipoise/trace/read.hpp"
#include "equipoise/trace/write.hpp"
#include "tests/fuzz/agent_targets.hpp"
#include "tests/fuzz/experts_targets.hpp"
#include "tests/fuzz/kafka_targets.hpp"
#include "tests/fuzz/reassign_targets.hpp"
#include "tests/fuzz/redis_targets.hpp"

namespace equipoise::fuzz {
namespace {

/// Reads a network both ways. What is accepted as it stands must come out the same when simplified,
/// with nothing dropped; positions are for all nodes or none.
void feed_reader(network::Format format, std::string_view text) {
    const std::string copy(text);
    const auto attempt = [&](bool simplify, network::ReadReport& report,
                             network::AnyNetwork& result) {
        std::istringstream stream(copy);
        try {
            result = network::read(
                stream, "fuzz",
                {.format = format, .simplify = simplify, .largest_component = false}, &report);
            return true;
        } catch (const InputError& error) {
            EQUIPOISE_ASSERT(std::string_view(error.what()).starts_with("fuzz:") ||
                             dynamic_cast<const OverflowError*>(&error) != nullptr);
            return false;
        }
    };
    network::ReadReport plain_report;
    network::ReadReport simple_report;
    network::AnyNetwork plain;
    network::AnyNetwork simple;
    const bool plain_read = attempt(false, plain_report, plain);
    const bool simple_read = attempt(true, simple_report, simple);
    if (plain_read) {
        EQUIPOISE_ASSERT(simple_read);
        EQUIPOISE_ASSERT(network::digest(plain) == network::digest(simple));
        EQUIPOISE_ASSERT(simple_report.loops == 0 && simple_report.doubles == 0);
        const auto& positions = plain.labels().positions;
        EQUIPOISE_ASSERT(positions.empty() || positions.size() == plain.node_count());
    }
}

/// What the first bytes say of a file, and how bytes are printed.
void feed_first_bytes(std::string_view text) {
    static_cast<void>(kind_other_than_text(text));
    static_cast<void>(network::format_of_text(text));
    static_cast<void>(network::begins_as_dot(text));
    if (trace::may_be_compressed_object(text)) {
        try {
            static_cast<void>(trace::Decompressor("fuzz").follow(text));
        } catch (const InputError&) {
        }
    }
    static_cast<void>(network::links_said_by(text));
    const std::string printed = printable(text);
    EQUIPOISE_ASSERT(is_utf8(printed) && printable(printed) == printed);
    EQUIPOISE_ASSERT(is_utf8(shortened(printed)) && is_utf8(beginning_of(printed)));
    const std::string markup = network::with_entities(text);
    EQUIPOISE_ASSERT(is_utf8(network::without_entities(markup)));
}

/// An edge list is also read with a header and without one: the network is that of what was found
/// out about its first line.
void feed_edge_list(std::string_view text) {
    feed_reader(network::Format::edge_list, text);
    const std::string copy(text);
    const auto attempt = [&](std::optional<bool> header, network::ReadReport* report) {
        std::istringstream stream(copy);
        std::optional<network::AnyNetwork> result;
        try {
            result = network::read(
                stream, "fuzz", {.format = network::Format::edge_list, .header = header}, report);
        } catch (const InputError& error) {
            EQUIPOISE_ASSERT(std::string_view(error.what()).starts_with("fuzz:") ||
                             dynamic_cast<const OverflowError*>(&error) != nullptr);
        }
        return result;
    };
    network::ReadReport report;
    const auto found_out = attempt(std::nullopt, &report);
    const auto with = attempt(true, nullptr);
    const auto without = attempt(false, nullptr);
    if (!found_out) return;
    const auto& same = report.first_line && report.first_line->is_header ? with : without;
    EQUIPOISE_ASSERT(same && network::digest(*same) == network::digest(*found_out));
    for (NodeId node = 0; node < same->node_count(); ++node)
        EQUIPOISE_ASSERT(same->name(node) == found_out->name(node));
}

void feed_loads(std::string_view text) {
    network::Labels labels;
    labels.names = {"0", "x", "two words", "a,b", "say \"hi\""};
    const network::AnyNetwork network(network::Network(5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}}),
                                      labels);
    std::istringstream stream{std::string(text)};
    LineSource source(stream, "fuzz");
    try {
        const load::Loads loads = load::read_loads(source, network);
        EQUIPOISE_ASSERT(loads.size() == network.node_count());
        EQUIPOISE_ASSERT(load::total(loads) >= 0);
    } catch (const InputError& error) {
        EQUIPOISE_ASSERT(std::string_view(error.what()).starts_with("fuzz:"));
    }
}

/// Every reader of items sees the text: as items, as Kafka's partitions and their sizes, as places,
/// rates and moves of items that are there.
void feed_items(std::string_view text) {
    load::Items there;
    for (const char* const name : {"0", "x", "a,b"}) {
        const std::uint32_t thing = there.things.number_of(name);
        there.thing.push_back(thing);
        there.places.push_back(there.nodes.number_of(name));
    }
    const std::string copy(text);
    const auto attempt = [&](const std::function<void(LineSource&)>& read) {
        std::istringstream stream(copy);
        LineSource source(stream, "fuzz");
        try {
            read(source);
        } catch (const InputError& error) {
            EQUIPOISE_ASSERT(std::string_view(error.what()).starts_with("fuzz:"));
        }
    };
    const auto consistent = [](const load::Items& items) {
        EQUIPOISE_ASSERT(items.thing.empty() || items.thing.size() == items.places.size());
        EQUIPOISE_ASSERT(items.sizes.empty() || items.sizes.size() == items.places.size());
        for (const NodeId node : items.places)
            EQUIPOISE_ASSERT(node < items.nodes.size());
    };
    attempt([&](LineSource& source) { consistent(load::read_items(source)); });
    attempt([&](LineSource&) { consistent(items_of(kafka::read_assignment(copy, "fuzz"))); });
    const kafka::Cluster cluster =
        kafka::read_assignment(R"({"partitions":[{"topic":"t","partition":0,"replicas":[1,2]},)"
                               R"({"topic":"t","partition":1,"replicas":[3]}]})",
                               "partitions");
    const load::Items partitions = items_of(cluster);
    attempt([&](LineSource&) {
        std::vector<std::string> notes;
        const load::EndsByThing ends = kafka::read_proposal(copy, "fuzz", partitions, &notes);
        EQUIPOISE_ASSERT(load::final_places_of(ends, "fuzz", partitions).size() ==
                         partitions.count());
    });
    attempt([&](LineSource&) {
        kafka::ReplicaOrder order(partitions);
        for (const load::ItemMove& move :
             kafka::moves_of(kafka::read_reassignments(copy, "fuzz", partitions), 0, partitions,
                             order)
                 .moves)
            EQUIPOISE_ASSERT(move.copy < partitions.count() && move.from != move.to);
        load::Items after = partitions;
        order.store(after);
        consistent(after);
    });
    attempt([&](LineSource&) {
        kafka::Cluster sized = cluster;
        kafka::read_log_dirs(copy, "fuzz", sized);
        EQUIPOISE_ASSERT(!items_of(sized).sizes.empty());
    });
    attempt([&](LineSource& source) {
        EQUIPOISE_ASSERT(load::read_final_places(source, there).size() == there.count());
    });
    attempt([&](LineSource& source) {
        EQUIPOISE_ASSERT(load::read_rates(source, there.nodes).takes.size() == there.nodes.size());
    });
    attempt([&](LineSource& source) {
        for (const load::ItemMove& move : load::read_item_moves(source, there).moves)
            EQUIPOISE_ASSERT(move.copy < there.count() && move.to < there.nodes.size());
    });
}

/// A list of links that is accepted is written as one that is read as the same network.
void feed_linked(std::string_view list) {
    constexpr unsigned nodes_most = 64;
    try {
        if (network::size_of_links(list).nodes > nodes_most) return;
        const network::AnyNetwork network = network::make_links(list);
        const std::string spec = network::links_spec(network);
        const network::AnyNetwork again = network::make_links(spec.substr(spec.find(':') + 1));
        EQUIPOISE_ASSERT(again.node_count() == network.node_count());
        EQUIPOISE_ASSERT(network::all_links(again) == network::all_links(network));
    } catch (const InputError&) {
        return;
    }
}

/// Tokens at nodes that are named, as a spec that is read as the same.
void feed_at(std::string_view text) {
    const network::AnyNetwork network(network::Network(3, {{0, 1}, {1, 2}}));
    if (!text.starts_with("at:") || text.find('/') != std::string_view::npos ||
        text.ends_with(".csv"))
        return;
    try {
        const load::Loads loads = load::make_loads(text, network, 0);
        EQUIPOISE_ASSERT(load::make_loads(*load::spec_of(loads, network), network, 0) == loads);
    } catch (const InputError&) {
        return;
    }
}

/// Specs and other short texts: ranges of numbers.
void feed_spec(std::string_view text) {
    if (const auto ranges = ranges_from(text)) {
        constexpr std::size_t most = 1000;
        const auto numbers = numbers_of(*ranges, most);
        EQUIPOISE_ASSERT(!numbers || (!numbers->empty() && numbers->size() <= most));
    }
    feed_at(text);
    feed_linked(text.substr(std::min(text.size(), text.find(':') + 1)));
    try {
        const Spec spec = Spec::parse(text);
        EQUIPOISE_ASSERT(spec.text() == text);
        constexpr std::array<std::string_view, 3> known = {"seed", "n", "p"};
        spec.expect_only(known, true);
        static_cast<void>(spec.word("seed", ""));
        static_cast<void>(spec.whole("n", 0, ~std::uint64_t{0}, 0));
        static_cast<void>(spec.real("p", 0, 1, 0));
        if (!spec.positional().empty()) static_cast<void>(spec.sides(1, 1U << 20U));
    } catch (const InputError&) {
        return;
    }
}

/// What is accepted is written as a record that is read as the same.
void feed_record(std::string_view text) {
    try {
        const std::string written = model::to_json(model::record_from_json(text, "fuzz"));
        EQUIPOISE_ASSERT(model::to_json(model::record_from_json(written, "fuzz")) == written);
    } catch (const InputError& error) {
        EQUIPOISE_ASSERT(std::string_view(error.what()).find("fuzz") != std::string_view::npos);
    }
}

/// What is accepted is written as a text that is read as the same.
void feed_windows(std::string_view text) {
    try {
        const optimum::WindowsFile file = optimum::read_windows(text, "fuzz");
        const std::string written = optimum::windows_text(file);
        const optimum::WindowsFile again = optimum::read_windows(written, "fuzz");
        EQUIPOISE_ASSERT(optimum::windows_text(again) == written);
        EQUIPOISE_ASSERT(again.digest() == file.digest());
    } catch (const InputError& error) {
        EQUIPOISE_ASSERT(std::string_view(error.what()).starts_with("fuzz:"));
    }
}

/// What is accepted as the file of rank 0 is written as one that is read as the same.
void feed_trace(std::string_view text) {
    const auto rewritten = [](std::string_view given) {
        trace::FileContent content = trace::parse_content(given, "fuzz", 0, true);
        trace::RankFile file{"fuzz", "fuzz", content.metadata, false, content.typed};
        std::vector<trace::FileContent> contents;
        contents.push_back(std::move(content));
        const trace::Trace read = trace::assemble({file}, std::move(contents));
        return trace::file_text(read, trace::lists_under(read, trace::recorded_placement(read)), 0);
    };
    try {
        const std::string written = rewritten(text);
        EQUIPOISE_ASSERT(rewritten(written) == written);
    } catch (const InputError& error) {
        EQUIPOISE_ASSERT(std::string_view(error.what()).starts_with("fuzz:"));
    }
}

/// What is accepted is written as the same file. A fuzzer would hardly find the digest of a first
/// line, so each text is also tried with a second line that fits.
void feed_checkpoint(std::string_view text) {
    const auto read = [](const std::string& bytes) {
        std::istringstream stream(bytes);
        model::CheckpointReader reader(stream, "fuzz");
        std::string written;
        model::CheckpointWriter writer([&](std::string_view more) { written += more; },
                                       reader.checkpoint());
        for (const model::CheckpointSection& section : reader.checkpoint().sections)
            reader.read(
                section, 0, section.count,
                [&](std::uint64_t, std::span<const std::byte> held) { writer.write(held); });
        return written;
    };
    const std::string line(text.substr(0, text.find('\n')));
    const std::string rest(text.substr(std::min(text.size(), line.size() + 1)));
    for (const std::string& bytes :
         {std::string(text), line + '\n' + model::checkpoint_digest(line) + '\n' + rest})
        try {
            const std::string written = read(bytes);
            EQUIPOISE_ASSERT(read(written) == written);
        } catch (const InputError& error) {
            EQUIPOISE_ASSERT(std::string_view(error.what()).starts_with("fuzz:"));
        }
}

}  // namespace

const Targets& targets() {
    using network::Format;
    static const Targets all = {
        {"edge_list", feed_edge_list},
        {"metis", [](std::string_view text) { feed_reader(Format::metis, text); }},
        {"matrix_market", [](std::string_view text) { feed_reader(Format::matrix_market, text); }},
        {"gml", [](std::string_view text) { feed_reader(Format::gml, text); }},
        {"graphml", [](std::string_view text) { feed_reader(Format::graphml, text); }},
        {"gexf", [](std::string_view text) { feed_reader(Format::gexf, text); }},
        {"first_bytes", feed_first_bytes},
        {"expert_loads", feed_expert_loads},
        {"expert_placement", feed_expert_placement},
        {"fleet", feed_fleet},
        {"held_jobs", feed_held_jobs},
        {"items", feed_items},
        {"kafka", feed_kafka},
        {"checkpoint", feed_checkpoint},
        {"link_message", feed_link_message},
        {"site_state", feed_site_state},
        {"loads", feed_loads},
        {"reassign_rules", feed_reassign_rules},
        {"reassign_tables", feed_reassign_tables},
        {"record", feed_record},
        {"redis", feed_redis},
        {"site_record", feed_site_record},
        {"spec", feed_spec},
        {"trace", feed_trace},
        {"windows", feed_windows},
    };
    return all;
}

}  // namespace equipoise::fuzz
