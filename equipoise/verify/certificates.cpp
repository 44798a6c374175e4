#include "equipoise/verify/certificates.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/verify/certificate_parts.hpp"

namespace equipoise::verify {

namespace {

struct Kind {
    std::string_view name;
    void (*examine)(const JsonValue&, const std::string&, Report&);
};

constexpr std::array kinds = {
    Kind{"averaging-tail", examine_averaging_tail},
    Kind{"circuit-divergence", examine_circuit_divergence},
    Kind{"fewest-steps", examine_fewest_steps},
    Kind{"finite-machines", examine_finite_machines},
    Kind{"ring-tables", examine_ring_tables},
};

void examine_claim(const JsonValue& claim, std::size_t number, Report& report) {
    const JsonValue name = claim.at("claim");
    const std::string text = name.text();
    const auto* const kind =
        std::find_if(kinds.begin(), kinds.end(), [&](const Kind& one) { return one.name == text; });
    if (kind == kinds.end())
        name.refuse(
            "averaging-tail, circuit-divergence, fewest-steps, finite-machines or ring-tables");
    kind->examine(claim, claim_name(claim, number), report);
}

}  // namespace

std::vector<Ends> links_of(const JsonValue& list, NodeId nodes) {
    constexpr std::string_view shape = "a link [node, node]";
    std::vector<Ends> links(list.size("a list of links"));
    for (std::size_t i = 0; i < links.size(); ++i) {
        list.tuple(i, shape, links[i].tail, links[i].head);
        if (links[i].tail >= nodes || links[i].head >= nodes || links[i].tail == links[i].head)
            list.at(i).refuse("two different nodes below " + std::to_string(nodes));
    }
    return links;
}

std::vector<bool> set_of(const JsonValue& list, NodeId nodes) {
    std::vector<bool> held(nodes, false);
    list.for_each([&](const JsonValue& value) {
        const auto node = value.whole<NodeId>(0, nodes - 1);
        if (held[node]) value.refuse("a node that the list does not hold yet");
        held[node] = true;
    });
    return held;
}

std::string real_text(double number) {
    std::array<char, 32> text{};
    const int length = std::snprintf(text.data(), text.size(), "%.12g", number);
    return {text.data(), static_cast<std::size_t>(length)};
}

std::string claim_name(const JsonValue& claim, std::size_t number) {
    std::string name = "claim " + std::to_string(number) + ", " + claim.at("claim").text();
    if (claim.has("network")) name += " (" + claim.at("network").text() + ")";
    return name;
}

bool is_certificate_text(std::string_view text) {
    constexpr std::size_t head_bytes = 200;
    return text.substr(0, head_bytes).find("\"equipoise-certificate\"") != std::string_view::npos;
}

Report verify_certificate(const std::string& text, const std::string& origin) {
    nlohmann::json document = parse_json(text, origin);
    const JsonValue file(document, origin);
    file.expect_keys({"schema", "about", "claims"});
    const JsonValue schema = file.at("schema");
    const nlohmann::json expected = object_of_schema("equipoise-certificate")["schema"];
    if (schema.json() != expected) schema.refuse(json_text(expected));
    const JsonValue claims = file.at("claims");
    if (claims.size("a list of claims") == 0) claims.refuse("one or more claims");
    Report report;
    std::size_t number = 0;
    claims.for_each([&](const JsonValue& claim) { examine_claim(claim, ++number, report); });
    report.unchecked_fields = {"about"};
    report.unchecked.emplace_back("about, network: words for people");
    return report;
}

}  // namespace equipoise::verify
