#include "equipoise/model/run/record_json.hpp"

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <rapidcheck.h>

#include "equipoise/base/error.hpp"
#include "tests/support/property.hpp"

namespace {

using namespace equipoise;
using model::Record;

model::Asynchrony arbitrary_asynchrony() {
    const auto any = [] { return *rc::gen::arbitrary<std::uint64_t>(); };
    model::Asynchrony a = {"random", "starve:3", "loss=0.1", any(), any(), any(), any(), {}, {}};
    a.kinds = {"local", "quote\""};
    std::uint64_t time = 0;
    for (const std::uint64_t waited : *rc::gen::arbitrary<std::vector<std::uint32_t>>()) {
        time += waited;
        a.deliveries.push_back({time - waited, time, 3, 4, 1, *rc::gen::arbitrary<Tokens>()});
    }
    if (*rc::gen::arbitrary<bool>()) a.faults_met = {any(), any(), any()};
    if (*rc::gen::arbitrary<bool>()) a.phases = {{any(), any(), any()}, {any(), {}, 0}, {}};
    if (*rc::gen::arbitrary<bool>()) {
        a.delays.clear();
        a.ranks = std::max<std::uint64_t>(1, any());
    }
    return a;
}

network::MatchingSequence arbitrary_matchings() {
    network::MatchingSequence matchings;
    for (const auto& pairs :
         *rc::gen::arbitrary<std::vector<std::vector<std::pair<NodeId, NodeId>>>>()) {
        matchings.emplace_back();
        for (const auto& [tail, head] : pairs)
            matchings.back().push_back({tail, head});
    }
    return matchings;
}

/// What version 1 kept among the constants.
void add_arbitrary_types(Record& r) {
    const auto any = [] { return *rc::gen::arbitrary<bool>(); };
    const auto number = [] { return *rc::gen::arbitrary<std::uint64_t>(); };
    const auto real = [] { return *rc::gen::arbitrary<double>(); };
    r.given_rule = any();
    r.one_token_a_link = any();
    r.on_spanning_tree = any();
    r.matchings = arbitrary_matchings();
    for (const auto& [p, q] : *rc::gen::arbitrary<std::vector<std::pair<Tokens, Tokens>>>())
        r.matrix.push_back({p, q});
    r.given.tree =
        *rc::gen::element(network::SpanningTree::given, network::SpanningTree::breadth_first,
                          network::SpanningTree::low_degree);
    r.given.tree_links = {{0, 1}, {no_node, 7}};
    r.given.colouring = arbitrary_matchings();
    if (any()) r.deviation = {real(), real(), std::nullopt, std::nullopt};
    if (r.deviation && any()) r.deviation->step = number();
    if (r.deviation && any()) r.deviation->bound = real();
    if (any()) r.moves = {any(), number(), number()};
    if (any()) r.optimum = {*rc::gen::arbitrary<Tokens>(), std::nullopt};
    if (r.optimum && any()) r.optimum->steps = number();
}

/// Any value at all, truthful or not: the file format must not care.
Record arbitrary_record() {
    const auto tokens = [] { return *rc::gen::arbitrary<Tokens>(); };
    const auto loads = [] { return *rc::gen::arbitrary<std::vector<Tokens>>(); };
    const auto text = [] {
        return *rc::gen::container<std::string>(rc::gen::inRange<char>(1, 127));
    };
    Record r;
    r.program_version = "0.1.0";
    r.algorithm = "threshold-2";
    r.model = "single-port";
    r.parameters[text()] = text();
    r.constants[text()] = text();
    for (auto* words : {&r.parameters, &r.constants})
        (*words)["quote\"\\\n"] = "value\t";
    r.seed = *rc::gen::arbitrary<std::uint64_t>();
    r.stop = "quiet:3";
    r.level = *rc::gen::element(model::RecordLevel::summary, model::RecordLevel::sampled,
                                model::RecordLevel::full);
    r.node_count = *rc::gen::inRange<NodeId>(0, 5);
    if (*rc::gen::arbitrary<bool>())
        for (NodeId node = 0; node < r.node_count; ++node)
            r.labels.names.push_back("node " + std::to_string(node));
    if (*rc::gen::arbitrary<bool>())
        for (NodeId node = 0; node < r.node_count; ++node)
            r.labels.positions.push_back({*rc::gen::arbitrary<double>(), 1.0 / (node + 3.0)});
    r.labels.first_number = *rc::gen::arbitrary<NodeId>();
    r.labels.origin = "a \"file\".gml";
    r.network_digest = *rc::gen::arbitrary<std::uint64_t>();
    r.link_count = *rc::gen::arbitrary<LinkId>();
    r.generated = *rc::gen::arbitrary<bool>();
    for (const auto& [a, b] : *rc::gen::arbitrary<std::vector<std::pair<NodeId, NodeId>>>())
        r.links.push_back({a, b});
    r.initial_loads = loads();
    r.speeds = loads();
    r.load_scale = *rc::gen::arbitrary<std::uint64_t>();
    for (const auto& sample : *rc::gen::arbitrary<std::vector<std::vector<Tokens>>>())
        r.samples.push_back({*rc::gen::arbitrary<Step>(), tokens(),
                             "170141183460469231731687303715884105727", sample});
    for (const Tokens value : loads()) {
        const auto step = *rc::gen::arbitrary<Step>();
        const auto node = *rc::gen::arbitrary<NodeId>();
        r.transfers.push_back({step, node, node + 1, value});
        r.created.push_back({step, 0, node, value});
        r.destroyed.push_back({step, node, 0, value});
    }
    r.loads_may_be_negative = *rc::gen::arbitrary<bool>();
    r.final_loads = loads();
    r.costs = {*rc::gen::arbitrary<std::uint64_t>(), 2, 3, ~std::uint64_t{0}};
    r.initial_discrepancy = std::numeric_limits<Tokens>::min();
    r.final_discrepancy = tokens();
    r.local_imbalance = tokens();
    if (*rc::gen::arbitrary<bool>()) r.guarantee = {tokens(), 17, "Theorem 5"};
    r.reached = *rc::gen::arbitrary<bool>();
    r.stopped_because = "quiet";
    r.seconds = *rc::gen::positive<double>();
    if (*rc::gen::arbitrary<bool>()) r.asynchrony = arbitrary_asynchrony();
    add_arbitrary_types(r);
    return r;
}

void expect_equal(const Record& a, const Record& b) {
    RC_ASSERT(a.program_version == b.program_version);
    RC_ASSERT(a.algorithm == b.algorithm);
    RC_ASSERT(a.model == b.model);
    RC_ASSERT(a.parameters == b.parameters);
    RC_ASSERT(a.constants == b.constants);
    RC_ASSERT(a.seed == b.seed);
    RC_ASSERT(a.stop == b.stop);
    RC_ASSERT(a.steps_max == b.steps_max);
    RC_ASSERT(a.level == b.level);
    RC_ASSERT(a.labels.names == b.labels.names);
    RC_ASSERT(a.labels.first_number == b.labels.first_number);
    RC_ASSERT(a.labels.positions == b.labels.positions);
    RC_ASSERT(a.labels.origin == b.labels.origin);
    RC_ASSERT(a.labels.seed == b.labels.seed);
    RC_ASSERT(a.node_count == b.node_count);
    RC_ASSERT(a.network_digest == b.network_digest);
    RC_ASSERT(a.links == b.links);
    RC_ASSERT(a.link_count == b.link_count);
    RC_ASSERT(a.generated == b.generated);
    RC_ASSERT(a.initial_loads == b.initial_loads);
    RC_ASSERT(a.speeds == b.speeds);
    RC_ASSERT(a.load_scale == b.load_scale);
    RC_ASSERT(a.loads_may_be_negative == b.loads_may_be_negative);
    RC_ASSERT(a.samples == b.samples);
    RC_ASSERT(a.transfers == b.transfers);
    RC_ASSERT(a.created == b.created);
    RC_ASSERT(a.destroyed == b.destroyed);
    RC_ASSERT(a.final_loads == b.final_loads);
    RC_ASSERT(a.costs == b.costs);
    RC_ASSERT(a.initial_discrepancy == b.initial_discrepancy);
    RC_ASSERT(a.final_discrepancy == b.final_discrepancy);
    RC_ASSERT(a.local_imbalance == b.local_imbalance);
    RC_ASSERT(a.guarantee == b.guarantee);
    RC_ASSERT(a.reached == b.reached);
    RC_ASSERT(a.stopped_because == b.stopped_because);
    RC_ASSERT(a.seconds == b.seconds);
    RC_ASSERT(a.asynchrony == b.asynchrony);
    RC_ASSERT(a.given_rule == b.given_rule);
    RC_ASSERT(a.one_token_a_link == b.one_token_a_link);
    RC_ASSERT(a.on_spanning_tree == b.on_spanning_tree);
    RC_ASSERT(a.matchings == b.matchings);
    RC_ASSERT(a.matrix == b.matrix);
    RC_ASSERT(a.given == b.given);
    RC_ASSERT(a.deviation == b.deviation);
    RC_ASSERT(a.moves == b.moves);
    RC_ASSERT(a.optimum == b.optimum);
}

std::string message_of(const std::string& text) {
    try {
        static_cast<void>(model::record_from_json(text, "run.json"));
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Record small_record() {
    Record r;
    r.algorithm = "threshold-2";
    r.level = model::RecordLevel::full;
    r.node_count = 2;
    r.link_count = 1;
    r.links = {{0, 1}};
    r.initial_loads = {3, 0};
    r.final_loads = {2, 1};
    r.transfers = {{0, 0, 1, 1}};
    return r;
}

TEST(RecordJson, ReadsBackEveryFieldOfAnyRecord) {
    EXPECT_TRUE(test::holds("round trip", [] {
        const Record record = arbitrary_record();
        expect_equal(record, model::record_from_json(model::to_json(record), "memory"));
    }));
}

TEST(RecordJson, KeepsAnEmptyRecord) {
    EXPECT_TRUE(test::holds("empty", [] {
        expect_equal(Record{}, model::record_from_json(model::to_json(Record{}), "memory"));
    }));
}

TEST(RecordJson, NamesTheLineOfTextThatIsNotJson) {
    EXPECT_EQ(message_of("{\n \"equipoise_record\": 2,\n oops\n}"),
              "run.json:3: expected well-formed JSON, found \"oops\"");
    EXPECT_EQ(message_of(""), "run.json:1: expected well-formed JSON, found nothing");
}

TEST(RecordJson, NamesThePlaceOfAWrongValue) {
    const std::string text = model::to_json(small_record());
    EXPECT_EQ(message_of(replaced(text, "[0,0,1,1]", "[0,0,1,\"x\"]")),
              "run.json: transfers[0][3]: expected a whole number, found \"x\"");
    EXPECT_EQ(message_of(replaced(text, "[0,0,1,1]", "[0,0,1]")),
              "run.json: transfers[0]: expected [step, from, to, tokens], found [0,0,1]");
    EXPECT_EQ(message_of(replaced(text, "\"level\": \"full\"", "\"level\": \"half\"")),
              "run.json: level: expected summary, sampled or full, found \"half\"");
    EXPECT_EQ(message_of(replaced(text, "\"nodes\": 2", "\"nodes\": -2")),
              "run.json: network.nodes: expected a whole number from 0 to 4294967295, found -2");
    EXPECT_EQ(message_of(replaced(text, "\"nodes\": 2", "\"nodes\": 2.5")),
              "run.json: network.nodes: expected a whole number from 0 to 4294967295, found 2.5");
    EXPECT_EQ(message_of(replaced(text, "\"initial_loads\": [3,0]", "\"initial_loads\": [3,1e99]")),
              "run.json: initial_loads[1]: expected a whole number from "
              "-9223372036854775808 to 9223372036854775807, found 1e+99");
    Record asynchronous = small_record();
    asynchronous.asynchrony.emplace();
    asynchronous.asynchrony->deliveries = {{0, 7, 0, 1, 0, 0}, {0, 8, 1, 0, 0, 0}};
    EXPECT_EQ(message_of(replaced(model::to_json(asynchronous), "[0,8,1,0,0,0]", "[0,6,1,0,0,0]")),
              "run.json: asynchrony.deliveries[1]: expected times that do not fall, found "
              "[0,6,1,0,0,0]");
}

using Json = nlohmann::json;

/// A record in which everything that may be null has a value.
Record busy_record() {
    Record r = small_record();
    r.guarantee = {1, 17, "Theorem 5"};
    r.deviation = {2.5, 0.1, 3, 2.25};
    r.moves = {true, 1, 2};
    r.optimum = {1, 2};
    r.asynchrony.emplace();
    r.asynchrony->faults_met.emplace();
    r.asynchrony->kinds = {"load"};
    r.world.emplace();
    r.samples = {{0, 3, "9", {3, 0}}};
    return r;
}

/// The object without one key at a time, at every depth.
std::vector<std::pair<std::string, Json>> with_a_key_dropped(const Json& object) {
    std::vector<std::pair<std::string, Json>> shorter;
    for (const auto& [key, value] : object.items()) {
        shorter.emplace_back(key, object);
        shorter.back().second.erase(key);
        if (!value.is_object()) continue;
        for (const auto& [inner, changed] : with_a_key_dropped(value)) {
            shorter.emplace_back(key + '.' + inner, object);
            shorter.back().second[key] = changed;
        }
    }
    return shorter;
}

/// What is said of a record without a key.
std::string missing(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    const std::string place = dot == std::string::npos ? "" : path.substr(0, dot) + ": ";
    return "run.json: " + place + "expected the key \"" +
           (dot == std::string::npos ? path : path.substr(dot + 1)) + "\", found none";
}

TEST(RecordJson, RequiresEveryKeyOfItsVersion) {
    const Json whole = Json::parse(model::to_json(busy_record()));
    const auto dropped = with_a_key_dropped(whole);
    EXPECT_GT(dropped.size(), 60U);
    for (const auto& [key, object] : dropped) {
        const std::string found = message_of(object.dump());
        if (key != "equipoise_record") {
            EXPECT_EQ(found, missing(key));
        }
        EXPECT_NE(found, "no error") << key;
    }
}

TEST(RecordJson, ReadsNullOnlyWhereSomethingMayNotApply) {
    const Json whole = Json::parse(model::to_json(busy_record()));
    for (const auto& [key, value] : whole.items()) {
        Json without = whole;
        without[key] = nullptr;
        const bool may_lack = key == "asynchrony" || key == "world" || key == "deviation" ||
                              key == "moves" || key == "optimum";
        EXPECT_EQ(message_of(without.dump()) == "no error", may_lack) << key;
    }
    for (const auto& [key, value] : whole.at("asynchrony").items()) {
        Json without = whole;
        without["asynchrony"][key] = nullptr;
        EXPECT_EQ(message_of(without.dump()) == "no error", key == "faults_met") << key;
    }
}

TEST(RecordJson, ReadsWhatTheFirstRecordsLackAsNothingAndDoesNotWriteThemAgain) {
    const Json whole = Json::parse(model::to_json(small_record()));
    Json first = whole;
    for (const auto& [key, value] : whole.items())
        if (value.is_null()) first.erase(key);
    first["equipoise_record"] = 1;
    first["guarantee"] = {{"source", ""}};
    for (const char* later : {"asked_stop", "given", "one_token_a_link", "on_spanning_tree"})
        first.erase(later);
    const Record read = model::record_from_json(first.dump(), "run.json");
    EXPECT_FALSE(read.asked_stop);
    EXPECT_THROW(static_cast<void>(model::to_json(read)), InputError);
    first["world"] = nullptr;
    EXPECT_EQ(message_of(first.dump()), "run.json: world: expected an object, found null");
}

/// What reading a record of version 1 with one constant gives.
std::string message_of_constant(const std::string& name, const std::string& text) {
    Json old = Json::parse(R"({
        "equipoise_record": 1, "program_version": "0.1.0", "algorithm": "diffusion",
        "model": "multi-port", "parameters": {}, "constants": {}, "seed": 0, "stop": "quiet:1",
        "steps_max": 9, "level": "summary", "speeds": [], "load_scale": 1,
        "loads_may_be_negative": false, "initial_loads": [1], "samples": [], "transfers": [],
        "created": [], "destroyed": [], "final_loads": [1], "initial_discrepancy": 0,
        "final_discrepancy": 0, "local_imbalance": 0, "guarantee": {"source": ""},
        "reached": true, "stopped_because": "quiet", "seconds": 0,
        "costs": {"steps": 1, "rounds": 1, "exchanges": 0, "messages": 0},
        "network": {"origin": "path:n=1", "seed": 0, "generated": true, "nodes": 1, "links": 0,
                    "digest": "0000000000000000", "first_number": 0, "names": [],
                    "positions": [], "ends": []}})");
    old["constants"][name] = text;
    return message_of(old.dump());
}

TEST(RecordJson, NamesAConstantOfVersion1ThatHasNoValueOfItsType) {
    EXPECT_EQ(message_of_constant("beta", "any text"), "no error");
    EXPECT_EQ(message_of_constant("deviation", "2.5"), "no error");
    EXPECT_EQ(message_of_constant("deviation", "little"),
              "run.json: constants.deviation: expected a number, found \"little\"");
    EXPECT_EQ(message_of_constant("moves", "made up"),
              "run.json: constants.moves: expected played or reckoned, found \"made up\"");
    EXPECT_EQ(message_of_constant("tokens_a_link_and_step", "2"),
              "run.json: constants.tokens_a_link_and_step: expected 1, found \"2\"");
    EXPECT_EQ(message_of_constant("faults_met", "3 messages lost, some doubled"),
              "run.json: constants.faults_met: expected counts of lost messages, duplicates "
              "and crashes, found \"3 messages lost, some doubled\"");
    EXPECT_TRUE(message_of_constant("matchings", "0>x")
                    .starts_with(
                        "run.json: constants.matchings: matchings: expected the number of a node"));
}

TEST(RecordJson, ReadsTheRanksThatRanNodesAlsoAsEarlierRecordsNameThem) {
    Json record = Json::parse(model::to_json(busy_record()));
    const auto read = [&](const Json& delays) {
        record["asynchrony"]["delays"] = delays;
        return *model::record_from_json(record.dump(), "run.json").asynchrony;
    };
    EXPECT_EQ(read({{"ranks", 4}}).ranks, 4U);
    EXPECT_EQ(read("ranks:4"), read({{"ranks", 4}}));
    EXPECT_EQ(read("ranks:4").delays, "");
    EXPECT_EQ(read("random:max=4").ranks, 0U);
    for (const char* wrong : {R"("ranks:")", R"("ranks:x")", R"({"ranks": 0})", R"({})", "4"}) {
        record["asynchrony"]["delays"] = Json::parse(wrong);
        EXPECT_TRUE(message_of(record.dump()).starts_with("run.json: asynchrony.delays")) << wrong;
    }
}

TEST(RecordJson, RejectsMissingAndUnknownKeysAndOtherVersions) {
    const std::string text = model::to_json(small_record());
    EXPECT_EQ(message_of(replaced(text, "\"seconds\"", "\"minutes\"")),
              "run.json: unknown key \"minutes\"");
    EXPECT_EQ(message_of(replaced(text, "\"seconds\": ", "\"minutes\": 1, \"seconds\": ")),
              "run.json: unknown key \"minutes\"");
    EXPECT_EQ(message_of(replaced(text, "\"equipoise_record\": 2", "\"equipoise_record\": 3")),
              "run.json: equipoise_record: expected schema version 1 to 2, found 3");
    EXPECT_EQ(message_of("[1]"),
              "run.json: expected an object with the key equipoise_record, found [1]");
}

TEST(RecordFile, IsWrittenWholeAndReadBack) {
    const std::string path = testing::TempDir() + "equipoise_record_test.json";
    model::write_record(small_record(), path);
    EXPECT_EQ(model::to_json(model::read_record(path)), model::to_json(small_record()));
    std::remove(path.c_str());
}

TEST(RecordFile, ThatDoesNotExistIsNamed) {
    try {
        static_cast<void>(model::read_record("/nowhere/run.json"));
        FAIL() << "expected an InputError";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "/nowhere/run.json: cannot be read: No such file or directory");
    }
}

}  // namespace
