// Messages per second of perfect token distribution on a random tree: written for the S4U actors of
// SimGrid, and run in this simulation, one after the other in one process. Both are measured in
// processor time.
//
// Protocol, states and messages are the same; both elect the root by the bit of the last link, and
// messages take one time unit. The actors are written in the way that is fastest for SimGrid: the
// network model of constant delays, a mailbox for each node with a known owner, blocking puts
// (detached ones stay in a list of their sender that is searched whenever a message ends), and
// without the reservations of channels that this simulation makes.
//
// Usage: perfect_tree_s4u [nodes]

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include <simgrid/s4u.hpp>

#include "benchmarks/random_tree.hpp"
#include "equipoise/engine/simulation/simulation.hpp"
#include "equipoise/network/network.hpp"
#include "equipoise/programs/perfect_tree.hpp"

namespace {

using namespace equipoise;
using benchmark::processor_seconds;
namespace s4u = simgrid::s4u;
using Kind = programs::PerfectTree::Kind;

/// A message, with the port of the receiver through which it comes.
struct Note {
    Tokens T = 0;
    std::int64_t N = 0;
    Port port = 0;
    Kind kind = Kind::local;
};

struct World {
    const network::Network& tree;
    std::vector<Tokens> loads;
    std::vector<s4u::Mailbox*> boxes;
    std::vector<std::vector<Port>> back;  ///< by node and port: the port of the other end
    std::uint64_t messages = 0;
};

/// One node as a sequential actor.
class Node {
  public:
    Node(World& world, NodeId self) : world_(&world), self_(self) {}

    void operator()() {
        degree_ = world_->tree.degree(self_);
        subtree_T_.resize(degree_);
        subtree_N_.resize(degree_);
        world_->boxes[self_]->set_receiver(s4u::Actor::self());
        collect();
        level();
        hand_out();
    }

  private:
    static constexpr Port nobody = ~Port{0};

    [[nodiscard]] Tokens& own() const { return world_->loads[self_]; }
    void send(Port port, Kind kind, Tokens T = 0, std::int64_t N = 0) {
        ++world_->messages;
        auto* const note = new Note{T, N, world_->back[self_][port], kind};
        world_->boxes[world_->tree.neighbour(self_, port)]->put(note, 1);
    }
    void take_in() {
        const std::unique_ptr<Note> note(world_->boxes[self_]->get<Note>());
        waiting_.push_back(*note);
    }
    /// The first message of a kind through a port, or through any; only the first message of each
    /// port is looked at.
    bool find(Port port, std::initializer_list<Kind> kinds, Note& found) {
        std::vector<Port> blocked;
        for (auto at = waiting_.begin(); at != waiting_.end(); ++at) {
            if (port != nobody && at->port != port) continue;
            if (std::find(blocked.begin(), blocked.end(), at->port) != blocked.end()) continue;
            if (std::find(kinds.begin(), kinds.end(), at->kind) == kinds.end()) {
                blocked.push_back(at->port);
                continue;
            }
            found = *at;
            waiting_.erase(at);
            return true;
        }
        return false;
    }
    Note wait(Port port, std::initializer_list<Kind> kinds) {
        Note found;
        while (!find(port, kinds, found))
            take_in();
        return found;
    }

    /// Phase 1.
    void collect() {
        T_ = own();
        N_ = 1;
        if (degree_ == 0) return;
        for (Port heard = 0; heard + 1 < degree_; ++heard)
            add(wait(nobody, {Kind::local}));
        parent_ = 0;
        while (subtree_N_[parent_] != 0)
            ++parent_;
        send(parent_, Kind::local, T_, N_);
        Port told = parent_;
        Note last = wait(parent_, {Kind::local, Kind::global});
        if (last.kind == Kind::local && self_ < world_->tree.neighbour(self_, parent_)) {
            add(last);
            parent_ = nobody;
            told = nobody;
        } else {
            if (last.kind == Kind::local) last = wait(parent_, {Kind::global});
            subtree_T_[parent_] = last.T - T_;
            subtree_N_[parent_] = last.N - N_;
            T_ = last.T;
            N_ = last.N;
        }
        for (Port port = 0; port < degree_; ++port)
            if (port != told) send(port, Kind::global, T_, N_);
    }
    void add(const Note& note) {
        T_ += note.T;
        N_ += note.N;
        subtree_T_[note.port] = note.T;
        subtree_N_[note.port] = note.N;
    }

