#include "equipoise/reassign/search/together.hpp"

#include <exception>
#include <string>
#include <thread>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/base/memory.hpp"

namespace equipoise::reassign {

void on_threads(unsigned threads, const std::function<void(unsigned)>& run) {
    std::vector<std::exception_ptr> errors(threads);
    const auto guarded = [&](unsigned thread) {
        try {
            run(thread);
        } catch (...) {
            errors[thread] = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> others;
        for (unsigned thread = 1; thread < threads; ++thread)
            others.emplace_back(guarded, thread);
        guarded(0);
    }
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
}

unsigned thread_count(const Problem& problem, const SearchOptions& options, std::uint64_t each,
                      std::uint64_t shared) {
    const std::uint64_t room = options.memory - std::min(options.memory, shared);
    const std::uint64_t threads = std::clamp<std::uint64_t>(room / std::max<std::uint64_t>(each, 1),
                                                            1, std::max(options.threads, 1U));
    const std::uint64_t most = std::min(options.memory, memory_bytes_max());
    const UInt128 wanted = UInt128{each} * threads + shared;
    if (wanted > most)
        throw UnsuitableError("a search of " + std::to_string(problem.item_count()) + " items on " +
                              std::to_string(problem.machine_count()) + " machines would take " +
                              memory_text(wanted) + " of memory: the limit is " +
                              memory_text(most));
    return static_cast<unsigned>(threads);
}

}  // namespace equipoise::reassign
