#include "equipoise/base/atomic_file.hpp"

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"

namespace equipoise {

namespace {

constexpr mode_t all_may_read_and_write = 0666;  // less the process's mask
constexpr mode_t permission_bits = 07777;

/// The file that a path leads to after all symbolic links; the path itself where that is unknown.
std::string followed(const std::string& path) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
    return error ? path : target.string();
}

std::string temporary_name(const std::string& target) {
    static std::atomic<std::uint64_t> counter{0};
    return target + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

}  // namespace

AtomicFile::AtomicFile(std::string path) : path_(std::move(path)), target_(followed(path_)) {
    struct stat status {};
    const bool exists = ::stat(path_.c_str(), &status) == 0;
    if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
    if (exists && !S_ISREG(status.st_mode)) {
        file_ = std::fopen(path_.c_str(), "wb");
        if (file_ == nullptr) fail(errno);
        return;
    }
    if (exists && ::access(path_.c_str(), W_OK) != 0) fail(errno);
    temporary_ = temporary_name(target_);
    const int descriptor =
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, all_may_read_and_write);
    if (descriptor < 0) {
        const int reason = errno;
        temporary_.clear();
        fail(reason);
    }
    if (exists) static_cast<void>(::fchmod(descriptor, status.st_mode & permission_bits));
    file_ = ::fdopen(descriptor, "wb");
    if (file_ == nullptr) {
        const int reason = errno;
        ::close(descriptor);
        fail(reason);
    }
}

AtomicFile::~AtomicFile() {
    if (file_ != nullptr) std::fclose(file_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void AtomicFile::write(std::string_view text) {
    EQUIPOISE_ASSERT(file_ != nullptr);
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(errno);
}

void AtomicFile::commit() {
    EQUIPOISE_ASSERT(file_ != nullptr);
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(errno);
    if (temporary_.empty()) return;
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
    temporary_.clear();
}

void AtomicFile::fail(int reason) {
    if (file_ != nullptr) std::fclose(std::exchange(file_, nullptr));
    if (!temporary_.empty()) ::unlink(std::exchange(temporary_, {}).c_str());
    throw InputError(path_ + ": cannot be written: " +
                     std::error_code(reason, std::generic_category()).message());
}

void write_file(const std::string& path, std::string_view contents) {
    AtomicFile file(path);
    file.write(contents);
    file.commit();
}

}  // namespace equipoise
