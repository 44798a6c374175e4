#include "equipoise/reassign/search/search.hpp"

#include <algorithm>
#include <memory>

#include "equipoise/reassign/search/cost/cost_search.hpp"
#include "equipoise/reassign/search/local_search.hpp"
#include "equipoise/reassign/search/together.hpp"

namespace equipoise::reassign {

SearchedPlacement search_places(const Problem& problem, const SearchOptions& options,
                                const std::optional<Score>& good_enough) {
    const SearchTables tables(problem);
    if (CostTables::suit(problem)) return search_costs(tables, options, good_enough);
    const unsigned threads = thread_count(problem, options, LocalSearch::bytes(tables), 0);
    Together together(options, stand(problem, problem.places).score);
    std::vector<std::unique_ptr<LocalSearch>> searches;
    for (unsigned thread = 0; thread < threads; ++thread)
        searches.push_back(std::make_unique<LocalSearch>(
            tables, options.seed, thread, effort_of(options, thread, threads),
            [&together, thread, told = std::uint64_t{0}](const LocalSearch& now) mutable {
                const std::uint64_t more = now.iterations() - told;
                told = now.iterations();
                return together.goes_on(thread, more, now.best().score);
            }));
    on_threads(threads, [&](unsigned thread) {
        searches[thread]->run(good_enough);
        if (good_enough && searches[thread]->best().score <= *good_enough) together.found();
    });
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
