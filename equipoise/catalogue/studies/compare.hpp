#pragma once
// Several algorithms on one instance: which of them takes which option, which run, and which are
// left out.

#include <functional>
#include <map>
#include <stop_token>
#include <string>
#include <vector>

#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/catalogue/registry/network_facts.hpp"
#include "equipoise/catalogue/runner/request.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/catalogue/studies/best_possible.hpp"
#include "equipoise/load/loads.hpp"
#include "equipoise/model/run/record.hpp"
#include "equipoise/network/any_network.hpp"

namespace equipoise::catalogue {

/// The runs that were made.
struct Comparison {
    std::vector<model::Record> records;
    bool all_reached = true;  ///< every run reached its end, and none was interrupted
    /// The names of algorithms that could not run, by reason.
    std::map<std::string, std::vector<std::string>> left_out;
};

/// How a caller follows a comparison and ends it.
struct CompareWatch {
    std::stop_token interrupt = {};
    /// Makes the progress callback of an algorithm's run; null: none.
    std::function<std::function<void(const model::Progress&)>(const std::string& algorithm)>
        progress = {};
    /// Called on rank 0 after every run.
    std::function<void(const model::Record&)> ended = {};
};

/// The algorithms that are compared, and the options given to all of them.
class Contest {
  public:
    /// The named algorithms or, without names, all that can run on the instance. Throws InputError
    /// for an unknown name and for an option that none of them takes.
    Contest(const std::vector<std::string>& names, RunRequest request);
    /// The same with given algorithms, which must outlive the contest.
    Contest(std::vector<const Algorithm*> algorithms, RunRequest request);

    [[nodiscard]] std::size_t size() const { return algorithms_.size(); }
    /// Notes on options that only some algorithms take, one line each.
    [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

    /// Plays all of them on one instance. `given` and `options` are those of the request
    /// (`structures_of`, `run_options`), with the fabric, the partition and the level of the
    /// records. `best`, if not null, is noted in the records that can be compared with it; only
    /// rank 0 needs it. Throws as `run` does. However, unless algorithms were named, those that are
    /// unsuitable for a connected network, or whose numbers become too large, are left out.
    /// Collective if there is a fabric.
    [[nodiscard]] Comparison play(const network::AnyNetwork& network,
                                  const network::GivenStructures& given, const load::Loads& loads,
                                  const RunOptions& options, const BestPossible* best,
                                  const CompareWatch& watch) const;

  private:
    void expect_takers();
    /// The options that an algorithm takes among all that were given.
    [[nodiscard]] RunOptions own_options(const Algorithm& algorithm, const RunOptions& given) const;

    std::vector<const Algorithm*> algorithms_;
    bool named_ = true;
    RunRequest request_;
    std::vector<std::string> notes_;
};

}  // namespace equipoise::catalogue
