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
#include "equipoise/agent/site_state.hpp"
#include "equipoise/agent/web.hpp"

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

TEST(AgentPage, NamesEveryFigureOfTheMetrics) {
    nlohmann::ordered_json state = {{"name", "a"}, {"state", "running"}, {"level", true}};
    for (const Figure& figure : figures())
        state[figure.key] = 0;
    std::istringstream text(prometheus_text(state));
    std::set<std::string> names;
    std::string page;
    for (std::string line; std::getline(text, line);) {
        if (!line.starts_with("# HELP ")) continue;
        const std::string name = line.substr(7, line.find(' ', 7) - 7);
        names.insert(name);
        page += line.substr(7 + name.size() + 1) + '\n';
    }
    EXPECT_EQ(names.size(), figures().size() + 2);
    EXPECT_EQ(first_cells("Metrics and pages"), names);
    std::ifstream file(EQUIPOISE_SOURCE_DIR "/docs/reference/agent.md");
    std::stringstream all;
    all << file.rdbuf();
    std::istringstream meanings(page);
    for (std::string meaning; std::getline(meanings, meaning);)
        EXPECT_NE(all.str().find("| " + meaning + " |"), std::string::npos) << meaning;
}

}  // namespace
}  // namespace equipoise::agent
