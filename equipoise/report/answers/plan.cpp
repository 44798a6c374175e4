#include "equipoise/report/answers/plan.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/optimum/windows/windows.hpp"
#include "equipoise/report/tables/lines.hpp"
#include "equipoise/report/tables/table.hpp"

namespace equipoise::report {

namespace {

using Json = nlohmann::ordered_json;
using network::AnyNetwork;
using optimum::Certificate;
using optimum::CutOverTime;
using optimum::FlowOverTime;
using optimum::Move;
using optimum::Plan;
using optimum::Problem;
using optimum::Window;
using optimum::Zone;

/// "A, B, C" or "A, B, C, ... (12 in all)".
std::string listed(std::span<const NodeId> nodes, const AnyNetwork& names) {
    constexpr std::size_t shown_max = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(nodes.size(), shown_max); ++i)
        text.append(i == 0 ? "" : ", ").append(names.name(nodes[i]));
    if (nodes.size() > shown_max)
        text.append(", ... (").append(grouped(std::uint64_t{nodes.size()})).append(" in all)");
    return text;
}

std::string gates_in_words(const Zone& zone, const AnyNetwork& names) {
    std::string text;
    const auto add = [&](const char* what, const std::vector<NodeId>& gates) {
        if (gates.empty()) return;
        text.append(text.empty() ? "" : " or ").append(what).append(listed(gates, names));
    };
    add("is sent by ", zone.senders);
    add("is received by ", zone.receivers);
    add("fits into ", zone.dropped);
    return text;
}

std::string explain_static(const Certificate& certificate, const Problem& problem,
                           const AnyNetwork& names) {
    const Zone& zone = certificate.zones.front();
    const std::string leaving = grouped(leaving_a_step(problem, zone));
    const bool one = zone.nodes.size() == 1;
    const std::string gates = gates_in_words(zone, names);
    std::string text =
        (one ? "node " + names.name(zone.nodes.front()) + " holds "
             : "these " + grouped(std::uint64_t{zone.nodes.size()}) + " nodes hold ") +
        counted(certificate.surplus, "token") + " too many";
    // A set without gates only shows that something must move.
    if (!gates.empty())
        text += ", and at most " + leaving + " can leave " + (one ? "it" : "them") + " in a step";
    text += ".\n";
    if (!one) text += "  The nodes: " + listed(zone.nodes, names) + ".\n";
    if (!one && !gates.empty()) text += "  Everything that leaves them " + gates + ".\n";
    if (certificate.steps > 0)
        text += "  " + counted(std::uint64_t{certificate.steps}, "step") +
                (certificate.steps == 1 ? " lets" : " let") + " out " +
                grouped(certificate.crossings) + " of the " + grouped(certificate.surplus) + ".\n";
    return text;
}

std::string explain_layers(const Certificate& certificate, const Problem& problem,
                           const AnyNetwork& names) {
    constexpr std::size_t zones_max = 12;
    const auto described = [&](const std::vector<NodeId>& nodes) {
        return counted(std::uint64_t{nodes.size()}, "node") + " (" + listed(nodes, names) + ")";
    };
    const Tokens room = problem.target.room(certificate.last_zone);
    std::string text = grouped(certificate.surplus) +
                       " of the tokens below must leave their zone in time, and at most " +
                       grouped(certificate.crossings) + " can.\n  " +
                       counted(certificate.surplus + room, "token") + " begin on " +
                       described(certificate.zones.front().nodes) +
                       ". Zones grow as time goes on:\n";
    std::size_t shown = 0;
    for (const Zone& zone : certificate.zones) {
        if (++shown > zones_max) {
            text +=
                "  ... " + counted(std::uint64_t{certificate.zones.size()}, "zone") + " in all.\n";
            break;
        }
        text += zone.steps == 1 ? "  Step " : "  Steps ";
        text += grouped(zone.first);
        if (zone.steps != 1) text += " to " + grouped(zone.first + zone.steps - 1);
        const std::string gates = gates_in_words(zone, names);
        text += ": " + described(zone.nodes) +
                (gates.empty() ? "; nothing can leave"
                               : "; at most " + grouped(leaving_a_step(problem, zone)) +
                                     " a step: what leaves " + gates) +
                ".\n";
    }
    return text + "  In the end " + described(certificate.last_zone) + " may hold " +
           counted(room, "token") + ".\n";
}

/// How many nodes send, or receive, everything that leaves a cut, and how much they may let out in
/// all steps.
struct Gates {
    std::uint64_t nodes = 0;
    Step steps = 0;     ///< of all gates together
    bool late = false;  ///< whether some open after the first step

