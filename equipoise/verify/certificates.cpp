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

Report examine_list(const std::string& text, const std::string& origin, const char* schema,
                    const std::string& list, ExamineEntry examine) {
    nlohmann::json document = parse_json(text, origin);
    const JsonValue file(document, origin);
    file.expect_keys({"schema", "about", list});
    const JsonValue named = file.at("schema");
    const nlohmann::json expected = object_of_schema(schema)["schema"];
    if (named.json() != expected) named.refuse(json_text(expected));
    const JsonValue entries = file.at(list);
    if (entries.size("a list of " + list) == 0) entries.refuse("one or more " + list);
    Report report;
    std::size_t number = 0;
    entries.for_each([&](const JsonValue& entry) { examine(entry, ++number, report); });
    report.unchecked_fields = {"about"};
    report.unchecked.emplace_back("about, network: words for people");
    return report;
}

bool is_certificate_text(std::string_view text) {
    return names_schema(text, "equipoise-certificate");
}

Report verify_certificate(const std::string& text, const std::string& origin) {
    return examine_list(text, origin, "equipoise-certificate", "claims", examine_claim);
}

}  // namespace equipoise::verify
