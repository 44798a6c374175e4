#include "equipoise/optimum/windows/windows.hpp"

#include <algorithm>
#include <cstddef>
#include <tuple>
#include <vector>

namespace equipoise::optimum {

FlowOverTime flow_of(std::span<const Move> moves, Step steps) {
    std::vector<Move> by_link(moves.begin(), moves.end());
    std::sort(by_link.begin(), by_link.end(), [](const Move& a, const Move& b) {
        return std::tie(a.from, a.to, a.step) < std::tie(b.from, b.to, b.step);
    });
    FlowOverTime flow{steps, {}};
    for (std::size_t i = 0; i < by_link.size();) {
        const Move& move = by_link[i];
        std::size_t end = i;
        while (end < by_link.size() && by_link[end] == move)
            ++end;
        const auto tokens = static_cast<Tokens>(end - i);
        i = end;
        Window* last = flow.windows.empty() ? nullptr : &flow.windows.back();
        const bool goes_on = last != nullptr && last->from == move.from && last->to == move.to &&
                             last->first + last->steps == move.step &&
                             last->tokens == tokens * static_cast<Tokens>(last->steps);
        if (goes_on) {
            ++last->steps;
            last->tokens += tokens;
        } else {
            flow.windows.push_back({move.from, move.to, move.step, 1, tokens});
        }
    }
    return flow;
}

std::optional<Certificate> static_certificate(const CutOverTime& cut) {
    Certificate certificate;
    certificate.steps = cut.steps;
    Zone zone{0, cut.steps, {}, {}, {}, {}};
    for (NodeId node = 0; node < cut.nodes.size(); ++node) {
        const CutOverTime::Node& at = cut.nodes[node];
        const bool inside = at.inside == 0;
        if (!inside && at.inside <= cut.steps) return std::nullopt;
        if (inside) zone.nodes.push_back(node);
        const bool sends = at.send_end > at.send_first;
        const bool receives = at.receive_end > at.receive_first;
        if (sends && (!inside || at.send_first != 0 || at.send_end != cut.steps))
            return std::nullopt;
        if (receives && (inside || at.receive_first != 0 || at.receive_end != cut.steps))
            return std::nullopt;
        if (sends) zone.senders.push_back(node);
        if (receives) zone.receivers.push_back(node);
    }
    certificate.last_zone = zone.nodes;
    certificate.zones.push_back(zone);
    certificate.surplus = cut.surplus;
    certificate.crossings = cut.crossings;
    return certificate;
}

}  // namespace equipoise::optimum