    void add(Step first, Step end) {
        if (first >= end) return;
        ++nodes;
        steps += end - first;
        late = late || first > 0;
    }
};

std::string gates_of_cut(const CutOverTime& cut, const Problem& problem) {
    if (problem.all_ports)
        return "  All that leaves crosses a link, one token a step, and not before the first token "
               "can be there.\n";
    Gates sending;
    Gates receiving;
    for (const CutOverTime::Node& node : cut.nodes) {
        sending.add(node.send_first, node.send_end);
        receiving.add(node.receive_first, node.receive_end);
    }
    std::string text;
    const auto add = [&](const Gates& gates, const char* does) {
        if (gates.nodes == 0) return;
        text.append(text.empty() ? "" : " or ")
            .append(does)
            .append(gates.nodes == 1 ? " " : " one of ")
            .append(counted(gates.nodes, "node"));
    };
    add(sending, "is sent by");
    add(receiving, "is received by");
    if (text.empty()) return "  Nothing can leave them.\n";
    text = "  All that leaves " + text + "; these gates are open for " +
           grouped(sending.steps + receiving.steps) + " steps together";
    return text + (sending.late || receiving.late
                       ? ", since none opens before the first token can be there.\n"
                       : ".\n");
}

std::string explain_cut(const CutOverTime& cut, const Problem& problem, const AnyNetwork& names) {
    std::vector<NodeId> inside;
    std::uint64_t joining = 0;
    Step last = 0;
    for (NodeId node = 0; node < cut.nodes.size(); ++node) {
        const Step joins = cut.nodes[node].inside;
        if (joins == 0) inside.push_back(node);
        if (joins == 0 || joins > cut.steps) continue;
        ++joining;
        last = std::max(last, joins);
    }
    std::string text =
        "in " + counted(std::uint64_t{cut.steps}, "step") + " " + counted(cut.surplus, "token") +
        " must leave a set of nodes, and at most " + grouped(cut.crossings) + " can.\n  " +
        counted(std::uint64_t{inside.size()}, "node") + (inside.size() == 1 ? " is" : " are") +
        " in the set from the beginning: " + listed(inside, names);
    if (joining > 0)
        text += "; " + grouped(joining) + (joining == 1 ? " more joins" : " more join") +
                " as the first tokens can get there, the last before step " + grouped(last);
    return text + ".\n" + gates_of_cut(cut, problem);
}

/// Why a flow over time is enough, in words.
std::string explain_flow(const FlowOverTime& flow, const Problem& problem) {
    if (flow.windows.empty()) return "";
    const auto faster = [](const Window& a, const Window& b) {
        return static_cast<Int128>(a.tokens) * static_cast<Int128>(b.steps) <
               static_cast<Int128>(b.tokens) * static_cast<Int128>(a.steps);
    };
    const auto shorter = [](const Window& a, const Window& b) { return a.steps < b.steps; };
    const auto& windows = flow.windows;
    const auto [slowest, fastest] = std::minmax_element(windows.begin(), windows.end(), faster);
    const auto [shortest, longest] = std::minmax_element(windows.begin(), windows.end(), shorter);
    const auto rate = [](const Window& window) {
        return fmt::format("{:.3g}",
                           static_cast<double>(window.tokens) / static_cast<double>(window.steps));
    };
    const std::string steps = counted(std::uint64_t{flow.steps}, "step");
    const std::string slow = rate(*slowest);
    const std::string fast = rate(*fastest);
    return steps + (flow.steps == 1 ? " is" : " are") + " enough: in " +
           counted(std::uint64_t{windows.size()}, "window") +
           ", in each of which a node sends tokens over one link at a constant rate (" +
           (slow == fast ? fast : slow + " to " + fast) + " a step, for " +
           (shortest->steps == longest->steps ? std::string()
                                              : grouped(std::uint64_t{shortest->steps}) + " to ") +
           counted(std::uint64_t{longest->steps}, "step") +
           ").\n  A checker that knows nothing of the search has added up all rates as "
           "fractions: " +
           (problem.all_ports ? "no link ever carries more than one token a step in a direction"
                              : "no node ever sends or receives more than its ports allow") +
           (problem.capacities.empty() ? "" : ", none holds more than its capacity after a step") +
           ", every node holds what it sends when a step begins, all tokens have arrived after " +
           steps +
           ", and all nodes end in the target.\n  All these limits are whole numbers, so whole "
           "tokens can do the same in as many steps: where a flow in fractions exists, one in "
           "whole numbers does.\n";
}

/// A node's number if nodes are numbered, otherwise its name if names are unique.
class NodeJson {
  public:
    explicit NodeJson(const AnyNetwork& network) : network_(network) {
        std::unordered_set<std::string> seen;
        named_ = !network.labels().names.empty();
        for (const std::string& name : network.labels().names)
            named_ = seen.insert(name).second && named_;
    }
    [[nodiscard]] Json operator()(NodeId node) const {
        if (named_) return network_.name(node);
        return std::uint64_t{node} +
               (network_.labels().names.empty() ? network_.labels().first_number : 0);
    }
    [[nodiscard]] Json all(std::span<const NodeId> nodes) const {
        Json list = Json::array();
        for (const NodeId node : nodes)
            list.push_back((*this)(node));
        return list;
    }

