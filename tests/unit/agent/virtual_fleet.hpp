#pragma once
// A fleet whose servers, network and time are made up: cores exchange messages that may be lost,
// repeated, delayed and reordered, and jobs move between queues that workers take from.

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <queue>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/agent/core.hpp"
#include "equipoise/base/random.hpp"

namespace equipoise::agent {

inline constexpr Micros second = 1'000'000;

struct VirtualNetwork {
    std::uint64_t loss = 0;     ///< messages lost, of 1000
    std::uint64_t doubled = 0;  ///< messages doubled, of 1000
    Micros delay_max = 2'000;
};

class VirtualFleet {
  public:
    VirtualFleet(std::size_t sites, const std::vector<std::pair<std::size_t, std::size_t>>& links,
                 VirtualNetwork network, std::uint64_t seed, CoreOptions options = {})
        : network_(network), options_(options), random_(seed, Purpose::sampling), sites_(sites) {
        for (const auto& [one, other] : links) {
            sites_[one].ports.push_back({other, sites_[other].ports.size()});
            sites_[other].ports.push_back({one, sites_[one].ports.size() - 1});
        }
        for (std::size_t at = 0; at < sites; ++at)
            begin(at);
    }

    [[nodiscard]] std::size_t size() const { return sites_.size(); }
    [[nodiscard]] Core& core(std::size_t at) { return *sites_[at].core; }
    [[nodiscard]] Micros now() const { return now_; }
    [[nodiscard]] std::uint64_t messages() const { return messages_; }

    /// What was recorded at a site, whose name is its number.
    [[nodiscard]] const SiteRecord& record(std::size_t at) const { return sites_[at].record; }

    void put(std::size_t at, Tokens jobs) { sites_[at].waiting += jobs; }
    /// A worker takes a job if there is one that the agent does not hold.
    bool work(std::size_t at) {
        if (sites_[at].waiting == 0) return false;
        --sites_[at].waiting;
        ++worked_;
        return true;
    }
    /// The agent is killed, and another one begins; what it held returns to the queue, what it
    /// carried arrives.
    void kill(std::size_t at) {
        sites_[at].waiting += sites_[at].core->held();
        begin(at);
    }
    /// What hostile neighbours may send.
    void inject(std::size_t at, Port port, const std::string& text) {
        core(at).come(port, text, now_);
        follow(at);
    }

    void run(Micros time) {
        for (const Micros until = now_ + time; now_ < until;)
            step(until);
    }

    /// Jobs in queues, held or carried.
    [[nodiscard]] Tokens jobs() const {
        Tokens sum = worked_;
        for (const Site& site : sites_)
            sum += site.waiting + site.core->held() + site.carried;
        return sum;
    }
    [[nodiscard]] Tokens at(std::size_t site) const {
        return sites_[site].waiting + sites_[site].core->held();
    }
    /// The largest difference of neighbours.
    [[nodiscard]] Tokens steepest() const {
        Tokens most = 0;
        for (std::size_t site = 0; site < sites_.size(); ++site)
            for (const End& end : sites_[site].ports)
                most = std::max(most, at(site) - at(end.site));
        return most;
    }

  private:
    struct End {
        std::size_t site = 0;
        std::size_t port = 0;
    };
    struct Site : Core::Actions {
        VirtualFleet* fleet = nullptr;
        std::size_t number = 0;
        unsigned life = 0;
        std::vector<End> ports;
        std::unique_ptr<Core> core;
        Tokens waiting = 0;
        Tokens carried = 0;
        Micros look_due = 0;
        SiteRecord record;
        Recorder recorder{[this](const SiteEvent& event) { add(event); }};
        void add(SiteEvent event) {
            if (event.begun) {
                SiteBegin begin = *event.begun;
                begin.site = std::to_string(number);
                for (std::size_t port = 0; port < ports.size(); ++port)
                    begin.neighbours[port] = std::to_string(ports[port].site);
                event.begun = std::make_shared<const SiteBegin>(begin);
            }
            record.events.push_back(event);
        }
        void post(Port port, const std::string& text) override { fleet->send(number, port, text); }
    };
    struct Event {
        Micros time = 0;
        std::uint64_t number = 0;
        std::size_t site = 0;
        Port port = 0;
        Tokens jobs = 0;  ///< that arrive from `from`; 0: a message
        std::size_t from = 0;
        unsigned life = 0;
        std::string text;
        bool operator>(const Event& other) const {
            return std::pair(time, number) > std::pair(other.time, other.number);
        }
    };

