#include "tests/support/property.hpp"

#include <rapidcheck.h>

namespace equipoise::test {

bool holds(const std::string& description, const std::function<void()>& property) {
    return rc::check(description, property);
}

bool holds(const std::function<void()>& property) {
    return holds("", property);
}

}  // namespace equipoise::test
