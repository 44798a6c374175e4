#include "equipoise/agent/held_file.hpp"

#include <cerrno>
#include <filesystem>
#include <system_error>

#include <fcntl.h>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <unistd.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/base/json_writer.hpp"

namespace equipoise::agent {

std::string held_text(const HeldJobs& held) {
    std::string text;
    JsonWriter writer([&](std::string_view part) { text += part; }, 1);
    writer.open_object();
    writer.member("version", 1);
    writer.member("stream", held.stream);
    writer.member("made", held.made);
    writer.member("server", held.server);
    writer.member("boot", held.extended.boot);
    writer.member("extended", held.extended.nanoseconds);
    writer.open_list("jobs");
    for (const HeldJob& job : held.jobs)
        writer.tuple(job.sequence, job.reply, job.to);
    writer.close();
    writer.close();
    writer.finish();
    return text;
}

HeldJobs held_jobs_of(std::string_view text, const std::string& name) {
    HeldJobs held;
    nlohmann::json parsed = parse_json(text, name);
    const JsonValue value(parsed, name);
    value.expect_keys({"version", "stream", "made", "server", "boot", "extended", "jobs"});
    static_cast<void>(value.at("version").whole<int>(1, 1));
    held.stream = value.at("stream").text();
    held.made = value.at("made").whole<std::int64_t>();
    if (const auto server = value.find("server")) held.server = server->text();
    held.extended = {value.at("boot").text(), value.at("extended").whole<std::int64_t>()};
    const JsonValue jobs = value.at("jobs");
    jobs.for_each([&](const JsonValue& job) {
        if (job.size() != 3) job.refuse("[sequence, reply, neighbour]");
        held.jobs.push_back(
            {job.at(0U).whole<std::uint64_t>(), job.at(1U).text(), job.at(2U).text()});
    });
    return held;
}

HeldFileLock::HeldFileLock(const std::string& file) {
    const std::string path = std::filesystem::path(file).replace_extension(".lock").string();
    descriptor_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (descriptor_ < 0)
        throw InputError(path + ": cannot be written: " +
                         std::error_code(errno, std::generic_category()).message());
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    ::close(descriptor_);
    throw InputError(path + ": expected no other agent of this site, found one that runs");
}

HeldFileLock::~HeldFileLock() {
    ::close(descriptor_);
}

void write_held_jobs(const std::string& file, const HeldJobs& held) {
    write_file(file, held_text(held));
}

HeldJobs read_held_jobs(const std::string& file) {
    if (!std::filesystem::exists(file)) return {};
    return held_jobs_of(read_json_text(file), file);
}

}  // namespace equipoise::agent
