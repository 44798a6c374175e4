// Ranks that fail, as threads: whatever fails, and wherever, no rank waits for ever, and what is
// thrown says what went wrong.

#include <atomic>
#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/parts/thread_fabric.hpp"
#include "equipoise/engine/ranks/run_on_ranks.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/programs/minimum_exchange_tree.hpp"
#include "equipoise/protocols/deal_agreement_2.hpp"
#include "equipoise/protocols/diffusion.hpp"
#include "tests/support/distribution_instances.hpp"
#include "tests/support/fabrics.hpp"
#include "tests/support/failing_memory.hpp"
#include "tests/support/thrown.hpp"
#include "tests/support/watchdog.hpp"

namespace equipoise::engine {
namespace {

using Play = std::function<load::Loads(Fabric*)>;

/// Looks at loads, and fails when told to.
class Watcher final : public model::Observer {
  public:
    explicit Watcher(Step fails_after = ~Step{0}) : fails_after_(fails_after) {}
    void on_step(const model::StepView& view) override {
        if (view.costs.steps >= fails_after_) throw InputError("seen enough");
    }

  private:
    Step fails_after_;
};

const network::Network& small_network() {
    static const network::Network network = test::stored_network("torus:3x3");
    return network;
}

/// Loads that differ across every link.
load::Loads uneven_loads() {
    return {100, 3, 57, 0, 88, 21, 9, 64, 40};
}

/// Rank 0 has an observer at every step, the run would end 1-balanced, and nodes of all ranks are
/// neighbours.
RoundOptions options_for(Fabric* fabric, std::span<model::Observer* const> observers) {
    RoundOptions options;
    options.fabric = fabric;
    options.observers = observers;
    options.stop.one_balanced = true;
    options.stop.steps_max = 6;
    return options;
}

template <class Rule>
load::Loads play_edges(const Rule& rule, Fabric* fabric, model::Observer* observer,
                       Body body = Body::fast) {
    model::AllLinks schedule(small_network());
    RoundOptions options = options_for(
        fabric, observer == nullptr ? std::span(&observer, 0) : std::span(&observer, 1));
    options.body = body;
    return run_rounds(rule, schedule, uneven_loads(), small_network(), options).loads;
}

template <class Rule>
load::Loads play_deals(const Rule& rule, Fabric* fabric, model::Observer* observer,
                       Body body = Body::fast) {
    RoundOptions options = options_for(
        fabric, observer == nullptr ? std::span(&observer, 0) : std::span(&observer, 1));
    options.body = body;
    return run_rounds(rule, uneven_loads(), small_network(), options).loads;
}

struct Scenario {
    std::string name;
    Play play;
};

std::vector<Scenario> scenarios() {
    return {{"an edge rule",
             [](Fabric* fabric) {
                 Watcher watcher;
                 return play_edges(protocols::Diffusion(0), fabric, &watcher);
             }},
            {"a deal rule",
             [](Fabric* fabric) {
                 Watcher watcher;
                 return play_deals(protocols::DealAgreement2{}, fabric, &watcher);
             }},
            {"a node program", [](Fabric* fabric) {
                 static const network::Network path = test::stored_network("path:n=7");
                 const programs::MinimumExchangeTree program(true);
                 if (fabric == nullptr) return load::Loads(7, 2);
                 const Partition shares = Partition::contiguous(7, fabric->ranks());
                 load::Loads mine(shares.first(fabric->rank() + 1) - shares.first(fabric->rank()));
                 if (fabric->rank() == 0) mine[0] = 14;
                 RankOptions options;
                 options.keeps_order = true;
                 return run_on_ranks(program, path, mine, *fabric, options).loads;
             }}};
}

/// How each rank of a run ends, and how the run as a whole does.
struct Ends {
    std::vector<std::string> by_rank;
    std::string whole;
};

Ends ends_of(int ranks, const std::function<void(Fabric&)>& play) {
    Ends ends;
    ends.by_rank.resize(static_cast<std::size_t>(ranks));
    ends.whole = test::thrown_by([&] {
        run_as_threads(ranks, [&](Fabric& fabric) {
            const std::exception_ptr failure = failure_of([&] { play(fabric); });
            ends.by_rank[static_cast<std::size_t>(fabric.rank())] = test::thrown_by([&] {
                if (failure) std::rethrow_exception(failure);
            });
            if (failure) std::rethrow_exception(failure);
        });
    });
    return ends;
}

/// Calls `play(fabric, which, failed)` on one rank, with -1 on the others, for which = 0, 1, ...
/// until it reports that nothing failed any more; `judge` looks at how all ranks end.
template <class PlayWith, class Judge>
void fail_everywhere(const std::string& name, const PlayWith& play, const Judge& judge) {
    for (const int ranks : {2, 3})
        for (int failing = 0; failing < ranks; ++failing)
            for (int which = 0;; ++which) {
                const std::string what = name + " on " + std::to_string(ranks) + " ranks, rank " +
                                         std::to_string(failing) + " fails at " +
                                         std::to_string(which);
                SCOPED_TRACE(what);
                const test::Watchdog watchdog(what);
                std::atomic<bool> failed = false;
                const Ends ends = ends_of(ranks, [&](Fabric& fabric) {
                    play(fabric, fabric.rank() == failing ? which : -1, failed);
                });
                if (!failed) {
                    EXPECT_EQ(ends.whole, "nothing");
                    EXPECT_GT(which, 10) << "there is more that can fail";
                    break;
                }
                judge(ends, failing);
                if (testing::Test::HasFailure()) return;
            }
}

TEST(NetworksThatBreak, EndAllRanksAtEveryCall) {
    for (const Scenario& scenario : scenarios()) {
        const load::Loads expected = scenario.play(nullptr);
        const auto play = [&](Fabric& fabric, int call, std::atomic<bool>& failed) {
            test::FailingFabric failing(fabric, call, failed);
            EXPECT_EQ(scenario.play(&failing), expected);
        };
        fail_everywhere(scenario.name, play, [](const Ends& ends, int failing) {
            const std::string broke = "the network broke";
            EXPECT_TRUE(ends.whole == "other: " + broke ||
                        ends.whole == "other: rank " + std::to_string(failing) + ": " + broke)
                << ends.whole;
            for (const std::string& end : ends.by_rank)
                EXPECT_NE(end, "nothing");
        });
    }
}

// Nobody hears about a loss: the other ranks continue with old values. Checks notice it, by other
// loads or sizes that do not fit. There are no observers, as the ledger would end the program.
TEST(NetworksThatLoseAnExchange, AreNoticedAndNobodyWaitsForEver) {
    const std::vector<Play> plays = {
        [](Fabric* fabric) { return play_edges(protocols::Diffusion(0), fabric, nullptr); },
        [](Fabric* fabric) { return play_deals(protocols::DealAgreement2{}, fabric, nullptr); }};
    for (const Play& play : plays)
        for (const int ranks : {2, 3}) {
            const load::Loads expected = play(nullptr);
            int noticed = 0;
            for (int lost = 0;; ++lost) {
                const test::Watchdog watchdog("exchange " + std::to_string(lost) + " is lost");
                std::atomic<bool> differs = false;
                std::atomic<bool> reached = false;
                const Ends ends = ends_of(ranks, [&](Fabric& fabric) {
                    test::LosingFabric losing(fabric, lost);
                    const std::exception_ptr failure = failure_of([&] {
                        if (play(&losing) != expected) differs = true;
                    });
                    if (losing.exchanges() > lost) reached = true;
                    if (failure) std::rethrow_exception(failure);
                });
                if (!reached) {
                    EXPECT_FALSE(differs) << ends.whole;
                    break;
                }
                noticed += differs || ends.whole != "nothing" ? 1 : 0;
            }
            EXPECT_GE(noticed, 3);
        }
}

// The ranks agree on most shortages. If a fabric itself has no memory, or what is made before the
// ranks first meet, the others only learn that a rank has left.
TEST(MemoryThatRunsOut, EndsAllRanksAtEveryAllocation) {
    if (!test::FailingMemory::works()) GTEST_SKIP() << "memory is the sanitizer's own";
    for (const Scenario& scenario : scenarios()) {
        const load::Loads expected = scenario.play(nullptr);
        int agreed = 0;
        int alone = 0;
        const auto play = [&](Fabric& fabric, int which, std::atomic<bool>& failed) {
            load::Loads found;
            {
                const test::FailingMemory memory(which, failed);
                found = scenario.play(&fabric);
            }
            EXPECT_EQ(found, expected);
        };
        fail_everywhere(scenario.name, play, [&](const Ends& ends, int /*failing*/) {
            if (ends.whole == "nothing") return;  // the memory was not needed
            EXPECT_EQ(ends.whole, "memory");
            int without = 0;
            for (const std::string& end : ends.by_rank) {
                EXPECT_NE(end, "nothing");
                without += end == "memory" ? 1 : 0;
            }
            ++(without == static_cast<int>(ends.by_rank.size()) ? agreed : alone);
        });
        EXPECT_GT(agreed, alone) << scenario.name << ": " << agreed << " to " << alone;
    }
}

/// Diffusion that fails on one rank.
struct FailingEdges {
    using NodeState = model::Nothing;
    using LinkState = model::Nothing;
    bool here = false;

