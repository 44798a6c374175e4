#include "equipoise/model/run/arrivals.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_rows.hpp"
#include "equipoise/model/run/event_file.hpp"
#include "equipoise/model/run/matching_schedule.hpp"
#include "equipoise/network/node_names.hpp"

namespace equipoise::model {

namespace {

constexpr double rate_most = 1000;
constexpr auto tokens_most = static_cast<std::uint64_t>(tokens_max);

/// Draws a Poisson number: how many random factors in [0, 1) keep a product above e^-mean (Knuth).
/// Large means are split, so that e^-mean stays far above the smallest double.
Tokens poisson(RandomStream& random, double mean) {
    constexpr double portion_most = 64;
    Tokens sum = 0;
    while (mean > 0) {
        const double portion = std::min(mean, portion_most);
        mean -= portion;
        const double limit = std::exp(-portion);
        for (double product = random.unit(); product > limit; product *= random.unit())
            ++sum;
    }
    return sum;
}

/// Two random streams of one seed: one for each node, and one for each round of the whole world.
struct Draws {
    std::uint64_t seed;
    [[nodiscard]] RandomStream of_node(NodeId node, Step round) const {
        return {seed, Purpose::environment, std::uint64_t{node} + 1, 2 * round};
    }
    [[nodiscard]] RandomStream of_world(Step round) const {
        return {seed, Purpose::environment, 0, 2 * round};
    }
};

/// The consumption that all generated kinds share.
class Generated : public Environment {
  public:
    Generated(const Spec& spec, std::uint64_t seed)
        : draws_{spec.whole("seed", 0, UINT64_MAX, seed)},
          consumed_(spec.real("consume", 0, rate_most, 0)) {}

    void before_round(Step round, std::span<const Tokens> loads, Changes& changes) final {
        arrive(round, loads, changes);
        if (consumed_ == 0) return;
        for (NodeId node = 0; node < loads.size(); ++node) {
            RandomStream random(draws_.seed, Purpose::environment, std::uint64_t{node} + 1,
                                2 * round + 1);
            if (const Tokens tokens = poisson(random, consumed_); tokens > 0)
                changes.arrivals.push_back({node, -tokens});
        }
    }

  protected:
    virtual void arrive(Step round, std::span<const Tokens> loads, Changes& changes) = 0;
    [[nodiscard]] const Draws& draws() const { return draws_; }

  private:
    Draws draws_;
    double consumed_;
};

class Poisson final : public Generated {
  public:
    Poisson(const Spec& spec, std::uint64_t seed)
        : Generated(spec, seed), rate_(spec.real("rate", 0, rate_most)) {}

  private:
    void arrive(Step round, std::span<const Tokens> loads, Changes& changes) override {
        for (NodeId node = 0; node < loads.size(); ++node) {
            RandomStream random = draws().of_node(node, round);
            if (const Tokens tokens = poisson(random, rate_); tokens > 0)
                changes.arrivals.push_back({node, tokens});
        }
    }
    double rate_;
};

class Burst final : public Generated {
  public:
    Burst(const Spec& spec, const network::AnyNetwork& network, std::uint64_t seed)
        : Generated(spec, seed),
          every_(spec.whole("every", 1, UINT64_MAX)),
          tokens_(static_cast<Tokens>(spec.whole("tokens", 1, tokens_most))) {
        if (!spec.has("node")) return;
        const network::NodeNames names(network);
        node_ = names.find(spec.word("node", ""));
        if (!node_)
            throw InputError("spec '" + spec.text() + "': node=: expected " + names.expected() +
                             ", found \"" + spec.word("node", "") + '"');
    }

  private:
    void arrive(Step round, std::span<const Tokens> loads, Changes& changes) override {
        if (round % every_ != 0 || loads.empty()) return;
        const NodeId node =
            node_ ? *node_ : static_cast<NodeId>(draws().of_world(round).below(loads.size()));
        changes.arrivals.push_back({node, tokens_});
    }
    Step every_;
    Tokens tokens_;
    std::optional<NodeId> node_;
};

class Spike final : public Generated {
  public:
    Spike(const Spec& spec, std::uint64_t seed)
        : Generated(spec, seed),
          every_(spec.whole("every", 1, UINT64_MAX, 1)),
          tokens_(static_cast<Tokens>(spec.whole("tokens", 1, tokens_most))) {}

  private:
    void arrive(Step round, std::span<const Tokens> loads, Changes& changes) override {
        if (round % every_ != 0 || loads.empty()) return;
        const auto fullest = std::max_element(loads.begin(), loads.end()) - loads.begin();
        changes.arrivals.push_back({static_cast<NodeId>(fullest), tokens_});
    }
    Step every_;
    Tokens tokens_;
};

class AtLink final : public Generated {
  public:
    AtLink(const Spec& spec, const network::AnyNetwork& network, std::uint64_t seed)
        : Generated(spec, seed),
          link_(network, draws().seed),
          tokens_(static_cast<Tokens>(spec.whole("tokens", 1, tokens_most))) {}

