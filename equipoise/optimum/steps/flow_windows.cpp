#include "equipoise/optimum/steps/flow_windows.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/network/concept.hpp"
#include "equipoise/optimum/steps/gate_limits.hpp"

namespace equipoise::optimum {

namespace {

/// A stream is made to begin at full rate at most this many nodes back.
constexpr int nodes_back_max = 2000;

}  // namespace

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
    // By node: the step before which everything that it is sent must have arrived.
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

/// The tokens that a node sends over a port.
void FlowWindows::add_bundles(NodeId from, Port port, std::vector<Bundle>& bundles) const {
    const Tokens tokens = flow_.sent(from, port);
    if (tokens <= 0) return;
    const Split& split = splits_[problem_.network->link(from, port)];
    if (split.turn == 0) {
        bundles.push_back({first_[from], end_[from], tokens});
        return;
    }
    if (split.early > 0) bundles.push_back({first_[from], split.turn, split.early});
    if (split.early < tokens) bundles.push_back({split.turn, end_[from], tokens - split.early});
}

void FlowWindows::merge(std::vector<Bundle>& bundles) {
    if (bundles.size() < 2) return;
    std::sort(bundles.begin(), bundles.end(), [](const Bundle& a, const Bundle& b) {
        return a.first != b.first ? a.first < b.first : a.end < b.end;
    });
    std::size_t kept = 0;
    for (std::size_t i = 1; i < bundles.size(); ++i) {
        if (bundles[i].first == bundles[kept].first && bundles[i].end == bundles[kept].end) {
            bundles[kept].tokens += bundles[i].tokens;
        } else {
            bundles[++kept] = bundles[i];
        }
    }
    bundles.resize(kept + 1);
}

void FlowWindows::gather_in(NodeId node) {
    const network::Network& network = *problem_.network;
    in_.clear();
    for (Port port = 0; port < network.degree(node); ++port) {
        if (flow_.sent(node, port) >= 0) continue;
        const NodeId from = network.neighbour(node, port);
        add_bundles(from, *network::port_to(network, from, node), in_);
    }
    merge(in_);
    moments_.clear();
    for (const Bundle& bundle : in_) {
        moments_.push_back(bundle.first);
        moments_.push_back(bundle.end);
    }
    std::sort(moments_.begin(), moments_.end());
    moments_.erase(std::unique(moments_.begin(), moments_.end()), moments_.end());
}

void FlowWindows::gather_out(NodeId node) {
    out_.clear();
    for (Port port = 0; port < problem_.network->degree(node); ++port)
        add_bundles(node, port, out_);
    merge(out_);
}

/// Whether the current node holds the tokens that it sends at a step.
bool FlowWindows::holds_before(NodeId node, Step step) {
    const auto gone = [](const Bundle& bundle, Step by) {
        return static_cast<Int128>(bundle.tokens) *
               static_cast<Int128>(std::min(by, bundle.end) - bundle.first);
    };
    sum_.clear(problem_.loads[node]);
    for (const Bundle& bundle : in_) {
        if (step <= bundle.first) break;
        sum_.add(gone(bundle, step), static_cast<Int128>(bundle.end - bundle.first));
    }
    for (const Bundle& bundle : out_) {
        if (step + 1 <= bundle.first) break;
        sum_.add(-gone(bundle, step + 1), static_cast<Int128>(bundle.end - bundle.first));
    }
    return sum_.not_negative();
}

bool FlowWindows::holds_always(NodeId node) {
    for (const Bundle& bundle : out_)
        if (!holds_before(node, bundle.end - 1) || !holds_before(node, bundle.first) ||
            (bundle.first > 0 && !holds_before(node, bundle.first - 1)))
            return false;
    return std::all_of(moments_.begin(), moments_.end(),
                       [&](Step moment) { return moment >= steps_ || holds_before(node, moment); });
}

/// Whether rates ever add up to more than `ports`.
bool FlowWindows::too_fast(const std::vector<Bundle>& bundles, Tokens ports) {
    for (const Bundle& at : bundles) {
        sum_.clear(ports);
        for (const Bundle& bundle : bundles) {
            if (bundle.first > at.first) break;
            if (bundle.end > at.first)
                sum_.add(-static_cast<Int128>(bundle.tokens),
                         static_cast<Int128>(bundle.end - bundle.first));
        }
        if (!sum_.not_negative()) return true;
    }
    return false;
}

/// Whether a node that sends `out` tokens in the steps [first, end) holds enough tokens in each of
/// them.
bool FlowWindows::holds_enough(NodeId node, Step first, Step end, Tokens out) {
    out_.assign(1, {first, end, out});
    if (!holds_before(node, end - 1) || !holds_before(node, first)) return false;
    return std::all_of(moments_.begin(), moments_.end(), [&](Step moment) {
        return moment <= first || moment >= end - 1 || holds_before(node, moment);
    });
}

/// Returns false if its inflow comes too late, however late the node begins.
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

bool FlowWindows::sends_in_time(NodeId node) const {
    const auto length = static_cast<Tokens>(end_[node] - first_[node]);
    if (!problem_.all_ports)
        return total(node, true) <= most_passing(problem_.ports_of(node), length);
    for (Port port = 0; port < problem_.network->degree(node); ++port)
        if (flow_.sent(node, port) > length) return false;
    return true;
}

/// Uses two phases for everything that a node sends, the second as full as possible.
bool FlowWindows::split_at(NodeId node, Step turn) {
    const network::Network& network = *problem_.network;
    const auto late = static_cast<Tokens>(end_[node] - turn);
    const Tokens out = total(node, true);
    const Tokens ports = problem_.ports_of(node);
    const Tokens early = problem_.all_ports ? 0 : out - most_passing(ports, late);
    Tokens left = early;
    Tokens most = 0;
    for (Port port = 0; port < network.degree(node); ++port) {
        const Tokens sent = flow_.sent(node, port);
        if (sent <= 0) continue;
        const Tokens share =
            problem_.all_ports
                ? std::max<Tokens>(0, sent - late)
                : std::min(left, static_cast<Tokens>((Int128{early} * sent + out - 1) / out));
        left -= share;
        most = std::max(most, share);
        splits_[network.link(node, port)] = {turn, share};
    }
    const Tokens length = problem_.all_ports ? most : ceil_divide(early, ports);
    const Step low = problem_.loads[node] > 0 ? 0 : in_.front().first + 1;
    if (length < 1 || low + static_cast<Step>(length) > turn) return false;
    const auto holds_from = [&](Step first) {
        first_[node] = first;
        gather_out(node);
        return holds_always(node);
    };
    Step high = turn - static_cast<Step>(length);
    if (!holds_from(high)) return false;
    for (Step open = low; open < high;) {
        const Step middle = open + (high - open) / 2;
        if (holds_from(middle)) {
            high = middle;
        } else {
            open = middle + 1;
        }
    }
    return holds_from(high);
}

/// Begins earlier than at a single rate, and more slowly until more arrives.
bool FlowWindows::begin_slowly(NodeId node) {
    constexpr std::size_t turns_max = 8;
    const Step first = first_[node];
    std::size_t tries = 0;
    for (std::size_t i = in_.size(); i-- > 1 && tries < turns_max;) {
        const Step turn = in_[i].first + 1;
        if (in_[i].first == in_[i - 1].first || turn >= end_[node]) continue;
        ++tries;
        if (split_at(node, turn)) return true;
    }
    first_[node] = first;
    for (Port port = 0; port < problem_.network->degree(node); ++port)
        if (flow_.sent(node, port) > 0) splits_[problem_.network->link(node, port)] = {};
    return false;
}

/// Lets nodes that send early to `node` send more before the last of its inflow begins.
bool FlowWindows::front_load(NodeId node) {
    const network::Network& network = *problem_.network;
    const Step turn = in_.back().first;
    const auto after = static_cast<Tokens>(steps_ - turn);
    // The tokens that must arrive before the turn, and those that do at a single rate.
    const Tokens wanted = total(node, false) - most_passing(problem_.ports_of(node), after);
    long double comes = 0;
    for (const Bundle& bundle : in_)
        if (bundle.first < turn)
            comes += static_cast<long double>(bundle.tokens) *
                     static_cast<long double>(std::min(turn, bundle.end) - bundle.first) /
                     static_cast<long double>(bundle.end - bundle.first);
    if (wanted < 1 || comes <= 0) return false;
    const long double more = static_cast<long double>(wanted) / comes;
    Tokens left = wanted;
    std::vector<LinkId> split_now;
    for (Port port = 0; port < network.degree(node); ++port) {
        const NodeId from = network.neighbour(node, port);
        const Tokens tokens = -flow_.sent(node, port);
        Split& split = splits_[network.link(node, port)];
        if (tokens <= 0 || first_[from] >= turn || turn >= end_[from] || split.turn != 0) continue;
        const auto at_one_rate = static_cast<long double>(tokens) *
                                 static_cast<long double>(turn - first_[from]) /
                                 static_cast<long double>(end_[from] - first_[from]);
        split.turn = turn;
        split.early = std::min({tokens, left, static_cast<Tokens>(at_one_rate * more + 1.0L)});
        gather_in(from);
        gather_out(from);
        if (too_fast(out_, problem_.ports_of(from)) || !holds_always(from)) {
            split = {};
            continue;
        }
        left -= split.early;
        split_now.push_back(network.link(node, port));
    }
    gather_in(node);
    if (!too_fast(in_, problem_.ports_of(node))) return true;
    for (const LinkId link : split_now)
        splits_[link] = {};
    gather_in(node);
    return false;
}

/// Lets the first inflow come at full rate until `turn` and, where ports are few, lets the rest
/// wait until then. Leaves everything unchanged if that fails.
bool FlowWindows::hurry(NodeId node, Step turn, int depth) {
    const network::Network& network = *problem_.network;
    Port earliest = network.degree(node);
    for (Port port = 0; port < network.degree(node); ++port)
        if (flow_.sent(node, port) < 0 &&
            (earliest == network.degree(node) ||
             first_[network.neighbour(node, port)] < first_[network.neighbour(node, earliest)]))
            earliest = port;
    if (depth == 0 || earliest == network.degree(node)) return false;
    const NodeId from = network.neighbour(node, earliest);
    if (turn <= first_[from] || turn >= end_[from]) return false;
    std::vector<std::pair<LinkId, Split>> before;
    const auto split = [&](Port port, Split next) {
        Split& now = splits_[network.link(node, port)];
        before.emplace_back(network.link(node, port), now);
        now = next;
    };
    const auto undo = [&] {
        for (std::size_t i = before.size(); i-- > 0;)
            splits_[before[i].first] = before[i].second;
        return false;
    };
    const Tokens rate = problem_.all_ports ? 1 : problem_.ports_of(from);
    split(earliest, {turn, std::min(-flow_.sent(node, earliest),
                                    most_passing(rate, static_cast<Tokens>(turn - first_[from])))});
    if (!problem_.all_ports)
        for (Port port = 0; port < network.degree(node); ++port)
            if (const NodeId other = network.neighbour(node, port);
                port != earliest && flow_.sent(node, port) < 0 && first_[other] < turn &&
                turn < end_[other]) {
                split(port, {turn, 0});
                if (!keeps_to_limits(other)) return undo();
            }
    if (keeps_to_limits(from)) return true;
    if (turn > 1 && hurry(from, turn - 1, depth - 1)) {
        if (keeps_to_limits(from)) return true;
    }
    return undo();
}

bool FlowWindows::keeps_to_limits(NodeId node) {
    const Tokens ports = problem_.ports_of(node);
    const network::Network& network = *problem_.network;
    gather_in(node);
    gather_out(node);
    if (!holds_always(node)) return false;
    if (!problem_.all_ports) return !too_fast(in_, ports) && !too_fast(out_, ports);
    std::vector<Bundle> bundles;
    for (Port port = 0; port < network.degree(node); ++port) {
        bundles.clear();
        add_bundles(node, port, bundles);
        if (too_fast(bundles, 1)) return false;
    }
    return true;
}

/// Whether windows were found in which the node sends everything in time. Expects gather_in().
bool FlowWindows::find_windows(NodeId node) {
    return sends_in_time(node) || (in_.size() > 1 && begin_slowly(node));
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
    const Tokens most = most_passing(problem_.ports_of(node), length);
    if (out <= most) return;
    const Tokens more_received = flow_.gives(node) ? 0 : total(node, false) - out;
    tight.push_back({node, most + more_received});
}

void FlowWindows::check_receiving(NodeId node, std::vector<TightGate>& tight) {
    const Tokens ports = problem_.ports_of(node);
    if (problem_.all_ports || in_.empty() || !too_fast(in_, ports) || front_load(node)) return;
    if (hurrying_ && in_.size() > 1) {
        const bool hurried = hurry(node, in_.back().first, nodes_back_max);
        gather_in(node);
        if (hurried && !too_fast(in_, ports)) return;
    }
    long double highest = 0;
    for (const Bundle& at : in_) {
        long double rate = 0;
        for (const Bundle& bundle : in_)
            if (bundle.first <= at.first && at.first < bundle.end)
                rate += static_cast<long double>(bundle.tokens) /
                        static_cast<long double>(bundle.end - bundle.first);
        highest = std::max(highest, rate);
    }
    const Tokens in = total(node, false);
    const auto most =
        std::min(in - 1, static_cast<Tokens>(static_cast<long double>(in) *
                                             static_cast<long double>(ports) / highest));
    tight.push_back({node, flow_.gives(node) ? most + total(node, true) - in : most});
}

/// Lets one token less pass a node whose tokens come too late.
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

std::optional<std::vector<TightGate>> FlowWindows::lay(const std::vector<NodeId>& order, Step steps,
                                                       bool hurrying, const std::stop_token& stop) {
    steps_ = steps;
    hurrying_ = hurrying;
    for (const NodeId node : order) {
        const Tokens in = total(node, false);
        const Tokens kept = problem_.loads[node] + in - total(node, true);
        // The tokens that arrive in the last step stay.
        early_[node] = in > 0 && kept < ceil_divide(in, static_cast<Tokens>(steps)) ? 1 : 0;
    }
    std::vector<TightGate> tight;
    constexpr int rounds_max = 4;
    for (int round = 0; round < rounds_max; ++round) {
        find_ends(order);
        splits_.assign(problem_.network->link_count(), {});
        tight.clear();
        bool anew = false;
        for (const NodeId node : order) {
            if (stop.stop_requested()) return std::nullopt;
            gather_in(node);
            check_receiving(node, tight);
            if (find_start(node)) {
                if (find_windows(node)) continue;
                const Step turn = in_.empty() ? 0 : in_.back().first;
                if (hurrying_ && hurry(node, turn, nodes_back_max)) {
                    gather_in(node);
                    if (find_start(node) && find_windows(node)) continue;
                }
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
    if (tight.empty())  // phases changed after a node was examined
        for (const NodeId node : order)
            if (!keeps_to_limits(node)) lower(node, tight);
    return tight;
}

FlowOverTime FlowWindows::flow_over_time() const {
    FlowOverTime over_time;
    over_time.steps = steps_;
    const network::Network& network = *problem_.network;
    std::vector<Bundle> bundles;
    for (NodeId node = 0; node < network.node_count(); ++node)
        for (Port port = 0; port < network.degree(node); ++port) {
            bundles.clear();
            add_bundles(node, port, bundles);
            for (const Bundle& bundle : bundles)
                over_time.windows.push_back({node, network.neighbour(node, port), bundle.first,
                                             bundle.end - bundle.first, bundle.tokens});
        }
    return over_time;
}

}  // namespace equipoise::optimum
