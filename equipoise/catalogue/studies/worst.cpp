#include "equipoise/catalogue/studies/worst.hpp"

#include <algorithm>
#include <memory>
#include <numeric>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/base/tokens.hpp"
#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/catalogue/runner/supervision.hpp"
#include "equipoise/catalogue/studies/best_possible.hpp"
#include "equipoise/catalogue/studies/worst_cost.hpp"
#include "equipoise/load/make.hpp"
#include "equipoise/network/generators/links.hpp"
#include "equipoise/network/structure/numberings.hpp"

namespace equipoise::catalogue {

namespace {

using network::Numbering;
using report::LoadsCost;

constexpr std::uint64_t runs_max = std::uint64_t{1} << 30U;

/// The ratio of costs; 0 / 0 is 1.
load::Fraction ratio(const LoadsCost& at) {
    if (at.cost.numerator == 0 && at.beside.numerator == 0) return {1, 1};
    return {at.cost.numerator * at.beside.denominator, at.cost.denominator * at.beside.numerator};
}

/// How many sets of loads from 0 to `most` there are, up to a little more than `runs_max`.
UInt128 all_loads(NodeId nodes, std::uint64_t most) {
    UInt128 count = 1;
    for (NodeId node = 0; node < nodes && count <= runs_max; ++node)
        count *= UInt128{most} + 1;
    return count;
}

/// A network under the numbers that are being played.
class Numbered {
  public:
    /// Under its own numbers.
    explicit Numbered(const NetworkFacts& facts) : facts_(&facts) {}
    Numbered(const network::AnyNetwork& network, const Numbering& numbers)
        : network_(std::make_unique<network::AnyNetwork>(network::renumber(network, numbers))),
          own_facts_(std::make_unique<NetworkFacts>(*network_)),
          facts_(own_facts_.get()) {}

    [[nodiscard]] const NetworkFacts& facts() const { return *facts_; }

  private:
    std::unique_ptr<network::AnyNetwork> network_;
    std::unique_ptr<NetworkFacts> own_facts_;
    const NetworkFacts* facts_;
};

class Search {
  public:
    Search(const WorstRequest& request, const Algorithm& algorithm, const Algorithm* beside,
           const NetworkFacts& facts, const std::stop_token& interrupt)
        : request_(request),
          cost_(find_cost(request.quantity)),
          facts_(facts),
          nodes_(facts.network().node_count()),
          most_(static_cast<Tokens>(request.most_tokens)),
          interrupt_(interrupt),
          algorithm_(algorithm),
          beside_(beside) {
        options_.seed = request.seed;
        options_.steps_max = request.steps_max;
        options_.supervision = &supervision_;
        options_.with_deviation = cost_.needs_deviation;
        if (cost_.needs_moves) options_.record_level = model::RecordLevel::full;
        found_.network = facts.network().labels().origin;
        found_.nodes = nodes_;
        found_.links = facts.network().link_count();
        found_.algorithm = algorithm.name;
        if (beside != nullptr) found_.beside = beside->name;
        found_.quantity = request.quantity;
        found_.most_tokens = most_;
        found_.any_numbering = request.any_numbering;
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
        if (found_.worst) add_specs(*found_.worst);
        if (found_.best) add_specs(*found_.best);
        return std::move(found_);
    }

  private:
    [[nodiscard]] bool stopped() const { return interrupt_.stop_requested(); }

    /// The network under these numbers; under its own ones if there are none.
    [[nodiscard]] Numbered numbered(const Numbering& numbers) const {
        // An implicit grid has colours and a shape that its links alone do not tell.
        const bool own = numbers.empty() || (facts_.network().grid() != nullptr &&
                                             std::is_sorted(numbers.begin(), numbers.end()));
        return own ? Numbered(facts_) : Numbered(facts_.network(), numbers);
    }

    void add_specs(LoadsCost& at) const {
        const Numbered place = numbered(at.numbering);
        const network::AnyNetwork& network = place.facts().network();
        at.loads_spec = load::spec_of(at.loads, network).value_or("");
        if (request_.any_numbering) at.network_spec = network.labels().origin;
    }

