#include "equipoise/catalogue/studies/plan_moves.hpp"

#include <array>
#include <cctype>
#include <optional>
#include <string_view>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/base/table_reader.hpp"
#include "equipoise/network/node_names.hpp"

namespace equipoise::catalogue {

namespace {

/// The lines of a file of nodes and numbers.
class NodeTable {
  public:
    NodeTable(const std::string& path, const std::string& header)
        : source_(path), lines_(source_, {header}) {}

    bool next(std::vector<std::string>& fields) { return lines_.next(fields); }

    [[nodiscard]] NodeId node(const network::NodeNames& names, const std::string& name) const {
        const auto found = names.find(name);
        if (!found) source_.fail(names.expected(), name);
        return *found;
    }
    [[nodiscard]] std::uint64_t number(const std::string& text, std::uint64_t most,
                                       const std::string& expected) const {
        const auto found = whole_number(text, most);
        if (!found) source_.fail(expected, text);
        return *found;
    }
    [[nodiscard]] const LineSource& source() const { return source_; }

  private:
    LineSource source_;
    TableReader lines_;
};

/// The moves of a file, each with its line.
template <class Take>
void for_each_move(const std::string& path, const network::AnyNetwork& network, const Take& take) {
    const network::NodeNames names(network);
    NodeTable lines(path, "step,from,to");
    std::vector<std::string> fields;
    while (lines.next(fields)) {
        optimum::Move move;
        move.step = lines.number(fields[0], static_cast<std::uint64_t>(tokens_max),
                                 "the number of a step (0 or more)");
        move.from = lines.node(names, fields[1]);
        move.to = lines.node(names, fields[2]);
        if (!network::port_to(network, move.from, move.to))
            lines.source().fail("two nodes that a link joins", fields[1] + ',' + fields[2]);
        take(move, lines.source());
    }
}

/// Replaces numbers in a fault by names: "node 3" becomes "node" with the node's name.
std::string with_names(const std::string& fault, const network::AnyNetwork& network) {
    constexpr std::string_view word = "node ";
    std::string text;
    for (std::size_t at = 0; at < fault.size();) {
        if (fault.compare(at, word.size(), word) != 0) {
            text += fault[at++];
            continue;
        }
        at += word.size();
        std::size_t end = at;
        while (end < fault.size() && fault[end] >= '0' && fault[end] <= '9')
            ++end;
        const auto node = whole_number(std::string_view(fault).substr(at, end - at));
        text += word;
        text += node && *node < network.node_count() ? network.name(static_cast<NodeId>(*node))
                                                     : fault.substr(at, end - at);
        at = end;
    }
    return text;
}

}  // namespace

optimum::Schedule read_schedule(const std::string& path, const network::AnyNetwork& network) {
    optimum::Schedule schedule;
    for_each_move(path, network,
                  [&](const optimum::Move& move, const LineSource&) { schedule.push_back(move); });
    return schedule;
}

void carry_out(const std::string& path, const network::AnyNetwork& network, load::Loads& loads) {
    for_each_move(path, network, [&](const optimum::Move& move, const LineSource& source) {
        if (loads[move.from] == 0)
            source.fail("a node that still holds a token", network.name(move.from));
        --loads[move.from];
        ++loads[move.to];
    });
}

std::vector<Tokens> read_ports(const std::string& path, const network::AnyNetwork& network) {
    constexpr std::uint64_t most = 1'000'000'000;
    const network::NodeNames names(network);
    NodeTable lines(path, "node,in,out");
    std::vector<Tokens> ports(network.node_count(), 1);
    std::vector<bool> named(network.node_count(), false);
    std::vector<std::string> fields;
    while (lines.next(fields)) {
        const NodeId node = lines.node(names, fields[0]);
        if (named[node]) lines.source().fail("every node once", fields[0]);
        named[node] = true;
        const std::string expected = "tokens a step (0 to " + std::to_string(most) + ")";
        const std::uint64_t in = lines.number(fields[1], most, expected);
        const std::uint64_t out = lines.number(fields[2], most, expected);
        if (in != out)
            lines.source().fail(
                "in and out to be equal, since a node has the same number of ports for both",
                fields[1] + ',' + fields[2]);
        ports[node] = static_cast<Tokens>(in);
    }
    return ports;
}

JudgedSchedule judge_schedule(const PlanRequest& request, const network::AnyNetwork& network,
                              const std::string& path) {
    const PlannedInstance made = plan_problem(request, network);
    JudgedSchedule judged;
    judged.verdict = optimum::check_schedule(made.problem, read_schedule(path, network));
    optimum::ScheduleVerdict& verdict = judged.verdict;
    if (verdict.holds && request.in_flight > 0 &&
        verdict.in_flight_max > static_cast<Tokens>(request.in_flight)) {
        verdict.holds = false;
        verdict.fault = std::to_string(verdict.in_flight_max) + " tokens are under way at once";
    }
    if (!verdict.holds) judged.fault = path + ": " + printable(with_names(verdict.fault, network));
    return judged;
}

}  // namespace equipoise::catalogue
