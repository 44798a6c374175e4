#include "equipoise/reassign/search/cost/cost_search.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "equipoise/reassign/search/cost/cost_annealing.hpp"
#include "equipoise/reassign/search/local_search.hpp"
#include "equipoise/reassign/search/together.hpp"

namespace equipoise::reassign {

namespace {

/// Where a thread is.
struct Progress {
    std::vector<MachineId> places;
    Score score;
    std::uint64_t effort = 0;
};

class CostSearch {
  public:
    CostSearch(const SearchTables& tables, const SearchOptions& options,
               const std::optional<Score>& good_enough)
        : tables_(tables),
          costs_(tables),
          options_(options),
          good_enough_(good_enough),
          start_(stand(tables.problem, tables.problem.places).score),
          together_(options, start_),
          threads_(
              thread_count(tables.problem, options, bytes(), CostTables::bytes(tables.problem))),
          progress_(threads_, {tables.problem.places, start_, 0}) {}

    SearchedPlacement run() {
        if (start_ != Score{} && !(good_enough_ && start_ <= *good_enough_))
            on_threads(threads_, [&](unsigned thread) { search(thread); });
        SearchedPlacement result;
        const Progress* best = progress_.data();
        for (const Progress& each : progress_) {
            result.effort += each.effort;
            if (each.score < best->score) best = &each;
        }
        result.places = best->places;
        result.score = best->score;
        result.proved = result.score == Score{};
        return result;
    }

  private:
    using Deadline = std::optional<Together::Clock::time_point>;

    /// When half of the time that is left will be over.
    [[nodiscard]] Deadline half_of_the_time() const {
        Deadline deadline = together_.deadline();
        if (deadline) *deadline -= (*deadline - Together::Clock::now()) / 2;
        return deadline;
    }
    [[nodiscard]] std::uint64_t bytes() const {
        return std::max(CostAnnealing::bytes(tables_),
                        start_.broken > 0 ? LocalSearch::bytes(tables_) : 0) +
               tables_.problem.item_count() * std::uint64_t{4};
    }

    /// The search for other aims, from the start: until the score is good enough, the effort is
    /// used up, or the time is over. Keeps what is better.
    void search_first(unsigned thread, std::uint64_t stream, std::optional<std::uint64_t> effort,
                      Deadline deadline, const std::optional<Score>& good_enough) {
        std::uint64_t told = 0;
        LocalSearch search(tables_, options_.seed, stream, effort, [&](const LocalSearch& now) {
            const std::uint64_t more = now.iterations() - told;
            told = now.iterations();
            const bool goes_on = together_.goes_on(thread, more, now.best().score);
            return goes_on && (!deadline || Together::Clock::now() < *deadline);
        });
        search.run(good_enough);
        Progress& progress = progress_[thread];
        progress.effort += search.iterations();
        if (search.best().score >= progress.score) return;
        progress.places.assign(search.best_places().begin(), search.best_places().end());
        progress.score = search.best().score;
    }

    /// As many rules are kept as can be, whatever that costs: in at most half of the time.
    void repair(unsigned thread, std::optional<std::uint64_t> effort) {
        constexpr Int128 any = std::numeric_limits<Int128>::max();
        const Int128 least = good_enough_ ? good_enough_->broken : 0;
        search_first(thread, thread, effort, half_of_the_time(),
                     Score{least, any, any, any, any, any});
    }

    void anneal(unsigned thread, std::optional<std::uint64_t> effort, Deadline deadline) {
        Progress& progress = progress_[thread];
        std::uint64_t told = 0;
        const auto score_of = [&](const CostAnnealing& now) {
            Score score = progress.score;
            score.cost = now.best().cost;
            score.moves = now.best().moves;
            return score;
        };
        CostAnnealing annealing(costs_, progress.places, options_.seed, thread, {effort, deadline},
                                [&](const CostAnnealing& now) {
                                    const std::uint64_t more = now.tries() - told;
                                    told = now.tries();
                                    return together_.goes_on(thread, more, score_of(now));
                                });
        annealing.run(good_enough_from(progress.score));
        progress.effort += annealing.tries();
        progress.places.assign(annealing.best_places().begin(), annealing.best_places().end());
        progress.score = stand(tables_.problem, progress.places).score;
    }

    void search(unsigned thread) {
        const std::optional<std::uint64_t> effort = effort_of(options_, thread, threads_);
        Progress& progress = progress_[thread];
        const auto rest = [&](std::uint64_t of) {
            return effort ? std::optional((*effort - progress.effort) / of) : std::nullopt;
        };
        if (start_.broken > 0) repair(thread, rest(2));
        // Annealing breaks no rule in place of another. Where some stay broken, others may be
        // cheaper to break: small problems are searched for that, too.
        const bool may_break_others = progress.score.broken > 0 && costs_.is_small();
        anneal(thread, rest(may_break_others ? 2 : 1),
               may_break_others ? half_of_the_time() : together_.deadline());
        const auto is_enough = [&] { return good_enough_ && progress.score <= *good_enough_; };
        if (may_break_others && !is_enough())
            search_first(thread, thread + threads_, rest(1), together_.deadline(), good_enough_);
        if (is_enough()) together_.found();
    }

    /// Where a search may end that began with this score.
    [[nodiscard]] CostAnnealing::Worth good_enough_from(const Score& from) const {
        constexpr Int128 most = std::numeric_limits<Tokens>::max();
        const Score enough = good_enough_.value_or(Score{});
        if (enough.broken < from.broken) return {-1, 0};
        return {static_cast<Tokens>(std::min(enough.cost, most)),
                static_cast<Tokens>(std::min(enough.moves, most))};
    }

    const SearchTables& tables_;
    const CostTables costs_;
    const SearchOptions& options_;
    const std::optional<Score>& good_enough_;
    Score start_;
    Together together_;
    unsigned threads_;
    std::vector<Progress> progress_;
};

}  // namespace

SearchedPlacement search_costs(const SearchTables& tables, const SearchOptions& options,
                               const std::optional<Score>& good_enough) {
    return CostSearch(tables, options, good_enough).run();
}

}  // namespace equipoise::reassign
