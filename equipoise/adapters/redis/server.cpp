#include "equipoise/adapters/redis/server.hpp"

#include <utility>

#include "equipoise/base/assert.hpp"

namespace equipoise::redis {

std::string Address::name() const {
    const bool is_v6 = host.find(':') != std::string::npos;
    return (is_v6 ? '[' + host + ']' : host) + ':' + std::to_string(port);
}

Reply Server::ask(const Command& command) {
    std::vector<Reply> replies = ask(std::span<const Command>(&command, 1));
    EQUIPOISE_ASSERT(replies.size() == 1);
    return std::move(replies.front());
}

}  // namespace equipoise::redis