    [[nodiscard]] model::EdgeMove<LinkState> evaluate(const model::EdgeEnd<NodeState>& tail,
                                                      const model::EdgeEnd<NodeState>& head,
                                                      const LinkState& link,
                                                      model::EdgeStep at) const {
        if (here && at.step == 2) throw InputError("a rule that fails");
        return protocols::Diffusion(0).evaluate(tail, head, link, at);
    }
};

/// Deals that fail on one rank: when nodes propose, or when they accept.
struct FailingDeals : protocols::DealAgreement2 {
    bool when_proposing = false;
    bool when_accepting = false;

    void propose(const Here& here, std::span<Proposal> out) const {
        if (when_proposing) throw InputError("a rule that fails");
        DealAgreement2::propose(here, out);
    }
    void accept(const Here& here, std::span<const Proposal> in, std::span<Tokens> taken) const {
        if (when_accepting) throw InputError("a rule that fails");
        DealAgreement2::accept(here, in, taken);
    }
    [[nodiscard]] static bool announces() { return false; }
};

void expect_all_end_alike(const std::function<void(Fabric&, bool)>& play, int failing, int ranks,
                          const std::string& text) {
    const test::Watchdog watchdog(text);
    const Ends ends =
        ends_of(ranks, [&](Fabric& fabric) { play(fabric, fabric.rank() == failing); });
    EXPECT_EQ(ends.by_rank,
              std::vector<std::string>(static_cast<std::size_t>(ranks), "input: " + text));
}

TEST(RulesThatFail, FailOnAllRanksInTheSameWay) {
    const auto fail = [](const auto& play) {
        for (const int ranks : {1, 2, 3, 7})
            for (int failing = 0; failing < ranks; ++failing)
                expect_all_end_alike(play, failing, ranks, "a rule that fails");
    };
    for (const Body body : {Body::fast, Body("gathered"), Body::reference})
        fail([body](Fabric& fabric, bool here) {
            Watcher watcher;
            static_cast<void>(play_edges(FailingEdges{here}, &fabric, &watcher, body));
        });
    for (const Body body : {Body::fast, Body::reference})
        for (const bool proposing : {true, false})
            fail([body, proposing](Fabric& fabric, bool here) {
                Watcher watcher;
                FailingDeals rule;
                rule.when_proposing = here && proposing;
                rule.when_accepting = here && !proposing;
                static_cast<void>(play_deals(rule, &fabric, &watcher, body));
            });
}

TEST(ObserversThatFail, FailOnAllRanksInTheSameWay) {
    for (const int ranks : {1, 2, 3, 7})
        for (const Step step : {Step{0}, Step{1}, Step{4}})
            expect_all_end_alike(
                [step](Fabric& fabric, bool /*here*/) {
                    Watcher watcher(step);
                    static_cast<void>(play_edges(protocols::Diffusion(0), &fabric, &watcher));
                },
                0, ranks, "seen enough");
}

}  // namespace
}  // namespace equipoise::engine
