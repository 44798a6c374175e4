// Plans of items from files and texts: what is wrong with them, checks that refuse what is broken,
// and plans that go on where others were broken off.

#include "equipoise/catalogue/studies/waves.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/draw.hpp"
#include "tests/support/thrown.hpp"

namespace equipoise::catalogue {
namespace {

using Draw = test::Draw<std::uint64_t>;

/// Three machines: a holds most, b takes little at once.
WavesRequest shards() {
    WavesRequest request;
    request.sizes = "sizes.csv";
    request.texts["sizes"] =
        "item,node,size\n"
        "logs,a,8\nmail,a,5\nshop,a,4\nwiki,a,3\nblog,b,2\nchat,c,2\n";
    request.rates = "rates.csv";
    request.texts["rates"] = "node,in,out\na,9,9\nb,6,9\nc,9,9\n";
    return request;
}

/// Sets the text of an option.
WavesRequest with(WavesRequest request, const std::string& option, const std::string& text) {
    const std::string name = option + ".csv";
    if (option == "sizes") request.sizes = name;
    if (option == "loads") request.loads = name;
    if (option == "rates") request.rates = name;
    if (option == "capacities") request.capacities = name;
    if (option == "resume") request.resume = name;
    request.texts[option] = text;
    return request;
}

WavesRequest with_target(WavesRequest request, const std::string& kind, const std::string& text) {
    request.target = kind + "target.csv";
    request.texts["target"] = text;
    return request;
}

std::string fault_of(WavesRequest request, const std::string& moves) {
    request.texts["check"] = "wave,item,from,to\n" + moves;
    const JudgedItems judged = judge_items(request, "check.csv");
    EXPECT_EQ(judged.words.fault.empty(), judged.verdict.holds);
    return judged.words.fault;
}

std::string text_of(const load::Items& items, const optimum::WaveSchedule& schedule,
                    std::size_t count) {
    std::string text = items.thing.empty() ? "wave,from,to\n" : "wave,item,from,to\n";
    for (std::size_t at = 0; at < count; ++at) {
        const optimum::WaveMove& move = schedule[at];
        text += std::to_string(move.wave) + ',';
        if (!items.thing.empty()) text += items.name(move.item) + ',';
        text += items.node_name(move.from) + ',' + items.node_name(move.to) + '\n';
    }
    return text;
}

/// The text of an InputError.
std::string thrown_text(const std::function<void()>& act) {
    const std::string found = test::thrown_by(act);
    EXPECT_EQ(found.rfind("input: ", 0), 0U) << found;
    return found.substr(std::min(found.size(), std::string("input: ").size()));
}

std::string error_of(const WavesRequest& request) {
    return thrown_text([&] { static_cast<void>(plan_items(request)); });
}

TEST(PlansOfItems, ErrorsNameTheFileAndTheLineAndWhatWasExpected) {
    const WavesRequest ok = shards();
    const std::string header = "item,node,size\n";
    const std::vector<std::pair<WavesRequest, std::string>> cases = {
        {with(ok, "sizes", ""), "sizes.csv"},
        {with(ok, "sizes", "node,item\n"), "sizes.csv:1: expected the header"},
        {with(ok, "sizes", header + "logs,a\n"), "sizes.csv:2: expected 3 fields"},
        {with(ok, "sizes", header + "logs,a,-1\n"), "sizes.csv:2: expected a size (0 to"},
        {with(ok, "sizes", header + "logs,a,1\n,a,1\n"),
         "sizes.csv:3: expected the name of an item"},
        {with(ok, "sizes", header + "logs,,1\n"), "sizes.csv:2: expected the name of a node"},
        {with(ok, "sizes", header + "logs,a,1\n\nlogs,a,1\n"),
         "sizes.csv:4: item \"logs\" is listed twice"},
        {with(ok, "sizes", header + "logs,a,4611686018427387904\n"), "sizes.csv:2: expected"},
        {with(ok, "sizes", header), "sizes.csv: expected items on nodes, found none"},
        {with(ok, "rates", "node,out,in\n"), "rates.csv:1: expected the header"},
        {with(ok, "rates", "node,in,out\na,1,1\nq,1,1\n"), "rates.csv:3: expected a node"},
        {with(ok, "rates", "node,in,out\na,1,1\na,1,1\n"),
         "rates.csv:3: node \"a\" is listed twice"},
        {with(ok, "rates", "node,in,out\na,-1,1\n"), "rates.csv:2: expected what the node takes"},
        {with(ok, "rates", "node,in,out\na,1,x\n"), "rates.csv:2: expected what the node gives"},
        {with(ok, "capacities", "node,room\n"), "capacities.csv:1: expected the header"},
        {with(ok, "capacities", "node,capacity\nq,1\n"), "capacities.csv:2: expected"},
        {with(ok, "capacities", "node,capacity\na,1.5\n"), "capacities.csv:2: expected"},
        {with(ok, "resume", "wave,from,to\n"), "resume.csv:1: expected the header"},
        {with(ok, "resume", "wave,item,from,to\n0,logs,b,a\n"),
         "resume.csv:2: node b does not hold item logs in wave 0"},
        {with(ok, "resume", "wave,item,from,to\n0,logs,a,b\n1,logs,a,c\n"),
         "resume.csv:3: node a does not hold item logs in wave 1"},
        {with(ok, "resume", "wave,item,from,to\n0,disk,a,b\n"), "resume.csv:2: expected an item"},
        {with(ok, "resume", "wave,item,from,to\n-1,logs,a,b\n"),
         "resume.csv:2: expected the number of a wave"},
        {with_target(ok, "places:", "item,node\nlogs,q\n"), "target.csv:2: expected a node"},
        {with_target(ok, "places:", "item,node\nlogs,b\nlogs,c\n"),
         "target.csv: expected item \"logs\" on as many nodes as now, 1"},
        {with_target(ok, "speeds:", "node,speed\na,-1\n"), "target.csv:2: expected"},
        {with(WavesRequest(), "loads", "node,tokens\na,1\n,2\n"),
         "loads.csv:3: expected the name of a node"},
        {with(WavesRequest(), "loads", "node,tokens\na,1\na,2\n"),
         "loads.csv:3: node \"a\" is listed twice"},
        {with(WavesRequest(), "loads", "node,tokens\na,50000001\n"),
         "loads.csv:2: expected at most 50000000 tokens"},
    };
    for (const auto& [request, expected] : cases) {
        const std::string found = error_of(request);
        EXPECT_EQ(found.rfind(expected, 0), 0U) << expected << "\nfound " << found;
        EXPECT_EQ(found.find('\n'), std::string::npos) << found;
    }
}

TEST(PlansOfItems, OptionsThatDoNotFitAreRefused) {
    const auto changed = [](auto&& change) {
        WavesRequest request = shards();
        change(request);
        return error_of(request);
    };
    const auto expect = [](const std::string& found, const std::string& part) {
        EXPECT_NE(found.find(part), std::string::npos) << part << "\nfound " << found;
    };
    expect(error_of(WavesRequest()), "expected --sizes or --loads");
    expect(changed([](auto& r) { r.loads = "x"; }), "either --sizes or --loads, found both");
    expect(changed([](auto& r) { r.at_once = 0; }), "--at-once: expected a whole number from 1");
    expect(changed([](auto& r) { r.tolerance = -0.5; }),
           "--tolerance: expected a number, 0 or more");
    expect(changed([](auto& r) {
               r.tolerance = 0.5;
               r.target = "at-most:9";
           }),
           "--tolerance: expected the target floor-ceil or speeds");
    expect(changed([](auto& r) { r.target = "flat"; }),
           "unknown target \"flat\": expected floor-ceil, at-most:SIZE, exact:DELTA, "
           "speeds:FILE.csv or places:FILE");
    expect(changed([](auto& r) { r.target = "at-most:x"; }),
           "--target: expected at-most:SIZE with a whole number, found \"at-most:x\"");
    expect(changed([](auto& r) { r.drain = {"q"}; }), "--drain: expected a node");
    expect(changed([](auto& r) { r.pinned = {"q"}; }), "--pinned: expected a node");
    expect(changed([](auto& r) { r.drain = r.pinned = {"a"}; }), "is also named by --drain");
    expect(changed([](auto& r) {
               r.nodes = {"d", ""};
           }),
           "--nodes: expected names of nodes, found an empty one");
    expect(changed([](auto& r) { r.drain = {""}; }), "--drain: expected names of nodes");
    expect(changed([](auto& r) { r.pinned = {""}; }), "--pinned: expected names of nodes");
    expect(changed([](auto& r) { r.drain = {"a", "b", "c"}; }), "expected a node that may take");
    expect(changed([](auto& r) { r.log_dirs = "/dev/null"; }), "--log-dirs: expected --sizes with");
    expect(changed([](auto& r) { r.rates = "no-such-file.csv", r.texts.erase("rates"); }),
           "no-such-file.csv");
    expect(changed([](auto& r) {
               r.drain = {"a"};
               r = with_target(r, "places:", "item,node\n");
           }),
           "--drain: expected a target other than places");
}

TEST(PlansOfItems, ChecksAcceptThePlanAndRefuseEveryKindOfBrokenSchedule) {
    const WavesRequest request = shards();
    const std::string good = "0,shop,a,b\n0,chat,c,b\n1,logs,a,c\n";
    EXPECT_EQ(fault_of(request, good), "");
    const auto expect = [](const std::string& found, const std::string& expected) {
        EXPECT_EQ(found, "check.csv" + expected);
    };
    expect(fault_of(request, "0,shop,b,a\n"), ":2: node b does not hold item shop in wave 0");
    expect(fault_of(request, "0,shop,a,b\n1,shop,a,c\n"),
           ":3: node a does not hold item shop in wave 1");
    expect(fault_of(request, "0,shop,a,a\n"), ":2: item shop goes from node a to itself");
    expect(fault_of(request, "0,shop,a,c\n0,shop,c,b\n"), ":3: item shop moves twice in wave 0");
    expect(fault_of(request, "0,logs,a,c\n0,mail,a,c\n"),
           ":3: node a gives 13, above its rate of 9, in wave 0");
    expect(fault_of(request, "0,mail,a,b\n0,shop,a,b\n"),
           ":3: node b takes 9, above its rate of 6, in wave 0");
    expect(fault_of(request, "1,shop,a,b\n0,logs,a,c\n"), ":3: waves go backwards");
    expect(fault_of(request, "0,shop,a,b\n"),
           ": node a ends with 3 items of size 16 in all, above its final load of 8 or one item");
    // A node holds what leaves it until the wave is over.
    const WavesRequest full = with(request, "capacities", "node,capacity\nc,9\n");
    expect(fault_of(full, "0,chat,c,b\n0,logs,a,c\n"),
           ":3: node c holds 10, above its capacity of 9, in wave 0");
    EXPECT_EQ(fault_of(full, "0,chat,c,b\n1,logs,a,c\n2,shop,a,b\n"), "");
    WavesRequest one_by_one = request;
    one_by_one.at_once = 1;
    expect(fault_of(one_by_one, "0,shop,a,b\n0,wiki,a,c\n"),
           ":3: node a gives 2 items, more than 1 at once, in wave 0");
    WavesRequest pinned = request;
    pinned.pinned = {"b"};
    expect(fault_of(pinned, "0,shop,a,b\n"), ":2: node b takes 4, above its rate of 0, in wave 0");
    const WavesRequest copies =
        with(request, "sizes", "item,node\nlogs,a\nlogs,b\nmail,a\nshop,c\n");
    expect(fault_of(copies, "0,logs,a,b\n"), ":2: node b has another copy of item logs in wave 0");
    const WavesRequest places = with_target(request, "places:", "item,node\nlogs,c\n");
    expect(fault_of(places, ""), ": item logs ends on node a, not on node c");
    EXPECT_EQ(fault_of(places, "0,logs,a,c\n"), "");
}

/// Shards on machines a and b, and machines that hold nothing.
WavesRequest shards_of(const std::string& lines, std::vector<std::string> nodes = {}) {
    WavesRequest request = with(WavesRequest(), "sizes", "item,node,size\n" + lines);
    request.nodes = std::move(nodes);
    return request;
}

TEST(PlansOfItems, OneBigItemLeavesTheOthersToBeLevelled) {
    std::string lines = "big,b,100\n";
    for (int item = 0; item < 20; ++item)
        lines += "i" + std::to_string(item) + ",a,3\n";
    WavesRequest request = shards_of(lines, {"c", "d"});
    const PlannedItems made = plan_items(request);
    EXPECT_TRUE(made.plan.exact());
    EXPECT_EQ(made.plan.moves(), 6);
    EXPECT_EQ(fault_of(request, ""),
              "check.csv: node a ends with 20 items of size 60 in all, above its final load of 44 "
              "or one item");
    // With a tolerance that all can keep, nothing moves; a machine of speed 0 keeps nothing.
    request.tolerance = 0.5;
    EXPECT_EQ(plan_items(request).plan.moves(), 0);
    request.tolerance = 0;
    EXPECT_EQ(plan_items(request).plan.moves(), 7);
    request = with_target(request, "speeds:", "node,speed\na,1\nb,0\nc,1\nd,1\n");
    const PlannedItems without = plan_items(request);
    EXPECT_TRUE(without.plan.moves_exact());
    EXPECT_EQ(without.plan.moves(), 1 + 3);
    EXPECT_EQ(without.plan.schedule.size(), 4U);
}

TEST(PlansOfItems, EmptyShardsAreItemsThatMoveWhereTheyMust) {
    WavesRequest request = shards_of("x,a,0\ny,b,5\n");
    EXPECT_EQ(plan_items(request).plan.moves(), 0);
    request.drain = {"a"};
    PlannedItems made = plan_items(request);
    EXPECT_TRUE(made.plan.exact());
    EXPECT_EQ(made.plan.moves(), 1);
    EXPECT_EQ(made.plan.size, 0);
    EXPECT_EQ(fault_of(request, ""), "check.csv: node a ends with 1 item, but must end empty");
    EXPECT_EQ(fault_of(request, "0,x,a,b\n"), "");
    request.drain = {"a", "b"};
    EXPECT_NE(error_of(request).find("expected a node that may take"), std::string::npos);
    request.drain.clear();
    request.pinned = {"a"};
    EXPECT_EQ(fault_of(request, "0,x,a,b\n"),
              "check.csv:2: node a gives an item, but its rate is 0, in wave 0");
    // Only empty shards.
    request = shards_of("x,a,0\ny,a,0\nz,b,0\n");
    EXPECT_EQ(plan_items(request).plan.moves(), 0);
    request.drain = {"a"};
    made = plan_items(request);
    EXPECT_TRUE(made.plan.exact());
    EXPECT_EQ(made.plan.moves(), 2);
    request = with_target(shards_of("x,a,0\ny,b,5\n"), "places:", "item,node\nx,b\n");
    EXPECT_EQ(plan_items(request).plan.moves(), 1);
}

TEST(PlansOfItems, WhereNothingHasToMoveNoNodeHasToTakePart) {
    WavesRequest request = shards_of("x,a,3\ny,b,5\n", {"c"});
    request.pinned = {"a", "b"};
    request.drain = {"c"};
    PlannedItems made = plan_items(request);
    EXPECT_TRUE(made.plan.exact());
    EXPECT_EQ(made.plan.moves(), 0);
    request.drain.clear();
    request.pinned = {"a", "b", "c"};
    EXPECT_EQ(plan_items(request).plan.moves(), 0);
    request = with(WavesRequest(), "loads", "node,tokens\na,3\nb,0\n");
    request.pinned = {"a"};
    request.drain = {"b"};
    EXPECT_EQ(plan_items(request).plan.moves(), 0);
    request.drain = {"a"};
    request.pinned = {"b"};
    EXPECT_NE(error_of(request).find("expected a node that may take"), std::string::npos);
}

TEST(PlansOfItems, ChecksTakeOneCopyForAnother) {
    // Whichever of two copies goes to which of two places.
    WavesRequest request = with(WavesRequest(), "sizes", "item,node\na,x\na,y\n");
    request.nodes = {"u", "v"};
    request = with_target(request, "places:", "item,node\na,u\na,v\n");
    EXPECT_EQ(fault_of(request, "0,a,x,u\n0,a,y,v\n"), "");
    EXPECT_EQ(fault_of(request, "0,a,x,v\n0,a,y,u\n"), "");
    EXPECT_EQ(fault_of(request, "0,a,x,v\n"), "check.csv: item a ends on node y, not on node u");
}

TEST(PlansOfItems, ChecksRefuseLinesThatAreNoneOfASchedule) {
    const auto expect = [](const std::string& moves, const std::string& expected) {
        WavesRequest request = shards();
        request.texts["check"] = moves;
        const std::string found =
            thrown_text([&] { static_cast<void>(judge_items(request, "check.csv")); });
        EXPECT_EQ(found.rfind("check.csv:" + expected, 0), 0U) << found;
    };
    const std::string header = "wave,item,from,to\n";
    expect("", "");
    expect("step,from,to\n", "1: expected the header");
    expect(header + "0,shop,a\n", "2: expected 4 fields");
    expect(header + "0,disk,a,b\n", "2: expected an item of the file of items, found \"disk\"");
    expect(header + "0,shop,q,b\n", "2: expected a node that holds items");
    expect(header + "0,shop,a,b\n0,chat,c,q\n", "3: expected a node that holds items");
    expect(header + "x,shop,a,b\n", "2: expected the number of a wave");
}

TEST(PlansOfItems, TextsOfFilesInThePlaceOfFilesGiveTheirPlan) {
    const PlannedItems made = plan_items(shards());
    EXPECT_TRUE(made.plan.exact());
    EXPECT_EQ(text_of(made.instance.items, made.plan.schedule, 3),
              "wave,item,from,to\n0,shop,a,b\n0,chat,c,b\n1,logs,a,c\n");
    EXPECT_EQ(made.instance.origin, "sizes.csv");
}

/// Random items with sizes, copies, rates, capacities, nodes that are drained.
WavesRequest random_request(Draw& draw) {
    const std::uint64_t nodes = draw(2, 5);
    const auto name = [](std::uint64_t node) { return std::string(1, char('a' + node)); };
    WavesRequest request;
    const bool named = draw(0, 3) > 0;
    const std::uint64_t size_max = draw(0, 1) == 0 ? 1 : 6;
    if (named) {
        const bool copies = size_max == 1 && draw(0, 2) == 0;
        std::string text = "item,node,size\n";
        const std::uint64_t items = draw(1, 14);
        for (std::uint64_t item = 0; item < items; ++item) {
            const std::uint64_t first = draw(0, 1) * draw(0, nodes - 1);
            const std::uint64_t count = copies ? draw(1, 2) : 1;
            for (std::uint64_t copy = 0; copy < count; ++copy)
                text += 'i' + std::to_string(item) + ',' + name((first + copy) % nodes) + ',' +
                        std::to_string(draw(1, size_max)) + '\n';
        }
        request = with(request, "sizes", text);
    } else {
        std::string text = "node,tokens\n";
        for (std::uint64_t node = 0; node < nodes; ++node)
            text += name(node) + ',' + std::to_string(draw(0, 6)) + '\n';
        request = with(request, "loads", text);
    }
    for (std::uint64_t node = 0; node < nodes; ++node)
        request.nodes.push_back(name(node));
    if (draw(0, 1) == 0) {
        std::string text = "node,in,out\n";
        for (std::uint64_t node = 0; node < nodes; ++node)
            text += name(node) + ',' + std::to_string(draw(size_max, 9)) + ',' +
                    std::to_string(draw(size_max, 9)) + '\n';
        request = with(request, "rates", text);
    } else {
        request.at_once = draw(1, 3);
    }
    if (draw(0, 2) == 0) {
        std::string text = "node,capacity\n";
        for (std::uint64_t node = 0; node < nodes; ++node)
            text += name(node) + ',' + std::to_string(draw(20, 60)) + '\n';
        request = with(request, "capacities", text);
    }
    if (draw(0, 3) == 0) request.drain = {name(draw(0, nodes - 1))};
    return request;
}

std::optional<PlannedItems> planned(const WavesRequest& request) {
    try {
        PlannedItems made = plan_items(request);
        if (made.plan.found) return made;
    } catch (const UnsuitableError&) {
    }
    return std::nullopt;
}

TEST(PlansOfItems, ResumedAfterAnyMoveEndInTheTargetAndChecksSaySo) {
    Draw draw(7);
    int found = 0;
    std::size_t prefixes = 0;
    for (int round = 0; round < 150; ++round) {
        SCOPED_TRACE(round);
        const WavesRequest request = random_request(draw);
        const std::optional<PlannedItems> whole = planned(request);
        if (!whole) continue;
        ++found;
        const optimum::WaveSchedule& schedule = whole->plan.schedule;
        const load::Items& items = whole->instance.items;
        for (std::size_t done = 0; done <= schedule.size(); ++done) {
            SCOPED_TRACE(done);
            ++prefixes;
            WavesRequest rest = with(request, "resume", text_of(items, schedule, done));
            const PlannedItems made = plan_items(rest);
            EXPECT_EQ(made.instance.resumed, done);
            ASSERT_TRUE(made.plan.found);
            rest.texts["check"] =
                text_of(made.instance.items, made.plan.schedule, made.plan.schedule.size());
            EXPECT_EQ(judge_items(rest, "check.csv").words.fault, "");
            // What remains is no more than what was planned.
            if (whole->plan.exact() && made.plan.exact()) {
                EXPECT_LE(made.plan.schedule.size(), schedule.size() - done);
            }
        }
    }
    EXPECT_GT(found, 100);
    EXPECT_GT(prefixes, 300U);
}

TEST(PlansOfItems, ChecksRefuseEveryPlanWithOneMoveLeftOut) {
    Draw draw(8);
    int refused = 0;
    for (int round = 0; round < 60; ++round) {
        SCOPED_TRACE(round);
        WavesRequest request = random_request(draw);
        const std::optional<PlannedItems> whole = planned(request);
        // With as few moves as any plan has, none can be spared.
        if (!whole || !whole->plan.exact()) continue;
        for (std::size_t left_out = 0; left_out < whole->plan.schedule.size(); ++left_out) {
            optimum::WaveSchedule schedule = whole->plan.schedule;
            schedule.erase(schedule.begin() + static_cast<std::ptrdiff_t>(left_out));
            request.texts["check"] = text_of(whole->instance.items, schedule, schedule.size());
            EXPECT_NE(judge_items(request, "check.csv").words.fault, "");
            ++refused;
        }
    }
    EXPECT_GT(refused, 50);
}

}  // namespace
}  // namespace equipoise::catalogue