  private:
    const AnyNetwork& network_;
    bool named_ = false;
};

/// Longer lists of windows or moves are left out.
constexpr std::size_t windows_listed_max = 20'000'000;

/// Tokens that may leave a cut in its last step.
Tokens leaving_last(const CutOverTime& cut, const Problem& problem) {
    if (cut.steps == 0) return 0;
    Tokens sum = 0;
    const network::Network& network = *problem.network;
    for (NodeId node = 0; node < cut.nodes.size(); ++node) {
        const CutOverTime::Node& at = cut.nodes[node];
        const Tokens ports = problem.ports_of(node);
        if (at.send_first < cut.steps && at.send_end == cut.steps) sum += ports;
        if (at.receive_first < cut.steps && at.receive_end == cut.steps) sum += ports;
        if (!problem.all_ports || ports == 0 || at.inside >= cut.steps) continue;
        for (Port port = 0; port < network.degree(node); ++port) {
            const NodeId other = network.neighbour(node, port);
            if (problem.ports_of(other) > 0 && cut.nodes[other].inside > cut.steps) ++sum;
        }
    }
    return sum;
}

Json cut_json(const CutOverTime& cut, const Problem& problem, const NodeJson& node) {
    Json object;
    object["kind"] = "growing-cut";
    object["steps"] = cut.steps;
    object["nodes"] = Json::array();
    object["surplus"] = cut.surplus;
    object["matching"] = leaving_last(cut, problem);
    object["crossings"] = cut.crossings;
    object["zones"] = Json::array();
    Json last = Json::array();
    Json joins = Json::array();
    Json senders = Json::array();
    Json receivers = Json::array();
    for (NodeId v = 0; v < cut.nodes.size(); ++v) {
        const CutOverTime::Node& at = cut.nodes[v];
        if (at.inside == 0) object["nodes"].push_back(node(v));
        if (at.inside <= cut.steps) last.push_back(node(v));
        if (at.inside > 0 && at.inside <= cut.steps)
            joins.push_back(Json::array({node(v), at.inside}));
        if (at.send_first < at.send_end) senders.push_back({node(v), at.send_first, at.send_end});
        if (at.receive_first < at.receive_end)
            receivers.push_back({node(v), at.receive_first, at.receive_end});
    }
    object["last_zone"] = std::move(last);
    object["joins"] = std::move(joins);
    if (problem.all_ports) return object;
    object["send_gates"] = std::move(senders);
    object["receive_gates"] = std::move(receivers);
    return object;
}

Json certificate_json(const Certificate& certificate, const Problem& problem,
                      const NodeJson& node) {
    Json object;
    object["kind"] = certificate.is_static() ? "static-cut" : "layered-cut";
    object["steps"] = certificate.steps;
    object["nodes"] = node.all(certificate.zones.front().nodes);
    object["surplus"] = certificate.surplus;
    object["matching"] = leaving_a_step(problem, certificate.zones.front());
    object["crossings"] = certificate.crossings;
    Json zones = Json::array();
    for (const Zone& zone : certificate.zones) {
        Json one;
        one["first_step"] = zone.first;
        one["steps"] = zone.steps;
        one["nodes"] = node.all(zone.nodes);
        one["matching"] = leaving_a_step(problem, zone);
        one["senders"] = node.all(zone.senders);
        one["receivers"] = node.all(zone.receivers);
        if (!zone.dropped.empty()) one["dropped"] = node.all(zone.dropped);
        zones.push_back(std::move(one));
    }
    object["zones"] = std::move(zones);
    object["last_zone"] = node.all(certificate.last_zone);
    return object;
}

std::string target_text(const PlanWords& words, const Problem& problem) {
    if (!words.is_mean) return words.target;
    const Tokens nodes = static_cast<Tokens>(problem.loads.size());
    const Tokens tokens = load::total(problem.loads);
    const Tokens floor = floor_divide(tokens, nodes);
    const Tokens ceiling = ceil_divide(tokens, nodes);
    return words.target + "  (every node ends with " +
           (floor == ceiling ? counted(floor, "token")
                             : grouped(floor) + " or " + counted(ceiling, "token")) +
           ")";
}

std::string schedule_text(const Plan& plan, const PlanWords& words) {
    if (!words.schedule.empty() && !words.no_schedule) return "written to " + words.schedule;
    if (!plan.at_most) return "none was found";
    if (static_cast<std::uint64_t>(plan.exchanges) > optimum::moves_written_max)
        return "not written (more than " + grouped(optimum::moves_written_max) + " moves)";
    return words.no_schedule ? "not written (see below)" : "not written (use --schedule FILE.csv)";
}

std::string windows_text(const Plan& plan, const PlanWords& words) {
    std::string text =
        plan.flow ? grouped(std::uint64_t{plan.flow->windows.size()}) + ", " : std::string();
    if (words.windows.empty()) return text + "not written (use --windows FILE.json)";
    return text + (words.no_windows ? "not written (see below)" : "written to " + words.windows);
}

/// The exchanges, and what is known of the fewest.
std::string exchanges_text(const Plan& plan, const Problem& problem) {
    if (!plan.at_most) return "-";
    std::string text = grouped(plan.exchanges);
    if (plan.exchanges == plan.exchanges_fewest)
        return text + "  (no schedule of any length has fewer)";
    std::string known;
    const auto add = [&](const std::string& what) { known += (known.empty() ? "" : "; ") + what; };
    if (plan.exchanges_fewest_in_these_steps) add("the fewest in these steps");
    if (!plan.exchanges_open.empty())
        add("perhaps not the fewest in these steps: " + plan.exchanges_open);
    const NodeId large = optimum::PlanOptions().large_from;
    if (plan.exchanges_fewest)
        add(grouped(*plan.exchanges_fewest) + " in any number of steps");
    else if (problem.loads.size() >= large)
        add("the fewest in any number of steps are not sought from " +
            grouped(std::uint64_t{large}) + " nodes on");
    return known.empty() ? text : text + "  (" + known + ")";
}

}  // namespace