  private:
    void arrive(Step round, std::span<const Tokens> /*loads*/, Changes& changes) override {
        link_.prepare(round);
        for (const Ends& ends : link_.links(round))
            changes.arrivals.push_back({ends.tail, tokens_});
    }
    RandomLink link_;  ///< the links of single-link schedules, if the seeds are the same
    Tokens tokens_;
};

class ReplayedArrivals final : public Environment {
  public:
    ReplayedArrivals(const std::string& path, const network::AnyNetwork& network)
        : events_(read(path, network)) {}

    void begin(Step round_length) override {
        round_length_ = round_length;
        events_.restart();
    }
    void before_round(Step round, std::span<const Tokens> /*loads*/, Changes& changes) override {
        events_.take_until(round * round_length_,
                           [&](const Changes::Delta& delta) { changes.arrivals.push_back(delta); });
    }

  private:
    static EventQueue<Changes::Delta> read(const std::string& path,
                                           const network::AnyNetwork& network) {
        const network::NodeNames names(network);
        return read_events<Changes::Delta>(
            path, "step,node,delta",
            [&](const std::vector<std::string>& fields, const LineSource& source) {
                if (fields.size() != 3)
                    source.fail("three fields, step,node,delta",
                                std::to_string(fields.size()) + " fields");
                const auto node = names.find(fields[1]);
                if (!node) source.fail(names.expected(), fields[1]);
                const bool negative = fields[2].starts_with('-');
                const auto size =
                    whole_number(std::string_view(fields[2]).substr(negative ? 1 : 0), tokens_most);
                if (!size) source.fail("a whole number of tokens (negative: consumed)", fields[2]);
                const auto tokens = static_cast<Tokens>(*size);
                return Changes::Delta{*node, negative ? -tokens : tokens};
            });
    }

    EventQueue<Changes::Delta> events_;
    Step round_length_ = 1;
};

struct ArrivalsRow {
    SpecInfo info;
    std::vector<std::string_view> keys;
    std::unique_ptr<Environment> (*make)(const Spec& spec, const network::AnyNetwork& network,
                                         std::uint64_t seed);
};

const std::vector<ArrivalsRow>& arrivals_table() {
    static const std::vector<ArrivalsRow> rows = {
        {{"poisson", "poisson:rate=0.5",
          "at every node, every round, a Poisson number of tokens with this mean", true},
         {"rate", "consume", "seed"},
         [](const Spec& spec, const network::AnyNetwork&, std::uint64_t seed)
             -> std::unique_ptr<Environment> { return std::make_unique<Poisson>(spec, seed); }},
        {{"burst", "burst:every=50,tokens=500",
          "500 tokens every 50 rounds at a random node, or at node=NAME", true},
         {"every", "tokens", "node", "consume", "seed"},
         [](const Spec& spec, const network::AnyNetwork& network,
            std::uint64_t seed) -> std::unique_ptr<Environment> {
             return std::make_unique<Burst>(spec, network, seed);
         }},
        {{"spike", "spike:tokens=10",
          "tokens at the fullest node, every round or every=ROUNDS: an adversary"},
         {"every", "tokens", "consume", "seed"},
         [](const Spec& spec, const network::AnyNetwork&, std::uint64_t seed)
             -> std::unique_ptr<Environment> { return std::make_unique<Spike>(spec, seed); }},
        {{"link", "link:tokens=1",
          "tokens at an end of a random link every round, the one that coin-averaging with "
          "matching=single averages",
          true},
         {"tokens", "consume", "seed"},
         [](const Spec& spec, const network::AnyNetwork& network,
            std::uint64_t seed) -> std::unique_ptr<Environment> {
             return std::make_unique<AtLink>(spec, network, seed);
         }},
        {{"replay", "replay:FILE.csv",
          "a CSV file with the header step,node,delta (negative: consumed)", false,
          "replay:FILE.csv"},
         {},
         nullptr},
    };
    return rows;
}

}  // namespace

const std::vector<SpecInfo>& arrival_generators() {
    static const std::vector<SpecInfo> infos = infos_of(arrivals_table());
    return infos;
}

std::unique_ptr<Environment> make_arrivals(std::string_view text,
                                           const network::AnyNetwork& network, std::uint64_t seed) {
    constexpr std::string_view replay = "replay:";
    if (text.starts_with(replay))
        return std::make_unique<ReplayedArrivals>(std::string(text.substr(replay.size())), network);
    const Spec spec = Spec::parse(text);
    const ArrivalsRow* const row = find_row(arrivals_table(), spec.name());
    if (row == nullptr || row->make == nullptr)
        throw InputError(unknown_row("kind of arrivals", text, arrival_generators()));
    spec.expect_only(row->keys);
    return row->make(spec, network, seed);
}

}  // namespace equipoise::model
