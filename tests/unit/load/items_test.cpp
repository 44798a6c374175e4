#include "equipoise/load/items.hpp"

#include <functional>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "equipoise/base/error.hpp"
#include "tests/support/names.hpp"

namespace equipoise::load {
namespace {

template <class Read>
auto read_text(const std::string& text, const Read& read) {
    std::istringstream stream(text);
    LineSource source(stream, "file");
    return read(source);
}

Items items_from(const std::string& text) {
    return read_text(text, [](LineSource& source) { return read_items(source); });
}

std::string error_of(const std::function<void()>& act) {
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    }
    return "no error";
}

TEST(ItemFiles, ItemsWithSizesAndCopiesAreRead) {
    const Items items = items_from("item,node,size\n\"a,b\",x,5\nc,x,1\n\nc,y,2\r\n");
    EXPECT_EQ(test::names_of(items.nodes), (std::vector<std::string>{"x", "y"}));
    EXPECT_EQ(test::names_of(items.things), (std::vector<std::string>{"a,b", "c"}));
    EXPECT_EQ(items.thing, (std::vector<std::uint32_t>{0, 1, 1}));
    EXPECT_EQ(items.places, (std::vector<NodeId>{0, 0, 1}));
    EXPECT_EQ(items.sizes, (std::vector<Tokens>{5, 1, 2}));
    EXPECT_TRUE(items.has_copies());
    EXPECT_FALSE(items_from("item,node\na,x\n").has_copies());
    EXPECT_TRUE(items_from("item,node\na,x\n").sizes.empty());
}

TEST(ItemFiles, MayBeInQuotesAndSeparatedBySemicolonsOrTabs) {
    for (const char* text :
         {"item;node;size\na,b;x y;5\n", "\"item\"\t\"node\"\t\"size\"\na,b\tx y\t\"5\"\n",
          "item node size\r\"a,b\" \"x y\" 5\r"}) {
        const Items items = items_from(text);
        EXPECT_EQ(test::names_of(items.things), std::vector<std::string>{"a,b"}) << text;
        EXPECT_EQ(test::names_of(items.nodes), std::vector<std::string>{"x y"}) << text;
        EXPECT_EQ(items.sizes, std::vector<Tokens>{5}) << text;
    }
}

TEST(ItemFiles, WrongLinesAreNamedWithFileAndLine) {
    const auto error = [](const std::string& text) {
        return error_of([&] { static_cast<void>(items_from(text)); });
    };
    EXPECT_EQ(error(""),
              R"(file:1: expected the header "item,node,size" or "item,node", found nothing)");
    EXPECT_EQ(error("node,item\n"),
              R"(file:1: expected the header "item,node,size" or "item,node", found "node,item")");
    EXPECT_EQ(error("item,node,size\na,x\n"),
              R"(file:2: expected 3 fields, item,node,size, found "a,x")");
    EXPECT_EQ(error("item,node,size\na,x,-1\n"),
              R"(file:2: expected a size (0 to 2305843009213693951), found "-1")");
    EXPECT_EQ(error("item,node,size\na,x,2305843009213693951\nb,x,1\n"),
              R"(file:3: expected at most 2305843009213693951 in all, found "1")");
    EXPECT_EQ(error("item,node\na,x\na,x\n"), R"(file:3: item "a" is listed twice on node "x")");
    EXPECT_EQ(error("item,node\n,x\n"), R"(file:2: expected the name of an item, found nothing)");
    EXPECT_EQ(error("item,node\na,\n"), R"(file:2: expected the name of a node, found nothing)");
}

TEST(ItemFiles, TokensBecomeItemsWithoutNames) {
    const Items items = read_text("node,tokens\nx,2\ny,0\nz,1\n",
                                  [](LineSource& source) { return read_unnamed_items(source); });
    EXPECT_EQ(items.places, (std::vector<NodeId>{0, 0, 2}));
    EXPECT_EQ(items.nodes.size(), 3U);
    EXPECT_EQ(items.name(0), "");
    EXPECT_EQ(error_of([] {
                  static_cast<void>(read_text("node,tokens\nx,50000001\n", [](LineSource& source) {
                      return read_unnamed_items(source);
                  }));
              }),
              R"(file:2: expected at most 50000000 tokens in all, found "50000001")");
}

TEST(ItemFiles, CopiesStayWhereTheyMayAndOthersGo) {
    const Items items = items_from("item,node\na,x\na,y\nb,z\n");
    const auto places = [&](const std::string& text) {
        return read_text(text,
                         [&](LineSource& source) { return read_final_places(source, items); });
    };
    EXPECT_EQ(places("item,node\na,z\na,x\n"), (std::vector<NodeId>{0, 2, 2}));
    EXPECT_EQ(places("item,node\nb,y\n"), (std::vector<NodeId>{0, 1, 1}));
    EXPECT_EQ(error_of([&] { static_cast<void>(places("item,node\na,z\n")); }),
              R"(file: expected item "a" on as many nodes as now, 2, found 1)");
    EXPECT_EQ(error_of([&] { static_cast<void>(places("item,node\nq,z\n")); }),
              R"(file:2: expected an item of the file of items, found "q")");
    EXPECT_EQ(error_of([&] { static_cast<void>(places("item,node\nb,q\n")); }),
              R"(file:2: expected a node that holds items or that --nodes names, found "q")");
}

TEST(ItemFiles, MovesFollowTheCopyThatIsOnTheNode) {
    const Items items = items_from("item,node\na,x\na,y\nb,z\n");
    const auto moves = [&](const std::string& text) {
        return read_text(text, [&](LineSource& source) { return read_item_moves(source, items); });
    };
    const ItemMoves read = moves("wave,item,from,to\n0,a,y,z\n1,a,z,y\n2,a,x,z\n");
    ASSERT_EQ(read.moves.size(), 3U);
    EXPECT_EQ(read.moves[0].copy, 1U);
    EXPECT_EQ(read.moves[1].copy, 1U);
    EXPECT_EQ(read.moves[2].copy, 0U);
    EXPECT_EQ(read.moves[2].line, 4U);
    const ItemMoves wrong = moves("wave,item,from,to\n0,a,y,z\n0,a,y,x\n");
    EXPECT_EQ(wrong.moves.size(), 1U);
    EXPECT_EQ(wrong.fault, "node y does not hold item a in wave 0");
    EXPECT_EQ(wrong.fault_line, 3U);
}

TEST(ItemFiles, TokensLeaveInALaterWaveThanTheyArrive) {
    const Items items = read_text("node,tokens\nx,1\ny,0\n",
                                  [](LineSource& source) { return read_unnamed_items(source); });
    const auto moves = [&](const std::string& text) {
        return read_text(text, [&](LineSource& source) { return read_item_moves(source, items); });
    };
    EXPECT_EQ(moves("wave,from,to\n0,x,y\n1,y,x\n").fault, "");
    EXPECT_EQ(moves("wave,from,to\n0,x,y\n0,y,x\n").fault,
              "node y does not hold a token in wave 0");
}

TEST(ItemFiles, RatesOfNodesThatAreNotNamedHaveNoLimit) {
    const Items items = items_from("item,node\na,x\nb,y\n");
    const auto rates = [&](const std::string& text) {
        return read_text(text, [&](LineSource& source) { return read_rates(source, items.nodes); });
    };
    EXPECT_EQ(rates("node,in,out\ny,3,4\n").takes, (std::vector<Tokens>{tokens_max, 3}));
    EXPECT_EQ(rates("node,in,out\ny,3,4\n").gives, (std::vector<Tokens>{tokens_max, 4}));
    EXPECT_EQ(error_of([&] { static_cast<void>(rates("node,in,out\ny,3,4\ny,3,4\n")); }),
              R"(file:3: node "y" is listed twice)");
}

TEST(ItemFiles, ACopyGoesToTheEndAtItsOwnPlaceIfNoCopyHoldsThat) {
    const Items items = items_from("item,node\na,x\na,y\na,z\nb,u\nb,v\nb,w\n");
    const auto places = [&](const std::string& text) {
        return read_text(text,
                         [&](LineSource& source) { return read_final_places(source, items); });
    };
    // x goes to v rather than u, as v stands first; y, whose place z has, to what is left.
    EXPECT_EQ(places("item,node\na,v\na,z\na,u\n"), (std::vector<NodeId>{4, 3, 2, 3, 4, 5}));
    EXPECT_EQ(places("item,node\na,y\na,u\na,v\n"), (std::vector<NodeId>{3, 1, 4, 3, 4, 5}));
}

}  // namespace
}  // namespace equipoise::load