    void begin(std::size_t at) {
        Site& site = sites_[at];
        site.fleet = this;
        site.number = at;
        ++site.life;
        std::vector<model::LinkEnd> ends;
        ends.reserve(site.ports.size());
        for (const End& end : site.ports)
            ends.push_back(end.site < at ? model::LinkEnd::head : model::LinkEnd::tail);
        CoreOptions options = options_;
        options.seed = random_();
        options.recorder = &site.recorder;
        site.record.file = std::to_string(at);
        site.core = std::make_unique<Core>(options, ends, site, now_);
        site.look_due = now_;
    }
    void send(std::size_t from, Port port, const std::string& text) {
        ++messages_;
        if (random_.below(1000) < network_.loss) return;
        const End& end = sites_[from].ports[port];
        const unsigned copies = random_.below(1000) < network_.doubled ? 2 : 1;
        for (unsigned copy = 0; copy < copies; ++copy)
            events_.push({now_ + 1 + random_.below(network_.delay_max), ++numbers_, end.site,
                          static_cast<Port>(end.port), 0, from, 0, text});
    }
    /// What an agent does after each event: takes what is wanted, carries what is owed.
    void follow(std::size_t at) {
        Site& site = sites_[at];
        const Tokens taken = std::min(site.core->wanted(), site.waiting);
        if (taken > 0) {
            site.waiting -= taken;
            site.core->hold(taken, now_);
        }
        for (Port port = 0; port < site.ports.size(); ++port) {
            const Tokens jobs = site.core->carry(port, 64);
            if (jobs == 0) continue;
            site.carried += jobs;
            events_.push({now_ + 1 + random_.below(2 * network_.delay_max),
                          ++numbers_,
                          site.ports[port].site,
                          port,
                          jobs,
                          at,
                          site.life,
                          {}});
        }
        if (site.core->wanted() > 0 && site.waiting == 0 && site.core->offered() == 0)
            site.core->withdraw_owed();
    }
    void step(Micros until) {
        Micros next = until;
        for (const Site& site : sites_)
            next = std::min({next, site.core->due(), site.look_due});
        if (!events_.empty()) next = std::min(next, events_.top().time);
        now_ = std::max(next, now_ + 1);
        while (!events_.empty() && events_.top().time <= now_) {
            const Event event = events_.top();
            events_.pop();
            arrive(event);
        }
        for (std::size_t at = 0; at < sites_.size(); ++at) {
            Site& site = sites_[at];
            if (site.look_due <= now_) {
                site.core->see({site.waiting, 0}, now_, now_);
                site.look_due =
                    now_ + std::clamp<Micros>(25 * site.core->tick(), 50'000, 1'000'000);
            }
            if (site.core->due() <= now_) site.core->pass(now_);
            follow(at);
        }
    }
    void arrive(const Event& event) {
        if (event.jobs == 0) {
            core(event.site).come(event.port, event.text, now_);
            return follow(event.site);
        }
        Site& from = sites_[event.from];
        sites_[event.site].waiting += event.jobs;
        from.carried -= event.jobs;
        if (from.life == event.life) from.core->settle(event.port, event.jobs, now_);
    }

    VirtualNetwork network_;
    CoreOptions options_;
    RandomStream random_;
    std::vector<Site> sites_;
    std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
    Micros now_ = 1;
    std::uint64_t numbers_ = 0;
    std::uint64_t messages_ = 0;
    Tokens worked_ = 0;
};

[[nodiscard]] inline std::vector<std::pair<std::size_t, std::size_t>> torus_links(
    std::size_t side) {
    std::vector<std::pair<std::size_t, std::size_t>> links;
    for (std::size_t row = 0; row < side; ++row)
        for (std::size_t column = 0; column < side; ++column) {
            const std::size_t at = row * side + column;
            links.emplace_back(at, row * side + (column + 1) % side);
            links.emplace_back(at, ((row + 1) % side) * side + column);
        }
    return links;
}

}  // namespace equipoise::agent
