#include "equipoise/agent/fleet.hpp"

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include <gtest/gtest.h>
#include <unistd.h>

#include "equipoise/agent/addresses.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise::agent {
namespace {

/// A file that goes away with the test.
class FleetFile {
  public:
    FleetFile(const std::string& name, const std::string& text)
        : path_((std::filesystem::temp_directory_path() /
                 ("equipoise_" + std::to_string(::getpid()) + '_' + name))
                    .string()) {
        std::ofstream(path_) << text;
    }
    ~FleetFile() { std::filesystem::remove(path_); }
    FleetFile(const FleetFile&) = delete;
    FleetFile& operator=(const FleetFile&) = delete;

    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    std::string path_;
};

std::string fleet_error(const std::string& text) {
    const FleetFile file("fleet.gml", text);
    try {
        static_cast<void>(read_fleet(file.path()));
    } catch (const InputError& error) {
        const std::string what = error.what();
        return what.substr(what.find("fleet.gml"));
    }
    return "no error";
}

TEST(Addresses, AreShownWithoutUserAndPassword) {
    EXPECT_EQ(shown_address("nats://a:1"), "nats://a:1");
    EXPECT_EQ(shown_address("nats://user:secret@a:1"), "nats://a:1");
    EXPECT_EQ(shown_address("tls://user:s//e@cret@a:1"), "tls://a:1");
    EXPECT_EQ(shown_address("user:secret@a:1"), "a:1");
    EXPECT_EQ(
        fleet_error("graph [ node [ id 0 label \"a\" server \"u:secret@h:x\" ] ]").find("secret"),
        std::string::npos);
}

TEST(Fleets, TellLinksApartByAllThatTheyAreReachedWith) {
    Fleet fleet;
    fleet.sites.resize(2);
    fleet.sites[1].name = "b";
    fleet.neighbours = {{{1, "nats://b:1", false}}, {}};
    const auto before = links_of(fleet, 0);
    fleet.sites[1].credentials = "b.creds";
    const auto with_credentials = links_of(fleet, 0);
    EXPECT_NE(before, with_credentials);
    fleet.sites[1].authorities = "ca.pem";
    EXPECT_NE(links_of(fleet, 0), with_credentials);
}

TEST(Fleets, AreReadFromGml) {
    const FleetFile file("fleet.gml", R"(graph [
  label "mid-west"
  node [ id 0 label "chicago" server "nats://a:1" Country "US" ]
  node [ id 1 label "denver" server "nats://b:2" stream "S" consumer "C" subjects "x.*"
         credentials "denver.creds" ca "/etc/ca.pem" ]
  node [ id 2 label "omaha" server "nats://c:3" ]
  edge [ source 1 target 0 target_server "nats://tunnel:9" ]
  edge [ source 1 target 2 ]
]
)");
    const Fleet fleet = read_fleet(file.path());
    EXPECT_EQ(fleet.name, "mid-west");
    ASSERT_EQ(fleet.sites.size(), 3U);
    EXPECT_EQ(fleet.sites[0].name, "chicago");
    EXPECT_EQ(fleet.sites[0].stream, "JOBS");
    EXPECT_EQ(fleet.sites[1].stream, "S");
    EXPECT_EQ(fleet.sites[1].consumer, "C");
    EXPECT_EQ(fleet.sites[1].subjects, "x.*");
    EXPECT_EQ(fleet.sites[1].authorities, "/etc/ca.pem");
    EXPECT_EQ(std::filesystem::path(fleet.sites[1].credentials).parent_path(),
              std::filesystem::path(file.path()).parent_path());
    // Denver reaches Chicago through a tunnel, Chicago reaches Denver directly.
    const Neighbour chicago_of_denver{.site = 0, .server = "nats://tunnel:9", .is_lower = true};
    const Neighbour omaha_of_denver{.site = 2, .server = "nats://c:3", .is_lower = false};
    EXPECT_EQ(fleet.neighbours[1], (std::vector{chicago_of_denver, omaha_of_denver}));
    const Neighbour denver_of_chicago{.site = 1, .server = "nats://b:2", .is_lower = false};
    EXPECT_EQ(fleet.neighbours[0], std::vector{denver_of_chicago});
    EXPECT_EQ(fleet.number_of("omaha"), 2U);
    EXPECT_EQ(link_subject(fleet, 0, "denver"), "equipoise.mid-west.chicago.from.denver");
    EXPECT_THROW(static_cast<void>(fleet.number_of("dnver")), InputError);
}

