#include "equipoise/optimum/flow_windows.hpp"

#include <algorithm>

namespace equipoise::optimum {

FlowWindows::FlowWindows(const Problem& problem, const StaticFlow& flow)
    : problem_(problem),
      flow_(flow),
      first_(problem.loads.size(), 0),
      end_(problem.loads.size(), 0),
      early_(problem.loads.size(), 0) {}

Tokens FlowWindows::total(NodeId node, bool out) const {
    Tokens sum = 0;
    for (Port port = 0; port < problem_.network->degree(node); ++port) {
        const Tokens sent = out ? flow_.sent(node, port) : -flow_.sent(node, port);
        if (sent > 0) sum += sent;
    }
    return sum;
}

void FlowWindows::find_ends(const std::vector<NodeId>& order) {
    // By node: the step before which all that it is sent must have come.
    std::vector<Step> filled(order.size(), steps_);
    for (std::size_t i = order.size(); i-- > 0;) {
        const NodeId node = order[i];
        const network::Network& network = *problem_.network;
        Step end = steps_;
        bool sends = false;
        for (Port port = 0; port < network.degree(node); ++port) {
            if (flow_.sent(node, port) <= 0) continue;
            sends = true;
            end = std::min(end, filled[network.neighbour(node, port)]);
        }
        end_[node] = end;
        if (sends && early_[node] != 0) filled[node] = std::max<Step>(1, end - 1);
    }
}

void FlowWindows::gather(NodeId node) {
    const network::Network& network = *problem_.network;
    in_.clear();
    moments_.clear();
    for (Port port = 0; port < network.degree(node); ++port) {
        const Tokens tokens = -flow_.sent(node, port);
        if (tokens <= 0) continue;
        const NodeId from = network.neighbour(node, port);
        in_.push_back({first_[from], end_[from], tokens});
    }
    if (in_.size() > 1) {
        std::sort(in_.begin(), in_.end(), [](const Bundle& a, const Bundle& b) {
            return a.first != b.first ? a.first < b.first : a.end < b.end;
        });
        std::size_t kept = 0;
        for (std::size_t i = 1; i < in_.size(); ++i) {
            if (in_[i].first == in_[kept].first && in_[i].end == in_[kept].end) {
                in_[kept].tokens += in_[i].tokens;
            } else {
                in_[++kept] = in_[i];
            }
        }
        in_.resize(kept + 1);
    }
    for (const Bundle& bundle : in_) {
        moments_.push_back(bundle.first);
        moments_.push_back(bundle.end);
    }
    std::sort(moments_.begin(), moments_.end());
    moments_.erase(std::unique(moments_.begin(), moments_.end()), moments_.end());
}

/// Whether a node that sends `out` tokens in the steps [first, end) holds what each step sends.
bool FlowWindows::holds_enough(NodeId node, Step first, Step end, Tokens out) {
    const auto holds_before = [&](Step step) {
        sum_.clear(problem_.loads[node]);
        for (const Bundle& bundle : in_) {
            if (step <= bundle.first) break;
            const Step gone = std::min(step, bundle.end) - bundle.first;
            const Step all = bundle.end - bundle.first;
            sum_.add(static_cast<Int128>(bundle.tokens) * static_cast<Int128>(gone),
                     static_cast<Int128>(all));
        }
        sum_.add(-static_cast<Int128>(out) * static_cast<Int128>(step + 1 - first),
                 static_cast<Int128>(end - first));
        return sum_.not_negative();
    };
    if (!holds_before(end - 1) || !holds_before(first)) return false;
    return std::all_of(moments_.begin(), moments_.end(), [&](Step moment) {
        return moment <= first || moment >= end - 1 || holds_before(moment);
    });
}

/// Returns false if what comes comes too late, however late the node begins.
bool FlowWindows::find_start(NodeId node) {
    const Tokens out = total(node, true);
    const Step end = end_[node];
    first_[node] = 0;
    if (out == 0 || problem_.loads[node] >= out) return true;
    if (!holds_enough(node, end - 1, end, out)) {
        first_[node] = end - 1;
        return false;
    }
    // Not before the first token has come.
    Step low = problem_.loads[node] > 0 ? 0 : std::min(in_.front().first + 1, end - 1);
    if (holds_enough(node, low, end, out)) {
        first_[node] = low;
        return true;
    }
    Step high = end - 1;
    // Most nodes begin soon.
    for (Step stride = 1; low + stride < high; stride *= 2) {
        if (holds_enough(node, low + stride, end, out)) {
            high = low + stride;
            break;
        }
        low += stride;
    }
    while (low + 1 < high) {
        const Step middle = low + (high - low) / 2;
        (holds_enough(node, middle, end, out) ? high : low) = middle;
    }
    first_[node] = high;
    return true;
}

void FlowWindows::check_sending(NodeId node, std::vector<TightGate>& tight) const {
    const auto length = static_cast<Tokens>(end_[node] - first_[node]);
    const network::Network& network = *problem_.network;
    if (problem_.all_ports) {
        for (Port port = 0; port < network.degree(node); ++port)
            if (flow_.sent(node, port) > length)
                tight.push_back({2 * network.link(node, port) +
                                     (node < network.neighbour(node, port) ? 0U : 1U),
                                 length});
        return;
    }
    const Tokens out = total(node, true);
    const Tokens most = checked_multiply(length, problem_.ports_of(node));
    if (out <= most) return;
    const Tokens more_received = flow_.gives(node) ? 0 : total(node, false) - out;
    tight.push_back({node, most + more_received});
}

void FlowWindows::check_receiving(NodeId node, std::vector<TightGate>& tight) {
    if (problem_.all_ports || in_.empty()) return;
    long double highest = 0;
    bool fits = true;
    const Tokens ports = problem_.ports_of(node);
    for (const Bundle& at : in_) {
        sum_.clear(ports);
        long double rate = 0;
        for (const Bundle& bundle : in_) {
            if (bundle.first > at.first) break;
            if (bundle.end <= at.first) continue;
            sum_.add(-static_cast<Int128>(bundle.tokens),
                     static_cast<Int128>(bundle.end - bundle.first));
            rate += static_cast<long double>(bundle.tokens) /
                    static_cast<long double>(bundle.end - bundle.first);
        }
        highest = std::max(highest, rate);
        fits = fits && sum_.not_negative();
    }
    if (fits) return;
    const Tokens in = total(node, false);
    const auto most =
        std::min(in - 1, static_cast<Tokens>(static_cast<long double>(in) *
                                             static_cast<long double>(ports) / highest));
    tight.push_back({node, flow_.gives(node) ? most + total(node, true) - in : most});
}

/// Lets a token less pass a node whose tokens come too late.
void FlowWindows::lower(NodeId node, std::vector<TightGate>& tight) const {
    const network::Network& network = *problem_.network;
    if (!problem_.all_ports) {
        tight.push_back({node, total(node, flow_.gives(node)) - 1});
        return;
    }
    for (Port port = 0; port < network.degree(node); ++port)
        if (const Tokens sent = flow_.sent(node, port); sent > 0)
            tight.push_back(
                {2 * network.link(node, port) + (node < network.neighbour(node, port) ? 0U : 1U),
                 sent - 1});
}

std::vector<TightGate> FlowWindows::lay(const std::vector<NodeId>& order, Step steps) {
    steps_ = steps;
    for (const NodeId node : order) {
        const Tokens in = total(node, false);
        const Tokens kept = problem_.loads[node] + in - total(node, true);
        // What the last step brings stays.
        early_[node] = in > 0 && kept < ceil_divide(in, static_cast<Tokens>(steps)) ? 1 : 0;
    }
    std::vector<TightGate> tight;
    constexpr int rounds_max = 4;
    for (int round = 0; round < rounds_max; ++round) {
        find_ends(order);
        tight.clear();
        bool anew = false;
        for (const NodeId node : order) {
            gather(node);
            check_receiving(node, tight);
            if (find_start(node)) {
                check_sending(node, tight);
                continue;
            }
            if (early_[node] != 0 || round + 1 == rounds_max) {
                lower(node, tight);
            } else {
                early_[node] = 1;
                anew = true;
            }
        }
        if (!anew) break;
    }
    return tight;
}

FlowOverTime FlowWindows::flow_over_time() const {
    FlowOverTime over_time;
    over_time.steps = steps_;
    const network::Network& network = *problem_.network;
    for (NodeId node = 0; node < network.node_count(); ++node)
        for (Port port = 0; port < network.degree(node); ++port)
            if (const Tokens tokens = flow_.sent(node, port); tokens > 0)
                over_time.windows.push_back({node, network.neighbour(node, port), first_[node],
                                             end_[node] - first_[node], tokens});
    return over_time;
}

}  // namespace equipoise::optimum
