// What is computed from announcements, for one node or four at once, is what the rule proposes and
// accepts.

#include "equipoise/protocols/announced_water.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/random.hpp"
#include "equipoise/protocols/deal_agreement_3.hpp"

namespace equipoise::protocols {
namespace {

constexpr std::size_t ports_max = model::announced_ports_max_in_lanes;

/// A node and its neighbours' loads.
struct Place {
    Tokens load = 0;
    std::vector<Tokens> neighbours;
};

Place draw_place(RandomStream& random, std::uint64_t degree_max) {
    const std::uint64_t spread = 1 + random.below(30);
    Place place{static_cast<Tokens>(random.below(spread)), {}};
    place.neighbours.resize(random.below(degree_max + 1));
    for (Tokens& neighbour : place.neighbours)
        neighbour = static_cast<Tokens>(random.below(spread));
    return place;
}

std::vector<PouredProposal> proposals_of(const Place& place) {
    model::Nothing state;
    const std::vector<Port> degrees(place.neighbours.size(), 1);
    std::vector<PouredProposal> out(place.neighbours.size());
    DealAgreement3().propose({place.load, 1, state, place.neighbours, {}, degrees, 0, 0, 0}, out);
    return out;
}

/// What an announcement offers the neighbour behind a port.
Tokens offered(const model::Announcement<Tokens>& said, std::size_t port, Tokens neighbour) {
    const bool is_full = (said.ports >> port & 1U) != 0;
    return neighbour < said.tokens ? said.tokens - neighbour - (is_full ? 0 : 1) : 0;
}

void expect_proposals(const model::Announcement<Tokens>& said, const Place& place) {
    const std::vector<PouredProposal> proposed = proposals_of(place);
    for (std::size_t port = 0; port < proposed.size(); ++port) {
        ASSERT_EQ(proposed[port].amount, offered(said, port, place.neighbours[port]));
        ASSERT_EQ(proposed[port].tentative_load, said.tokens);
    }
}

TEST(AnnouncedWater, SaysWhatTheRuleProposesForOneNode) {
    RandomStream random(11, Purpose::sampling);
    for (int trial = 0; trial < 20000; ++trial) {
        const Place place = draw_place(random, 20);
        std::vector<Tokens> row = place.neighbours;
        std::span<Tokens> view(row);
        expect_proposals(announce_pour(place.load, view), place);
    }
}

TEST(AnnouncedWater, SaysWhatTheRuleProposesForFourNodesAtOnce) {
    RandomStream random(12, Purpose::sampling);
    for (int trial = 0; trial < 5000; ++trial) {
        std::array<Place, model::Lanes::count> places;
        model::Lanes loads = 0;
        std::array<model::Lanes, ports_max> rows;
        for (std::size_t lane = 0; lane < places.size(); ++lane) {
            places[lane] = draw_place(random, ports_max);
            const auto load = static_cast<std::int32_t>(places[lane].load);
            loads = model::with_number(loads, lane, load);
            for (std::size_t port = 0; port < ports_max; ++port) {
                const bool is_there = port < places[lane].neighbours.size();
                rows[port] = model::with_number(
                    rows[port], lane,
                    is_there ? static_cast<std::int32_t>(places[lane].neighbours[port]) : load);
            }
        }
        const model::Announcement<model::Lanes> said = announce_pour(loads, rows);
        for (std::size_t lane = 0; lane < places.size(); ++lane)
            expect_proposals(
                {model::number_in(said.tokens, lane), model::number_in(said.ports, lane)},
                places[lane]);
    }
}

/// What a node hears of its neighbours' announcements, each of which has neighbours of its own.
struct Heard {
    Tokens load = 0;
    std::vector<Tokens> tokens;
    std::vector<Tokens> full;  ///< -1 or 0
    std::vector<PouredProposal> proposals;
};

Heard draw_heard(RandomStream& random, std::uint64_t degree_max) {
    Heard heard{static_cast<Tokens>(random.below(20)), {}, {}, {}};
    for (std::uint64_t left = random.below(degree_max + 1); left > 0; --left) {
        Place giver = draw_place(random, 7);
        const std::size_t port = random.below(giver.neighbours.size() + 1);
        giver.neighbours.insert(giver.neighbours.begin() + static_cast<std::ptrdiff_t>(port),
                                heard.load);
        heard.proposals.push_back(proposals_of(giver)[port]);
        std::span<Tokens> view(giver.neighbours);
        const model::Announcement<Tokens> said = announce_pour(giver.load, view);
        heard.tokens.push_back(said.tokens);
        heard.full.push_back((said.ports >> port & 1U) != 0 ? -1 : 0);
    }
    return heard;
}

std::vector<Tokens> accepted(const DealAgreement3& rule, const Heard& heard) {
    model::Nothing state;
    // A neighbour that proposes nothing may hold anything.
    const std::vector<Tokens> loads(heard.proposals.size(), 0);
    const std::vector<Port> degrees(heard.proposals.size(), 1);
    std::vector<Tokens> taken(heard.proposals.size());
    rule.accept({heard.load, 1, state, loads, {}, degrees, 0, 0, 0}, heard.proposals, taken);
    return taken;
}

TEST(AnnouncedWater, IsTakenAsTheRuleAcceptsByOneNode) {
    RandomStream random(13, Purpose::sampling);
    for (const Acceptance acceptance : {Acceptance::residual_drain, Acceptance::minimal_repair}) {
        const DealAgreement3 rule(acceptance);
        for (int trial = 0; trial < 10000; ++trial) {
            Heard heard = draw_heard(random, 12);
            std::vector<Tokens> taken(heard.tokens.size());
            std::span<Tokens> said(heard.tokens);
            std::span<Tokens> full(heard.full);
            std::span<Tokens> room(taken);
            rule.take(heard.load, said, full, room);
            ASSERT_EQ(taken, accepted(rule, heard));
        }
    }
}

TEST(AnnouncedWater, IsTakenAsTheRuleAcceptsByFourNodesAtOnce) {
    RandomStream random(14, Purpose::sampling);
    for (const Acceptance acceptance : {Acceptance::residual_drain, Acceptance::minimal_repair}) {
        const DealAgreement3 rule(acceptance);
        for (int trial = 0; trial < 3000; ++trial) {
            std::array<Heard, model::Lanes::count> nodes;
            model::Lanes loads = 0;
            std::array<model::Lanes, ports_max> said;
            std::array<model::Lanes, ports_max> full;
            std::array<model::Lanes, ports_max> taken;
            for (std::size_t lane = 0; lane < nodes.size(); ++lane) {
                nodes[lane] = draw_heard(random, ports_max);
                loads =
                    model::with_number(loads, lane, static_cast<std::int32_t>(nodes[lane].load));
                for (std::size_t port = 0; port < nodes[lane].tokens.size(); ++port) {
                    said[port] = model::with_number(
                        said[port], lane, static_cast<std::int32_t>(nodes[lane].tokens[port]));
                    full[port] = model::with_number(
                        full[port], lane, static_cast<std::int32_t>(nodes[lane].full[port]));
                }
            }
            rule.take(loads, said, full, taken);
            for (std::size_t lane = 0; lane < nodes.size(); ++lane) {
                const std::vector<Tokens> expected = accepted(rule, nodes[lane]);
                for (std::size_t port = 0; port < expected.size(); ++port)
                    ASSERT_EQ(model::number_in(taken[port], lane), expected[port]);
            }
        }
    }
}

}  // namespace
}  // namespace equipoise::protocols
