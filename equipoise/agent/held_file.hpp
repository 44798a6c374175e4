#pragma once
// The file in which an agent names the jobs that it holds, so that the next one, after a crash, can
// finish what was begun.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "equipoise/agent/boot_time.hpp"

namespace equipoise::agent {

/// In place of a neighbour's name: the job is stored there, and only to be acknowledged.
inline constexpr const char* stored_mark = "*";

/// A job that is taken from the stream and not acknowledged.
struct HeldJob {
    std::uint64_t sequence = 0;  ///< in the stream
    std::string reply;           ///< where its acknowledgement goes
    std::string to;              ///< the neighbour that it is given to, or empty, or `stored_mark`
    bool operator==(const HeldJob&) const = default;
};

struct HeldJobs {
    std::string stream;
    std::int64_t made = 0;  ///< when the stream was made, in nanoseconds since 1970
    /// The id that the server drew when it started; empty in files of older agents.
    std::string server;
    /// No job was taken, or last extended, before.
    BootTime extended;
    std::vector<HeldJob> jobs;
};

/// The file's text, and what a text says; `name` stands for the file in messages. Throws InputError
/// if it is no such file.
[[nodiscard]] std::string held_text(const HeldJobs& held);
[[nodiscard]] HeldJobs held_jobs_of(std::string_view text, const std::string& name);

/// Keeps other agents of a site away from its file while it lives, also if the process is killed.
class HeldFileLock {
  public:
    /// Throws InputError if another process has the lock of this file, NAME.lock beside it, or the
    /// lock cannot be made.
    explicit HeldFileLock(const std::string& file);
    ~HeldFileLock();
    HeldFileLock(const HeldFileLock&) = delete;
    HeldFileLock& operator=(const HeldFileLock&) = delete;

  private:
    int descriptor_;
};

/// Writes the file as a whole or not at all. Throws InputError.
void write_held_jobs(const std::string& file, const HeldJobs& held);
/// What the file names; nothing if there is no such file. Throws InputError if it is no such file.
[[nodiscard]] HeldJobs read_held_jobs(const std::string& file);

}  // namespace equipoise::agent
