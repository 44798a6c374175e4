#include <algorithm>
#include <filesystem>
#include <numeric>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <unistd.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/network/io/declared_nodes.hpp"
#include "equipoise/network/io/read.hpp"
#include "equipoise/network/io/write.hpp"
#include "tests/support/property.hpp"

namespace equipoise::network {
namespace {

/// A random network of up to 30 nodes, some of them without links.
AnyNetwork any_network() {
    const auto nodes = *rc::gen::inRange<NodeId>(1, 30);
    std::set<Ends> links;
    const auto drawn = *rc::gen::container<std::vector<std::pair<NodeId, NodeId>>>(
        rc::gen::pair(rc::gen::inRange<NodeId>(0, nodes), rc::gen::inRange<NodeId>(0, nodes)));
    for (const auto& [a, b] : drawn)
        if (a != b) links.insert({std::min(a, b), std::max(a, b)});
    return Network(nodes, {links.begin(), links.end()});
}

/// Distinct words, some with characters that formats must escape. None of `characters` may be =,
/// which keeps them apart: without it "x1" + "0" and "x" + "10" would be the same.
void give_names(AnyNetwork& network, const std::string& characters) {
    for (NodeId node = 0; node < network.node_count(); ++node) {
        const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(characters));
        network.labels().names.push_back("x" + text + '=' + std::to_string(node));
    }
}

/// Names as people give them: numbers, words, entities, any characters; some come more than once.
std::vector<std::string> any_names(NodeId count) {
    const auto characters =
        rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                         "0", "1", "a", "b", " ", "&", "<", ">", "\"", ";", "[", "]", "#", "'",
                         "\\", "ö", "€", "𝄞", "\t")),
                     [](const std::vector<std::string>& drawn) {
                         std::string name;
                         for (const std::string& character : drawn)
                             name += character;
                         return name;
                     });
    const auto names = rc::gen::oneOf(
        characters, rc::gen::map(rc::gen::inRange(0, 40), [](int n) { return std::to_string(n); }),
        rc::gen::element<std::string>("&amp;", "&#38;", "&ouml;", "&", "]]>", "<!--", "00", "-1"));
    return *rc::gen::container<std::vector<std::string>>(count, names);
}

void give_positions(AnyNetwork& network) {
    for (NodeId node = 0; node < network.node_count(); ++node)
        network.labels().positions.push_back(
            {*rc::gen::arbitrary<double>(), *rc::gen::arbitrary<double>()});
}

AnyNetwork written_and_read(const AnyNetwork& network, const std::string& extension) {
    const std::string path = std::filesystem::path(testing::TempDir()) /
                             ("round_trip_" + std::to_string(::getpid()) + extension);
    write(network, path);
    AnyNetwork result = read(path);
    std::filesystem::remove(path);
    return result;
}

void expect_same(const AnyNetwork& read_back, const AnyNetwork& network) {
    RC_ASSERT(digest(read_back) == digest(network));
    for (NodeId node = 0; node < network.node_count(); ++node)
        RC_ASSERT(read_back.name(node) == network.name(node));
    RC_ASSERT(read_back.labels().positions == network.labels().positions);
}

TEST(RoundTrip, GmlAndGraphmlKeepLinksNamesAndPositions) {
    EXPECT_TRUE(test::holds([] {
        AnyNetwork network = any_network();
        give_names(network, "ab1<>&\";[]#' \\");
        if (*rc::gen::arbitrary<bool>()) give_positions(network);
        expect_same(written_and_read(network, ".gml"), network);
        expect_same(written_and_read(network, ".graphml"), network);
    }));
}

TEST(RoundTrip, GmlAndGraphmlKeepAnyNamesOrRefuseThem) {
    EXPECT_TRUE(test::holds([] {
        AnyNetwork network = any_network();
        network.labels().names = any_names(network.node_count());
        // What they promise to keep: names in one line, without blanks around them.
        AnyNetwork expected = network;
        for (std::string& name : expected.labels().names)
            name = label_of(name);
        std::vector<std::string> sorted = expected.labels().names;
        std::sort(sorted.begin(), sorted.end());
        const bool all_last = !sorted.front().empty() &&
                              std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
        RC_CLASSIFY(all_last);
        for (const char* extension : {".gml", ".graphml"}) {
            if (all_last) {
                expect_same(written_and_read(network, extension), expected);
            } else {
                RC_ASSERT_THROWS_AS(written_and_read(network, extension), InputError);
            }
        }
    }));
}

