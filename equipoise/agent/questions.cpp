#include "equipoise/agent/questions.hpp"

#include <algorithm>
#include <cctype>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/agent/addresses.hpp"
#include "equipoise/agent/nats.hpp"
#include "equipoise/agent/site_state.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::agent {

namespace {

using Json = nlohmann::ordered_json;

struct Asked {
    std::optional<std::string> answer;
    std::string why;  ///< a server that gave none refuses who asks
};

Asked ask_as(const Login& login, const std::string& subject, const std::string& question,
             int milliseconds) {
    Asked asked;
    using Clock = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::milliseconds(milliseconds);
    const auto left = [&] {
        return static_cast<int>(
            std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count());
    };
    while (left() > 0) {
        Connection connection(login, {}, left());
        if (connection.is_there())
            asked.answer = connection.ask(subject, question, std::max(left(), 1));
        asked.why = connection.refusal();
        if (connection.is_there()) return asked;
        std::this_thread::sleep_for(std::chrono::milliseconds(std::clamp(left(), 0, 200)));
    }
    return asked;
}

Asked ask_site(const Fleet& fleet, std::size_t at, const std::string& question, int milliseconds) {
    const Site& site = fleet.sites[at];
    return ask_as({site.server, site.credentials, site.authorities, "status"},
                  ask_subject(fleet, at), question, milliseconds);
}

/// How a site stands, asked by the agent of another one, which reaches it as it does to move jobs.
Asked ask_site_as_agent(const Fleet& fleet, std::size_t at, std::size_t asking, int milliseconds) {
    std::string server = fleet.sites[at].server;
    for (const Neighbour& neighbour : fleet.neighbours[asking])
        if (neighbour.site == at) server = neighbour.server;
    return ask_as(agent_login(fleet, at, server, fleet.sites[asking].name),
                  status_subject(fleet, at), "", milliseconds);
}

std::string clock_text(double seconds) {
    const auto time = static_cast<std::time_t>(seconds);
    std::tm parts{};
    localtime_r(&time, &parts);
    char text[32];
    const std::size_t length = std::strftime(text, sizeof(text), "%Y-%m-%d %H:%M:%S", &parts);
    return {text, length};
}

/// One line about all sites that answer.
std::string totals_text(const Json& state) {
    const auto number = [&](const char* key) {
        return report::grouped(state.at(key).get<std::int64_t>());
    };
    const auto alive = state.at("alive").get<std::size_t>();
    const std::size_t sites = state.at("sites").size();
    if (alive == 0) return "no agent answers\n";
    std::int64_t in_doubt = 0;
    for (const Json& site : state.at("sites"))
        in_doubt += site.value("in_doubt", std::int64_t{0});
    std::string text;
    if (alive < sites)
        text = report::grouped(alive) + " of " + report::grouped(sites) + " sites answer; ";
    text += "discrepancy " + number("discrepancy") + ", in flight " + number("in_flight");
    if (in_doubt > 0) text += " (" + report::grouped(in_doubt) + " doubtful)";
    text += ", moved " + number("moved");
    const Json& since = state.at("level_since_time");
    return text + (since.is_number() ? ": level between neighbours since " +
                                           clock_text(since.get<double>()) + '\n'
                                     : std::string(": not level between neighbours\n"));
}

std::string upper_word(std::string text) {
    for (char& c : text)
        c = std::isalnum(static_cast<unsigned char>(c)) != 0
                ? static_cast<char>(std::toupper(static_cast<unsigned char>(c)))
                : '_';
    return text;
}

std::string quoted_list(const std::vector<std::string>& subjects) {
    std::string text = "[";
    for (const std::string& subject : subjects)
        text += (text.size() == 1 ? "\"" : ", \"") + subject + '"';
    return text + ']';
}

std::string password_variable(const std::string& user) {
    return "PASSWORD_" + upper_word(user);
}

/// Two users must not share a password because their names differ in a dash or in case only.
void expect_own_passwords(const Fleet& fleet, const std::vector<std::string>& users) {
    for (std::size_t at = 0; at < users.size(); ++at)
        for (std::size_t before = 0; before < at; ++before)
            if (password_variable(users[at]) == password_variable(users[before]))
                throw InputError(fleet.file + ": expected a password for each user, found " +
                                 password_variable(users[at]) + " of " + users[before] + " and " +
                                 users[at]);
}

std::string user_text(const std::string& user, const std::vector<std::string>& publish,
                      const std::vector<std::string>& subscribe) {
    return "    {user: \"" + user + "\", password: $" + password_variable(user) +
           ",\n     permissions: {publish: " + quoted_list(publish) +
           ",\n                   subscribe: " + quoted_list(subscribe) + "}}\n";
}

}  // namespace

