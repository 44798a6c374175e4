#include "equipoise/report/page/html.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/report/page/page_data.hpp"
#include "equipoise/report/pictures/clusters.hpp"
#include "equipoise/report/runs/frames.hpp"
#include "tests/support/sample_records.hpp"

namespace equipoise::report {
namespace {

using model::Record;
using nlohmann::json;

Record abilene() {
    return test::run_sample(test::abilene_sample());
}

std::string page_of(const Record& record) {
    return render_html(std::span(&record, 1));
}
json data_of(const Record& record) {
    return json::parse(page_data(std::span(&record, 1)));
}

std::size_t count(const std::string& text, const std::string& word) {
    std::size_t found = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1))
        ++found;
    return found;
}

std::vector<std::uint64_t> decode(const std::string& base64) {
    static const std::string digits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::vector<std::uint64_t> values;
    std::uint64_t bits = 0;
    unsigned held = 0;
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const char letter : base64) {
        if (letter == '=') break;
        bits = (bits << 6U) | digits.find(letter);
        held += 6;
        if (held < 8) continue;
        held -= 8;
        const std::uint64_t byte = (bits >> held) & 0xffU;
        value |= (byte & 0x7fU) << shift;
        shift += 7;
        if ((byte & 0x80U) != 0) continue;
        values.push_back(value);
        value = shift = 0;
    }
    return values;
}

Tokens from_zigzag(std::uint64_t value) {
    return static_cast<Tokens>(value >> 1U) ^ -static_cast<Tokens>(value & 1U);
}

TEST(Page, SaysSinceWhenARunIsLevelIfThatIsKnown) {
    Record record = abilene();
    EXPECT_FALSE(data_of(record).at("runs").at(0).contains("level_since"));
    record.level_since = 7;
    EXPECT_EQ(data_of(record).at("runs").at(0).at("level_since"), 7);
}

TEST(Page, LoadsNothingFromElsewhere) {
    const std::string page = page_of(abilene());
    for (const char* attribute : {"src=\"http", "href=\"http", "src='http", "href='http", "@import",
                                  "url(http", "src=\"//", "href=\"//"})
        EXPECT_EQ(count(page, attribute), 0U) << attribute;
    EXPECT_EQ(count(page, "default-src 'none'"), 1U);
}

TEST(Page, SaysInItsTitleWhatWasRun) {
    Record record = abilene();
    EXPECT_EQ(count(page_of(record), "<h1>one-token on abilene.gml</h1>"), 1U);
    const std::vector<Record> twice = {record, record};
    EXPECT_EQ(page_title(twice), "2 runs of one-token on abilene.gml");
    std::vector<Record> other = twice;
    other[1].algorithm = "half";
    EXPECT_EQ(page_title(other), "2 algorithms on abilene.gml");
}

TEST(Page, EscapesHostileNames) {
    Record record = abilene();
    const std::size_t scripts = count(page_of(record), "<script");
    const std::size_t ends = count(page_of(record), "</script");
    record.labels.names[0] = "</script><b>&\"'\xff";
    record.labels.origin = "</title><script>alert(1)</script>";
    record.algorithm = "<!--<script>{{chart}}";
    record.parameters["</script>"] = "<b>";
    record.stopped_because = "</script>";
    const std::string page = page_of(record);
    EXPECT_EQ(count(page, "<script"), scripts);
    EXPECT_EQ(count(page, "</script"), ends);
    EXPECT_EQ(count(page, "<b>"), 0U);
    EXPECT_EQ(count(page, "<!--"), 0U);
    const json data = data_of(record);
    EXPECT_EQ(data["networks"][0]["names"][0], "</script><b>&\"'\xef\xbf\xbd");
    EXPECT_EQ(data["runs"][0]["algorithm"], "<!--<script>{{chart}}");
}

TEST(Page, RefusesNoRecordsAndRecordsWithoutLoads) {
    EXPECT_THROW((void)render_html({}), InputError);
    Record record = abilene();
    record.final_loads.pop_back();
    EXPECT_THROW((void)page_of(record), InputError);
    EXPECT_THROW((void)page_of(Record{}), InputError);
}

