#include "equipoise/base/writable.hpp"

#include <filesystem>
#include <system_error>

#include "equipoise/base/atomic_file.hpp"

namespace equipoise {

void expect_writable(const std::string& path) {
    std::error_code ignored;
    if (std::filesystem::is_fifo(path, ignored)) return;
    const AtomicFile probe(path);
}

}  // namespace equipoise
