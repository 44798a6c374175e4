#include "equipoise/model/run/churn.hpp"

#include <optional>
#include <string>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/spec.hpp"
#include "equipoise/base/spec_rows.hpp"
#include "equipoise/model/run/event_file.hpp"
#include "equipoise/model/run/sorted_path.hpp"
#include "equipoise/network/node_names.hpp"

namespace equipoise::model {

namespace {

class Random final : public Environment {
  public:
    Random(const Spec& spec, const network::AnyNetwork& network, std::uint64_t seed)
        : seed_(spec.whole("seed", 0, UINT64_MAX, seed)),
          nodes_(spec.real("nodes", 0, 1, 0)),
          links_(spec.real("links", 0, 1, 0)),
          back_(spec.real("back", 0, 1, 0.1)),
          nodes_up_(network.node_count(), true),
          links_up_(network.link_count(), true) {}

    [[nodiscard]] bool changes_network() const override { return true; }
    void begin(Step /*round_length*/) override {
        nodes_up_.assign(nodes_up_.size(), true);
        links_up_.assign(links_up_.size(), true);
    }
    void before_round(Step round, std::span<const Tokens> /*loads*/, Changes& changes) override {
        draw(round, 0, nodes_, nodes_up_, changes.nodes);
        draw(round, 1, links_, links_up_, changes.links);
    }

  private:
    /// `kind` keeps the streams of nodes and links apart.
    void draw(Step round, std::uint64_t kind, double leaves, std::vector<bool>& up,
              std::vector<Changes::Switch>& switches) const {
        for (std::uint64_t subject = 0; subject < up.size(); ++subject) {
            const double probability = up[subject] ? leaves : back_;
            if (probability == 0) continue;
            RandomStream random(seed_, Purpose::environment, 2 * subject + kind, churn_step(round));
            if (random.unit() >= probability) continue;
            up[subject] = !up[subject];
            switches.push_back({subject, up[subject]});
        }
    }
    /// Counts down from the largest number, so that arrivals with the same seed draw other words.
    [[nodiscard]] static Step churn_step(Step round) { return ~round; }

    std::uint64_t seed_;
    double nodes_;
    double links_;
    double back_;
    std::vector<bool> nodes_up_;
    std::vector<bool> links_up_;
};

/// The link between two nodes, if there is one.
std::optional<LinkId> link_between(const network::AnyNetwork& network, NodeId a, NodeId b) {
    return network.visit([&](const auto& graph) -> std::optional<LinkId> {
        for (Port port = 0; port < graph.degree(a); ++port)
            if (graph.neighbour(a, port) == b) return graph.link(a, port);
        return std::nullopt;
    });
}

class ReplayedChurn final : public Environment {
  public:
    ReplayedChurn(const std::string& path, const network::AnyNetwork& network)
        : events_(read(path, network)) {}

    [[nodiscard]] bool changes_network() const override { return true; }
    void begin(Step round_length) override {
        round_length_ = round_length;
        events_.restart();
    }
    void before_round(Step round, std::span<const Tokens> /*loads*/, Changes& changes) override {
        events_.take_until(round * round_length_, [&](const Event& event) {
            (event.is_node ? changes.nodes : changes.links).push_back(event.change);
        });
    }

  private:
    struct Event {
        bool is_node = true;
        Changes::Switch change;
    };

    static EventQueue<Event> read(const std::string& path, const network::AnyNetwork& network) {
        const network::NodeNames names(network);
        return read_events<Event>(
            path, "step,subject,id,state",
            [&](const std::vector<std::string>& fields, const LineSource& source) {
                const bool is_node = fields.size() == 4 && fields[1] == "node";
                const bool is_link = fields.size() == 5 && fields[1] == "link";
                if (!is_node && !is_link)
                    source.fail("STEP,node,NODE,up|down or STEP,link,NODE,NODE,up|down",
                                fields.size() > 1 ? fields[1] : fields[0]);
                const std::string& state = fields.back();
                if (state != "up" && state != "down") source.fail("up or down", state);
                const auto node_of = [&](const std::string& name) {
                    const auto node = names.find(name);
                    if (!node) source.fail(names.expected(), name);
                    return *node;
                };
                const NodeId node = node_of(fields[2]);
                if (is_node) return Event{true, {node, state == "up"}};
                const auto link = link_between(network, node, node_of(fields[3]));
                if (!link) source.fail("two nodes that a link joins", fields[2] + ',' + fields[3]);
                return Event{false, {*link, state == "up"}};
            });
    }

    EventQueue<Event> events_;
    Step round_length_ = 1;
};

std::unique_ptr<Environment> make_sorted_path(const Spec& spec, const network::AnyNetwork& network,
                                              std::uint64_t seed) {
    const std::string& kind = spec.positional();
    if (kind != "sorted-path")
        throw InputError("spec '" + spec.text() + "': expected adversary:sorted-path, found " +
                         (kind.empty() ? "nothing" : '"' + kind + '"'));
    return std::make_unique<SortedPath>(network,
                                        spec.real("smoothing", 0, SortedPath::smoothing_max, 0),
                                        spec.whole("seed", 0, UINT64_MAX, seed));
}

struct ChurnRow {
    SpecInfo info;
    std::vector<std::string_view> keys;
    std::unique_ptr<Environment> (*make)(const Spec& spec, const network::AnyNetwork& network,
                                         std::uint64_t seed);
    bool positional = false;  ///< whether a value without a key comes first
};

const std::vector<ChurnRow>& churn_table() {
    static const std::vector<ChurnRow> rows = {
        {{"random", "random:nodes=0.01,links=0.02,back=0.1",
          "probabilities per round: that a node leaves, that a link leaves, that "
          "either returns",
          true},
         {"nodes", "links", "back", "seed"},
         [](const Spec& spec, const network::AnyNetwork& network,
            std::uint64_t seed) -> std::unique_ptr<Environment> {
             return std::make_unique<Random>(spec, network, seed);
         }},
        {{"adversary", "adversary:sorted-path",
          "on complete:n=N of at most 1,000 nodes: in every round only the links of one path are "
          "up, on which the nodes stand in ascending order of load, after `smoothing` exchanges "
          "(default 0) of two random nodes",
          true, "adversary:sorted-path"},
         {"smoothing", "seed"},
         make_sorted_path,
         true},
        {{"replay", "replay:FILE.csv",
          "a CSV file with the header step,subject,id,state: lines STEP,node,NODE,up|down or "
          "STEP,link,NODE,NODE,up|down",
          false, "replay:FILE.csv"},
         {},
         nullptr},
    };
    return rows;
}

}  // namespace

const std::vector<SpecInfo>& churn_generators() {
    static const std::vector<SpecInfo> infos = infos_of(churn_table());
    return infos;
}

std::unique_ptr<Environment> make_churn(std::string_view text, const network::AnyNetwork& network,
                                        std::uint64_t seed) {
    constexpr std::string_view replay = "replay:";
    if (text.starts_with(replay))
        return std::make_unique<ReplayedChurn>(std::string(text.substr(replay.size())), network);
    const Spec spec = Spec::parse(text);
    const ChurnRow* const row = find_row(churn_table(), spec.name());
    if (row == nullptr || row->make == nullptr)
        throw InputError(unknown_row("kind of churn", text, churn_generators()));
    spec.expect_only(row->keys, row->positional);
    return row->make(spec, network, seed);
}

}  // namespace equipoise::model
