#include "equipoise/agent/fleet.hpp"

#include <algorithm>
#include <filesystem>
#include <string_view>

#include "equipoise/agent/addresses.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/network/io/attributes.hpp"

namespace equipoise::agent {

namespace {

/// Whether a character neither ends a word nor a text in quotes, where servers read it.
bool is_plain(char c) {
    return static_cast<unsigned char>(c) > 0x20 && c != 0x7f && c != '"' && c != '\\';
}

/// Whether a text is one token of a NATS subject: no dot, no wildcard, no blank.
bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return is_plain(c) && c != '.' && c != '*' && c != '>' && c != '/';
    });
}

/// Whether a text can be the name of a site, which is part of subjects, users and file names.
bool is_site_name(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
               c == '-' || c == '_';
    });
}

/// [SCHEME://][USER[:PASSWORD]@]HOST[:PORT]; a host with colons stands in brackets.
bool is_address(std::string_view text) {
    const bool has_bad = std::any_of(text.begin(), text.end(), [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || c == ',';
    });
    if (has_bad) return false;
    if (const std::size_t scheme = text.find("://"); scheme != std::string_view::npos) {
        if (text.substr(0, scheme) != "nats" && text.substr(0, scheme) != "tls") return false;
        text.remove_prefix(scheme + 3);
    }
    if (const std::size_t user = text.rfind('@'); user != std::string_view::npos)
        text.remove_prefix(user + 1);
    if (text.ends_with('/')) text.remove_suffix(1);
    const std::size_t bracket = text.starts_with('[') ? text.find(']') : 0;
    if (bracket == std::string_view::npos || text.find('/') != std::string_view::npos) return false;
    const std::size_t colon = text.find(':', bracket);
    const std::string_view host = text.substr(0, colon);
    if (host.empty() || host == "[]" || (bracket > 0 && host.size() != bracket + 1)) return false;
    return colon == std::string_view::npos ||
           whole_number(text.substr(colon + 1), 65535).value_or(0) > 0;
}

std::string beside(const std::string& fleet_file, const std::string& path) {
    return (std::filesystem::path(fleet_file).parent_path() / path).string();
}

class FleetReader {
  public:
    explicit FleetReader(LineSource& source) {
        const std::string file = source.name();
        fleet_.file = file;
        const network::AttributedNetwork read = network::read_attributed(source);
        if (!read.label.empty()) fleet_.name = read.label;
        if (!is_token(fleet_.name))
            throw InputError(file + ": expected a label of the graph" + token_words + ", found \"" +
                             fleet_.name + '"');
        if (read.nodes.empty()) throw InputError(file + ": expected a site, found none");
        for (const network::AttributedNode& node : read.nodes)
            take(node);
        fleet_.neighbours.resize(fleet_.sites.size());
        for (const network::AttributedLink& link : read.links)
            take(link);
    }

    Fleet fleet() && { return std::move(fleet_); }

  private:
    static constexpr const char* token_words =
        " without blanks, dots, slashes, quotes and wildcards";

    [[noreturn]] void fail(std::uint64_t line, const std::string& expected,
                           const std::string& found) const {
        throw InputError::at(fleet_.file, line, expected, found);
    }

    [[nodiscard]] std::string address(const network::Attribute& attribute) const {
        if (!is_address(attribute.value))
            fail(attribute.line, "one address nats://host:port or tls://host:port, port 1 to 65535",
                 shown_address(attribute.value));
        return attribute.value;
    }
    [[nodiscard]] std::string subjects(const network::Attribute& attribute) const {
        if (attribute.value.empty() ||
            !std::all_of(attribute.value.begin(), attribute.value.end(), is_plain))
            fail(attribute.line, "subjects such as jobs.>, without blanks and quotes",
                 attribute.value);
        return attribute.value;
    }
    [[nodiscard]] std::string name(const network::Attribute& attribute) const {
        if (!is_token(attribute.value))
            fail(attribute.line, "a name" + std::string(token_words), attribute.value);
        return attribute.value;
    }

    void take(const network::AttributedNode& node) {
        Site site;
        site.name = node.name;
        site.line = node.line;
        if (!is_site_name(site.name))
            fail(site.line, "a name of the site of letters a to z, digits, - and _", site.name);
        for (const network::Attribute& attribute : node.attributes) {
            if (attribute.key == "server")
                site.server = address(attribute);
            else if (attribute.key == "stream")
                site.stream = name(attribute);
            else if (attribute.key == "consumer")
                site.consumer = name(attribute);
            else if (attribute.key == "subjects")
                site.subjects = subjects(attribute);
            else if (attribute.key == "credentials")
                site.credentials = beside(fleet_.file, attribute.value);
            else if (attribute.key == "ca")
                site.authorities = beside(fleet_.file, attribute.value);
        }
        if (site.server.empty())
            fail(site.line, R"(a "server" of the site: nats://host:port)", site.name);
        fleet_.sites.push_back(std::move(site));
    }

    void take(const network::AttributedLink& link) {
        std::string of_source = fleet_.sites[link.source].server;
        std::string of_target = fleet_.sites[link.target].server;
        for (const network::Attribute& attribute : link.attributes) {
            if (attribute.key == "source_server") of_source = address(attribute);
            if (attribute.key == "target_server") of_target = address(attribute);
        }
        fleet_.neighbours[link.source].push_back(
            {link.target, of_target, link.target < link.source});
        fleet_.neighbours[link.target].push_back(
            {link.source, of_source, link.source < link.target});
    }

    Fleet fleet_;
};

}  // namespace

std::size_t Fleet::number_of(const std::string& site_name) const {
    std::vector<std::string> names;
    for (std::size_t at = 0; at < sites.size(); ++at) {
        if (sites[at].name == site_name) return at;
        names.push_back(sites[at].name);
    }
    throw InputError(file + ": " + expected_word(site_name, names));
}

Fleet read_fleet(const std::string& file) {
    LineSource source(file);
    return read_fleet(source);
}

Fleet read_fleet(LineSource& source) {
    return FleetReader(source).fleet();
}

std::string link_text(const Fleet& fleet, const Neighbour& neighbour) {
    const Site& site = fleet.sites[neighbour.site];
    std::string text = site.name + ' ' + neighbour.server;
    if (!site.credentials.empty()) text += " credentials " + site.credentials;
    if (!site.authorities.empty()) text += " ca " + site.authorities;
    return text;
}

std::vector<std::string> links_of(const Fleet& fleet, std::size_t site) {
    std::vector<std::string> links;
    for (const Neighbour& neighbour : fleet.neighbours[site])
        links.push_back(link_text(fleet, neighbour));
    return links;
}

void sort_neighbours(Fleet& fleet, std::size_t site, const std::vector<std::string>& links) {
    const auto place = [&](const Neighbour& neighbour) {
        return std::find(links.begin(), links.end(), link_text(fleet, neighbour));
    };
    std::stable_sort(
        fleet.neighbours[site].begin(), fleet.neighbours[site].end(),
        [&](const Neighbour& one, const Neighbour& other) { return place(one) < place(other); });
}

}  // namespace equipoise::agent
