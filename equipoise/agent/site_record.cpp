#include "equipoise/agent/site_record.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"

namespace equipoise::agent {

namespace {

using Kind = SiteEvent::Kind;

constexpr int record_version = 1;
/// No site ever holds more.
constexpr Tokens tokens_most = Tokens{1} << 53U;
/// In the order of `Kind`.
constexpr std::array<std::string_view, 11> kind_words = {"begin",    "receive", "time_over", "part",
                                                         "withdraw", "leave",   "tokens",    "send",
                                                         "give",     "take",    "end"};

Kind read_kind(const JsonValue& value) {
    const auto found = std::find(kind_words.begin(), kind_words.end(), value.text());
    if (found == kind_words.end()) value.refuse("an event of a site");
    return static_cast<Kind>(found - kind_words.begin());
}

bool has_port(Kind kind) {
    return kind == Kind::receive || kind == Kind::part || kind == Kind::withdraw ||
           kind == Kind::send || kind == Kind::give || kind == Kind::take;
}

bool has_tokens(Kind kind) {
    return kind == Kind::tokens || kind == Kind::give || kind == Kind::take;
}

bool has_message(Kind kind) {
    return kind == Kind::receive || kind == Kind::send;
}

SiteBegin read_begin(const JsonValue& value) {
    static_cast<void>(value.at("version").whole<int>(record_version, record_version));
    SiteBegin begin;
    begin.site = value.at("site").text();
    const JsonValue neighbours = value.at("neighbours");
    neighbours.for_each([&](const JsonValue& neighbour) {
        neighbour.expect_keys({"name", "end"});
        begin.neighbours.push_back(neighbour.at("name").text());
        const JsonValue end = neighbour.at("end");
        if (end.text() != "tail" && end.text() != "head") end.refuse("tail or head");
        begin.ends.push_back(end.text() == "tail" ? model::LinkEnd::tail : model::LinkEnd::head);
    });
    begin.seed = value.at("seed").whole<std::uint64_t>();
    begin.incarnation = value.at("incarnation").whole<std::uint64_t>(1);
    begin.period = value.at("period").whole<model::Ticks>(1, 1U << 20U);
    begin.batch = value.at("batch").whole<Tokens>(1);
    return begin;
}

/// `ports`: of the node as it last began.
SiteEvent read_event(const JsonValue& value, std::size_t ports) {
    value.expect_keys({"time", "event", "port", "tokens", "from", "ticket", "message", "version",
                       "site", "neighbours", "seed", "incarnation", "period", "batch"});
    SiteEvent event;
    event.kind = read_kind(value.at("event"));
    if (has_port(event.kind)) {
        if (ports == 0) value.at("port").refuse("a port of a node that has begun");
        event.port = value.at("port").whole<Port>(0, static_cast<Port>(ports - 1));
    }
    if (has_tokens(event.kind)) event.tokens = value.at("tokens").whole<Tokens>(0, tokens_most);
    if (event.kind == Kind::receive) event.incarnation = value.at("from").whole<std::uint64_t>(1);
    if (has_message(event.kind)) {
        event.ticket = value.at("ticket").whole<std::uint64_t>();
        event.message = read_message(value.at("message"));
    }
    if (event.kind == Kind::begin)
        event.begun = std::make_shared<const SiteBegin>(read_begin(value));
    return event;
}

}  // namespace

nlohmann::ordered_json written(const SiteEvent& event) {
    nlohmann::ordered_json line = {{"event", kind_words[static_cast<std::size_t>(event.kind)]}};
    if (has_port(event.kind)) line["port"] = event.port;
    if (has_tokens(event.kind)) line["tokens"] = event.tokens;
    if (event.kind == Kind::receive) line["from"] = event.incarnation;
    if (has_message(event.kind)) {
        line["ticket"] = event.ticket;
        line["message"] = written(event.message);
    }
    if (event.kind != Kind::begin) return line;
    const SiteBegin& begin = *event.begun;
    line["version"] = record_version;
    line["site"] = begin.site;
    line["neighbours"] = nlohmann::ordered_json::array();
    for (std::size_t port = 0; port < begin.ends.size(); ++port)
        line["neighbours"].push_back(
            {{"name", begin.neighbours[port]},
             {"end", begin.ends[port] == model::LinkEnd::tail ? "tail" : "head"}});
    line["seed"] = begin.seed;
    line["incarnation"] = begin.incarnation;
    line["period"] = begin.period;
    line["batch"] = begin.batch;
    return line;
}

SiteRecord read_site_record(LineSource& lines) {
    SiteRecord record{.file = lines.name(), .events = {}};
    std::size_t ports = 0;
    for (std::string_view line; lines.next(line);) {
        const std::string place = lines.name() + ':' + std::to_string(lines.line_number());
        nlohmann::json parsed = parse_json(line, place);
        const JsonValue value(parsed, place);
        SiteEvent event = read_event(value, ports);
        if (event.begun) ports = event.begun->ends.size();
        if (record.events.empty() && !event.begun) value.at("event").refuse("begin");
        record.events.push_back(std::move(event));
    }
    return record;
}

}  // namespace equipoise::agent
