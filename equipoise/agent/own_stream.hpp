#pragma once
// The site's own stream, and the jobs that the agent has taken from it.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "equipoise/agent/core.hpp"
#include "equipoise/agent/held_file.hpp"
#include "equipoise/agent/job_stream.hpp"
#include "equipoise/agent/nats.hpp"
#include "equipoise/agent/task_queue.hpp"
#include "equipoise/base/tokens.hpp"

namespace equipoise::agent {

// Problem: tell the core how many jobs there are, and hold as many as it wants, beside workers who
//   share the stream's consumer, on a server that may be killed and forget what it was told.
// How: one thread asks the server, all else happens on the agent's thread. Jobs that are held for
//   nothing go back as soon as workers want them, and after some seconds in any case: they are the
//   oldest ones. After a restart of the server, held jobs are given back and the latest
//   acknowledgements repeated, if the stream is the same.
// A job may be worked on from the moment at which it is given back, and when the consumer's time
//   for it has passed: it is then neither carried nor given back (again). So jobs go back only
//   once the file no longer names them, and after a pause that was too long all are forgotten.

/// Belongs to the agent's thread, to which `tasks` leads.
class OwnStream {
  public:
    struct Calls {
        std::function<Micros()> now;
        /// The server is there, but the stream cannot be used yet, for this reason.
        std::function<void(const std::string& why)> waits;
        /// The stream can be used; the first time and after every loss of the connection.
        std::function<void()> opened;
        /// Visits all jobs that are carried to neighbours.
        std::function<void(const std::function<void(const Job&)>&)> each_carried;
        /// The server has started again. It may have forgotten so many acknowledgements of jobs
        /// that are stored at neighbours, and that it had handed out so many jobs to this agent.
        std::function<void(std::size_t acknowledged, std::size_t perhaps_twice)> restarted;
        /// An agent before this one had begun to carry the job to this neighbour.
        std::function<void(const std::string& to, const Job&)> resume;
        /// Jobs may be held no longer: so many are forgotten, and what is carried must be, too.
        /// Beside them are `stored` ones that are at neighbours, or may be, whose acknowledgements
        /// come too late.
        std::function<void(std::size_t jobs, std::size_t stored)> lapsed;
    };

    /// Jobs that were moved `transfers_max` times are kept. The others must outlive it.
    OwnStream(Connection& server, const JobStream::Names& names, TaskQueue& tasks, Calls calls,
              std::uint64_t transfers_max);

    /// The core that is told from now on; it holds what is held, and knows what the one before
    /// knew, which still lives.
    void serve(Core& core);

    // ---- the server
    /// The connection was made, to the server with this id, or lost.
    void change(bool there, const std::string& server_id);
    [[nodiscard]] bool is_open() const { return open_; }
    /// Whether it is known how many jobs there are, at some time since the agent began.
    [[nodiscard]] bool has_looked() const { return looked_; }
    /// Why the stream can never be used, if so.
    [[nodiscard]] std::exception_ptr error() const { return error_; }
    /// When the stream was made, in nanoseconds since 1970.
    [[nodiscard]] std::int64_t made() const { return opened_.made; }
    [[nodiscard]] Micros acknowledge_within() const { return opened_.acknowledge_within; }
    [[nodiscard]] std::optional<std::uint64_t> taken_max() const { return opened_.taken_max; }

    // ---- the course
    /// Does what is due; returns when something is due again. `rests`: nothing is taken.
    Micros work(bool rests, Tokens batch);
    /// Opens the stream, if that has failed before and is due again.
    void open_if_due();
    /// Forgets what is held if the consumer's time for it has passed, as after a sleep of the
    /// machine.
    void lapse_if_late();
    /// Tells the server in time that what is held is at work.
    void keep_held();
    /// Gives back all that is held.
    void return_all();
    /// The site shall be left: from now on also those jobs move that were moved often.
    void leave();

    // ---- jobs
    /// The next job that is held; there must be one.
    [[nodiscard]] Job next();
    /// The job is stored at a neighbour.
    void acknowledge(Job job);
    /// The job stays here after all.
    void give_back(const Job& job);
    void send_acknowledgements();
    [[nodiscard]] bool acknowledges() const { return !to_acknowledge_.empty(); }