Json ask_fleet(const Fleet& fleet, int milliseconds, std::optional<std::size_t> asking) {
    std::vector<Asked> answers(fleet.sites.size());
    std::vector<std::exception_ptr> errors(fleet.sites.size());
    {
        std::vector<std::jthread> threads;
        for (std::size_t at = 0; at < fleet.sites.size(); ++at)
            threads.emplace_back([&, at] {
                try {
                    answers[at] = asking ? ask_site_as_agent(fleet, at, *asking, milliseconds)
                                         : ask_site(fleet, at, "status", milliseconds);
                } catch (const InputError&) {
                    errors[at] = std::current_exception();
                }
            });
    }
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
    Json list = Json::array();
    for (const Asked& asked : answers)
        list.push_back(asked.answer ? read_site_state(*asked.answer) : Json(nullptr));
    Json state = fleet_state(fleet, list);
    for (std::size_t at = 0; at < answers.size(); ++at)
        if (!answers[at].answer && !answers[at].why.empty())
            state["sites"][at]["why"] = answers[at].why;
    return state;
}

Json fleet_state(const Fleet& fleet, const Json& answers) {
    Json sites = Json::array();
    std::int64_t sum = 0;
    std::int64_t least = 0;
    std::int64_t most = 0;
    std::int64_t in_flight = 0;
    std::uint64_t moved = 0;
    std::size_t alive = 0;
    bool all_level = true;
    double level_since = 0;
    for (const Json& answer : answers) {
        if (answer.is_null()) continue;
        const auto backlog = answer.at("backlog").get<std::int64_t>();
        least = alive == 0 ? backlog : std::min(least, backlog);
        most = alive == 0 ? backlog : std::max(most, backlog);
        sum += backlog;
        ++alive;
        in_flight += answer.value("owed", std::int64_t{0});
        moved += answer.value("moved", std::uint64_t{0});
        const Json since = answer.value("level_since_time", Json(nullptr));
        all_level = all_level && since.is_number();
        if (since.is_number()) level_since = std::max(level_since, since.get<double>());
    }
    for (std::size_t at = 0; at < fleet.sites.size(); ++at) {
        const Json& answer = answers.at(at);
        Json site = {{"name", fleet.sites[at].name}, {"alive", !answer.is_null()}};
        if (!answer.is_null()) {
            site["share"] = static_cast<double>(sum) / static_cast<double>(alive);
            for (const auto& [key, value] : answer.items())
                if (key != "version" && key != "name") site[key] = value;
        } else {
            site["neighbours"] = Json::array();
            for (const Neighbour& neighbour : fleet.neighbours[at])
                site["neighbours"].push_back({{"name", fleet.sites[neighbour.site].name}});
        }
        sites.push_back(std::move(site));
    }
    Json state = object_of_schema("equipoise-fleet");
    state["fleet"] = fleet.name;
    state["sites"] = std::move(sites);
    state["alive"] = alive;
    state["discrepancy"] = most - least;
    state["in_flight"] = in_flight;
    state["moved"] = moved;
    state["level_since_time"] = nullptr;
    if (alive > 0 && all_level) state["level_since_time"] = level_since;
    return state;
}