    /// Nothing if the run was cut short or cannot be compared with the optimum.
    [[nodiscard]] std::optional<load::Fraction> cost(const Algorithm& algorithm,
                                                     const ParameterTexts& parameters,
                                                     const NetworkFacts& facts,
                                                     const load::Loads& loads) {
        options_.parameters = parameters;
        Outcome outcome = run(algorithm, facts, loads, options_);
        if (stopped()) return std::nullopt;
        found_.unended += outcome.reached() ? 0 : 1;
        // Only a run that ends with floor or ceiling of the mean everywhere can be compared.
        if (cost_.needs_optimum && outcome.discrepancy() <= 1)
            BestPossible(facts.network(), loads, {}).note_in(outcome.record, algorithm);
        const std::optional<load::Fraction> found = cost_.of(outcome);
        if (!found && !cost_.needs_optimum)
            throw UnsuitableError(algorithm.name + " keeps no " + request_.quantity +
                                  " of its runs: expected another --quantity");
        return found;
    }

    [[nodiscard]] bool worse(const LoadsCost& a, const LoadsCost& b) const {
        return beside_ != nullptr ? larger(ratio(a), ratio(b)) : larger(a.cost, b.cost);
    }

    /// Plays one set of loads; nothing if it was cut short or has no cost.
    std::optional<LoadsCost> play(const NetworkFacts& facts, const Numbering& numbers,
                                  const load::Loads& loads) {
        const auto own = cost(algorithm_, request_.parameters, facts, loads);
        std::optional<load::Fraction> other = load::Fraction{0, 1};
        if (beside_ != nullptr && !stopped())
            other = cost(*beside_, request_.beside_parameters, facts, loads);
        if (stopped()) return std::nullopt;
        ++found_.played;
        if (!own || !other) {
            ++found_.left_out;
            return std::nullopt;
        }
        LoadsCost at{loads, *own, *other, numbers};
        if (!found_.worst || worse(at, *found_.worst)) found_.worst = at;
        if (beside_ != nullptr) {
            if (!found_.best || worse(*found_.best, at)) found_.best = at;
            ++(larger(at.cost, at.beside)   ? found_.dearer
               : larger(at.beside, at.cost) ? found_.cheaper
                                            : found_.equal);
        }
        return at;
    }

    void play_all() {
        const UInt128 loads = all_loads(nodes_, request_.most_tokens);
        expect_few(loads, "");
        if (!request_.any_numbering) {
            play_all_loads(facts_, {});
        } else {
            if (nodes_ > network::numbered_nodes_max)
                throw InputError("--any-numbering: expected at most " +
                                 std::to_string(network::numbered_nodes_max) +
                                 " nodes, whose numberings can all be played, found " +
                                 std::to_string(nodes_) + "; --tries plays some of them");
            const std::vector<Numbering> all = network::numberings(facts_.network());
            expect_few(loads * all.size(), ", under " + std::to_string(all.size()) + " numberings");
            for (const Numbering& numbers : all)
                if (!stopped()) play_numbering(numbers);
            found_.numberings = all.size();
        }
        found_.all = !stopped();
    }

    void expect_few(UInt128 runs, const std::string& under) const {
        if (runs > runs_max)
            throw InputError("loads of 0 to " + std::to_string(request_.most_tokens) +
                             " tokens on " + std::to_string(nodes_) + " nodes" + under +
                             ": expected at most 2^30 to be played, found more; --tries "
                             "plays some of them");
    }

    /// All loads under these numbers, unless the algorithm cannot run there. It must under the
    /// first ones.
    void play_numbering(const Numbering& numbers) {
        const Numbered place = numbered(numbers);
        const std::uint64_t before = found_.played;
        try {
            play_all_loads(place.facts(), numbers);
        } catch (const UnsuitableError&) {
            if (before == 0 || found_.played > before) throw;
            ++found_.unsuitable;
        }
    }

