#include "equipoise/base/read_bytes.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <system_error>

#include "equipoise/base/error.hpp"

namespace equipoise {

std::string read_bytes(const std::string& path,
                       const std::function<void(std::string_view all, std::size_t from)>& look) {
    constexpr std::size_t bytes_most = std::size_t{1} << 32U;
    constexpr std::size_t block_least = std::size_t{1} << 16U;
    struct Closer {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    const auto fail = [&](int reason) {
        throw InputError(path + ": cannot be read: " +
                         std::error_code(reason, std::generic_category()).message());
    };
    const std::unique_ptr<std::FILE, Closer> file(std::fopen(path.c_str(), "rb"));
    if (file == nullptr) fail(errno);
    std::string bytes;
    while (true) {
        const std::size_t before = bytes.size();
        if (before >= bytes_most)
            throw InputError(path + ": expected at most 2^32 bytes, found more");
        bytes.resize(before + std::max(block_least, before / 2));
        const std::size_t got =
            std::fread(bytes.data() + before, 1, bytes.size() - before, file.get());
        if (got == 0 && std::ferror(file.get()) != 0) fail(errno);
        bytes.resize(before + got);
        if (got == 0) return bytes;
        look(bytes, before);
    }
}

}  // namespace equipoise
