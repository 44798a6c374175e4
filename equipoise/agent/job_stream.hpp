#pragma once
// The streams of jobs on servers of NATS.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "equipoise/agent/boot_time.hpp"
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

/// What is known of a stream and its consumer once they can be used.
struct OpenedStream {
    std::int64_t made = 0;           ///< when the stream was made, in nanoseconds since 1970
    std::int64_t consumer_made = 0;  ///< when the consumer was
    /// After how many microseconds a job that is not acknowledged is handed out again.
    std::uint64_t acknowledge_within = 0;
    /// How many jobs may be unacknowledged at a time; nothing: any number.
    std::optional<std::uint64_t> taken_max;
};

/// Jobs that were taken.
struct TakenJobs {
    std::vector<Job> jobs;
    bool may_be_more = false;          ///< the server may have had others to give
    BootTime asked = BootTime::now();  ///< none was handed out before
};

/// A work queue and the consumer that workers share, on the server of a connection. Functions wait
/// for the server, a few seconds at most; all belong to one thread.
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
    /// on, as `opened` says; else what is wrong. Throws InputError if they are of a kind that
    /// cannot be used.
    [[nodiscard]] std::optional<std::string> open(OpenedStream& opened);

    /// Nothing if the server does not answer.
    [[nodiscard]] std::optional<StreamView> look();
    /// Takes at most so many of the jobs that are there.
    [[nodiscard]] TakenJobs take(int jobs_max);
    /// Takes some of the jobs behind others that the server has lost, if it has lost at most so
    /// many.
    [[nodiscard]] TakenJobs take_behind_lost(int lost_max);
    /// The job that the stream has under a number; nothing if it has none. Sets `asked` to whether
    /// the stream answered.
    [[nodiscard]] std::optional<Job> find(std::uint64_t sequence, bool& asked);

  private:
    [[nodiscard]] std::string failure(int status) const;
    /// Subscribes anew. A status of libnats.
    int subscribe(void* context);

    Connection& connection_;
    Names names_;
    std::int64_t consumer_made_ = 0;
    std::string filter_;
    std::int64_t request_max_ = 0;  ///< jobs that may be asked for at a time
    std::int64_t expires_max_ = 0;  ///< nanoseconds that a request may wait
    void* subscription_ = nullptr;
    std::string subject_;            ///< that the subscription names
    bool has_open_request_ = false;  ///< what was asked for may still come to the subscription
};

}  // namespace equipoise::agent
