#include "equipoise/agent/web.hpp"

#include <chrono>
#include <cstdint>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/agent/questions.hpp"
#include "equipoise/agent/site_state.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/report/page/filling.hpp"
#include "equipoise/report/pictures/layout.hpp"

#ifdef EQUIPOISE_WITH_HTTPLIB
#include <httplib.h>
#endif

namespace equipoise::agent {

namespace {

using Json = nlohmann::ordered_json;

/// Connecting takes several round trips, which may be long.
constexpr int answer_within = 2000;  // milliseconds

std::string label_value(const std::string& text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '\\' || c == '"') escaped += '\\';
        escaped += c;
    }
    return escaped;
}

std::string page_of(const Fleet& fleet) {
    network::Labels labels;
    std::vector<Ends> links;
    for (std::size_t at = 0; at < fleet.sites.size(); ++at)
        for (const Neighbour& neighbour : fleet.neighbours[at])
            if (!neighbour.is_lower)
                links.push_back({static_cast<NodeId>(at), static_cast<NodeId>(neighbour.site)});
    const report::Drawing drawing =
        report::draw_network(labels, static_cast<NodeId>(fleet.sites.size()), links);
    Json data = {{"sites", Json::array()}, {"links", Json::array()}};
    for (std::size_t at = 0; at < fleet.sites.size(); ++at) {
        const bool placed = at < drawing.positions.size();
        data["sites"].push_back({{"name", fleet.sites[at].name},
                                 {"x", placed ? drawing.positions[at].x : 0},
                                 {"y", placed ? drawing.positions[at].y : 0}});
    }
    for (const Ends& link : links)
        data["links"].push_back({link.tail, link.head});
    report::PageContents page;
    page.title = "Fleet " + fleet.name;
    page.lead = "verdict";
    page.style = report::page_files({"look.css", "fleet.css"});
    page.body = "fleet.html";
    page.scripts = report::page_files({"look.js", "colours.js", "fleet.js"});
    page.data = report::escape_for_script(json_text(data));
    std::string text = report::framed_page(page);
    // Other pages ask nobody.
    const std::string policy = "img-src data:";
    text.replace(text.find(policy), policy.size(), policy + "; connect-src 'self'");
    return text;
}

}  // namespace

std::string prometheus_text(const Json& state) {
    const std::string site = "{site=\"" + label_value(state.at("name").get<std::string>()) + "\"}";
    std::string text;
    const auto add = [&](const std::string& name, const char* kind, const char* help,
                         const std::string& value) {
        const std::string full = "equipoise_" + name;
        text += "# HELP " + full + ' ' + help + "\n# TYPE " + full + ' ' + kind + '\n' + full +
                site + ' ' + value + '\n';
    };
    for (const Figure& figure : figures()) {
        const std::string name = std::string(figure.key) +
                                 (std::string_view(figure.kind) == "counter" ? "_total" : "_count");
        add(name, figure.kind, figure.help,
            std::to_string(state.at(figure.key).get<std::int64_t>()));
    }
    add("up", "gauge",
        "Whether jobs can be moved: the server, the queue and the file of held jobs can be "
        "used.",
        state.at("state").get<std::string>() == "waiting" ? "0" : "1");
    add("level", "gauge",
        "Whether the site differs from each neighbour by at most one job, and nothing is on its "
        "way.",
        state.at("level").get<bool>() ? "1" : "0");
    return text;
}

#ifdef EQUIPOISE_WITH_HTTPLIB

struct Web::Server {
    /// A fleet, and the site in it whose agent serves the page.
    struct Shown {
        Fleet fleet;
        std::size_t site = 0;
        std::string page;
    };

    std::string url;
    std::mutex mutex;  ///< of `shown` and `state`
    std::shared_ptr<const Shown> shown;
    Json state;
    std::mutex asking;
    std::string answer;
    std::shared_ptr<const Shown> answered;  ///< the answer tells of this fleet
    std::chrono::steady_clock::time_point asked;
    httplib::Server http;
    std::jthread thread;

