#pragma once
// A clock that nobody sets: time since the machine was started, sleep included.

#include <cstdint>
#include <string>

namespace equipoise::agent {

struct BootTime {
    std::string boot;  ///< which start of which machine
    std::int64_t nanoseconds = 0;

    [[nodiscard]] static BootTime now();
    /// Nanoseconds from here to a later time; the largest number if it is of another boot.
    [[nodiscard]] std::int64_t until(const BootTime& later) const;
    bool operator==(const BootTime&) const = default;
};

}  // namespace equipoise::agent
