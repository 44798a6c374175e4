#include "equipoise/base/assert.hpp"

#include <cstdio>

namespace equipoise::detail {

void assertion_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    std::abort();
}

}  // namespace equipoise::detail
