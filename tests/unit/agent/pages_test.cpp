// docs/reference/agent.md tells what the program does, no more and no less.

#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "equipoise/agent/log_events.hpp"
#include "equipoise/agent/questions.hpp"

namespace equipoise::agent {
namespace {

/// The first cells of the table under a heading, without its head.
std::set<std::string> first_cells(const std::string& heading) {
    std::ifstream page(EQUIPOISE_SOURCE_DIR "/docs/reference/agent.md");
    std::set<std::string> cells;
    bool is_there = false;
    for (std::string line; std::getline(page, line);) {
        if (line.starts_with("## ")) is_there = line == "## " + heading;
        if (!is_there || !line.starts_with("| `")) continue;
        const std::size_t end = line.find('`', 3);
        EXPECT_TRUE(cells.insert(line.substr(3, end - 3)).second) << line;
    }
    return cells;
}

TEST(AgentPage, NamesEveryEventOfTheLog) {
    const std::set<std::string> events(log_event_words.begin(), log_event_words.end());
    EXPECT_EQ(events.size(), log_event_words.size());
    EXPECT_EQ(word_of(LogEvent::stopped), "stopped");
    EXPECT_EQ(word_of(LogEvent::moved), "moved");
    EXPECT_EQ(first_cells("Events of the log"), events);
}

TEST(AgentPage, NamesEveryColumnOfTheStatus) {
    Fleet fleet;
    fleet.sites.resize(1);
    fleet.sites[0].name = "a";
    fleet.neighbours.resize(1);
    const std::string text =
        fleet_text(fleet_state(fleet, nlohmann::ordered_json::array({nullptr})));
    std::istringstream head(text.substr(0, text.find('\n')));
    std::set<std::string> columns;
    for (std::string column; head >> column;)
        columns.insert(column);
    EXPECT_EQ(first_cells("Columns of the status"), columns);
}

}  // namespace
}  // namespace equipoise::agent
