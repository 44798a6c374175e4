#pragma once
// What a server is asked and answers, whatever carries it there.

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace equipoise::redis {

/// A command and its arguments, as bytes.
using Command = std::vector<std::string>;

struct Reply {
    enum class Kind : std::uint8_t { nothing, number, text, error, list };
    Kind kind = Kind::nothing;
    std::int64_t number = 0;
    std::string text;  ///< of errors, too: "MOVED 5461 127.0.0.1:7102"
    std::vector<Reply> list;

    [[nodiscard]] bool is_error() const { return kind == Kind::error; }
};

struct Address {
    std::string host;
    std::uint16_t port = 0;

    /// "127.0.0.1:7101", "[::1]:7101"
    [[nodiscard]] std::string name() const;
    friend bool operator==(const Address&, const Address&) = default;
};

/// A server cannot be reached, or the connection to it ended before it answered. What it was asked
/// last may or may not have been done.
class ConnectionLost : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A connection to a server, for one thread at a time.
class Server {
  public:
    Server() = default;
    virtual ~Server() = default;
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    /// Sends all commands at once and returns their replies in the same order; errors of the server
    /// are replies. Throws ConnectionLost.
    [[nodiscard]] virtual std::vector<Reply> ask(std::span<const Command> commands) = 0;

    /// The same for a single command.
    [[nodiscard]] Reply ask(const Command& command);
};

/// Opens a connection. Throws ConnectionLost if nothing answers, InputError if the server does not
/// let us in. May be called by several threads at once.
using Dial = std::function<std::unique_ptr<Server>(const Address&)>;

/// The number of the line `name:number` in what INFO or CLUSTER INFO say; nothing if there is none.
[[nodiscard]] std::optional<std::uint64_t> number_in(std::string_view info, std::string_view name);

}  // namespace equipoise::redis
