#include "equipoise/adapters/redis/server.hpp"

#include <cstddef>
#include <limits>
#include <utility>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/line_source.hpp"

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

std::optional<std::uint64_t> number_in(std::string_view info, std::string_view name) {
    const std::string mark = std::string(name) + ':';
    const std::size_t at = info.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view rest = info.substr(at + mark.size());
    return whole_number(rest.substr(0, rest.find_first_not_of("0123456789")),
                        std::numeric_limits<std::uint64_t>::max());
}

}  // namespace equipoise::redis
