#include "equipoise/engine/fabric.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>

#include "equipoise/base/error.hpp"

namespace equipoise::engine {

namespace {

// Errors travel as the letter of their kind and their text.
constexpr char overflow = 'o';
constexpr char unsuitable = 'u';
constexpr char input = 'i';
constexpr char memory = 'm';
constexpr char other = 'x';

std::string describe(const std::exception_ptr& error) {
    try {
        std::rethrow_exception(error);
    } catch (const OverflowError& found) {
        return overflow + found.quantity();
    } catch (const UnsuitableError& found) {
        return unsuitable + std::string(found.what());
    } catch (const InputError& found) {
        return input + std::string(found.what());
    } catch (const std::bad_alloc&) {
        return {memory};
    } catch (const std::exception& found) {
        return other + std::string(found.what());
    } catch (...) {
        return other + std::string("an exception that is no std::exception");
    }
}

[[noreturn]] void throw_described(const std::string& described, int rank) {
    const std::string text = described.substr(1);
    switch (described.front()) {
        case overflow:
            throw OverflowError(text);
        case unsuitable:
            throw UnsuitableError(text);
        case input:
            throw InputError(text);
        case memory:
            throw std::bad_alloc();
        default:
            throw std::runtime_error("rank " + std::to_string(rank) + ": " + text);
    }
}

}  // namespace

void Fabric::Tally::operator+=(const Tally& other) {
    for (std::size_t word = 0; word < sums.size(); ++word)
        sums[word] += other.sums[word];
    for (std::size_t word = 0; word < maxima.size(); ++word)
        maxima[word] = std::max(maxima[word], other.maxima[word]);
}

void Fabric::agree(const std::exception_ptr& mine) {
    if (ranks() == 1) {
        if (mine) std::rethrow_exception(mine);
        return;
    }
    // The lowest rank that failed: the largest of (ranks from it on).
    const std::int64_t largest = largest_of(*this, mine ? ranks() - rank() : 0);
    if (largest == 0) return;
    const int failed = ranks() - static_cast<int>(largest);
    std::vector<char> described;
    if (rank() == failed) {
        const std::string text = describe(mine);
        described.assign(text.begin(), text.end());
    }
    broadcast_values(*this, described, failed);
    throw_described({described.data(), described.size()}, failed);
}

}  // namespace equipoise::engine