TEST(RoundTrip, NumberedNodesKeepTheirNumbers) {
    EXPECT_TRUE(test::holds([] {
        AnyNetwork network = any_network();
        network.labels().first_number = *rc::gen::inRange<NodeId>(0, 1000);
        for (const char* extension : {".gml", ".graphml"})
            expect_same(written_and_read(network, extension), network);
        network.labels().first_number = 1;
        for (const char* extension : {".graph", ".mtx", ".metis"})
            expect_same(written_and_read(network, extension), network);
        network.labels().first_number = 0;
        expect_same(written_and_read(network, ".edges"), network);
    }));
}

TEST(RoundTrip, EdgeListsKeepWordsAsNames) {
    EXPECT_TRUE(test::holds([] {
        AnyNetwork network = any_network();
        give_names(network, "ab1<>&\";[]#'\\");
        expect_same(written_and_read(network, ".txt"), network);
    }));
}

/// A name that readers of lists could take for something else.
rc::Gen<std::string> hostile_name() {
    const auto characters =
        rc::gen::map(rc::gen::container<std::vector<std::string>>(rc::gen::element<std::string>(
                         "a", "b", "0", "1", " ", ",", ";", "\t", "\"", "#", "%", "{", "}", "'",
                         "\\", "_", "-", ".", "\xc3\xbc")),
                     [](const std::vector<std::string>& parts) {
                         return std::accumulate(parts.begin(), parts.end(), std::string());
                     });
    return rc::gen::oneOf(
        characters, characters,
        rc::gen::element<std::string>("source", "target", "node", "# node: 1", "0", "00", "1", "7",
                                      "4294967295", "18446744073709551616", "-1", "1.5", "nan", " ",
                                      "\"", "\"\"", "#", "%", "{}", "a,b", "New York", "\t", "a;b",
                                      "Source Node", "id1", "id2"));
}

TEST(RoundTrip, EdgeListsKeepAnyNames) {
    EXPECT_TRUE(test::holds([] {
        AnyNetwork network = any_network();
        const auto names = *rc::gen::unique<std::vector<std::string>>(
            network.node_count(), rc::gen::suchThat(hostile_name(), [](const std::string& name) {
                return !name.empty();
            }));
        network.labels().names = names;
        const AnyNetwork read_back = written_and_read(network, ".edges");
        RC_ASSERT(read_back.node_count() == network.node_count());
        if (std::all_of(names.begin(), names.end(), is_canonical_number)) {  // then in their order
            using Names = std::set<std::set<std::string>>;
            const auto links_of = [](const AnyNetwork& of) {
                Names links;
                for (LinkId link = 0; link < of.link_count(); ++link)
                    links.insert({of.name(of.ends(link).tail), of.name(of.ends(link).head)});
                return links;
            };
            RC_ASSERT(links_of(read_back) == links_of(network));
        } else {
            expect_same(read_back, network);
        }
    }));
}

TEST(RoundTripOfEdgeLists, NamesThatTheyCannotHoldAreRefused) {
    for (const std::string& name :
         {std::string(), std::string("a\nb"), std::string("a\rb"), std::string("a\0b", 3),
          std::string("x"), std::string("\xbc")}) {
        AnyNetwork network = Network(3, {{0, 1}});
        network.labels().names = {"x", "y", name};
        EXPECT_THROW(static_cast<void>(written_and_read(network, ".edges")), InputError) << name;
    }
}

TEST(RoundTripOfGrids, EveryFormatKeepsATorus) {
    const AnyNetwork torus = Grid({3, 4, 2}, Grid::Shape::torus);
    for (const char* extension : {".gml", ".graphml", ".graph", ".mtx", ".edges"})
        EXPECT_EQ(digest(written_and_read(torus, extension)), digest(torus)) << extension;
}

TEST(RoundTripOfText, CharactersBeyondAsciiSurvive) {
    AnyNetwork network = Network(2, {{0, 1}});
    network.labels().names = {"Zürich €", "𝄞 東京"};
    for (const char* extension : {".gml", ".graphml"}) {
        const AnyNetwork read_back = written_and_read(network, extension);
        EXPECT_EQ(read_back.labels().names, network.labels().names) << extension;
    }
}

}  // namespace
}  // namespace equipoise::network