    /// The state of all sites, at most a second old.
    std::string fleet_json() {
        const std::lock_guard lock(asking);
        const auto now = std::chrono::steady_clock::now();
        const auto present = present_fleet();
        if (answered != present || now >= asked + std::chrono::seconds(1)) {
            answer = json_text(ask_fleet(present->fleet, answer_within, present->site));
            answered = present;
            asked = std::chrono::steady_clock::now();  // waiting for some may have taken long
        }
        return answer;
    }
    std::shared_ptr<const Shown> present_fleet() {
        const std::lock_guard lock(mutex);
        return shown;
    }
};

Web::Web(const std::string& address, const Fleet& fleet, std::size_t site)
    : server_(std::make_unique<Server>()) {
    const std::size_t colon = address.rfind(':');
    const std::string host = colon == std::string::npos ? "127.0.0.1" : address.substr(0, colon);
    const std::string port_text = colon == std::string::npos ? address : address.substr(colon + 1);
    const int port =
        port_text.size() > 5 ? 0 : static_cast<int>(whole_number(port_text, 65535).value_or(0));
    if (host.empty() || port == 0)
        throw InputError("--metrics: expected [HOST:]PORT with a PORT from 1 to 65535, found \"" +
                         address + '"');
    Server& server = *server_;
    const bool in_brackets = host.starts_with('[') && host.ends_with(']');
    const bool is_bare = !in_brackets && host.find(':') != std::string::npos;
    server.url = "http://" + (is_bare ? '[' + host + ']' : host) + ':' + port_text;
    renew(fleet, site);
    server.http.set_socket_options([](socket_t socket) {
        // Not SO_REUSEPORT, with which two agents would share a port.
        const int yes = 1;
        static_cast<void>(setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes)));
    });
    // An agent that ends waits for connections that somebody keeps, of browsers and Prometheus.
    server.http.set_keep_alive_timeout(1);
    server.http.new_task_queue = [] { return new httplib::ThreadPool(2); };
    server.http.Get("/", [&](const httplib::Request&, httplib::Response& response) {
        response.set_content(server.present_fleet()->page, "text/html; charset=utf-8");
    });
    server.http.Get("/metrics", [&](const httplib::Request&, httplib::Response& response) {
        const std::lock_guard lock(server.mutex);
        if (!server.state.is_null())
            response.set_content(prometheus_text(server.state), "text/plain; version=0.0.4");
    });
    server.http.Get("/state.json", [&](const httplib::Request&, httplib::Response& response) {
        const std::lock_guard lock(server.mutex);
        response.set_content(json_text(server.state), "application/json");
    });
    server.http.Get("/fleet.json", [&](const httplib::Request&, httplib::Response& response) {
        response.set_content(server.fleet_json(), "application/json");
    });
    if (!server.http.bind_to_port(in_brackets ? host.substr(1, host.size() - 2) : host, port))
        throw InputError(
            "--metrics: expected an address of this machine with a port that is free, found \"" +
            address + '"');
    server.thread = std::jthread([&server] { server.http.listen_after_bind(); });
    // Whoever stops a server that does not listen yet waits for ever.
    for (int waited = 0; waited < 1000 && !server.http.is_running(); ++waited)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

Web::~Web() {
    server_->http.stop();
}

std::string Web::url() const {
    return server_->url;
}

void Web::renew(const Fleet& fleet, std::size_t site) {
    auto made = std::make_shared<const Server::Shown>(Server::Shown{fleet, site, page_of(fleet)});
    const std::lock_guard lock(server_->mutex);
    server_->shown = std::move(made);
}

void Web::show(const Json& state) {
    const std::lock_guard lock(server_->mutex);
    server_->state = state;
}

#else

struct Web::Server {};

Web::Web(const std::string& /*address*/, const Fleet& /*fleet*/, std::size_t /*site*/) {
    throw InputError("--metrics: expected a build with cpp-httplib, found one without it");
}
Web::~Web() = default;
std::string Web::url() const {
    return {};
}
void Web::renew(const Fleet& /*fleet*/, std::size_t /*site*/) {}
void Web::show(const Json& /*state*/) {}

#endif

}  // namespace equipoise::agent