std::string plan_text(const Plan& plan, const Problem& problem, const AnyNetwork& named,
                      const PlanWords& words) {
    std::string steps;
    if (plan.exact()) {
        steps = grouped(plan.at_least) + "  (no schedule is shorter)";
    } else if (plan.at_most) {
        steps = fmt::format("between {} and {}", grouped(plan.at_least), grouped(*plan.at_most));
        if (!plan.open.empty()) steps += "  (" + plan.open + ")";
    } else {
        steps = "at least " + grouped(plan.at_least) + "  (" + plan.open + ")";
    }
    std::vector<std::pair<std::string, std::string>> lines = {
        {"target", target_text(words, problem)},
        {"steps", steps},
        {"Theorem 1", "at least " + grouped(plan.bound)},
        {"exchanges", exchanges_text(plan, problem)},
        {"tokens to move", "at least " + grouped(plan.moves)},
        {"schedule", schedule_text(plan, words)}};
    if (plan.flow || !words.windows.empty())
        lines.emplace_back("windows", windows_text(plan, words));
    const Tokens tokens = load::total(problem.loads);
    const std::string& origin = named.labels().origin;
    const std::size_t slash = origin.rfind('/');
    std::string all = fmt::format("{}: {}, {}; {}, initial discrepancy {}\n\n",
                                  slash == std::string::npos ? origin : origin.substr(slash + 1),
                                  counted(std::uint64_t{named.node_count()}, "node"),
                                  counted(named.link_count(), "link"), counted(tokens, "token"),
                                  grouped(load::discrepancy(problem.loads)));
    for (const auto& [name, value] : lines)
        all += named_line(name, value, words.text_width);
    if (words.explain) all += '\n' + wrapped(explain(plan, problem, named), words.text_width, 2);
    return all;
}

