#include "equipoise/base/digest.hpp"

namespace equipoise {

std::string Digest::text() const {
    constexpr const char* digits = "0123456789abcdef";
    std::string out(16, '0');
    std::uint64_t rest = value();
    for (std::size_t i = out.size(); i-- > 0; rest >>= 4U)
        out[i] = digits[rest & 0xfU];
    return out;
}

}  // namespace equipoise
