#pragma once
// The streams of jobs on servers of NATS.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/agent/nats.hpp"

namespace equipoise::agent {

/// What a stream and its consumer say of themselves.
struct StreamView {
    /// Whether both are those that were opened; else they are missing, or others have their names,
    /// and nothing else is told.
    bool is_same = true;
    std::uint64_t waiting = 0;     ///< jobs that nobody has taken
    std::uint64_t taken = 0;       ///< and not acknowledged
    std::uint64_t requests = 0;    ///< of workers who wait for a job
    std::uint64_t handed_out = 0;  ///< times that a job was given to somebody, ever
};

/// A work queue and the consumer that workers share, on the server of a connection. Functions wait
/// for the server, a few seconds at most.
class JobStream {
  public:
    struct Names {
        std::string stream;
        std::string subjects;
        std::string consumer;
    };

    /// The connection must outlive it.
    JobStream(Connection& connection, Names names);
    ~JobStream();
    JobStream(const JobStream&) = delete;
    JobStream& operator=(const JobStream&) = delete;

    /// Makes the stream and the consumer if they are missing. Nothing if they can be used from now
    /// on; else what is wrong. Throws InputError if they are of a kind that cannot be used.
    [[nodiscard]] std::optional<std::string> open();
    /// When the stream was made, in nanoseconds since 1970.
    [[nodiscard]] std::int64_t made() const { return made_; }
    /// When the consumer was made.
    [[nodiscard]] std::int64_t consumer_made() const { return consumer_made_; }
    /// After how many microseconds a job that is not acknowledged is handed out again.
    [[nodiscard]] std::uint64_t acknowledge_within() const { return acknowledge_within_; }
    /// How many jobs may be unacknowledged at a time; nothing: any number.
    [[nodiscard]] std::optional<std::uint64_t> taken_max() const { return taken_max_; }

    /// Nothing if the server does not answer.
    [[nodiscard]] std::optional<StreamView> look();
    /// Takes at most so many of the jobs that are there.
    [[nodiscard]] std::vector<Job> take(int jobs_max);
    /// The job that the stream has under a number; nothing if it has none. Sets `asked` to whether
    /// the stream answered.
    [[nodiscard]] std::optional<Job> find(std::uint64_t sequence, bool& asked);

  private:
    [[nodiscard]] std::string failure(int status) const;

    Connection& connection_;
    Names names_;
    std::int64_t made_ = 0;
    std::int64_t consumer_made_ = 0;
    std::uint64_t acknowledge_within_ = 0;
    std::optional<std::uint64_t> taken_max_;
    std::string filter_;
    void* subscription_ = nullptr;
};

}  // namespace equipoise::agent
