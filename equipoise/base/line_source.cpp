#include "equipoise/base/line_source.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstring>
#include <system_error>
#include <utility>

#include <sys/stat.h>

#include "equipoise/base/error.hpp"
#include "equipoise/base/file_kind.hpp"
#include "equipoise/base/utf8.hpp"

namespace equipoise {

namespace {

/// Blocks begin small, for the many small files, and grow fourfold.
constexpr std::size_t block_bytes_least = std::size_t{1} << 12U;
constexpr std::size_t block_bytes_most = std::size_t{1} << 20U;
/// Text without an end of line for this long is not text.
constexpr std::size_t line_bytes_max = std::size_t{1} << 30U;

bool has_bytes_beyond_ascii(std::string_view text) {
    std::uint64_t all = 0;
    for (; text.size() >= sizeof all; text.remove_prefix(sizeof all)) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), sizeof word);
        all |= word;
    }
    for (const char c : text)
        all |= static_cast<unsigned char>(c);
    return (all & 0x8080808080808080U) != 0;
}

constexpr std::size_t stride = 64;

/// Whether one of `stride` bytes, behind which there is another, is a carriage return without a
/// line feed. Fast where all have one: many bytes are compared at once.
bool has_lone_return(const char* text) {
    unsigned char found = 0;
    for (std::size_t at = 0; at < stride; ++at) {
        const bool is_return = text[at] == '\r';
        const bool is_followed = text[at + 1] == '\n';
        found = static_cast<unsigned char>(found | (is_return & !is_followed));
    }
    return found != 0;
}

std::string reason_of(int number) {
    return std::error_code(number, std::generic_category()).message();
}

}  // namespace

LineSource::LineSource(const std::string& path)
    : name_(path), file_(std::fopen(path.c_str(), "rb")) {
    if (file_ == nullptr) throw InputError(path + ": cannot be read: " + reason_of(errno));
    std::setvbuf(file_.get(), nullptr, _IONBF, 0);
    struct stat status {};
    if (::fstat(::fileno(file_.get()), &status) == 0) {
        if (S_ISDIR(status.st_mode))
            throw InputError(path + ": cannot be read: " + reason_of(EISDIR));
        if (S_ISREG(status.st_mode)) size_ = static_cast<std::uint64_t>(status.st_size);
    }
}

LineSource::LineSource(std::istream& stream, std::string name)
    : name_(std::move(name)), stream_(&stream) {}

const void* LineSource::find_newline(const char* from, std::size_t size) {
    return std::memchr(from, '\n', size);
}

bool LineSource::next_across_blocks(std::string_view& line) {
    std::size_t searched = filled_ - at_;
    while (refill()) {
        const char* const from = buffer_.data() + at_;
        // The last byte of a block may have become an end of line.
        if (searched > 0) --searched;
        const void* const end = find_newline(from + searched, filled_ - at_ - searched);
        if (end != nullptr) {
            take(line, static_cast<std::size_t>(static_cast<const char*>(end) - from));
            ++at_;
            return true;
        }
        searched = filled_ - at_;
    }
    if (at_ == filled_) return false;
    take(line, filled_ - at_);
    return true;
}

bool LineSource::refill() {
    const std::size_t left = filled_ - at_;
    if (at_ > 0) std::memmove(buffer_.data(), buffer_.data() + at_, left);
    at_ = 0;
    filled_ = left;
    if (left >= line_bytes_max) {
        ++line_number_;
        fail("a text file with lines of at most 2^30 bytes", "a longer one");
    }
    const std::size_t block = std::clamp(4 * buffer_.size(), block_bytes_least, block_bytes_most);
    const std::size_t wanted = std::max(block, 2 * left);
    if (buffer_.size() < wanted) buffer_.resize(wanted);
    const std::size_t got = read_some(buffer_.data() + left, buffer_.size() - left);
    filled_ += got;
    if (line_number_ == 0) expect_no_other_kind();
    end_lines_at_lone_returns(left > 0 ? left - 1 : 0);
    expect_text({buffer_.data() + left, got});
    beyond_ascii_ = has_bytes_beyond_ascii({buffer_.data(), filled_});
    constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
    if (line_number_ == 0 && left == 0 &&
        std::string_view(buffer_.data(), filled_).starts_with(byte_order_mark))
        at_ = byte_order_mark.size();
    return got > 0;
}