std::string explain(const Plan& plan, const Problem& problem, const AnyNetwork& names) {
    if (plan.at_least == 0)
        return plan.exact() ? "Nothing needs to move.\n"
                            : "Nothing is proved: " + plan.open + ".\n";
    std::string text =
        "No schedule is shorter than " + counted(std::uint64_t{plan.at_least}, "step") + ": ";
    if (const auto& flight = plan.limited_by_flight)
        return text + "tokens must be under way for " + grouped(flight->steps_under_way) +
               " steps at least, taken together, and at most " +
               counted(flight->in_flight_max, "token") + " may be under way at once.\n";
    if (plan.cut) {
        const auto certificate =
            problem.all_ports ? std::nullopt : optimum::static_certificate(*plan.cut);
        text += certificate ? explain_static(*certificate, problem, names)
                            : explain_cut(*plan.cut, problem, names);
    } else {
        text += plan.certificate.is_static() ? explain_static(plan.certificate, problem, names)
                                             : explain_layers(plan.certificate, problem, names);
    }
    if (plan.flow) text += explain_flow(*plan.flow, problem);
    if (!plan.exact() && !plan.open.empty()) text += "The bounds do not meet: " + plan.open + ".\n";
    return text;
}

std::string plan_json(const Plan& plan, const Problem& problem, const AnyNetwork& names,
                      const std::string& target) {
    const NodeJson node(names);
    Json object = object_of_schema("equipoise-plan");
    object["network"] = {{"name", names.labels().origin},
                         {"nodes", names.node_count()},
                         {"links", names.link_count()}};
    object["tokens"] = load::total(problem.loads);
    object["target"] = target;
    object["bound"] = plan.bound;
    object["exact"] = plan.exact();
    if (plan.exact()) {
        object["steps"] = plan.at_least;
    } else {
        object["steps_at_least"] = plan.at_least;
        object["steps_at_most"] = plan.at_most ? Json(*plan.at_most) : Json(nullptr);
    }
    if (plan.at_most) object["exchanges"] = plan.exchanges;
    if (plan.exchanges_fewest) object["exchanges_fewest"] = *plan.exchanges_fewest;
    object["exchanges_fewest_in_these_steps"] = plan.exchanges_fewest_in_these_steps;
    object["moves"] = plan.moves;
    if (plan.cut) {
        const auto certificate =
            problem.all_ports ? std::nullopt : optimum::static_certificate(*plan.cut);
        object["certificate"] = certificate ? certificate_json(*certificate, problem, node)
                                            : cut_json(*plan.cut, problem, node);
    } else if (!plan.certificate.empty()) {
        object["certificate"] = certificate_json(plan.certificate, problem, node);
    }
    if (plan.flow) object["windows_count"] = plan.flow->windows.size();
    std::string text = json_text(object, 2);
    if (plan.schedule_written) {
        append_list(text, "schedule", plan.schedule.size(), [&](std::size_t i) {
            const Move& move = plan.schedule[i];
            return json_text(Json({move.step, node(move.from), node(move.to)}));
        });
    } else if (plan.flow && plan.flow->windows.size() <= windows_listed_max) {
        append_list(text, "windows", plan.flow->windows.size(), [&](std::size_t i) {
            const Window& window = plan.flow->windows[i];
            return json_text(Json(
                {node(window.from), node(window.to), window.first, window.steps, window.tokens}));
        });
    }
    return text + '\n';
}

void write_schedule_csv(const std::string& path, const Plan& plan, const AnyNetwork& names) {
    if (!plan.at_most) throw InputError("--schedule: there is none: " + plan.open);
    if (!plan.schedule_written)
        throw InputError("--schedule: the schedule has " + std::to_string(plan.exchanges) +
                         " moves, more than are written out one by one (" +
                         std::to_string(optimum::moves_written_max) +
                         ", or as many as half of --memory holds)");
    AtomicFile file(path);
    file.write("step,from,to\n");
    for (const Move& move : plan.schedule)
        file.write(std::to_string(move.step)
                       .append(",")
                       .append(csv_field(names.name(move.from)))
                       .append(",")
                       .append(csv_field(names.name(move.to)))
                       .append("\n"));
    file.commit();
}

}  // namespace equipoise::report
