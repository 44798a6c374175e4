#include "equipoise/base/atomic_file.hpp"

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <deque>
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

/// The file that a path leads to after all symbolic links; the path itself if that is unknown.
std::string followed(const std::string& path) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
    return error ? path : target.string();
}

std::string temporary_name(const std::string& target) {
    static std::atomic<std::uint64_t> counter{0};
    return target + ".part-" + std::to_string(::getpid()) + "-" + std::to_string(counter++);
}

/// Names that `remove_unfinished_files` may read at any moment. If there are more files at a time
/// than places, the others are not remembered.
using Names = std::array<std::atomic<const char*>, 1024>;
Names& unfinished() {
    static Names names = {};
    return names;
}

/// Replaces one name by another, if the first is present.
void put(const char* from, const char* to) {
    for (std::atomic<const char*>& name : unfinished()) {
        const char* expected = from;
        if (name.compare_exchange_strong(expected, to)) return;
    }
}

constexpr const char* descriptors = "/proc/self/fd/";  // names of files without a name

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
    const int descriptor = open_temporary();
    if (descriptor < 0) fail(errno);
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
    remove_temporary();
}

int AtomicFile::open_temporary() {
    temporary_ = temporary_name(target_);
#ifdef O_TMPFILE
    std::string folder = std::filesystem::path(target_).parent_path().string();
    if (folder.empty()) folder = ".";
    if (::access(descriptors, X_OK) == 0) {
        const int descriptor =
            ::open(folder.c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, all_may_read_and_write);
        if (descriptor >= 0) return descriptor;
    }
#endif
    put(nullptr, temporary_.c_str());
    const int descriptor =
        ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, all_may_read_and_write);
    named_ = descriptor >= 0;
    if (!named_) put(temporary_.c_str(), nullptr);
    return descriptor;
}

void AtomicFile::remove_temporary() {
    if (!std::exchange(named_, false)) return;
    ::unlink(temporary_.c_str());
    put(temporary_.c_str(), nullptr);
}

void AtomicFile::write(std::string_view text) {
    EQUIPOISE_ASSERT(file_ != nullptr);
    if (std::fwrite(text.data(), 1, text.size(), file_) != text.size()) fail(errno);
}

void AtomicFile::finish() {
    EQUIPOISE_ASSERT(file_ != nullptr);
    if (std::fflush(file_) != 0) fail(errno);
    if (!temporary_.empty() && !named_) {
        const std::string unnamed = descriptors + std::to_string(::fileno(file_));
        put(nullptr, temporary_.c_str());
        named_ = ::linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, temporary_.c_str(),
                          AT_SYMLINK_FOLLOW) == 0;
        if (!named_) {
            const int reason = errno;
            put(temporary_.c_str(), nullptr);
            fail(reason);
        }
    }
    if (std::fclose(std::exchange(file_, nullptr)) != 0) fail(errno);
}

void AtomicFile::withdraw() {
    if (temporary_.empty()) return;
    if (::unlink(target_.c_str()) != 0 && errno != ENOENT) fail(errno);
}

void AtomicFile::commit() {
    if (file_ != nullptr) finish();
    if (!named_) return;
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) fail(errno);
    named_ = false;
    put(temporary_.c_str(), nullptr);
}

void AtomicFile::fail(int reason) {
    if (file_ != nullptr) std::fclose(std::exchange(file_, nullptr));
    remove_temporary();
    throw InputError(path_ + ": cannot be written: " +
                     std::error_code(reason, std::generic_category()).message());
}

void remove_unfinished_files() noexcept {
    for (const std::atomic<const char*>& name : unfinished())
        if (const char* path = name; path != nullptr) ::unlink(path);
}

bool is_same_file(const std::string& one, const std::string& other) {
    namespace fs = std::filesystem;
    std::error_code error;  // neither is there
    if (fs::equivalent(one, other, error)) return true;
    const auto plain = [&](const std::string& path) {
        return fs::weakly_canonical(fs::absolute(path, error), error);
    };
    return plain(one) == plain(other);
}

void write_file(const std::string& path, std::string_view contents) {
    AtomicFile file(path);
    file.write(contents);
    file.commit();
}

void write_files(const std::vector<NamedText>& files) {
    std::deque<AtomicFile> finished;
    for (const auto& [path, contents] : files) {
        AtomicFile& file = finished.emplace_back(path);
        file.write(contents);
        file.finish();
    }
    if (finished.size() > 1) finished.back().withdraw();
    for (AtomicFile& file : finished)
        file.commit();
}

}  // namespace equipoise
