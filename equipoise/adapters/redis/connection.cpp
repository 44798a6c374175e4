#include "equipoise/adapters/redis/connection.hpp"

#include "equipoise/base/error.hpp"

#ifdef EQUIPOISE_WITH_HIREDIS

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <csignal>
#include <ctime>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include <hiredis/hiredis.h>
#include <pthread.h>
#include <sys/time.h>

#include "equipoise/base/printable.hpp"

namespace equipoise::redis {

namespace {

/// While it lives, writing to a connection that the other side has closed is an error and no
/// signal, which would end the process: hiredis 0.14 asks for none of its own.
class WithoutSigpipe {
  public:
    WithoutSigpipe() {
        sigemptyset(&pipe_);
        sigaddset(&pipe_, SIGPIPE);
        sigset_t pending;
        sigpending(&pending);
        was_pending_ = sigismember(&pending, SIGPIPE) == 1;
        pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    ~WithoutSigpipe() {
        sigset_t pending;
        sigpending(&pending);
        if (!was_pending_ && sigismember(&pending, SIGPIPE) == 1) {
            const timespec none{};
            while (sigtimedwait(&pipe_, nullptr, &none) == -1 && errno == EINTR) {
            }
        }
        pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }
    WithoutSigpipe(const WithoutSigpipe&) = delete;
    WithoutSigpipe& operator=(const WithoutSigpipe&) = delete;

  private:
    sigset_t pipe_{};
    sigset_t before_{};
    bool was_pending_ = false;
};

timeval time_of(double seconds) {
    const double whole = std::floor(seconds);
    return {static_cast<time_t>(whole), static_cast<suseconds_t>((seconds - whole) * 1e6)};
}

Reply reply_of(const redisReply& read) {
    Reply reply;
    switch (read.type) {
        case REDIS_REPLY_INTEGER:
            reply.kind = Reply::Kind::number;
            reply.number = read.integer;
            break;
        case REDIS_REPLY_STRING:
        case REDIS_REPLY_STATUS:
            reply.kind = Reply::Kind::text;
            reply.text.assign(read.str, read.len);
            break;
        case REDIS_REPLY_ERROR:
            reply.kind = Reply::Kind::error;
            reply.text.assign(read.str, read.len);
            break;
        case REDIS_REPLY_ARRAY:
            reply.kind = Reply::Kind::list;
            reply.list.reserve(read.elements);
            for (std::size_t at = 0; at < read.elements; ++at)
                reply.list.push_back(reply_of(*read.element[at]));
            break;
        default:
            break;
    }
    return reply;
}

class Connection : public Server {
  public:
    Connection(const Address& address, const Credentials& credentials, double timeout)
        : name_(address.name()) {
        const WithoutSigpipe quiet;
        const timeval wait = time_of(timeout);
        context_.reset(redisConnectWithTimeout(address.host.c_str(), address.port, wait));
        if (!context_) throw ConnectionLost(name_ + ": no memory for a connection");
        if (context_->err != 0)
            throw ConnectionLost(name_ + ": expected a server, found " + context_->errstr);
        redisSetTimeout(context_.get(), wait);
        redisEnableKeepAlive(context_.get());
        log_in(credentials);
    }

    using Server::ask;
    std::vector<Reply> ask(std::span<const Command> commands) override {
        // Replies are read while the server has room for more of them.
        constexpr std::size_t at_once = 1000;
        const WithoutSigpipe quiet;
        std::vector<Reply> replies;
        replies.reserve(commands.size());
        while (replies.size() < commands.size()) {
            const auto part = commands.subspan(replies.size(),
                                               std::min(at_once, commands.size() - replies.size()));
            for (const Command& command : part)
                send(command);
            for (std::size_t at = 0; at < part.size(); ++at)
                replies.push_back(receive());
        }
        return replies;
    }

  private:
    struct Close {
        void operator()(redisContext* context) const { redisFree(context); }
    };
    struct Free {
        void operator()(redisReply* reply) const { freeReplyObject(reply); }
    };

    void log_in(const Credentials& credentials) {
        if (credentials.user.empty() && credentials.password.empty()) {
            const Reply reply = ask({"PING"});
            if (reply.is_error())
                throw InputError(name_ + ": expected to be let in, found \"" +
                                 printable(reply.text) + '"');
            return;
        }
        Command command = {"AUTH"};
        if (!credentials.user.empty()) command.push_back(credentials.user);
        command.push_back(credentials.password);
        const Reply reply = ask(command);
        if (reply.is_error())
            throw InputError(
                name_ + ": expected to be let in" +
                (credentials.user.empty() ? std::string() : " as " + printable(credentials.user)) +
                ", found \"" + printable(reply.text) + '"');
    }

    void send(const Command& command) {
        arguments_.clear();
        lengths_.clear();
        for (const std::string& argument : command) {
            arguments_.push_back(argument.data());
            lengths_.push_back(argument.size());
        }
        if (redisAppendCommandArgv(context_.get(), static_cast<int>(command.size()),
                                   arguments_.data(), lengths_.data()) != REDIS_OK)
            lost();
    }

    Reply receive() {
        void* read = nullptr;
        if (redisGetReply(context_.get(), &read) != REDIS_OK || read == nullptr) lost();
        const std::unique_ptr<redisReply, Free> reply(static_cast<redisReply*>(read));
        return reply_of(*reply);
    }

    [[noreturn]] void lost() const {
        const bool timed_out = context_->err == REDIS_ERR_IO && errno == EAGAIN;
        throw ConnectionLost(name_ + ": the connection was lost: " +
                             (timed_out ? "no answer in time" : context_->errstr));
    }

    std::string name_;
    std::unique_ptr<redisContext, Close> context_;
    std::vector<const char*> arguments_;
    std::vector<std::size_t> lengths_;
};

}  // namespace

bool is_built_in() {
    return true;
}

Dial dial_with(const Credentials& credentials, double timeout) {
    return [credentials, timeout](const Address& address) -> std::unique_ptr<Server> {
        return std::make_unique<Connection>(address, credentials, timeout);
    };
}

}  // namespace equipoise::redis

#else

namespace equipoise::redis {

bool is_built_in() {
    return false;
}

Dial dial_with(const Credentials& /*credentials*/, double /*timeout*/) {
    throw InputError("redis://: expected a build with hiredis, found one without it");
}

}  // namespace equipoise::redis

#endif
