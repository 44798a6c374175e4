// Node programs that the caller gives: they run in the simulation with its delays and faults, and
// can neither make nor lose tokens.

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/given.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/instance.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/verify/verify.hpp"

namespace equipoise::catalogue {
namespace {

using model::GivenMessage;
using model::GivenNode;

GivenMessage carrying(Tokens tokens) {
    GivenMessage message = {};
    message.carried = tokens;
    return message;
}

/// A program made of functions.
class Functions final : public model::GivenBehaviour {
  public:
    std::function<void(GivenNode&)> on_start = [](GivenNode&) {};
    std::function<void(GivenNode&, Port, const GivenMessage&)> on_message =
        [](GivenNode&, Port, const GivenMessage&) {};
    std::function<void(GivenNode&)> on_timer = [](GivenNode&) {};

    void start(GivenNode& node) override { on_start(node); }
    void receive(GivenNode& node, Port port, const GivenMessage& message) override {
        on_message(node, port, message);
    }
    void timer(GivenNode& node) override { on_timer(node); }
    void restart(NodeId /*node*/) override {}
};

Algorithm program_of(const std::function<void(Functions&)>& write, bool crashes = false) {
    model::GivenProgram program;
    program.name = "mine";
    program.kinds = {"first", "second"};
    program.supports_crashes = crashes;
    program.begin = [write](NodeId /*nodes*/) {
        auto functions = std::make_unique<Functions>();
        write(*functions);
        return functions;
    };
    return given_algorithm(program);
}

/// Whoever holds more than one token sends the others on, each over a random port.
void walk(Functions& program) {
    const auto pass_on = [](GivenNode& node) {
        while (node.tokens() > 1)
            node.send(static_cast<Port>(node.random_word() % node.degree()), carrying(1));
    };
    program.on_start = pass_on;
    program.on_message = [pass_on](GivenNode& node, Port, const GivenMessage&) { pass_on(node); };
}

Outcome simulate(const Algorithm& algorithm, const std::string& network, const std::string& loads,
                 const AsynchronyTexts& world,
                 model::RecordLevel level = model::RecordLevel::full) {
    const network::AnyNetwork made = network::generate(network, 1);
    RunOptions options;
    options.record_level = level;
    options.asynchrony = world;
    options.steps_max = 5000;
    const NetworkFacts facts(made);
    return run(algorithm, facts, make_loads(loads, made, 1), options);
}

std::string error_of_program(const Algorithm& algorithm, const std::string& faults = "") {
    try {
        static_cast<void>(simulate(algorithm, "path:n=3", "spike:tokens=9", {"", "", faults, ""}));
    } catch (const InputError& error) {
        return error.what();
    }
    return "none";
}

TEST(GivenPrograms, WalkToRestUnderAllDelaysAndLeaveRecordsThatVerifyPasses) {
    const std::vector<AsynchronyTexts> worlds = {{"", "", "", ""},
                                                 {"random:max=9", "", "", ""},
                                                 {"heavy-tail", "", "", "1"},
                                                 {"", "newest-first", "", ""},
                                                 {"", "starve:2", "", ""}};
    for (const AsynchronyTexts& world : worlds) {
        const Outcome outcome = simulate(program_of(walk), "complete:n=6", "spike:tokens=6", world);
        EXPECT_EQ(outcome.loads(), load::Loads(6, 1)) << world.delays << world.adversary;
        EXPECT_TRUE(outcome.reached());
        EXPECT_TRUE(outcome.record.given_rule);
        const verify::Report report = verify::verify(outcome.record);
        for (const verify::Check& check : report.checks)
            EXPECT_TRUE(check.passed) << check.name << ": " << check.detail;
    }
}

TEST(GivenPrograms, AreReplayedInTheRecordedOrder) {
    const Outcome outcome =
        simulate(program_of(walk), "complete:n=6", "spike:tokens=6", {"random:max=9", "", "", ""});
    EXPECT_FALSE(outcome.record.asynchrony->deliveries.empty());
    const Replay again = replay(outcome.record, program_of(walk));
    EXPECT_TRUE(again.same) << again.detail;
}

TEST(GivenPrograms, AreRefusedFaultsForTokensInMessages) {
    EXPECT_NE(error_of_program(program_of(walk), "loss=0.2").find("channels without faults"),
              std::string::npos);
    EXPECT_NE(error_of_program(program_of(walk), "crash=0.2,down=4").find("crashes"),
              std::string::npos);
}

/// The tail of a single link offers its tokens one by one, by number, until the head has as many:
/// over channels that lose, duplicate and reorder.
void share_over_bad_channel(Functions& program) {
    struct Memory {
        std::int64_t offered = 0;
        std::int64_t taken = 0;
    };
    const auto memory = std::make_shared<Memory>();
    const auto offer = [memory](GivenNode& node) {
        if (node.link_end(0) == model::LinkEnd::head || node.tokens() <= 40) return;
        GivenMessage message = {};
        message.field_count = 1;
        message.fields[0] = memory->offered + 1;
        node.send(0, message);
        node.wake_after(6);
    };
    program.on_start = program.on_timer = offer;
    program.on_message = [memory, offer](GivenNode& node, Port port, const GivenMessage& message) {
        const std::int64_t number = message.fields[0];
        if (message.kind == 1) {
            if (number == memory->offered + 1) {
                node.hand_over(port, 1);
                ++memory->offered;
            }
            return offer(node);
        }
        if (number == memory->taken + 1) {
            node.take_over(port, 1);
            ++memory->taken;
        }
        GivenMessage answer = message;
        answer.kind = 1;
        if (number == memory->taken) node.send(port, answer);
    };
}

TEST(GivenPrograms, ConserveTokensOverChannelsThatLoseDuplicateAndReorder) {
    for (const char* faults : {"loss=0.3", "duplicate=0.3", "loss=0.2,duplicate=0.2,reorder=0.3"}) {
        const Outcome outcome = simulate(program_of(share_over_bad_channel), "path:n=2",
                                         "spike:tokens=80", {"random:max=5", "", faults, ""});
        EXPECT_EQ(outcome.loads(), (load::Loads{40, 40})) << faults;
        EXPECT_TRUE(outcome.record.created.empty() && outcome.record.destroyed.empty());
        EXPECT_TRUE(verify::verify(outcome.record).passed());
    }
}

TEST(GivenPrograms, ThatCheatAreRefusedInOneLine) {
    const auto at_start = [](const std::function<void(GivenNode&)>& action) {
        return error_of_program(
            program_of([action](Functions& program) { program.on_start = action; }));
    };
    EXPECT_EQ(at_start([](GivenNode& node) { node.send(0, carrying(10)); }),
              "mine: node 0: expected to send 0 to 9 tokens, as the node has no more, found 10");
    EXPECT_EQ(at_start([](GivenNode& node) { node.send(0, carrying(-1)); }),
              "mine: node 0: expected to send 0 to 9 tokens, as the node has no more, found -1");
    EXPECT_EQ(at_start([](GivenNode& node) { node.send(1, carrying(0)); }),
              "mine: node 0: expected a port below 1, found 1");
    EXPECT_EQ(at_start([](GivenNode& node) { node.take_over(0, 10); }),
              "mine: node 0: expected to take over 0 to 0 tokens, as its neighbour has no "
              "more, found 10");
    EXPECT_EQ(at_start([](GivenNode& node) { node.hand_over(0, 1); }),
              "mine: node 0: expected to hand over 0 tokens, as many as the neighbour has taken "
              "over, found 1");
    EXPECT_EQ(at_start([](GivenNode& node) { node.wake_after(0); }),
              "mine: node 0: expected 1 tick or more for a timer, found 0");
}

TEST(GivenPrograms, MayEndTheirNodesAndWait) {
    const Outcome outcome =
        simulate(program_of([](Functions& program) {
                     program.on_start = [](GivenNode& node) { node.wake_after(5); };
                     program.on_timer = [](GivenNode& node) { node.end(); };
                 }),
                 "path:n=4", "spike:tokens=9", {});
    EXPECT_EQ(outcome.stopped_because(), "own-termination");
    EXPECT_EQ(outcome.record.asynchrony->time, 5U);
}

TEST(GivenPrograms, NameTheirKindsOfMessage) {
    model::GivenProgram program;
    program.name = "mine";
    EXPECT_THROW(static_cast<void>(given_algorithm(program)), InputError);
    program.kinds = {"a", "a"};
    EXPECT_THROW(static_cast<void>(given_algorithm(program)), InputError);
    program.kinds.assign(32, "a");
    EXPECT_THROW(static_cast<void>(given_algorithm(program)), InputError);
    program.kinds = {"a b"};
    EXPECT_THROW(static_cast<void>(given_algorithm(program)), InputError);
}

}  // namespace
}  // namespace equipoise::catalogue