    // ---- the file of held jobs
    /// Whether what `list` adds has changed since this was last asked.
    [[nodiscard]] bool take_changed();
    void note_change() { changed_ = true; }
    void list(HeldJobs& held) const;
    /// The file is written: what it no longer names is given back to the server.
    void send_given_back();
    /// The file cannot be written: what was to be given back comes back by itself later.
    void forget_given_back();
    struct Recovered {
        std::size_t unfinished = 0;  ///< jobs that are looked for in the stream and resumed
        /// Jobs that were begun too long ago, or before the server was started, or for a site that
        /// is no longer a neighbour.
        std::size_t perhaps_twice = 0;
    };
    /// Finishes what an agent before this one had begun: acknowledges what it had stored, gives
    /// back what it held for nobody, and resumes the others, if the stream still has them. If it
    /// comes too late, it only acknowledges. `is_neighbour`: whether jobs can be carried to a site.
    Recovered recover(const HeldJobs& before,
                      const std::function<bool(const std::string&)>& is_neighbour);
    [[nodiscard]] bool is_recovering() const { return !unfinished_.empty(); }

  private:
    void open();
    [[nodiscard]] bool is_same(const OpenedStream& before) const;
    void begin_anew(const OpenedStream& before);
    void look();
    void take(Tokens jobs);
    void keep(TakenJobs taken);
    void forget_held();
    void forget_lapsed();
    void each_job(const std::function<void(const Job&)>& visit) const;
    [[nodiscard]] Tokens taken_here() const;
    [[nodiscard]] std::set<std::uint64_t> numbers_here() const;
    [[nodiscard]] bool has_enough() const;
    void look_if_due();
    void probe(Tokens batch);
    void withdraw_if_empty(bool empty);
    void give_back_surplus(bool rests);
    void return_jobs(std::size_t count);
    void give_back(std::uint64_t sequence, const std::string& reply);
    void forget_returned();
    void extend();
    [[nodiscard]] bool is_late(const BootTime& extended) const;
    void find_unfinished();
    void finish(std::uint64_t sequence, std::optional<Job> found);
    [[nodiscard]] Micros now() const { return calls_.now(); }

    struct Past {
        std::string reply;
        Micros when = 0;
    };

    Connection& server_;
    TaskQueue& tasks_;
    Calls calls_;
    std::uint64_t transfers_max_;
    Core* core_ = nullptr;

    // The server.
    bool open_ = false;  ///< the stream can be used
    bool restarted_ = false;
    Micros heard_ = 0;  ///< when the server answered last
    Micros open_due_ = 0;
    std::string server_id_;
    OpenedStream opened_;
    std::exception_ptr error_;

    // What the last look showed.
    Tokens waiting_ = 0;   ///< jobs that nobody has taken
    Tokens returned_ = 0;  ///< given back from here and not taken again, at most
    std::set<std::uint64_t> returned_numbers_;  ///< of these, and of some that others took since
    Tokens others_ = 0;                         ///< taken by others
    bool workers_wait_ = false;
    bool looked_ = false;
    std::uint64_t handed_out_ = 0;
    std::optional<std::uint64_t> empty_at_;  ///< the same, when the last request gave no job

    // What is under way, and when it is due.
    bool looking_ = false;
    bool taking_ = false;
    bool acknowledging_ = false;
    bool finding_ = false;
    Micros look_due_ = 0;
    Micros take_due_ = 0;
    Micros changed_at_ = 0;  ///< when a look last showed that jobs came or went
    Micros find_due_ = 0;
    Micros extend_due_ = 0;
    Micros surplus_since_ = 0;
    Tokens idle_ = 0;      ///< held for nothing at all times since then
    Micros shortage_ = 0;  ///< since when jobs are owed and there is none; 0: they are not
    Micros others_since_ = 0;
    Micros probe_due_ = 0;
    bool count_returned_ = false;  ///< `returned_` may be too many
    bool counting_returned_ = false;
    bool probing_ = false;
    Micros sent_back_ = 0;  ///< when jobs were last given back
    Tokens returned_before_ = 0;
    Micros returned_since_ = 0;
    /// What had been handed out when it was known that all of `returned_` are there. As long as
    /// nothing more is, they still are.
    std::optional<std::uint64_t> sure_at_;

    // Jobs.
    std::deque<Job> free_;    ///< held by the core
    std::deque<Job> pinned_;  ///< that do not move; they count as waiting
    std::vector<Job> to_acknowledge_;
    std::vector<std::string> to_give_back_;  ///< replies, once the file no longer names the jobs
    std::vector<HeldJob> unfinished_;        ///< that an earlier agent was carrying
    std::deque<Past> past_;                  ///< acknowledgements that were sent
    BootTime extended_ = BootTime::now();    ///< no job was taken, or extended last, before
    bool changed_ = false;

    // Last: they call the others.
    JobStream stream_;
    TaskThread at_server_;
};

}  // namespace equipoise::agent
