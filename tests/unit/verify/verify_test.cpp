#include "equipoise/verify/verify.hpp"

#include <algorithm>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "equipoise/load/loads.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/network/network.hpp"
#include "tests/support/property.hpp"

namespace {

using namespace equipoise;
using model::Record;
using model::RecordLevel;
using verify::Report;

/// Writes down a run in which every step moves one token over one link, from `moves`.
Record record_of(const network::AnyNetwork& network, std::vector<Tokens> loads,
                 const std::vector<Ends>& moves) {
    Record r;
    r.algorithm = "threshold-1";
    r.one_token_a_link = true;
    r.model = "single-port";
    r.level = RecordLevel::full;
    r.node_count = network.node_count();
    r.link_count = network.link_count();
    r.network_digest = network::digest(network);
    for (LinkId link = 0; link < network.link_count(); ++link)
        r.links.push_back(network.ends(link));
    r.initial_loads = loads;
    r.initial_discrepancy = load::discrepancy(loads);
    const auto sample = [&](Step step) {
        r.samples.push_back(
            {step, load::discrepancy(loads), load::to_decimal(load::potential(loads)), loads});
    };
    sample(0);
    for (Step step = 0; step < moves.size(); ++step) {
        const auto [from, to] = moves[step];
        --loads[from];
        ++loads[to];
        r.transfers.push_back({step, from, to, 1});
        sample(step + 1);
    }
    r.final_loads = loads;
    r.final_discrepancy = load::discrepancy(loads);
    r.local_imbalance = load::local_imbalance(network, std::span<const Tokens>(loads));
    r.costs = {moves.size(), moves.size(), moves.size(), 0};
    r.guarantee = {r.final_discrepancy, 10, "by hand"};
    r.reached = true;
    r.stop = "own-termination";
    r.stopped_because = "own-termination";
    return r;
}

/// Path 0-1-2, three tokens at node 0 become one each.
Record honest() {
    return record_of(network::Network(3, {{0, 1}, {1, 2}}), {3, 0, 0}, {{0, 1}, {0, 1}, {1, 2}});
}

/// Recomputes the first and the last loads among the samples.
void keep_ends(Record& record) {
    const auto sample = [](Step step, const std::vector<Tokens>& loads) {
        return model::Sample{step, load::discrepancy(loads),
                             load::to_decimal(load::potential(loads)), loads};
    };
    record.samples = {sample(0, record.initial_loads),
                      sample(record.costs.steps, record.final_loads)};
}

/// The record as one of another algorithm.
void claim(Record& record, const std::string& algorithm, const std::string& model,
           bool one_token_a_link) {
    record.algorithm = algorithm;
    record.model = model;
    record.one_token_a_link = one_token_a_link;
}

/// The names of the checks that failed.
std::vector<std::string> failed(const Record& record) {
    std::vector<std::string> names;
    for (const verify::Check& check : verify::verify(record).checks)
        if (!check.passed) names.push_back(check.name);
    return names;
}

using Names = std::vector<std::string>;

TEST(Verify, PassesAnHonestRecord) {
    const Report report = verify::verify(honest());
    for (const verify::Check& check : report.checks)
        EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
    EXPECT_TRUE(report.passed());
    EXPECT_GE(report.checks.size(), 10U);
    EXPECT_FALSE(report.unchecked.empty());
}

TEST(Verify, HoldsTheStepSinceWhichARunIsLevelAgainstTransfersAndSamples) {
    const auto with = [](Record record, Step since) {
        record.level_since = since;
        return record;
    };
    const auto is_open = [](const Record& record) {
        const auto fields = verify::verify(record).unchecked_fields;
        return std::find(fields.begin(), fields.end(), "level_since") != fields.end();
    };
    // Discrepancies 3, 2, 2, 0.
    Record transfers = honest();
    keep_ends(transfers);
    Record samples = honest();
    samples.level = RecordLevel::sampled;
    samples.transfers.clear();
    for (const Record& record : {honest(), transfers, samples}) {
        EXPECT_EQ(failed(with(record, 3)), Names{});
        EXPECT_FALSE(is_open(with(record, 3)));
        for (const Step since : {Step{0}, Step{1}, Step{2}, Step{4}, ~Step{0}})
            EXPECT_EQ(failed(with(record, since)), Names{"level since"}) << since;
    }
    Record ends = samples;
    ends.level = RecordLevel::summary;
    ends.samples.clear();
    for (const Step since : {Step{1}, Step{2}, Step{3}})
        EXPECT_EQ(failed(with(ends, since)), Names{}) << since;
    EXPECT_TRUE(is_open(with(ends, 3)));
    EXPECT_TRUE(is_open(ends));
    for (const Step since : {Step{0}, Step{4}})
        EXPECT_EQ(failed(with(ends, since)), Names{"level since"}) << since;
    // A discrepancy that comes back counts from when it came back: 1, 2, 1.
    const Record back =
        record_of(network::Network(3, {{0, 1}, {1, 2}}), {2, 1, 1}, {{1, 0}, {0, 1}});
    EXPECT_EQ(failed(with(back, 2)), Names{});
    EXPECT_EQ(failed(with(back, 0)), Names{"level since"});
}

TEST(Verify, FailsARecordThatLostAToken) {
    Record record = honest();
    record.final_loads[2] = 0;
    const Names names = failed(record);
    EXPECT_NE(std::find(names.begin(), names.end(), "conservation"), names.end());
    EXPECT_NE(std::find(names.begin(), names.end(), "transfers"), names.end());
}

TEST(Verify, FailsALostTokenAtSummaryLevelToo) {
    Record record = honest();
    record.level = RecordLevel::summary;
    record.samples.clear();
    record.transfers.clear();
    EXPECT_TRUE(verify::verify(record).passed());
    record.final_loads[2] = 0;
    record.final_discrepancy = 1;
    record.local_imbalance = 1;
    record.guarantee.discrepancy = 1;
    EXPECT_EQ(failed(record), Names{"conservation"});
}

TEST(Verify, AccountsForTokensThatWereMadeAndRemoved) {
    Record record = honest();
    claim(record, "rooted-target", "single-port", false);
    record.created = {{2, 0, 1, 4}};
    record.destroyed = {{2, 1, 0, 4}};
    EXPECT_TRUE(verify::verify(record).passed());
    record.destroyed.clear();
    const Names names = failed(record);
    EXPECT_NE(std::find(names.begin(), names.end(), "conservation"), names.end());
    // An algorithm that neither takes tokens in nor gives any away must not do so, even if its
    // books balance.
    record = honest();
    record.created = {{2, 0, 1, 4}};
    record.destroyed = {{2, 1, 0, 4}};
    EXPECT_EQ(failed(record), Names{"closed run"});
}

TEST(Verify, CatchesEveryWrongFigure) {
    const std::vector<std::pair<std::string, std::function<void(Record&)>>> lies = {
        {"network", [](Record& r) { r.network_digest ^= 1; }},
        {"network", [](Record& r) { r.link_count = 3; }},
        {"network",
         [](Record& r) {
             r.links[1] = {0, 1};
         }},
        {"initial discrepancy", [](Record& r) { r.initial_discrepancy = 2; }},
        {"final discrepancy", [](Record& r) { r.final_discrepancy = 1; }},
        {"local imbalance", [](Record& r) { r.local_imbalance = 1; }},
        {"samples", [](Record& r) { r.samples[1].potential += "0"; }},
        {"samples", [](Record& r) { r.samples[1].discrepancy = 9; }},
        {"samples", [](Record& r) { r.samples[1].step = 0; }},
        {"ending", [](Record& r) { r.stopped_because = "max-steps"; }},
        {"ending", [](Record& r) { r.steps_max = 2; }},
        {"ending", [](Record& r) { r.stopped_because = "quiet"; }},
        {"ending", [](Record& r) { r.stop = "nonsense"; }},
        {"ending",
         [](Record& r) {
             r.stop = "quiet:1";
             r.stopped_because = "quiet";
         }},
        {"guaranteed discrepancy", [](Record& r) { r.guarantee.discrepancy = -1; }},
        {"guaranteed steps", [](Record& r) { r.guarantee.steps = 2; }},
        {"deviation",
         [](Record& r) {
             r.deviation = {2.5, 0.1, 3, 2.25};
         }},
        {"deviation",
         [](Record& r) {
             r.deviation = {-2.5, 0.1, 3, std::nullopt};
         }},
        {"deviation",
         [](Record& r) {
             r.deviation = {2.5, -0.1, 3, 9.0};
         }},
        {"moves",
         [](Record& r) {
             r.moves = {true, r.costs.steps, 0};
         }},
        {"optimum",
         [](Record& r) {
             r.optimum = {4, std::nullopt};
         }},
        {"optimum",
         [](Record& r) {
             r.optimum = {3, 100};
         }},
        {"given", [](Record& r) { r.on_spanning_tree = true; }},
        {"given",
         [](Record& r) {
             r.matchings = {{{0, 2}}};
         }},
        {"given",
         [](Record& r) {
             r.matchings = {{{0, 1}, {1, 2}}};
         }},
        {"given",
         [](Record& r) {
             r.matchings = {{{7, 1}}};
         }},
        {"given",
         [](Record& r) {
             r.matrix = {{1, 3}};
         }},
        {"given",
         [](Record& r) {
             r.matrix = {{1, 3}, {1, 0}};
         }},
        {"given",
         [](Record& r) {
             r.matrix = {{2, 3}, {2, 3}};
         }},
        {"given", [](Record& r) { r.given.tree = network::SpanningTree::given; }},
        {"given",
         [](Record& r) {
             r.given.tree_links = {{0, 1}, {1, 2}};
         }},
        {"given",
         [](Record& r) {
             r.given.colouring = {{{0, 1}}};
         }},
        {"given",
         [](Record& r) {
             r.given.colouring = {{{0, 1}}, {{1, 2}}, {{0, 1}}};
         }},
        {"transfers", [](Record& r) { r.costs.exchanges = 4; }},
        {"transfers", [](Record& r) { r.level = RecordLevel::sampled; }},
        {"sizes", [](Record& r) { r.final_loads.push_back(0); }},
        {"sizes", [](Record& r) { r.speeds = {1}; }},
        {"sizes",
         [](Record& r) {
             r.speeds = {1, -1, 1};
         }},
        {"sizes",
         [](Record& r) {
             r.speeds = {0, 0, 0};
         }},
        {"sizes", [](Record& r) { r.load_scale = 0; }},
        {"loads", [](Record& r) { r.initial_loads[0] = -3; }},
        {"algorithm", [](Record& r) { r.algorithm = "threshold-3"; }},
        {"algorithm", [](Record& r) { r.model = "multi-port"; }},
        {"algorithm", [](Record& r) { r.loads_may_be_negative = true; }},
        {"algorithm", [](Record& r) { r.load_scale = 2; }},
        {"algorithm", [](Record& r) { r.asynchrony.emplace(); }},
        {"algorithm",
         [](Record& r) {
             r.algorithm = "dimension-exchange";
             r.one_token_a_link = true;
         }},
        {"constants", [](Record& r) { r.constants["target"] = "2"; }},
        {"units", [](Record& r) { r.constants["units_per_token"] = "2"; }},
        {"speeds",
         [](Record& r) {
             r.speeds = {1, 2, 1};
         }},
        {"labels", [](Record& r) { r.generated = true; }},
        {"labels", [](Record& r) { r.labels.origin = "path:n=3"; }},
        {"level", [](Record& r) { r.level = RecordLevel::summary; }},
        {"level", [](Record& r) { r.samples.pop_back(); }},
        {"samples", [](Record& r) { r.samples.erase(r.samples.begin() + 2); }},
        {"samples", [](Record& r) { r.samples[1].loads.clear(); }},
        {"ending", [](Record& r) { r.stop += "+own-termination"; }},
        {"reached",
         [](Record& r) {
             r.asked_stop = "";
             r.reached = false;
         }},
        {"reached", [](Record& r) { r.asked_stop = "quiet:5"; }},
        {"guarantee", [](Record& r) { r.asked_stop = "own-termination"; }},
        {"guarantee", [](Record& r) { r.guarantee.source.clear(); }},
        {"world", [](Record& r) { r.world.emplace(); }},
        {"world", [](Record& r) { r.arrivals = "poisson:rate=1"; }},
    };
    for (std::size_t i = 0; i < lies.size(); ++i) {
        Record record = honest();
        lies[i].second(record);
        const Names names = failed(record);
        EXPECT_NE(std::find(names.begin(), names.end(), lies[i].first), names.end())
            << "lie " << i << " on " << lies[i].first;
    }
}

/// A deal of 4 tokens that arrive while others leave.
Record in_a_changing_world() {
    Record r = record_of(network::Network(3, {{0, 1}, {1, 2}}), {3, 0, 0}, {{0, 1}, {0, 1}});
    r.arrivals = "replay:arrivals.csv";
    r.guarantee = {};
    r.stop.clear();
    r.asked_stop = "";
    r.stopped_because = "max-steps";
    r.steps_max = 2;
    r.created = {{1, 0, 2, 4}};
    r.final_loads = {1, 2, 4};
    r.final_discrepancy = 3;
    r.local_imbalance = 2;
    r.samples.back() = {2, 3, load::to_decimal(load::potential(r.final_loads)), r.final_loads};
    r.world = {3, 3, 3, 5, 1, 0.4};
    r.world->discrepancy_50 = r.samples[1].discrepancy;
    return r;
}

TEST(Verify, HoldsTheFiguresOfAChangingWorldToItsBooks) {
    EXPECT_EQ(failed(in_a_changing_world()), Names{});
    const std::vector<std::function<void(Record&)>> lies = {
        [](Record& r) { ++r.world->arrived; },
        [](Record& r) { ++r.world->consumed; },
        [](Record& r) { r.world->arrived = 3, r.world->consumed = -1; },
        [](Record& r) { r.world->moved_per_arrival = 0.5; },
        [](Record& r) { ++r.world->discrepancy_50; },
        [](Record& r) { ++r.world->discrepancy_99; },
        [](Record& r) { ++r.world->discrepancy_max; },
        [](Record& r) { r.arrivals.clear(); },
    };
    for (std::size_t i = 0; i < lies.size(); ++i) {
        Record record = in_a_changing_world();
        lies[i](record);
        EXPECT_EQ(failed(record), Names{"world"}) << "lie " << i;
    }
}

TEST(Verify, CannotTellWhetherNodesCameAndWentWhereNoTokensDid) {
    Record record = honest();
    record.churn = "random:nodes=0.1";
    record.world.emplace();
    const std::vector<std::string> open = verify::verify(record).unchecked_fields;
    EXPECT_NE(std::find(open.begin(), open.end(), "world"), open.end());
}

TEST(Verify, LetsACapEndARunOnlyIfNoRoundFitsBelowIt) {
    Record record = in_a_changing_world();
    for (const Step cap : {Step{3}, Step{1}, ~Step{0}}) {
        record.steps_max = cap;
        EXPECT_EQ(failed(record), Names{"ending"}) << cap;
    }
}

TEST(Verify, HoldsTheOrderOfEventsToItsTimeAndItsLinks) {
    Record record = honest();
    claim(record, "perfect-tree", "asynchronous", false);
    record.asynchrony.emplace();
    record.asynchrony->delays = "unit";
    record.asynchrony->kinds = {"collect", "hand"};
    record.asynchrony->deliveries = {{0, 0, 0, 0, 0, 0}, {0, 1, 0, 1, 1, 1}, {1, 2, 1, 2, 0, 1}};
    record.asynchrony->time = 2;
    record.costs.messages = 2;
    EXPECT_EQ(failed(record), Names{});
    const std::vector<std::function<void(model::Delivery&)>> lies = {
        [](model::Delivery& d) { d.from = 0; },    [](model::Delivery& d) { d.to = 9; },
        [](model::Delivery& d) { d.kind = 2; },    [](model::Delivery& d) { d.tokens = -1; },
        [](model::Delivery& d) { d.arrived = 3; },
    };
    for (std::size_t i = 0; i < lies.size(); ++i) {
        Record lie = record;
        lies[i](lie.asynchrony->deliveries.back());
        EXPECT_EQ(failed(lie), Names{"events"}) << "lie " << i;
    }
    record.costs.messages = 1;
    EXPECT_EQ(failed(record), Names{"events"});
}

TEST(Verify, HoldsTheEndsOfPhasesToTheirOrderAndTheTime) {
    Record record = honest();
    claim(record, "perfect-tree", "asynchronous", false);
    record.asynchrony.emplace();
    record.asynchrony->delays = "unit";
    record.asynchrony->time = 9;
    record.asynchrony->phases = {{1, 4, 0}, {4, 7, 0}, {8, {}, 0}, {}};
    EXPECT_EQ(failed(record), Names{});
    const std::vector<std::function<void(std::vector<model::PhaseEnd>&)>> lies = {
        [](auto& phases) { phases[0].last = 0; },       // before the first node
        [](auto& phases) { phases[0].first = 5; },      // after the last node
        [](auto& phases) { phases[1].last = 3; },       // before the phase before
        [](auto& phases) { phases[2].first = 10; },     // after the last event
        [](auto& phases) { phases[2].last = 10; },      // likewise
        [](auto& phases) { phases[3].last = 9; },       // at no first node
        [](auto& phases) { phases[1].first.reset(); },  // likewise
    };
    for (std::size_t i = 0; i < lies.size(); ++i) {
        Record lie = record;
        lies[i](lie.asynchrony->phases);
        EXPECT_EQ(failed(lie), Names{"events"}) << "lie " << i;
    }
}

TEST(Verify, CannotTellWhetherAProgramHadPhases) {
    Record record = honest();
    claim(record, "perfect-tree", "asynchronous", false);
    record.asynchrony.emplace();
    const std::vector<std::string> open = verify::verify(record).unchecked_fields;
    EXPECT_NE(std::find(open.begin(), open.end(), "asynchrony.phases"), open.end());
}

TEST(Verify, HoldsADeviationAgainstItsBoundAsFarAsItIsKnown) {
    Record record = honest();
    record.deviation = {2.5, 0.3, std::nullopt, 2.25};
    const auto kept = [&] {
        const Names names = failed(record);
        return std::find(names.begin(), names.end(), "deviation") == names.end();
    };
    EXPECT_TRUE(kept());
    record.deviation->error = 0.2;
    EXPECT_FALSE(kept());
}

TEST(Verify, KnowsFromTheParametersWhetherLoadsAreInUnitsOfAToken) {
    const auto fails = [](const Record& record, const std::string& name) {
        const Names names = failed(record);
        return std::find(names.begin(), names.end(), name) != names.end();
    };
    Record record = honest();
    claim(record, "diffusion", "multi-port", false);
    EXPECT_FALSE(fails(record, "units"));
    record.parameters["idealised"] = "no";
    EXPECT_FALSE(fails(record, "units"));
    record.parameters["idealised"] = "yes";
    EXPECT_TRUE(fails(record, "units"));  // one unit a token
    const auto scaled = [&](std::uint64_t scale) {
        Record other = record;
        for (Tokens& load : other.initial_loads)
            load *= static_cast<Tokens>(scale);
        other.load_scale = scale;
        return other;
    };
    EXPECT_FALSE(fails(scaled(1ULL << 24U), "units"));
    EXPECT_TRUE(fails(scaled(1ULL << 23U), "units"));
    record.parameters["idealised"] = "no";
    EXPECT_TRUE(fails(scaled(1ULL << 24U), "algorithm"));

    record.parameters.clear();
    claim(record, "deal-agreement-1", "multi-port", false);
    EXPECT_TRUE(fails(record, "units"));  // nothing says how many
    record.constants["units_per_token"] = "1";
    EXPECT_FALSE(fails(record, "units"));
}

TEST(Verify, CatchesEveryImpossibleTransfer) {
    const auto detail = [](const Record& record) {
        for (const verify::Check& check : verify::verify(record).checks)
            if (check.name == "transfers") return check.detail;
        return std::string("not checked");
    };
    Record record = honest();
    record.transfers[2] = {2, 0, 2, 1};
    EXPECT_EQ(detail(record), "step 2: 1 token from node 0 to node 2: there is no such link");
    record = honest();
    record.transfers[2] = {2, 0, 7, 1};
    EXPECT_EQ(detail(record), "step 2: 1 token from node 0 to node 7: there is no such link");
    record = honest();
    record.transfers[0].tokens = 0;
    EXPECT_EQ(detail(record), "step 0: 0 tokens from node 0 to node 1: expected at least one");
    record = honest();
    record.transfers[0] = {0, 1, 0, 1};
    EXPECT_EQ(detail(record), "step 0: node 1 sends 1 token and has 0");
    record = honest();
    std::swap(record.transfers[0].step, record.transfers[2].step);
    record.samples.clear();
    EXPECT_EQ(detail(record), "step 1: comes after step 2");
    record = honest();
    record.transfers[2].step = 9;
    record.samples.clear();
    EXPECT_EQ(detail(record), "step 9: comes after the run's last step");
    record = honest();
    record.samples[1].loads = {0, 3, 0};
    EXPECT_EQ(detail(record),
              "the transfers do not lead to the sample at step 1: node 0 has 2, recorded 0");
}

TEST(Verify, HoldsSinglePortStepsToOnePartnerANode) {
    Record record = honest();
    record.initial_loads = {3, 1, 0};
    record.initial_discrepancy = 3;
    record.final_loads = {2, 1, 1};
    record.final_discrepancy = 1;
    record.local_imbalance = 1;
    record.guarantee.discrepancy = 1;
    keep_ends(record);
    record.transfers = {{0, 0, 1, 1}, {0, 1, 2, 1}};
    record.costs.exchanges = 2;
    EXPECT_EQ(failed(record), Names{"transfers"});
    claim(record, "one-token-diffusion", "multi-port", true);
    EXPECT_TRUE(verify::verify(record).passed());
}

TEST(Verify, HoldsSingleTokenStepsToOneSendAndOneReceiveANode) {
    Record record = record_of(network::Network(3, {{0, 1}, {1, 2}}), {2, 1, 0}, {{0, 1}, {1, 2}});
    claim(record, "mesh-weak", "single-token", false);
    keep_ends(record);
    // Node 1 passes a token on while it receives one.
    record.transfers = {{0, 0, 1, 1}, {0, 1, 2, 1}};
    EXPECT_TRUE(verify::verify(record).passed());
    // Two tokens at once over a link, from a node, to a node.
    const std::vector<std::vector<model::Transfer>> wrong = {
        {{0, 0, 1, 2}},
        {{0, 0, 1, 1}, {1, 1, 0, 1}, {1, 1, 2, 1}},
        {{0, 1, 2, 1}, {1, 0, 1, 1}, {1, 2, 1, 1}}};
    for (const auto& transfers : wrong) {
        record.transfers = transfers;
        const Report report = verify::verify(record);
        EXPECT_TRUE(
            std::any_of(report.checks.begin(), report.checks.end(), [](const verify::Check& check) {
                return !check.passed &&
                       check.detail.find("in a single-token step") != std::string::npos;
            }));
    }
}

TEST(Verify, GeneratesTheNetworkAnewFromItsSpec) {
    const network::AnyNetwork torus = network::generate("torus:3x4", 0);
    std::vector<Tokens> loads(12, 0);
    loads[0] = 2;
    Record record = record_of(torus, loads, {{0, 1}});
    record.links.clear();
    record.generated = true;
    record.labels.origin = "torus:3x4";
    EXPECT_TRUE(verify::verify(record).passed());
    record.labels.origin = "torus:4x3";
    EXPECT_EQ(failed(record), Names{"network"});
    record.labels.origin = "doughnut:4x3";
    EXPECT_EQ(failed(record), (Names{"network", "labels"}));
    record.labels.origin = "torus:3x4";
    record.labels.seed = 1;
    EXPECT_EQ(failed(record), Names{"labels"});
}

TEST(Verify, MakesNoNetworkThatIsLargerThanTheRecord) {
    Record record = honest();
    record.generated = true;
    record.links.clear();
    for (const std::string spec : {"torus:60000x60000", "complete:n=131072", "hypercube:d=30",
                                   "tree:k=2,h=4000000000", "gnm:n=3,m=1000000000000"}) {
        record.labels.origin = spec;
        EXPECT_EQ(failed(record), Names{"network"}) << spec;
    }
}

TEST(Verify, CatchesAnySingleChangeOfATransferInAFullRecord) {
    EXPECT_TRUE(test::holds("changed transfer", [] {
        const network::Network star(6, {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}});
        std::vector<Ends> moves;
        for (NodeId leaf = 1; leaf < 6; ++leaf)
            moves.push_back({0, leaf});
        Record record = record_of(star, {9, 0, 0, 0, 0, 0}, moves);
        RC_ASSERT(verify::verify(record).passed());
        model::Transfer& chosen = record.transfers[*rc::gen::inRange<std::size_t>(0, 5)];
        const model::Transfer before = chosen;
        chosen = {*rc::gen::inRange<Step>(0, 6), *rc::gen::inRange<NodeId>(0, 7),
                  *rc::gen::inRange<NodeId>(0, 7), *rc::gen::inRange<Tokens>(-1, 3)};
        RC_PRE(!(chosen == before));
        RC_ASSERT(!verify::verify(record).passed());
    }));
}

}  // namespace