/// Carriage returns without a line feed end lines too: from here on they are line feeds. What
/// follows the last byte is not known yet; at the end of the text `take` removes it.
void LineSource::end_lines_at_lone_returns(std::size_t from) {
    char* const text = buffer_.data();
    if (from >= filled_ || std::memchr(text + from, '\r', filled_ - from) == nullptr) return;
    for (std::size_t at = from; at + 1 < filled_;) {
        const std::size_t end = std::min(at + stride, filled_ - 1);
        if (end == at + stride && !has_lone_return(text + at)) {
            at = end;
            continue;
        }
        for (; at < end; ++at)
            if (text[at] == '\r' && text[at + 1] != '\n') text[at] = '\n';
    }
}

/// Pictures, archives and /dev/zero are refused here, at their first block.
void LineSource::expect_text(std::string_view block) const {
    const std::size_t zero = block.find('\0');
    if (zero == std::string_view::npos) return;
    const auto known = std::string_view(buffer_.data() + at_, filled_ - at_ - block.size());
    const auto lines = std::count(known.begin(), known.end(), '\n') +
                       std::count(block.begin(), block.begin() + static_cast<long>(zero), '\n');
    throw InputError(name_ + ':' +
                     std::to_string(line_number_ + 1 + static_cast<std::uint64_t>(lines)) +
                     ": expected text, found a byte of value 0");
}

void LineSource::expect_no_other_kind() const {
    if (const auto kind = kind_other_than_text({buffer_.data(), filled_}))
        throw InputError(name_ + ": expected text, found " + std::string(*kind));
}

std::string_view LineSource::beginning() {
    if (line_number_ == 0 && at_ == filled_) static_cast<void>(refill());
    return {buffer_.data() + at_, filled_ - at_};
}

std::string_view LineSource::in_utf8(std::string_view line) {
    if (is_utf8(line)) return line;
    windows_1252_ = true;
    converted_.clear();
    for (const char c : line)
        append_utf8(converted_, code_of_windows_1252(c));
    return converted_;
}

std::size_t LineSource::read_some(char* to, std::size_t size) {
    if (stream_ != nullptr) {
        stream_->read(to, static_cast<std::streamsize>(size));
        if (stream_->bad()) throw InputError(name_ + ": cannot be read");
        return static_cast<std::size_t>(stream_->gcount());
    }
    const std::size_t got = std::fread(to, 1, size, file_.get());
    if (got == 0 && std::ferror(file_.get()) != 0)
        throw InputError(name_ + ": cannot be read: " + reason_of(errno));
    return got;
}

bool LineSource::rewind() {
    at_ = 0;
    filled_ = 0;
    line_number_ = 0;
    if (stream_ == nullptr) return std::fseek(file_.get(), 0, SEEK_SET) == 0;
    stream_->clear();
    stream_->seekg(0);
    return stream_->good();
}

void LineSource::fail(std::string_view expected, std::string_view found) const {
    throw InputError::at(name_, std::max<std::uint64_t>(line_number_, 1), expected, found);
}

void LineSource::fail_plainly(std::string_view expected, std::string_view found) const {
    throw InputError(name_ + ':' + std::to_string(std::max<std::uint64_t>(line_number_, 1)) +
                     ": expected " + std::string(expected) + ", found " + std::string(found));
}

std::optional<std::uint64_t> whole_number(std::string_view text, std::uint64_t most) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || value > most)
        return std::nullopt;
    return value;
}

bool is_canonical_number(std::string_view text) {
    return whole_number(text).has_value() && (text.size() == 1 || text.front() != '0');
}

std::optional<double> real_number(std::string_view text) {
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
        return std::nullopt;
    return value;
}

}  // namespace equipoise