    /// Phase 2.
    void level() {
        average_ = T_ / N_;
        for (Port port = 0; port < degree_; ++port) {
            if (port == parent_) continue;
            if (subtree_T_[port] > average_ * subtree_N_[port]) ++bigger_;
            if (subtree_T_[port] < average_ * subtree_N_[port]) ++smaller_;
        }
        Port next = 0;
        while (true) {
            const bool balanced = bigger_ == 0 && smaller_ == 0;
            if (balanced && (own() == average_ || parent_ == nobody)) return;
            if (balanced && own() > average_) {
                --own();
                ++subtree_T_[parent_];
                send(parent_, Kind::token_2);
            } else if (balanced) {
                add_token(wait(parent_, {Kind::token_2}));
            } else if (own() <= average_ || smaller_ == 0) {
                add_token(wait(nobody, {Kind::token_2}));
            } else {
                while (next == parent_ || subtree_T_[next] >= average_ * subtree_N_[next])
                    ++next;
                --own();
                if (++subtree_T_[next] == average_ * subtree_N_[next]) --smaller_;
                send(next, Kind::token_2);
                while (world_->boxes[self_]->ready())
                    take_in();
                Note found;
                while (find(nobody, {Kind::token_2}, found))
                    add_token(found);
            }
        }
    }
    void add_token(const Note& note) {
        ++own();
        --subtree_T_[note.port];
        if (note.port != parent_ && subtree_T_[note.port] == average_ * subtree_N_[note.port])
            --bigger_;
    }

    /// Phase 3.
    void hand_out() {
        if (parent_ != nobody) {
            while (wait(parent_, {Kind::token_3, Kind::finished}).kind != Kind::finished)
                ++own();
        }
        Port next = 0;
        for (; own() > average_ + 1; ++subtree_T_[next]) {
            while (next == parent_ || subtree_T_[next] >= (average_ + 1) * subtree_N_[next])
                ++next;
            --own();
            send(next, Kind::token_3);
        }
        for (Port port = 0; port < degree_; ++port)
            if (port != parent_) send(port, Kind::finished);
    }

    World* world_;
    NodeId self_;
    Port degree_ = 0;
    Port parent_ = nobody;
    Tokens T_ = 0;
    std::int64_t N_ = 0;
    Tokens average_ = 0;
    Port bigger_ = 0;
    Port smaller_ = 0;
    std::vector<Tokens> subtree_T_;
    std::vector<std::int64_t> subtree_N_;
    std::deque<Note> waiting_;
};

/// Runs the actors; returns messages per second.
double run_s4u(World& world, int argc, char** argv) {
    s4u::Engine engine(&argc, argv);
    s4u::Engine::set_config("network/model:Constant");
    s4u::NetZone* const zone = s4u::create_full_zone("zone");
    s4u::Host* const host = zone->create_host("host", 1e9);
    zone->seal();
    for (NodeId v = 0; v < world.tree.node_count(); ++v)
        world.boxes.push_back(s4u::Mailbox::by_name(std::to_string(v)));
    for (NodeId v = 0; v < world.tree.node_count(); ++v)
        s4u::Actor::create(std::to_string(v), host, Node(world, v));
    const double begin = processor_seconds();
    engine.run();
    return static_cast<double>(world.messages) / (processor_seconds() - begin);
}

bool perfect(const std::vector<Tokens>& loads) {
    const auto [low, high] = std::minmax_element(loads.begin(), loads.end());
    return *high - *low <= 1;
}

}  // namespace

int main(int argc, char** argv) {
    const auto nodes = static_cast<NodeId>(argc > 1 ? std::atoi(argv[1]) : 10'000);
    const auto [tree, loads] = benchmark::random_tree(nodes);

    World world{tree, loads, {}, {}, 0};
    for (NodeId v = 0; v < nodes; ++v) {
        std::vector<Port>& back = world.back.emplace_back();
        for (const NodeId neighbour : tree.neighbours(v)) {
            const auto there = tree.neighbours(neighbour);
            back.push_back(
                static_cast<Port>(std::find(there.begin(), there.end(), v) - there.begin()));
        }
    }

    const programs::PerfectTree program(programs::PerfectTree::RootChoice::link_end);
    double ours = 0;  // the best of three: the first one warms caches
    bool ends_well = true;
    std::uint64_t messages = 0;
    for (int round = 0; round < 3; ++round) {
        engine::Simulation simulation(program, tree, loads);
        const double begin = processor_seconds();
        const engine::SimulationOutcome outcome = simulation.run();
        messages = outcome.messages;
        ours = std::max(ours, static_cast<double>(messages) / (processor_seconds() - begin));
        ends_well = ends_well && perfect(outcome.loads);
    }
    const double theirs = run_s4u(world, argc, argv);
    ends_well = ends_well && perfect(world.loads);

    std::printf("perfect-tree on a random tree of %u nodes, messages take one time unit\n", nodes);
    std::printf("  SimGrid S4U: %llu messages, %.0f a second\n",
                static_cast<unsigned long long>(world.messages), theirs);
    std::printf("  here:        %llu messages, %.0f a second\n",
                static_cast<unsigned long long>(messages), ours);
    std::printf("  ratio %.1f (at least 30)\n", ours / theirs);
    return ends_well ? 0 : 1;
}
