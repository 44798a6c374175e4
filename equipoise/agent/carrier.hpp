#pragma once
// Carries jobs to the stream of one neighbour.

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "equipoise/agent/core.hpp"
#include "equipoise/agent/nats.hpp"

namespace equipoise::agent {

// Problem: move a job from a stream to another server's so that it is never in neither.
// How: publish it there under an id made of where it came from; when the server says that it is
//   stored, the job may be acknowledged here. Until then it is held, and published again under the
//   same id, which the server takes once.
// A job that was certainly not stored can be kept after all; one whose answer was lost cannot: it
//   waits until the server answers.

/// Belongs to one thread; its connection reports to `put`, which carries tasks over to that thread.
class Carrier {
  public:
    enum class Outcome {
        stored,  ///< to be acknowledged
        kept,    ///< certainly not stored: to be given back
        lapsed,  ///< not sent, and no longer to be given back
    };
    /// A job that is done with.
    struct Done {
        Job job;
        unsigned generation = 0;
        Outcome outcome = Outcome::stored;
    };
    struct Counts {
        std::uint64_t stored = 0;
        std::uint64_t doubled = 0;  ///< of these, that were there already
        std::uint64_t refused = 0;
        /// Of those stored: were sent before, and the server may have forgotten them meanwhile.
        std::uint64_t perhaps_twice = 0;
        std::string why;  ///< the last one was refused
    };
    using Put = std::function<void(std::function<void()>)>;

    /// `id_head`: what the ids of jobs begin with, before a dot. `changed` is called when the
    /// connection is made or lost.
    Carrier(const Login& login, std::string id_head, Put put, std::function<void(bool)> changed);

    [[nodiscard]] Connection& connection() { return *connection_; }
    [[nodiscard]] bool is_there() const { return there_; }
    /// Takes a job; it goes at the next `work`. `begun`: an earlier agent may have published it.
    void add(Job job, unsigned generation, bool begun);
    /// Publishes what is due.
    void work(Micros now);
    /// The time to hold jobs has passed: those that were not sent are done with. Returns how many
    /// others there are: they may be stored, and are waited for.
    std::size_t lapse();
    /// The neighbour is not waited for any longer: all jobs are kept. Returns of how many it is not
    /// known whether they are stored.
    std::size_t abandon();
    /// When there is work again, if nothing comes before.
    [[nodiscard]] Micros due() const;
    /// What is done with since the last call.
    [[nodiscard]] std::vector<Done> done();
    [[nodiscard]] bool has_done() const { return !done_.empty(); }
    /// How many of those are stored at the neighbour.
    [[nodiscard]] std::size_t stored() const;
    [[nodiscard]] std::size_t size() const { return moving_.size(); }
    /// Jobs of which it is not known whether they are stored.
    [[nodiscard]] std::size_t in_doubt() const;
    [[nodiscard]] const Counts& counts() const { return counts_; }
    /// What was stored and refused since the last call.
    [[nodiscard]] Counts new_counts();
    /// All jobs that were added and not returned by `done` yet.
    void for_each(const std::function<void(const Job&)>& visit) const;

  private:
    struct Moving {
        Job job;
        unsigned generation = 0;
        bool in_doubt = false;     ///< was published, and the answer is missing
        bool again = false;        ///< was published more than once: a refusal then proves nothing
        bool forgettable = false;  ///< the server may have stored it and know its id no longer
        bool refused = false;
        Micros due = 0;  ///< when it is published, or let go if refused
        Micros since = 0;
    };

    static constexpr Micros answer_within = 6'000'000;
    static constexpr Micros revive_every = 1'000'000;
    static constexpr Micros retry_after = 500'000;
    /// A job that was refused counts as moved for so long: the program must not offer it at once
    /// again.
    static constexpr Micros refused_for = 5'000'000;
    /// A job that could not be sent for so long is kept.
    static constexpr Micros unsent_for = 10'000'000;
    /// Servers may forget ids that they took longer ago; by NATS's default they keep them for two
    /// minutes.
    static constexpr Micros remembered_for = 100'000'000;

    void change(bool there, const std::string& server_id);
    void hear(const Stored& stored);
    void refuse(Moving& moving, const std::string& why);
    /// A task for the carrier's thread, which does nothing once the carrier is gone.
    void put_task(std::function<void()> task);

    std::string id_head_;
    Put put_;
    bool there_ = false;
    std::string server_id_;  ///< that the server drew when it started last
    Micros revive_due_ = 0;
    Micros now_ = 0;
    std::map<JobOrigin, Moving> moving_;
    std::vector<Done> done_;
    Counts counts_;
    Counts told_;  ///< by `new_counts`
    std::shared_ptr<const bool> lives_ = std::make_shared<const bool>(true);
    std::unique_ptr<Connection> connection_;  ///< last: it calls the others
};

}  // namespace equipoise::agent