std::string fleet_text(const Json& state) {
    using report::Align;
    std::vector<std::vector<std::string>> rows;
    const auto number = [](const Json& site, const char* key) {
        return site.contains(key) ? report::grouped(site.at(key).get<std::int64_t>())
                                  : std::string("-");
    };
    for (const Json& site : state.at("sites"))
        rows.push_back({site.at("name").get<std::string>(),
                        site.value("state", std::string("no answer")), number(site, "backlog"),
                        number(site, "held"), number(site, "owed"), number(site, "in_doubt"),
                        number(site, "moved"), number(site, "received")});
    std::string text = report::layout({{"site"},
                                       {"state"},
                                       {"backlog", Align::right},
                                       {"held", Align::right},
                                       {"owed", Align::right},
                                       {"doubtful", Align::right},
                                       {"moved", Align::right},
                                       {"received", Align::right}},
                                      rows, true);
    for (const Json& site : state.at("sites"))
        if (site.contains("why"))
            text += site.at("name").get<std::string>() + ": " + site.at("why").get<std::string>() +
                    '\n';
    text += '\n' + totals_text(state);
    text +=
        "Guaranteed: neighbours whose agents run differ by at most one job some time after\n"
        "arrivals stop (Dinitz, Dolev, Kumar 2020, Section 5). While jobs come and go, these\n"
        "figures are measured.\n";
    return text;
}

void command_agent(const Fleet& fleet, std::size_t site, const std::string& command,
                   int milliseconds) {
    const Asked asked = ask_site(fleet, site, command, milliseconds);
    const std::string name = fleet.sites[site].name;
    if (!asked.answer)
        throw InputError(name + ": expected an answer of its agent, found " +
                         (asked.why.empty() ? "none" : '"' + asked.why + '"'));
    nlohmann::json parsed = parse_json(*asked.answer, name);
    const JsonValue answer(parsed, name);
    if (const auto error = answer.find("error"); error && error->is_text())
        throw InputError(name + ": " + error->text());
    const auto done = answer.find("done");
    if (!done || !done->is_text() || done->text() != command)
        throw InputError(name + ": expected an agent that can " + command + ", found \"" +
                         *asked.answer + '"');
}

std::string permissions_text(const Fleet& fleet, std::size_t at) {
    const Site& site = fleet.sites[at];
    const std::string api = "$JS.API.";
    const std::string both = site.stream + '.' + site.consumer;
    const auto inbox = [](const std::string& user) { return "_INBOX." + user + ".>"; };
    const std::string take_next = api + "CONSUMER.MSG.NEXT." + both;
    const std::string acknowledge = "$JS.ACK." + both + ".>";
    std::string text = "# Users of the server of " + site.name + " in the fleet " + fleet.name +
                       ", for nats-server 2.9. Passwords come from the\n"
                       "# server's environment: PASSWORD_...\n"
                       "authorization {\n"
                       "  users = [\n";
    const std::string own = "agent-" + site.name;
    std::vector<std::string> agents = {own};
    for (const Neighbour& neighbour : fleet.neighbours[at])
        agents.push_back("agent-" + fleet.sites[neighbour.site].name);
    expect_own_passwords(fleet, agents);
    text += user_text(own,
                      {api + "STREAM.INFO." + site.stream, api + "STREAM.CREATE." + site.stream,
                       api + "STREAM.MSG.GET." + site.stream, api + "CONSUMER.INFO." + both,
                       api + "CONSUMER.DURABLE.CREATE." + both, take_next, acknowledge, "_INBOX.>",
                       status_subject(fleet, at)},
                      {inbox(own), ask_subject(fleet, at), status_subject(fleet, at),
                       link_subject(fleet, at, "*")});
    for (const Neighbour& neighbour : fleet.neighbours[at]) {
        const std::string name = fleet.sites[neighbour.site].name;
        const std::string user = "agent-" + name;
        text += user_text(user,
                          {site.subjects, link_subject(fleet, at, name), status_subject(fleet, at)},
                          {inbox(user)});
    }
    text += user_text("status", {ask_subject(fleet, at)}, {inbox("status")});
    text += user_text("workers",
                      {site.subjects, api + "STREAM.INFO." + site.stream,
                       api + "CONSUMER.INFO." + both, take_next, acknowledge},
                      {inbox("workers")});
    return text + "  ]\n}\n";
}

}  // namespace equipoise::agent
