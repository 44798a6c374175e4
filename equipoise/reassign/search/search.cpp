#include "equipoise/reassign/search/search.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "equipoise/base/error.hpp"
#include "equipoise/base/memory.hpp"
#include "equipoise/reassign/search/local_search.hpp"

namespace equipoise::reassign {

namespace {

using Clock = std::chrono::steady_clock;

/// What the threads of a search have in common.
class Together {
  public:
    Together(const SearchOptions& options, const Score& start) : options_(options), best_(start) {
        if (options.seconds)
            deadline_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                           std::chrono::duration<double>(*options.seconds));
    }

    /// Hears from a thread what it has done since it spoke last.
    bool goes_on(unsigned thread, std::uint64_t more, const Score& best) {
        const std::uint64_t done = iterations_.fetch_add(more, std::memory_order_relaxed) + more;
        if (options_.progress) tell(thread, done, best);
        // A search by effort is the same in every run, whatever its threads find when.
        if (found_ && !options_.effort) return false;
        return !options_.stop.stop_requested() && (!deadline_ || Clock::now() < *deadline_);
    }
    /// A thread has found what is good enough.
    void found() { found_ = true; }

  private:
    void tell(unsigned thread, std::uint64_t done, const Score& best) {
        const std::scoped_lock lock(mutex_);
        best_ = std::min(best_, best);
        const Clock::time_point now = Clock::now();
        if (thread != 0 || now < told_ + std::chrono::milliseconds(100)) return;
        told_ = now;
        options_.progress(best_, done);
    }

    const SearchOptions& options_;
    std::optional<Clock::time_point> deadline_;
    std::atomic<std::uint64_t> iterations_ = 0;
    std::atomic<bool> found_ = false;
    std::mutex mutex_;
    Score best_;
    Clock::time_point told_ = Clock::now();
};

/// As many threads as are asked for and the limit suffices for: what this machine has does not
/// change it, so that results do not depend on it.
unsigned thread_count(const SearchTables& tables, const SearchOptions& options) {
    const std::uint64_t each = std::max<std::uint64_t>(LocalSearch::bytes(tables), 1);
    const std::uint64_t threads =
        std::clamp<std::uint64_t>(options.memory / each, 1, std::max(options.threads, 1U));
    const std::uint64_t most = std::min(options.memory, memory_bytes_max());
    if (UInt128{each} * threads > most)
        throw UnsuitableError("a search of " + std::to_string(tables.problem.item_count()) +
                              " items on " + std::to_string(tables.problem.machine_count()) +
                              " machines would take " + memory_text(UInt128{each} * threads) +
                              " of memory: the limit is " + memory_text(most));
    return static_cast<unsigned>(threads);
}

}  // namespace

SearchedPlacement search_places(const Problem& problem, const SearchOptions& options,
                                const std::optional<Score>& good_enough) {
    const SearchTables tables(problem);
    const unsigned threads = thread_count(tables, options);
    Together together(options, stand(problem, problem.places).score);
    std::vector<std::unique_ptr<LocalSearch>> searches;
    for (unsigned thread = 0; thread < threads; ++thread) {
        std::optional<std::uint64_t> effort;
        if (options.effort)
            effort = *options.effort / threads + (thread < *options.effort % threads ? 1 : 0);
        searches.push_back(std::make_unique<LocalSearch>(
            tables, options.seed, thread, effort,
            [&together, thread, told = std::uint64_t{0}](const LocalSearch& now) mutable {
                const std::uint64_t more = now.iterations() - told;
                told = now.iterations();
                return together.goes_on(thread, more, now.best().score);
            }));
    }
    std::vector<std::exception_ptr> errors(threads);
    const auto search = [&](unsigned thread) {
        try {
            searches[thread]->run(good_enough);
        } catch (...) {
            errors[thread] = std::current_exception();
        }
        if (good_enough && searches[thread]->best().score <= *good_enough) together.found();
    };
    {
        std::vector<std::jthread> others;
        for (unsigned thread = 1; thread < threads; ++thread)
            others.emplace_back(search, thread);
        search(0);
    }
    for (const std::exception_ptr& error : errors)
        if (error) std::rethrow_exception(error);
    SearchedPlacement result;
    const LocalSearch* best = searches[0].get();
    for (const std::unique_ptr<LocalSearch>& each : searches) {
        result.effort += each->iterations();
        if (each->best() < best->best()) best = each.get();
    }
    result.places.assign(best->best_places().begin(), best->best_places().end());
    result.score = best->best().score;
    result.proved = result.score == Score{};
    return result;
}

}  // namespace equipoise::reassign
