#pragma once
// Connections over TCP, by hiredis; only the source of this header knows it.

#include <string>

#include "equipoise/adapters/redis/server.hpp"

namespace equipoise::redis {

struct Credentials {
    std::string user;  ///< empty: the default user
    std::string password;
};

/// Whether this build can connect.
[[nodiscard]] bool is_built_in();

/// Connections that are opened within `timeout` seconds and wait as long for each reply. Throws
/// InputError in builds without hiredis.
[[nodiscard]] Dial dial_with(const Credentials& credentials, double timeout);

}  // namespace equipoise::redis