TEST(Fleets, KeepTheOrderOfASitesLinksWhenTheFileListsThemInAnother) {
    const auto ring = [](const std::string& nodes, const std::string& edges) {
        std::istringstream text("graph [" + nodes + edges + "]");
        LineSource source(text, "fleet.gml");
        return read_fleet(source);
    };
    const std::string a = "node [ id 0 label \"a\" server \"nats://a:1\" ]\n";
    const std::string b = "node [ id 1 label \"b\" server \"nats://b:1\" ]\n";
    const std::string c = "node [ id 2 label \"c\" server \"nats://c:1\" ]\n";
    const std::string ab = "edge [ source 0 target 1 ]\n";
    const std::string ca = "edge [ source 2 target 0 ]\n";
    const Fleet before = ring(a + b + c, ab + ca);
    Fleet after = ring(c + b + a, ca + ab);
    const auto links = links_of(before, before.number_of("a"));
    EXPECT_EQ(links, (std::vector<std::string>{"b nats://b:1", "c nats://c:1"}));
    const std::size_t site = after.number_of("a");
    EXPECT_NE(links_of(after, site), links);
    sort_neighbours(after, site, links);
    EXPECT_EQ(links_of(after, site), links);
    // A new one comes last.
    Fleet more = ring(a + b + c, ca + ab);
    sort_neighbours(more, more.number_of("a"), {"b nats://b:1"});
    EXPECT_EQ(links_of(more, 0), links);
}

TEST(Fleets, AreReadFromGraphml) {
    const FleetFile file("fleet.graphml", R"(<graphml>
<key id="s" for="node" attr.name="server" attr.type="string"/>
<key id="l" for="node" attr.name="label" attr.type="string"/>
<key id="t" for="edge" attr.name="source_server" attr.type="string"/>
<graph id="west" edgedefault="undirected">
<node id="n0"><data key="l">a</data><data key="s">nats://a:1</data></node>
<node id="n1"><data key="l">b</data><data key="s">nats://b:1</data></node>
<edge source="n0" target="n1"><data key="t">nats://p:7</data></edge>
</graph></graphml>
)");
    const Fleet fleet = read_fleet(file.path());
    EXPECT_EQ(fleet.name, "west");
    EXPECT_EQ(fleet.sites[1].server, "nats://b:1");
    EXPECT_EQ(fleet.neighbours[1].front().server, "nats://p:7");
    EXPECT_EQ(fleet.neighbours[0].front().server, "nats://b:1");
}

TEST(Fleets, ThatCannotBeUsedAreRefusedWithFileAndLine) {
    EXPECT_EQ(fleet_error("graph [\n node [ id 0 label \"a\" ]\n]\n"),
              "fleet.gml:2: expected a \"server\" of the site: nats://host:port, found \"a\"");
    EXPECT_EQ(fleet_error("graph [\n node [ id 0 label \"a.b\" server \"nats://a:1\" ]\n]\n"),
              "fleet.gml:2: expected a name of the site of letters a to z, digits, - and _, found "
              "\"a.b\"");
    EXPECT_EQ(fleet_error("graph [\n node [ id 0 label \"a$x\" server \"nats://a:1\" ]\n]\n"),
              "fleet.gml:2: expected a name of the site of letters a to z, digits, - and _, found "
              "\"a$x\"");
    EXPECT_EQ(fleet_error("graph [\n node [ id 0 label \"a\"\n server \"nats://a:1\"\n"
                          " subjects \"a b\" ]\n]\n"),
              "fleet.gml:4: expected subjects such as jobs.>, without blanks and quotes, found "
              "\"a b\"");
    EXPECT_EQ(fleet_error("graph [\n node [ id 0 label \"a\"\n server \"ftp://a:1\" ]\n]\n"),
              "fleet.gml:3: expected one address nats://host:port or tls://host:port, port 1 to "
              "65535, found \"ftp://a:1\"");
    EXPECT_EQ(fleet_error("graph [\n]\n"), "fleet.gml: expected a site, found none");
}

TEST(Fleets, HaveServersAtAddressesThatThereCanBe) {
    const auto error = [](const std::string& server) {
        return fleet_error("graph [\n node [ id 0 label \"a\" server \"" + server + "\" ]\n]\n");
    };
    for (const char* server :
         {"nats://127.0.0.1:99999", "nats://127.0.0.1:65536", "nats://127.0.0.1:0", "nats://",
          "nats://:", "nats://:4222", "nats://a:", "nats://a:abc", "nats://a:4222x", "nats://a:-1",
          "127.0.0.1:4222/foo", "nats://u:p@:4222", "nats://[]:4222", "nats://[::1",
          "nats://[::1]x", "nats://a:1,nats://b:1", "http://a:1"})
        EXPECT_EQ(error(server),
                  "fleet.gml:2: expected one address nats://host:port or tls://host:port, port 1 "
                  "to 65535, found \"" +
                      shown_address(server) + '"');
    for (const char* server :
         {"nats://127.0.0.1:65535", "tls://a.example:1", "a", "a:4222", "nats://a", "nats://a:1/",
          "nats://[::1]:4222", "nats://[::1]", "nats://u:p@a:1", "nats://u:p/w:x@[fe80::1]:1"})
        EXPECT_EQ(error(server), "no error") << server;
}

}  // namespace
}  // namespace equipoise::agent
