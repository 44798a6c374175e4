#include "equipoise/catalogue/studies/worst.hpp"

#include <algorithm>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/suggest.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"

namespace equipoise::catalogue {

namespace {

using report::LoadsCost;

constexpr std::uint64_t loads_max = std::uint64_t{1} << 30U;

/// Fractions of a token that were exchanged are rounded up.
std::uint64_t quantity_of(const Outcome& outcome, const std::string& quantity) {
    if (quantity == "steps") return outcome.steps();
    if (quantity == "rounds") return outcome.rounds();
    if (quantity == "exchanges") {
        const std::uint64_t scale = outcome.record.load_scale;
        return outcome.exchanges() / scale + (outcome.exchanges() % scale > 0 ? 1 : 0);
    }
    return outcome.messages();
}

/// Whether the ratio of costs at `a` is larger than at `b`; 0 / 0 is 1.
bool dearer(const LoadsCost& a, const LoadsCost& b) {
    const auto parts = [](const LoadsCost& at) {
        return at.cost == 0 && at.beside == 0 ? std::pair<UInt128, UInt128>{1, 1}
                                              : std::pair<UInt128, UInt128>{at.cost, at.beside};
    };
    const auto [a_cost, a_beside] = parts(a);
    const auto [b_cost, b_beside] = parts(b);
    return a_cost * b_beside > b_cost * a_beside;
}

class Search {
  public:
    Search(const WorstRequest& request, const Algorithm& algorithm, const Algorithm* beside,
           const NetworkFacts& facts, const std::stop_token& interrupt)
        : request_(request),
          facts_(facts),
          nodes_(facts.network().node_count()),
          most_(static_cast<Tokens>(request.most_tokens)),
          interrupt_(interrupt),
          algorithm_(algorithm),
          beside_(beside) {
        options_.seed = request.seed;
        options_.steps_max = request.steps_max;
        options_.supervision = &supervision_;
        found_.network = facts.network().labels().origin;
        found_.nodes = nodes_;
        found_.links = facts.network().link_count();
        found_.algorithm = algorithm.name;
        if (beside != nullptr) found_.beside = beside->name;
        found_.quantity = request.quantity;
        found_.most_tokens = most_;
    }

    report::Worst play() {
        if (nodes_ == 0) return found_;
        if (most_ > tokens_max / static_cast<Tokens>(nodes_))
            throw InputError("--most: expected at most " + std::to_string(tokens_max) +
                             " tokens in all, found " + std::to_string(most_) + " on each of " +
                             std::to_string(nodes_) + " nodes");
        if (request_.tries)
            play_some(*request_.tries);
        else
            play_all();
        return std::move(found_);
    }

  private:
    [[nodiscard]] bool stopped() const { return interrupt_.stop_requested(); }

    [[nodiscard]] std::uint64_t cost(const Algorithm& algorithm, const ParameterTexts& parameters,
                                     const load::Loads& loads) {
        options_.parameters = parameters;
        const Outcome outcome = run(algorithm, facts_, loads, options_);
        found_.unended += outcome.reached() || stopped() ? 0 : 1;
        return quantity_of(outcome, request_.quantity);
    }

    [[nodiscard]] bool worse(const LoadsCost& a, const LoadsCost& b) const {
        return beside_ != nullptr ? dearer(a, b) : a.cost > b.cost;
    }

    /// Plays one set of loads; nothing if it was cut short.
    std::optional<LoadsCost> play(const load::Loads& loads) {
        LoadsCost at{loads, cost(algorithm_, request_.parameters, loads), 0};
        if (beside_ != nullptr) at.beside = cost(*beside_, request_.beside_parameters, loads);
        if (stopped()) return std::nullopt;
        ++found_.played;
        if (!found_.worst || worse(at, *found_.worst)) found_.worst = at;
        if (beside_ != nullptr) {
            if (!found_.best || worse(*found_.best, at)) found_.best = at;
            ++(at.cost > at.beside    ? found_.dearer
               : at.cost == at.beside ? found_.equal
                                      : found_.cheaper);
        }
        return at;
    }

