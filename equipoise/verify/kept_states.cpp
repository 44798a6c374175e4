#include "equipoise/verify/kept_states.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>

#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/ids.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/verify/certificate_parts.hpp"

namespace equipoise::verify {

namespace {

/// What is played for one state, in links, nodes and tokens: seconds.
constexpr std::uint64_t work_max = 200'000'000;

Tokens discrepancy(const std::vector<Tokens>& loads) {
    const auto [least, most] = std::minmax_element(loads.begin(), loads.end());
    return *most - *least;
}

/// A state of a rule, as its file lists it.
class KeptState {
  public:
    explicit KeptState(const JsonValue& object)
        : nodes_(object.at("nodes").whole<NodeId>(1, nodes_max)),
          loads_(by_node<Tokens>(object.at("loads"), nodes_, 0, load_max)),
          discrepancy_(object.at("discrepancy").whole<Tokens>()),
          period_(object.at("period").whole<Step>(1)) {}
    KeptState(const KeptState&) = delete;
    KeptState& operator=(const KeptState&) = delete;
    virtual ~KeptState() = default;

    /// "rotor-router, 6 nodes"
    [[nodiscard]] std::string name() const {
        return words() + ", " + std::to_string(nodes_) + " nodes";
    }

    void examine(const std::string& which, Report& report) {
        const Tokens found = discrepancy(loads_);
        report.checks.push_back({which + ", discrepancy", found == discrepancy_,
                                 "claimed " + std::to_string(discrepancy_) + ", the loads have " +
                                     std::to_string(found)});
        if (period_ > work_max / work_of_step()) {
            report.unchecked.push_back(which + ": that the state comes back after " +
                                       std::to_string(period_) + " steps (too many to play)");
            return;
        }
        const std::vector<Tokens> before = loads_;
        std::optional<Step> back;
        for (Step step = 0; step < period_ && !back; ++step) {
            play(step);
            if (loads_ == before && same_as_before(step + 1)) back = step + 1;
        }
        report.checks.push_back({which + ", period", back == period_,
                                 back ? "the state comes back after " + counted(*back, "step") +
                                            ", " + std::to_string(period_) + " were claimed"
                                      : "the state does not come back after " +
                                            std::to_string(period_) + " steps, as was claimed"});
    }

  protected:
    [[nodiscard]] NodeId nodes() const { return nodes_; }
    [[nodiscard]] std::vector<Tokens>& loads() { return loads_; }
    [[nodiscard]] Tokens total() const {
        Tokens sum = 0;
        for (const Tokens load : loads_)
            sum += load;
        return sum;
    }

  private:
    [[nodiscard]] virtual std::string words() const = 0;
    [[nodiscard]] virtual std::uint64_t work_of_step() const = 0;
    virtual void play(Step step) = 0;
    /// Whether everything but the loads is as it was before step 0.
    [[nodiscard]] virtual bool same_as_before(Step steps) const = 0;

    NodeId nodes_;
    std::vector<Tokens> loads_;
    Tokens discrepancy_;
    Step period_;
};

/// One token crosses each link of colour (step modulo colours) whose ends differ.
class Threshold1State : public KeptState {
  public:
    explicit Threshold1State(const JsonValue& object) : KeptState(object) {
        object.expect_keys({"algorithm", "network", "nodes", "links", "colours", "loads",
                            "discrepancy", "period"});
        links_ = links_of(object.at("links"), nodes());
        const JsonValue colours = object.at("colours");
        constexpr Colour colours_most = 100'000;
        colours_ = by_node<Colour>(colours, static_cast<NodeId>(links_.size()), 0, colours_most);
        for (const Colour colour : colours_)
            round_ = std::max(round_, colour + 1);
        expect_proper(colours);
    }

  private:
    void expect_proper(const JsonValue& colours) const {
        std::vector<std::pair<NodeId, Colour>> taken;
        for (std::size_t i = 0; i < links_.size(); ++i) {
            taken.emplace_back(links_[i].tail, colours_[i]);
            taken.emplace_back(links_[i].head, colours_[i]);
        }
        std::sort(taken.begin(), taken.end());
        const auto twice = std::adjacent_find(taken.begin(), taken.end());
        if (twice != taken.end())
            colours.fail("expected links of one colour that share no node, found two at node " +
                         std::to_string(twice->first));
    }
    [[nodiscard]] std::string words() const override { return "threshold-1"; }
    [[nodiscard]] std::uint64_t work_of_step() const override { return links_.size() + nodes(); }
    void play(Step step) override {
        for (std::size_t i = 0; i < links_.size(); ++i) {
            if (colours_[i] != step % round_) continue;
            Tokens& one = loads()[links_[i].tail];
            Tokens& other = loads()[links_[i].head];
            if (one == other) continue;
            Tokens& fuller = one > other ? one : other;
            Tokens& emptier = one > other ? other : one;
            --fuller;
            ++emptier;
        }
    }
    [[nodiscard]] bool same_as_before(Step steps) const override { return steps % round_ == 0; }

