// Windows files: what is written is read again, and anything else is refused with a line that says
// why.

#include "equipoise/optimum/windows/file.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/network/generators/generate.hpp"
#include "equipoise/optimum/checks/cut_check.hpp"
#include "equipoise/optimum/checks/flow_check.hpp"
#include "equipoise/optimum/plan.hpp"
#include "equipoise/optimum/schedule_check.hpp"
#include "equipoise/optimum/windows/windows.hpp"
#include "tests/support/distribution_instances.hpp"

namespace equipoise::optimum {
namespace {

/// A plan for a path with all tokens at one end, as a file.
WindowsFile file_of_path(bool all_ports = false) {
    const network::AnyNetwork named = network::generate("path:n=4", 0);
    const network::Network stored(named.node_count(), network::all_links(named));
    Problem problem;
    problem.network = &stored;
    problem.loads = {8, 0, 0, 0};
    problem.target = floor_or_ceiling(problem.loads);
    problem.all_ports = all_ports;
    return windows_file(make_plan(problem), problem, named, "floor-ceil");
}

std::string error_of(const std::string& text) {
    try {
        static_cast<void>(read_windows(text, "w.json"));
        return "";
    } catch (const InputError& error) {
        return error.what();
    }
}

/// The text with one place changed.
std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    if (at != std::string::npos) text.replace(at, from.size(), to);
    return text;
}

TEST(WindowsFile, IsReadAsItWasWritten) {
    RandomStream random(31, Purpose::sampling);
    for (int i = 0; i < 200; ++i) {
        auto [network, loads] = test::random_distribution(9, random);
        Problem problem;
        problem.network = &network;
        problem.loads = loads;
        problem.target = floor_or_ceiling(loads);
        problem.all_ports = i % 5 == 1;
        if (i % 5 == 2)
            for (LinkId link = 0; link < network.link_count(); ++link)
                problem.delays.push_back(1 + random.below(3));
        if (i % 5 == 3) problem.ports.assign(loads.size(), 2);
        if (i % 5 == 4)
            for (const Tokens load : loads)
                problem.capacities.push_back(load + 4);
        network::Labels labels;
        labels.origin = "drawn \"at random\".gml";
        labels.seed = ~std::uint64_t{0};
        const network::AnyNetwork named(network, labels);
        const Plan plan = make_plan(problem);
        const WindowsFile file = windows_file(plan, problem, named, "floor-ceil");
        const std::string text = windows_text(file);
        EXPECT_TRUE(is_windows_text(text));
        const WindowsFile read = read_windows(text, "w.json");
        EXPECT_EQ(windows_text(read), text);
        EXPECT_EQ(read.digest(), file.written_digest);
        WindowsProblem about = problem_of(read);
        about.problem.network = &about.network;
        EXPECT_EQ(about.problem.loads, problem.loads);
        EXPECT_EQ(about.problem.delays, problem.delays);
        EXPECT_EQ(about.problem.ports, problem.ports);
        EXPECT_EQ(about.problem.capacities, problem.capacities);
        EXPECT_EQ(check_flow(about.problem, *read.flow).fault, "");
        if (about.cut) {
            EXPECT_EQ(check_cut(about.problem, *about.cut), "");
        }
        if (read.zones) {
            EXPECT_EQ(check_certificate(about.problem, *read.zones), "");
        }
    }
}

TEST(WindowsFile, HasADigestThatEveryNumberChanges) {
    for (const bool all_ports : {false, true}) {
        const std::string text = windows_text(file_of_path(all_ports));
        int changed = 0;
        for (std::size_t at = text.find("\"network\"");
             at < text.find("\"digest\": \"", text.find("\"steps\"")); ++at) {
            const bool digit = text[at] >= '0' && text[at] <= '9';
            if (!digit || (text[at - 1] != ' ' && text[at - 1] != ',' && text[at - 1] != '['))
                continue;
            std::string other = text;
            other[at] = text[at] == '9' ? '1' : static_cast<char>(text[at] + 1);
            try {
                const WindowsFile read = read_windows(other, "w.json");
                EXPECT_NE(read.digest(), read.written_digest) << "at byte " << at;
            } catch (const InputError&) {
            }
            ++changed;
        }
        EXPECT_GT(changed, 30);
    }
}

TEST(WindowsFile, NamesTheKeyThatIsWrong) {
    const std::string text = windows_text(file_of_path());
    EXPECT_EQ(error_of(text), "");
    EXPECT_EQ(error_of("[]"), "w.json: expected an object");
    EXPECT_EQ(error_of("{"), "w.json:1: expected more JSON, found the end of the file");
    EXPECT_EQ(error_of("{}"), "w.json: expected the key \"all_ports\"");
    EXPECT_EQ(error_of(with(text, "\"target\"", "\"aim\"")), "w.json: unknown key \"aim\"");
    EXPECT_EQ(error_of(with(text, "\"target\"", "\"loads\"")),
              "w.json: loads: expected another value than a text");
    EXPECT_EQ(error_of(with(text, "\"nodes\": 4", "\"nodes\": 4.5")),
              "w.json: network.nodes: expected no null and no fraction");
    EXPECT_EQ(error_of(with(text, "\"nodes\": 4", "\"nodes\": -4")),
              "w.json: network.nodes: expected a number that fits, found -4");
    EXPECT_EQ(error_of(with(text, "\"nodes\": 4", "\"nodes\": 18446744073709551615")),
              "w.json: network.nodes: expected a whole number below 2^63");
    EXPECT_EQ(error_of(with(text, "\"nodes\": 4", "\"nodes\": [4]")),
              "w.json: network.nodes: expected another value than a list");
    EXPECT_EQ(error_of(with(text, "\"nodes\": 4", "\"nodes\": {}")),
              "w.json: network.nodes: expected another value than an object");
    EXPECT_EQ(error_of(with(text, "\"nodes\": 4", "\"nodes\": 4, \"nodes\": 4")),
              "w.json: network.nodes: expected this key once");
    EXPECT_EQ(error_of(with(text, "\"all_ports\": false", "\"all_ports\": 0")),
              "w.json: all_ports: expected another value than a whole number");
    EXPECT_EQ(error_of(with(text, "\"version\": 1", "\"version\": 2")),
              "w.json: schema.version: expected version 1");
    EXPECT_EQ(error_of(with(text, "equipoise-windows", "equipoise-walls")),
              "w.json: schema.name: expected equipoise-windows");
    EXPECT_EQ(error_of(with(text, "\"windows\": [[0,1,", "\"windows\": [[0,1,1,")),
              "w.json: flow.windows: expected [from, to, first step, steps, tokens]");
    EXPECT_EQ(error_of(with(text, "\"windows\": [[0,1,", "\"windows\": [[0,")),
              "w.json: flow.windows: expected [from, to, first step, steps, tokens]");
    EXPECT_EQ(error_of(with(text, "\"windows\": [[", "\"windows\": [7,[")),
              "w.json: flow.windows: expected [from, to, first step, steps, tokens]");
    EXPECT_EQ(error_of(with(text, "\"windows\": [[", "\"windows\": [[[")),
              "w.json: flow.windows: expected [from, to, first step, steps, tokens]");
    EXPECT_EQ(error_of(with(text, "\"loads\": [1,8", "\"loads\": [8")),
              "w.json: loads: expected an even number of entries");
    EXPECT_EQ(error_of(with(text, "\"loads\": [1,8", "\"loads\": [[1],8")),
              "w.json: loads: expected no list inside this one");
    EXPECT_EQ(error_of(with(text, "\"zones\": [{", "\"zones\": [5, {")),
              "w.json: zones.zones: expected another value than a whole number");
    EXPECT_EQ(error_of(with(text, "\"senders\"", "\"sellers\"")),
              "w.json: unknown key \"zones.zones[].sellers\"");
    EXPECT_EQ(error_of(with(text, "\"senders\": [0],", "")),
              "w.json: expected the key \"zones.zones[].senders\"");
}

TEST(WindowsFile, SaysWhatDoesNotAgree) {
    const auto error_after = [](auto&& change) -> std::string {
        WindowsFile file = file_of_path();
        change(file);
        try {
            static_cast<void>(problem_of(file));
            return "";
        } catch (const InputError& error) {
            return error.what();
        }
    };
    using W = WindowsFile;
    EXPECT_EQ(error_after([](W&) {}), "");
    EXPECT_EQ(error_after([](W& f) { f.loads.runs[0].count = 2; }),
              "loads: expected one number for each node");
    EXPECT_EQ(error_after([](W& f) { f.loads.runs.pop_back(); }),
              "loads: expected one number for each node");
    EXPECT_EQ(error_after([](W& f) { f.loads.runs[0].count = -1; }),
              "loads: expected counts of 1 or more");
    EXPECT_EQ(error_after([](W& f) { f.loads.runs[0].value = -1; }),
              "loads: expected numbers of 0 or more");
    EXPECT_EQ(error_after([](W& f) { f.nodes = 5; }),
              "network: expected the nodes and links that path:n=4 has");
    EXPECT_EQ(error_after([](W& f) { f.network_digest = 5; }),
              "network: expected the counts and the digest that the file says");
    EXPECT_EQ(error_after([](W& f) { f.generated = false; }), "network: expected 3 links, found 0");
    EXPECT_EQ(error_after([](W& f) { f.base.runs[0].value = 1; }),
              "the target has room for 4 tokens, but there are 8");
    EXPECT_NE(error_after([](W& f) { f.nodes = 4'000'000'000; }), "");
}

TEST(Windows, AreTheStepsOfSchedules) {
    const Schedule schedule = {{0, 0, 1}, {0, 2, 1}, {1, 0, 1}, {1, 0, 1},
                               {2, 0, 1}, {2, 0, 1}, {4, 0, 1}, {4, 0, 1}};
    const FlowOverTime flow = flow_of(schedule, 5);
    EXPECT_EQ(flow.steps, 5U);
    EXPECT_EQ(
        flow.windows,
        (std::vector<Window>{{0, 1, 0, 1, 1}, {0, 1, 1, 2, 4}, {0, 1, 4, 1, 2}, {2, 1, 0, 1, 1}}));
    const std::vector<FatStep> fat = {{4, {{0, 1, 3}, {1, 2, 0}}}, {2, {{1, 2, 2}}}};
    EXPECT_EQ(flow_of(fat).windows, (std::vector<Window>{{0, 1, 0, 4, 3}, {1, 2, 4, 2, 2}}));
    EXPECT_EQ(flow_of(fat).steps, 6U);
}

TEST(Windows, AreStaticCutsIfNothingChanges) {
    CutOverTime cut{5, {{0, 0, 5, 0, 0}, {CutOverTime::never, 0, 0, 0, 5}, {}}, 6, 5};
    const auto certificate = static_certificate(cut);
    ASSERT_TRUE(certificate);
    EXPECT_TRUE(certificate->is_static());
    EXPECT_EQ(certificate->zones.front().senders, std::vector<NodeId>{0});
    EXPECT_EQ(certificate->zones.front().receivers, std::vector<NodeId>{1});
    cut.nodes[2].inside = 3;
    EXPECT_FALSE(static_certificate(cut));
    cut.nodes[2].inside = 6;  // never in these steps
    EXPECT_TRUE(static_certificate(cut));
    cut.nodes[0].send_first = 1;
    EXPECT_FALSE(static_certificate(cut));
}

}  // namespace
}  // namespace equipoise::optimum