    void play_all() {
        UInt128 count = 1;
        for (NodeId node = 0; node < nodes_ && count <= loads_max; ++node)
            count *= UInt128{request_.most_tokens} + 1;
        if (count > loads_max)
            throw InputError("loads of 0 to " + std::to_string(request_.most_tokens) +
                             " tokens on " + std::to_string(nodes_) +
                             " nodes: expected at most 2^30 to be played, found more; --tries "
                             "plays some of them");
        load::Loads loads(nodes_, 0);
        while (!stopped()) {
            if (std::find(loads.begin(), loads.end(), 0) != loads.end()) play(loads);
            NodeId node = 0;
            while (node < nodes_ && loads[node] == most_)
                loads[node++] = 0;
            if (node == nodes_) {
                found_.all = !stopped();
                return;
            }
            ++loads[node];
        }
    }

    /// A random load for a node: often one of the extremes, which random loads would seldom have
    /// together.
    [[nodiscard]] Tokens draw(RandomStream& random) const {
        const std::uint64_t kind = random.below(4);
        if (kind == 0) return 0;
        if (kind == 1) return most_;
        return static_cast<Tokens>(random.below(request_.most_tokens + 1));
    }

    void play_some(std::uint64_t tries) {
        RandomStream random(request_.seed, Purpose::sampling);
        const std::uint64_t patience = 32 * std::uint64_t{nodes_};
        std::optional<LoadsCost> now;
        std::uint64_t in_vain = 0;
        for (std::uint64_t left = tries; left > 0 && !stopped(); --left) {
            load::Loads loads = now ? now->loads : load::Loads(nodes_, 0);
            if (now)
                loads[random.below(nodes_)] = draw(random);
            else
                std::generate(loads.begin(), loads.end(), [&] { return draw(random); });
            const std::optional<LoadsCost> next = play(loads);
            if (!next) return;
            in_vain = !now || worse(*next, *now) ? 0 : in_vain + 1;
            if (!now || !worse(*now, *next)) now = next;
            if (in_vain > patience) now.reset();
        }
    }

    const WorstRequest& request_;
    const NetworkFacts& facts_;
    NodeId nodes_;
    Tokens most_;
    std::stop_token interrupt_;
    const Algorithm& algorithm_;
    const Algorithm* beside_;
    const Supervision supervision_ = {interrupt_};
    RunOptions options_;
    report::Worst found_;
};

}  // namespace

const std::vector<std::string>& worst_quantities() {
    static const std::vector<std::string> names = {"steps", "rounds", "exchanges", "messages"};
    return names;
}

void check(const WorstRequest& request) {
    if (!request.beside.empty()) static_cast<void>(find_algorithm(request.beside));
    if (request.tries == std::uint64_t{0})
        throw InputError("--tries: expected 1 or more loads, found 0");
    const auto& known = worst_quantities();
    if (std::find(known.begin(), known.end(), request.quantity) == known.end())
        throw InputError("--quantity: " + expected_word(request.quantity, known));
    if (request.most_tokens > static_cast<std::uint64_t>(tokens_max))
        throw InputError("--most: expected at most " + std::to_string(tokens_max) +
                         " tokens, found " + std::to_string(request.most_tokens));
}

report::Worst find_worst(const WorstRequest& request, const NetworkFacts& facts,
                         const std::stop_token& interrupt) {
    const Algorithm& algorithm = find_algorithm(request.algorithm);
    const Algorithm* beside = request.beside.empty() ? nullptr : &find_algorithm(request.beside);
    return find_worst(request, algorithm, beside, facts, interrupt);
}

report::Worst find_worst(const WorstRequest& request, const Algorithm& algorithm,
                         const Algorithm* beside, const NetworkFacts& facts,
                         const std::stop_token& interrupt) {
    check(request);
    if (beside == nullptr && !request.beside_parameters.empty())
        throw InputError("--beside-param is for the other algorithm: expected --beside with it");
    return Search(request, algorithm, beside, facts, interrupt).play();
}

}  // namespace equipoise::catalogue