    std::vector<Ends> links_;
    std::vector<Colour> colours_;  ///< by link
    Colour round_ = 1;             ///< steps
};

/// A node deals its tokens out one by one, port after port, and goes on where it stopped. With
/// `star` it first keeps ceil(load / (ports + 1)) of them.
class RotorState : public KeptState {
  public:
    explicit RotorState(const JsonValue& object) : KeptState(object) {
        object.expect_keys({"algorithm", "network", "nodes", "star", "ports", "loads", "rotors",
                            "discrepancy", "period"});
        star_ = object.has("star") && object.at("star").truth();
        const JsonValue ports = object.at("ports");
        const std::string expected = "a list of the ports of " + std::to_string(nodes()) + " nodes";
        if (ports.size(expected) != nodes()) ports.refuse(expected);
        ports.for_each([&](const JsonValue& of_node) {
            auto& list = ports_.emplace_back();
            of_node.for_each(
                [&](const JsonValue& end) { list.push_back(end.whole<NodeId>(0, nodes() - 1)); });
            if (list.empty()) of_node.refuse("at least one port");
        });
        expect_links(ports);
        const JsonValue rotors = object.at("rotors");
        rotors_ = by_node<std::size_t>(rotors, nodes(), 0, nodes_max);
        for (NodeId node = 0; node < nodes(); ++node)
            if (rotors_[node] >= ports_[node].size())
                rotors.at(node).refuse("a port of node " + std::to_string(node));
        before_ = rotors_;
    }

  private:
    /// A port that leads to another node has one that leads back.
    void expect_links(const JsonValue& ports) const {
        std::vector<std::pair<NodeId, NodeId>> forth;
        std::vector<std::pair<NodeId, NodeId>> back;
        for (NodeId node = 0; node < nodes(); ++node)
            for (const NodeId end : ports_[node]) {
                forth.emplace_back(node, end);
                back.emplace_back(end, node);
            }
        std::sort(forth.begin(), forth.end());
        std::sort(back.begin(), back.end());
        if (forth != back) ports.fail("expected ports that lead back as well, found one way ones");
    }
    [[nodiscard]] std::string words() const override {
        return star_ ? "rotor-router, star" : "rotor-router";
    }
    [[nodiscard]] std::uint64_t work_of_step() const override {
        return static_cast<std::uint64_t>(total()) + nodes();
    }
    void play(Step /*step*/) override {
        std::vector<Tokens> next(nodes(), 0);
        for (NodeId node = 0; node < nodes(); ++node) {
            const auto places = static_cast<Tokens>(ports_[node].size()) + 1;
            const Tokens kept = star_ ? ceil_divide(loads()[node], places) : 0;
            next[node] += kept;
            for (Tokens token = kept; token < loads()[node]; ++token) {
                ++next[ports_[node][rotors_[node]]];
                rotors_[node] = (rotors_[node] + 1) % ports_[node].size();
            }
        }
        loads() = std::move(next);
    }
    [[nodiscard]] bool same_as_before(Step /*steps*/) const override { return rotors_ == before_; }

    bool star_ = false;
    std::vector<std::vector<NodeId>> ports_;  ///< where they lead; an own place to the node itself
    std::vector<std::size_t> rotors_;         ///< the port that gets the next token
    std::vector<std::size_t> before_;
};

/// A node sends floor(load / divisor) tokens over each link, or with `nearest` the whole number
/// nearest to it, halves rounded up.
class SendState : public KeptState {
  public:
    SendState(const JsonValue& object, bool nearest) : KeptState(object), nearest_(nearest) {
        object.expect_keys({"algorithm", "network", "nodes", "links", "divisor", "loads",
                            "discrepancy", "period"});
        links_ = links_of(object.at("links"), nodes());
        divisor_ = object.at("divisor").whole<Tokens>(1, load_max);
    }

  private:
    [[nodiscard]] std::string words() const override {
        return nearest_ ? "send-round" : "send-floor";
    }
    [[nodiscard]] std::uint64_t work_of_step() const override { return links_.size() + nodes(); }
    void play(Step /*step*/) override {
        std::vector<Tokens> each;
        for (const Tokens load : loads())
            each.push_back(nearest_ ? floor_divide(2 * load + divisor_, 2 * divisor_)
                                    : floor_divide(load, divisor_));
        for (const Ends& link : links_) {
            loads()[link.tail] += each[link.head] - each[link.tail];
            loads()[link.head] += each[link.tail] - each[link.head];
        }
    }
    [[nodiscard]] bool same_as_before(Step /*steps*/) const override { return true; }

    bool nearest_;
    std::vector<Ends> links_;
    Tokens divisor_ = 1;
};

void examine_state(const JsonValue& state, std::size_t number, Report& report) {
    const JsonValue algorithm = state.at("algorithm");
    const auto examine = [&](auto&& kept) {
        const std::string network =
            state.has("network") ? " (" + state.at("network").text() + ")" : std::string();
        kept.examine("state " + std::to_string(number) + ", " + kept.name() + network, report);
    };
    if (algorithm.text() == "threshold-1")
        examine(Threshold1State(state));
    else if (algorithm.text() == "rotor-router")
        examine(RotorState(state));
    else if (algorithm.text() == "send-floor" || algorithm.text() == "send-round")
        examine(SendState(state, algorithm.text() == "send-round"));
    else
        algorithm.refuse("threshold-1, rotor-router, send-floor or send-round");
}

}  // namespace

bool is_kept_text(std::string_view text) {
    return names_schema(text, "equipoise-kept");
}

Report verify_kept(const std::string& text, const std::string& origin) {
    return examine_list(text, origin, "equipoise-kept", "states", examine_state);
}

}  // namespace equipoise::verify
