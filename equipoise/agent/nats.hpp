#pragma once
// Servers of NATS, by libnats; only the source of this header knows it.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace equipoise::agent {

/// Whether this build can connect.
[[nodiscard]] bool is_built_in();

/// How a server is reached.
struct Login {
    std::string server;       ///< nats://[user:password@]host:port
    std::string credentials;  ///< file of user and seed, or empty
    std::string authorities;  ///< file of trusted certificates (asks for TLS), or empty
    std::string name;         ///< by which the server lists the connection
};

/// A message that came.
struct Incoming {
    std::string subject;
    std::string reply;  ///< where an answer is awaited, or empty
    std::string text;
};

/// A job: its message with all its headers, as it came from its stream.
class Job {
  public:
    Job() = default;
    /// Takes the message, which belongs to libnats.
    explicit Job(void* message);

    [[nodiscard]] std::uint64_t sequence() const { return sequence_; }
    /// When the stream took it, in nanoseconds since 1970.
    [[nodiscard]] std::int64_t time() const { return time_; }
    /// Where its acknowledgement goes.
    [[nodiscard]] const std::string& reply() const { return reply_; }
    void set_reply(std::string reply) { reply_ = std::move(reply); }
    /// When the stream was made from which it came: numbers mean nothing in another one.
    [[nodiscard]] std::int64_t stream_made() const { return stream_made_; }
    void set_stream_made(std::int64_t made) { stream_made_ = made; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// How often it was moved before.
    [[nodiscard]] std::uint64_t transfers() const { return transfers_; }
    [[nodiscard]] void* message() const { return message_.get(); }

  private:
    std::shared_ptr<void> message_;
    std::uint64_t sequence_ = 0;
    std::int64_t time_ = 0;
    std::int64_t stream_made_ = 0;
    std::string reply_;
    std::size_t bytes_ = 0;
    std::uint64_t transfers_ = 0;
};

/// What became of a job that was published.
struct Stored {
    std::uint64_t sequence = 0;  ///< of the job in the stream that it came from
    bool stored = false;
    bool doubled = false;  ///< the server had it already
    bool refused = false;  ///< not stored, and certainly not: the server or the client says so
    std::string why;       ///< if not stored
};

/// What became of a message that was to be published.
enum class Sent {
    sent,
    failed,     ///< certainly not sent
    too_large,  ///< the same, since the server takes none of this size
};

/// A connection that is made again whenever it is lost, for ever. What it calls comes from threads
/// of its own.
class Connection {
  public:
    struct Calls {
        /// The connection is there (`server`: an id that the server draws when it starts) or lost.
        std::function<void(bool there, const std::string& server)> changed;
        /// A published job was stored, refused, or not answered in time.
        std::function<void(const Stored&)> stored;
    };

    /// Connects in the background, after a first attempt; with `once_within` there is no other
    /// attempt, and this one takes at most so many milliseconds. Throws InputError for an address
    /// or files that cannot be used, and in builds without libnats.
    Connection(Login login, Calls calls, std::optional<int> once_within = std::nullopt);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] bool is_there() const;
    /// Connects anew if libnats has given up, as it does when a server ends a connection in its
    /// first moments or refuses the user. Returns the reason if it gives up again at once.
    std::string revive();
    /// Publishes, without waiting; false if it was certainly not sent.
    bool publish(const std::string& subject, std::string_view text);
    /// Waits until the server has everything that was published.
    bool flush();
    /// Calls `came` with every message of a subject.
    void subscribe(const std::string& subject, std::function<void(const Incoming&)> came);
    /// Asks and waits for the answer, at most so many milliseconds.
    [[nodiscard]] std::optional<std::string> ask(const std::string& subject, std::string_view text,
                                                 int milliseconds);
    /// Publishes a job under its own subject, with its own headers, this message id and one more
    /// transfer; `stored` is called later, once, if it was sent.
    Sent publish(const Job& job, const std::string& message_id);

    /// For the streams on it, which know libnats.
    [[nodiscard]] void* stream_context() const;

  private:
    struct Native;

    void connect();
    [[nodiscard]] std::shared_ptr<Native> native() const;
    static void subscribe(Native& native, const std::string& subject,
                          const std::function<void(const Incoming&)>& came);

    Login login_;
    Calls calls_;
    std::optional<int> once_within_;
    std::string why_;  ///< the last attempt to connect failed
    std::deque<std::pair<std::string, std::function<void(const Incoming&)>>> subjects_;
    mutable std::mutex mutex_;  ///< of `native_`
    std::shared_ptr<Native> native_;
};

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
