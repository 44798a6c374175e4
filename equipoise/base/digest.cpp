#include "equipoise/base/digest.hpp"

#include "equipoise/base/digest_text.hpp"

namespace equipoise {

std::string Digest::text() const {
    return digest_text(value());
}

}  // namespace equipoise
