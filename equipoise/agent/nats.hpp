#pragma once
// Servers of NATS, by libnats; only the sources of this header and of job_stream.hpp know it.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace equipoise::agent {

/// Whether this build can connect.
[[nodiscard]] bool is_built_in();

/// How a server is reached.
struct Login {
    std::string server;         ///< nats://[user:password@]host:port
    std::string credentials;    ///< file of user and seed, or empty
    std::string authorities;    ///< file of trusted certificates (asks for TLS), or empty
    std::string name;           ///< by which the server lists the connection
    int reconnect_after = 200;  ///< milliseconds after which a lost connection is tried again
};

/// A message that came.
struct Incoming {
    std::string subject;
    std::string reply;  ///< where an answer is awaited, or empty
    std::string text;
};

/// Where a job comes from, for a site: also streams that had the same name one after the other
/// count from 1.
struct JobOrigin {
    std::uint64_t sequence = 0;  ///< its number in the stream
    std::int64_t time = 0;       ///< when the stream took it, in nanoseconds since 1970
    auto operator<=>(const JobOrigin&) const = default;
};

/// A job: its message with all its headers, as it came from its stream.
class Job {
  public:
    Job() = default;
    /// Takes the message, which belongs to libnats.
    explicit Job(void* message);

    [[nodiscard]] const JobOrigin& origin() const { return origin_; }
    [[nodiscard]] std::uint64_t sequence() const { return origin_.sequence; }
    /// Where its acknowledgement goes.
    [[nodiscard]] const std::string& reply() const { return reply_; }
    void set_reply(std::string reply) { reply_ = std::move(reply); }
    /// When the stream was made from which it came: numbers mean nothing in another one.
    [[nodiscard]] std::int64_t stream_made() const { return stream_made_; }
    void set_stream_made(std::int64_t made) { stream_made_ = made; }
    /// When the agent took it, in microseconds since it began; 0: an agent before it did.
    [[nodiscard]] std::uint64_t taken() const { return taken_; }
    void set_taken(std::uint64_t taken) { taken_ = taken; }
    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Whether its server had handed it out before.
    [[nodiscard]] bool comes_again() const { return comes_again_; }
    /// How often it was moved before.
    [[nodiscard]] std::uint64_t transfers() const { return transfers_; }
    [[nodiscard]] void* message() const { return message_.get(); }

  private:
    std::shared_ptr<void> message_;
    JobOrigin origin_;
    std::int64_t stream_made_ = 0;
    std::uint64_t taken_ = 0;
    std::string reply_;
    std::size_t bytes_ = 0;
    bool comes_again_ = false;
    std::uint64_t transfers_ = 0;
};

/// What became of a job that was published.
struct Stored {
    JobOrigin origin;  ///< of the job
    bool stored = false;
    bool doubled = false;  ///< the server had it already
    bool refused = false;  ///< certainly not stored: the stream says so
    bool untaken = false;  ///< the same: no stream takes its subject now
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

    /// Connects when `revive` is called. With `once_within` it connects now, and waits for this
    /// only attempt at most that many milliseconds. Throws InputError for an address or
    /// certificates that cannot be used, and in builds without libnats.
    Connection(Login login, Calls calls, std::optional<int> once_within = std::nullopt);
    ~Connection();
    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    [[nodiscard]] bool is_there() const;
    /// Why the server refuses this user, in its own words; empty if it lets it in, or has not
    /// answered for some seconds.
    [[nodiscard]] std::string refusal() const;
    /// Why the last attempt that has ended failed for good; empty if it did not, or nobody answers.
    [[nodiscard]] std::string failure() const;
    /// Whether an attempt has not ended yet; a server that says nothing can make it last.
    [[nodiscard]] bool is_connecting() const;
    /// Connects in the background, if that was not begun yet or libnats has given up, as it does
    /// when a server ends a connection in its first moments, says nothing or refuses the user. With
    /// `tells_why`, which takes an attempt more, `refusal` and `failure` are known in the end.
    void revive(bool tells_why = false);
    /// Publishes, without waiting; false if it was certainly not sent.
    bool publish(const std::string& subject, std::string_view text);
    /// Waits until the server has everything that was published.
    bool flush();
    /// Calls `came` with every message of a subject.
    void subscribe(const std::string& subject, std::function<void(const Incoming&)> came);
    /// Asks and waits for the answer, at most so many milliseconds.
    [[nodiscard]] std::optional<std::string> ask(const std::string& subject, std::string_view text,
                                                 int milliseconds);
    /// Publishes a job under its own subject, with its own headers, one more transfer and a message
    /// id made of its origin; `stored` is called later, once, if it was sent.
    Sent publish(const Job& job, const std::string& id_head);

    /// For the streams on it, which know libnats.
    [[nodiscard]] std::shared_ptr<void> stream_context() const;
    [[nodiscard]] std::shared_ptr<void> handle() const;
    /// A new subject of this user's own, on which nothing comes but what is asked for.
    [[nodiscard]] std::string inbox() const;

  private:
    struct Native;
    struct State;

    [[nodiscard]] std::shared_ptr<Native> native() const;

    std::shared_ptr<State> state_;
};

}  // namespace equipoise::agent