TEST(PageData, HoldsMessagesByTheStepsBetweenWhichTheyWereOnTheirWay) {
    Record record = abilene();
    EXPECT_FALSE(data_of(record)["runs"][0].contains("messages_played"));
    record.asynchrony.emplace();
    record.asynchrony->kinds = {"report", "<token>"};
    // Nodes start, a clock ends at 7, and messages arrive at 3 and 9: three moments.
    record.asynchrony->deliveries = {{0, 0, 0, 0, 0, 0},
                                     {0, 3, 0, 1, 0, 0},
                                     {7, 7, 2, 2, 0, 0},
                                     {3, 9, 1, 2, 1, 5},
                                     {7, 9, 2, 1, 0, 0}};
    const json run = data_of(record)["runs"][0];
    EXPECT_EQ(run["kinds"], json({"report", "<token>"}));
    EXPECT_EQ(decode(run["messages_played"]),
              (std::vector<std::uint64_t>{1, 1, 0, 1, 0, 0,     // arrived in step 1, sent at 0
                                          2, 2, 1, 2, 1, 10,    // in step 3, sent at 1
                                          0, 1, 2, 1, 0, 0}));  // in step 3, sent at 2
}

TEST(PageData, HoldsEveryTransferOfASmallFullRecord) {
    const Record record = abilene();
    const json data = data_of(record);
    const std::vector<std::uint64_t> words = decode(data["runs"][0]["events"]);
    ASSERT_EQ(words.size(), 4 * record.transfers.size());
    Step step = 0;
    for (std::size_t index = 0; index < record.transfers.size(); ++index) {
        const model::Transfer& transfer = record.transfers[index];
        step += words[4 * index];
        EXPECT_EQ(step, transfer.step);
        EXPECT_EQ(words[4 * index + 1], transfer.from + 1);
        EXPECT_EQ(words[4 * index + 2], transfer.to + 1);
        EXPECT_EQ(from_zigzag(words[4 * index + 3]), transfer.tokens);
    }
}

TEST(PageData, FramesAddUpToTheLastLoads) {
    test::SampleRun run = test::grid_sample("mesh:21x21", 3000);
    run.level = model::RecordLevel::sampled;
    run.rule = test::SampleRule::half;
    run.sample_every = 3;
    const Record record = test::run_sample(run);
    const json data = data_of(record);
    const json& frames = data["runs"][0]["frames"];
    EXPECT_EQ(frames["steps"].front(), 0);
    EXPECT_EQ(frames["steps"].back(), record.costs.steps);
    const std::vector<std::uint64_t> words = decode(frames["loads"]);
    std::vector<Tokens> loads(record.node_count, 0);
    std::size_t next = 0;
    for (std::size_t frame = 0; frame < frames["steps"].size(); ++frame) {
        for (std::size_t node = 0; node < loads.size(); ++node) {
            const Tokens difference = from_zigzag(words[next++]);
            if (difference == 0)
                node += words[next++];
            else
                loads[node] += difference;
        }
        if (frame == 0) {
            EXPECT_EQ(loads, record.initial_loads);
        }
    }
    EXPECT_EQ(next, words.size());
    EXPECT_EQ(loads, record.final_loads);
}

TEST(PageData, KeepsWholeNumbersBeyondTheRangeOfABrowser) {
    Record record = abilene();
    record.costs.exchanges = 9'007'199'254'740'993ULL;
    EXPECT_EQ(data_of(record)["runs"][0]["exchanges"], "9007199254740993");
}

TEST(PageData, StaysSmallForManySamplesOfALargeGrid) {
    test::SampleRun run = test::grid_sample("torus:600x600", 1'000'000);
    run.level = model::RecordLevel::sampled;
    run.rule = test::SampleRule::half;
    run.steps_max = 60;
    const Record record = test::run_sample(run);
    const json data = data_of(record);
    const json& network = data["networks"][0];
    EXPECT_EQ(network["kind"], "cells");
    EXPECT_EQ(network["block"], 3);
    EXPECT_EQ(network["rows"], 200);
    EXPECT_LT(data.dump().size(), 1'000'000U);
    // Blocks average; the extremes are those of nodes.
    const json& frames = data["runs"][0]["frames"];
    EXPECT_EQ(frames["steps"].size(), 61U);
    EXPECT_EQ(frames["most"].front(), 1'000'000);
    EXPECT_EQ(frames["least"].front(), 0);
    EXPECT_EQ(frames["most"].back().get<Tokens>() - frames["least"].back().get<Tokens>(),
              record.final_discrepancy);
}

