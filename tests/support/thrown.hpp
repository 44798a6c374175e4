#pragma once
// What code throws, in words that tests compare.

#include <exception>
#include <functional>
#include <new>
#include <string>

#include "equipoise/base/error.hpp"

namespace equipoise::test {

/// What `act` throws, as its kind and text.
inline std::string thrown_by(const std::function<void()>& act) {
    try {
        act();
    } catch (const OverflowError& error) {
        return std::string("overflow: ") + error.what();
    } catch (const UnsuitableError& error) {
        return std::string("unsuitable: ") + error.what();
    } catch (const InputError& error) {
        return std::string("input: ") + error.what();
    } catch (const std::bad_alloc&) {
        return "memory";
    } catch (const std::exception& error) {
        return std::string("other: ") + error.what();
    }
    return "nothing";
}

}  // namespace equipoise::test