    void play_all_loads(const NetworkFacts& facts, const Numbering& numbers) {
        load::Loads loads(nodes_, 0);
        while (!stopped()) {
            if (std::find(loads.begin(), loads.end(), 0) != loads.end())
                play(facts, numbers, loads);
            NodeId node = 0;
            while (node < nodes_ && loads[node] == most_)
                loads[node++] = 0;
            if (node == nodes_) return;
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

    /// Random loads and, except for the first, random numbers.
    [[nodiscard]] LoadsCost draw_all(RandomStream& random) const {
        LoadsCost drawn{load::Loads(nodes_, 0), {}, {}};
        std::generate(drawn.loads.begin(), drawn.loads.end(), [&] { return draw(random); });
        if (!request_.any_numbering) return drawn;
        drawn.numbering.resize(nodes_);
        std::iota(drawn.numbering.begin(), drawn.numbering.end(), NodeId{0});
        if (found_.played == 0) return drawn;
        for (NodeId left = nodes_; left > 1; --left)
            std::swap(drawn.numbering[left - 1], drawn.numbering[random.below(left)]);
        return drawn;
    }

    /// Another load at one node, or two nodes with their loads under each other's number.
    void change(LoadsCost& at, RandomStream& random) const {
        if (!request_.any_numbering || random.below(4) > 0) {
            at.loads[random.below(nodes_)] = draw(random);
            return;
        }
        NodeId& one = at.numbering[random.below(nodes_)];
        NodeId& other = at.numbering[random.below(nodes_)];
        std::swap(at.loads[one], at.loads[other]);
        std::swap(one, other);
    }

    /// Nothing, too, for numbers under which the algorithm cannot run.
    std::optional<LoadsCost> play_one(const LoadsCost& at) {
        if (at.numbering.empty()) return play(facts_, {}, at.loads);
        try {
            return play(numbered(at.numbering).facts(), at.numbering, at.loads);
        } catch (const UnsuitableError&) {
            if (found_.played == 0) throw;
            ++found_.unsuitable;
            return std::nullopt;
        }
    }

    void play_some(std::uint64_t tries) {
        RandomStream random(request_.seed, Purpose::sampling);
        const std::uint64_t patience = 32 * std::uint64_t{nodes_};
        std::optional<LoadsCost> now;
        std::uint64_t in_vain = 0;
        for (std::uint64_t left = tries; left > 0 && !stopped(); --left) {
            LoadsCost tried = now ? *now : draw_all(random);
            if (now) change(tried, random);
            const std::optional<LoadsCost> next = play_one(tried);
            if (stopped()) return;
            in_vain = next && (!now || worse(*next, *now)) ? 0 : in_vain + 1;
            if (next && (!now || !worse(*now, *next))) now = next;
            if (in_vain > patience) now.reset();
        }
    }

    const WorstRequest& request_;
    const CostOfRuns& cost_;
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

/// Throws for an unknown quantity, and for one that compares with the best possible beside another
/// algorithm.
void expect_quantity(const WorstRequest& request, bool has_beside) {
    if (find_cost(request.quantity).needs_optimum && has_beside)
        throw InputError("--quantity " + request.quantity +
                         " compares with the best possible: expected no --beside with it");
}

}  // namespace

const std::vector<std::string>& worst_quantities() {
    return cost_words();
}

void check(const WorstRequest& request) {
    if (!request.beside.empty()) static_cast<void>(find_algorithm(request.beside));
    if (request.tries == std::uint64_t{0})
        throw InputError("--tries: expected 1 or more loads, found 0");
    expect_quantity(request, !request.beside.empty());
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
    expect_quantity(request, beside != nullptr);
    if (beside == nullptr && !request.beside_parameters.empty())
        throw InputError("--beside-param is for the other algorithm: expected --beside with it");
    if (find_cost(request.quantity).needs_optimum_steps && !moves_single_tokens(algorithm))
        throw UnsuitableError(algorithm.name +
                              " moves more than single tokens in a step: its steps cannot be "
                              "compared with the fewest possible");
    return Search(request, algorithm, beside, facts, interrupt).play();
}

}  // namespace equipoise::catalogue