/// A spike on a path with a chord at every second node.
test::SampleRun ladder(NodeId nodes, Tokens tokens) {
    std::vector<Ends> links;
    for (NodeId node = 1; node < nodes; ++node) {
        links.push_back({node - 1, node});
        if (node > 2 && node % 2 == 0) links.push_back({node - 3, node});
    }
    return test::spike_sample(nodes, links, tokens);
}

TEST(PageData, DrawsLargeNetworksAsClustersThatHoldAllTokens) {
    test::SampleRun run = ladder(25'000, 50'000'000);
    run.level = model::RecordLevel::sampled;
    run.rule = test::SampleRule::half;
    run.steps_max = 40;
    const Record record = test::run_sample(run);
    const json data = data_of(record);
    const json& network = data["networks"][0];
    EXPECT_EQ(network["kind"], "points");
    EXPECT_EQ(network["nodes"], 25'000);
    EXPECT_EQ(network["x"].size(), 1'000U);
    ASSERT_EQ(network["sizes"].size(), 1'000U);
    std::uint64_t nodes = 0;
    for (const json& size : network["sizes"])
        nodes += size.get<std::uint64_t>();
    EXPECT_EQ(nodes, 25'000U);
    const json& frames = data["runs"][0]["frames"];
    const std::vector<std::uint64_t> words = decode(frames["loads"]);
    double total = 0;
    std::size_t next = 0;
    for (std::size_t cluster = 0; cluster < 1'000; ++cluster) {
        const Tokens mean = from_zigzag(words[next++]);
        if (mean == 0)
            cluster += words[next++];
        else
            total += static_cast<double>(mean) / 16 * network["sizes"][cluster].get<double>();
    }
    EXPECT_NEAR(total, 50e6, 25'000.0 / 32);
}

TEST(PageData, ShowsLoadsInOrderWhereNothingIsLinked) {
    test::SampleRun run = test::spike_sample(25'000, {}, 1'000);
    run.level = model::RecordLevel::sampled;
    const json data = data_of(test::run_sample(run));
    EXPECT_EQ(data["networks"][0]["kind"], "ranks");
}

TEST(PageData, ShowsFewerMomentsWhereLoadsTakeMuchRoom) {
    if (checked_build) GTEST_SKIP() << "checked builds take too long";
    test::SampleRun run = test::grid_sample("torus:120x120", 9'000'000'000);
    run.level = model::RecordLevel::sampled;
    run.steps_max = 300;
    Record record = test::run_sample(run);
    ASSERT_GT(record.samples.size(), 200U);
    Tokens noise = 1;
    for (model::Sample& sample : record.samples)
        for (Tokens& load : sample.loads)
            load = noise = noise * 48'271 % 2'147'483'647;
    const std::string page = page_of(record);
    EXPECT_LT(page.size(), 5'000'000U);
    EXPECT_GT(page.size(), 3'000'000U);
    const json data = data_of(record);
    const json& frames = data["runs"][0]["frames"];
    EXPECT_LT(frames["steps"].size(), 100U);
    EXPECT_EQ(frames["steps"].back(), record.costs.steps);
}

TEST(PageData, StaysSmallForManyRunsAndLongTexts) {
    Record record = test::run_sample(test::abilene_sample());
    record.constants["long"] = std::string(100'000, 'x');
    const std::vector<Record> records(300, record);
    EXPECT_LT(render_html(records).size(), 5'000'000U);
    EXPECT_LT(data_of(record)["runs"][0]["constants"]["long"].get<std::string>().size(), 500U);
}

TEST(Clusters, AreConnectedAndOfAboutTheSameSize) {
    const test::SampleRun run = ladder(5'000, 0);
    const network::Network network(run.node_count, run.links);
    const Clusters clusters = cluster_network(network, 50);
    ASSERT_EQ(clusters.sizes.size(), 50U);
    for (const NodeId size : clusters.sizes) {
        EXPECT_GT(size, 25U);
        EXPECT_LT(size, 250U);
    }
    // Connected: the links within a cluster reach all of its nodes from its first one.
    std::vector<NodeId> reached(50, 0);
    std::vector<bool> seen(run.node_count, false);
    for (NodeId start = 0; start < run.node_count; ++start) {
        const NodeId cluster = clusters.of[start];
        if (reached[cluster] > 0) continue;
        std::vector<NodeId> queue = {start};
        seen[start] = true;
        for (std::size_t next = 0; next < queue.size(); ++next)
            for (const NodeId other : network.neighbours(queue[next]))
                if (!seen[other] && clusters.of[other] == cluster) {
                    seen[other] = true;
                    queue.push_back(other);
                }
        reached[cluster] = static_cast<NodeId>(queue.size());
    }
    EXPECT_EQ(reached, clusters.sizes);
    EXPECT_EQ(cluster_network(network, 50).of, clusters.of);
}

TEST(Clusters, TakeInWhatNoSeedReaches) {
    const network::Network network(1'000, {{0, 1}, {5, 6}});
    const Clusters clusters = cluster_network(network, 10);
    NodeId nodes = 0;
    for (const NodeId size : clusters.sizes) {
        EXPECT_GT(size, 0U);
        nodes += size;
    }
    EXPECT_EQ(nodes, 1'000U);
    for (const NodeId cluster : clusters.of)
        EXPECT_LT(cluster, 10U);
}

TEST(PageData, MakesTheLinksOfAGeneratedNetworkAnew) {
    test::SampleRun run = test::tree_sample(3, 3, 100);
    Record record = test::run_sample(run);
    const json whole = data_of(record);
    record.links.clear();
    record.generated = true;
    EXPECT_EQ(data_of(record)["networks"][0]["ends"], whole["networks"][0]["ends"]);
    record.labels.origin = "tree:k=3,h=2";
    EXPECT_THROW((void)data_of(record), InputError);
}

TEST(PageData, DrawsANetworkThatSeveralRunsShareOnce) {
    const std::vector<Record> records = {abilene(), abilene()};
    const json data = json::parse(page_data(records));
    EXPECT_EQ(data["networks"].size(), 1U);
    EXPECT_EQ(data["runs"].size(), 2U);
}

TEST(Frames, ReplayOfTransfersAgreesWithSamplesAtEveryStep) {
    test::SampleRun run = test::abilene_sample();
    run.rule = test::SampleRule::half;
    const Record full = test::run_sample(run);
    run.level = model::RecordLevel::sampled;
    const Record sampled = test::run_sample(run);
    const std::vector<Event> events = events_of(full);
    ASSERT_FALSE(events.empty());
    std::vector<std::vector<Tokens>> replayed;
    visit_frames(full, events, 10'000, [&](Step, std::span<const Tokens> loads) {
        replayed.emplace_back(loads.begin(), loads.end());
    });
    std::vector<std::vector<Tokens>> seen;
    visit_frames(sampled, {}, 10'000, [&](Step, std::span<const Tokens> loads) {
        seen.emplace_back(loads.begin(), loads.end());
    });
    EXPECT_EQ(replayed, seen);
}

TEST(Frames, EventsThatDoNotLeadToTheLastLoadsAreNotShown) {
    Record record = abilene();
    record.transfers.pop_back();
    EXPECT_TRUE(events_of(record).empty());
    record = abilene();
    record.transfers[0].to = 99;
    EXPECT_TRUE(events_of(record).empty());
}

TEST(Frames, CurveBeginsAndEndsWithTheRun) {
    const Record record = abilene();
    const Curve curve = curve_of(record, events_of(record), 50);
    ASSERT_EQ(curve.steps.size(), 50U);
    EXPECT_EQ(curve.steps.front(), 0U);
    EXPECT_EQ(curve.steps.back(), record.costs.steps);
    EXPECT_EQ(curve.discrepancies.front(), record.initial_discrepancy);
    EXPECT_EQ(curve.discrepancies.back(), record.final_discrepancy);
    EXPECT_TRUE(std::is_sorted(curve.potentials.rbegin(), curve.potentials.rend()));
}

TEST(VariableBytes, EncodesAnyNumber) {
    VariableBytes bytes;
    const std::vector<std::uint64_t> values = {0, 1, 127, 128, 300, ~std::uint64_t{0}};
    for (const std::uint64_t value : values)
        bytes.add(value);
    EXPECT_EQ(decode(bytes.base64()), values);
    VariableBytes with_sign;
    const std::vector<Tokens> tokens = {0, -1, 1, -2, tokens_max, -tokens_max};
    for (const Tokens value : tokens)
        with_sign.add_signed(value);
    std::vector<Tokens> back;
    for (const std::uint64_t word : decode(with_sign.base64()))
        back.push_back(from_zigzag(word));
    EXPECT_EQ(back, tokens);
}

}  // namespace
}  // namespace equipoise::report
