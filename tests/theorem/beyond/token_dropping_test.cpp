// The game of Brandt, Keller, Rybicki, Suomela, Uitto 2020, reconstructed: a layered network, at
// most one token a node; a token may drop over a link to an empty node of the next lower layer,
// each link at most once; the game is over when no token can drop.
//
// Checked exactly: tokens are kept, drop downwards only, no link is used twice, no node ever holds
// two; the game ends exactly when no token can drop, within min(m, H) rounds, m the number of
// links, H the sum of the tokens' layers.
//
// Measured only: fewer than 1.5 (L + Delta) rounds in random games.

#include "equipoise/protocols/token_dropping.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/engine/rounds.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/model/run/observer.hpp"
#include "equipoise/network/structure/distances.hpp"
#include "tests/support/connected_graphs.hpp"

namespace equipoise::test::token_dropping {
namespace {

using protocols::TokenDropping;

struct Game {
    network::Network network;
    std::vector<Ends> down;  ///< links between layers, from the upper end to the lower
    std::vector<std::uint32_t> layer;
    load::Loads loads;
};

struct Drops : model::Observer {
    [[nodiscard]] bool wants_transfers() const override { return true; }
    void on_step(const model::StepView& view) override {
        transfers.insert(transfers.end(), view.transfers.begin(), view.transfers.end());
    }
    std::vector<model::Transfer> transfers;
};

/// Plays a game to its end, checks all of the above and returns its rounds but the last, in which
/// nothing drops.
std::uint64_t play_and_check(const Game& game) {
    Drops drops;
    const std::vector<model::Observer*> observers{&drops};
    engine::RoundOptions options;
    options.observers = observers;
    model::SameLinks schedule(game.down, TokenDropping::phases);
    engine::EdgeRounds play(TokenDropping{}, schedule, game.loads, game.network, options);
    std::set<std::pair<NodeId, NodeId>> unused;
    for (const auto& [upper, lower] : game.down)
        unused.insert({upper, lower});
    const auto can_drop = [&] {
        return std::any_of(unused.begin(), unused.end(), [&](const auto& link) {
            return play.loads()[link.first] == 1 && play.loads()[link.second] == 0;
        });
    };
    std::uint64_t rounds = 0;
    for (bool over = !can_drop();; over = !can_drop()) {
        drops.transfers.clear();
        for (Step phase = 0; phase < TokenDropping::phases; ++phase)
            play.step();
        EXPECT_EQ(drops.transfers.empty(), over) << "ends exactly when no token can drop";
        if (drops.transfers.empty()) break;
        ++rounds;
        for (const model::Transfer& drop : drops.transfers) {
            EXPECT_EQ(drop.tokens, 1);
            EXPECT_EQ(unused.erase({drop.from, drop.to}), 1U) << "unused, and downwards";
        }
        for (const Tokens load : play.loads())
            EXPECT_TRUE(load == 0 || load == 1);
    }
    EXPECT_EQ(load::total(play.loads()), load::total(game.loads));
    std::uint64_t heights = 0;
    for (NodeId node = 0; node < game.layer.size(); ++node)
        heights += static_cast<std::uint64_t>(game.loads[node]) * game.layer[node];
    EXPECT_LE(rounds, std::min<std::uint64_t>(game.down.size(), heights));
    return rounds;
}

TEST(TokenDropping, KeepsTheRulesAndEndsExactlyWhenNoTokenCanDropOnAllSmallGraphs) {
    std::uint64_t games = 0;
    for (NodeId nodes = 2; nodes <= 6; ++nodes) {
        for (const network::Network& graph : connected_graphs(nodes)) {
            for (NodeId root = 0; root < nodes; ++root) {
                Game game{graph, {}, network::distances_from(network::AnyNetwork(graph), root), {}};
                for (const auto& [tail, head] : graph.links()) {
                    if (game.layer[tail] > game.layer[head]) game.down.push_back({tail, head});
                    if (game.layer[tail] < game.layer[head]) game.down.push_back({head, tail});
                }
                for_each_loads(nodes, 1, [&](const load::Loads& loads) {
                    game.loads = loads;
                    play_and_check(game);
                    ++games;
                });
                if (HasFailure()) return;
            }
        }
    }
    EXPECT_GT(games, 40'000U);
}

/// Layers of as many nodes as Delta, joined at random while both ends have fewer than Delta links.
Game random_game(std::uint32_t layers, Port degree_max, RandomStream& random) {
    const NodeId width = degree_max;
    const NodeId nodes = (layers + 1) * width;
    Game game;
    std::vector<Port> degrees(nodes, 0);
    std::vector<Ends> links;
    for (NodeId node = 0; node < nodes; ++node)
        game.layer.push_back(node / width);
    for (NodeId lower = 0; lower + width < nodes; ++lower) {
        std::vector<NodeId> above(width);
        std::iota(above.begin(), above.end(), (game.layer[lower] + 1) * width);
        for (std::size_t i = above.size(); i > 1; --i)
            std::swap(above[i - 1], above[random.below(i)]);
        for (const NodeId upper : above) {
            if (degrees[lower] == degree_max) break;
            if (degrees[upper] == degree_max || random.coin()) continue;
            links.push_back({lower, upper});
            game.down.push_back({upper, lower});
            ++degrees[lower];
            ++degrees[upper];
        }
    }
    game.network = network::Network(nodes, links);
    for (NodeId node = 0; node < nodes; ++node)
        game.loads.push_back(node < width ? 0 : static_cast<Tokens>(random.below(4) > 0));
    return game;
}

TEST(TokenDropping, TakesFewerRoundsThanOneAndAHalfTimesLayersPlusDegreeInRandomGames) {
    constexpr std::array<std::pair<std::uint32_t, Port>, 6> sizes = {
        {{2, 2}, {4, 4}, {8, 4}, {8, 8}, {16, 4}, {16, 8}}};
    RandomStream random(11, Purpose::sampling);
    for (const auto& [layers, degree] : sizes) {
        std::uint64_t most = 0;
        for (int i = 0; i < 200; ++i)
            most = std::max(most, play_and_check(random_game(layers, degree, random)));
        EXPECT_LT(2 * most, 3 * (layers + degree)) << layers << ' ' << degree;
        EXPECT_GE(most, layers / 2) << "tokens do drop";
        RecordProperty("L" + std::to_string(layers) + "D" + std::to_string(degree),
                       std::to_string(most));
    }
}

}  // namespace
}  // namespace equipoise::test::token_dropping
