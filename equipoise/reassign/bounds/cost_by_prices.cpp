#include "equipoise/reassign/bounds/cost_by_prices.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "equipoise/base/error.hpp"
#include "equipoise/reassign/search/move_cost.hpp"

namespace equipoise::reassign {

namespace {

/// Prices are made whole in so many bits.
constexpr int whole_bits = 40;
/// Fewer steps lead nowhere.
constexpr std::uint64_t steps_least = 40;
constexpr std::uint64_t steps_most = 4000;
/// How much of the rise that is hoped for a step makes, were the bound linear: at first, at most,
/// and where the ascent ends; and what it is multiplied with after a rise, or many steps in vain.
constexpr double stride_first = 0.2;
constexpr double stride_most = 2;
constexpr double stride_least = 1e-5;
constexpr double longer = 1.5;
constexpr double shorter = 0.66;
constexpr int patience = 20;
/// The rise that is hoped for, of what is between the bound and the cost that is reached.
constexpr double hoped = 0.3;
/// How much the newest placement counts in their mean; less and less.
constexpr double newest_first = 0.1;
constexpr double newest_least = 0.005;
constexpr double newest_shorter = 0.7;

/// What may arrive, where that is limited whatever leaves.
std::optional<Tokens> room_beside_all(const Problem& problem, const Reach& reach, MachineId machine,
                                      std::size_t kind) {
    const Tokens capacity = problem.capacity(machine, kind);
    if (capacity == tokens_max || problem.resources[kind].release != Release::after_last)
        return std::nullopt;
    return std::max<Tokens>(capacity - reach.used[machine * problem.resource_count() + kind], 0);
}

/// Where items may end if there is room for each by itself.
struct Ends {
    std::vector<std::size_t> begins;  ///< by item: where its machines begin
    std::vector<MachineId> machines;  ///< besides its place
    std::vector<bool> stays;          ///< by item: whether it may end where it is
    [[nodiscard]] std::span<const MachineId> of(ItemId item) const {
        return std::span(machines).subspan(begins[item],
                                           begins[item + std::size_t{1}] - begins[item]);
    }
};

class EndsFinder {
  public:
    EndsFinder(const Problem& problem, const Reach& reach)
        : problem_(problem), reach_(reach), kinds_(problem.resource_count()) {
        for (MachineId machine = 0; machine < problem.machine_count(); ++machine)
            for (std::size_t kind = 0; kind < kinds_; ++kind)
                room_.push_back(room_beside_all(problem, reach, machine, kind)
                                    .value_or(problem.capacity(machine, kind)));
    }

    /// Nothing if there are more than `most` in all.
    [[nodiscard]] std::optional<Ends> find(bool leave, std::uint64_t most) const {
        Ends ends;
        ends.begins.push_back(0);
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            for (MachineId machine = 0; machine < problem_.machine_count(); ++machine)
                if (machine != problem_.places[item] &&
                    reach_.may_end_on(problem_, item, machine) && fits(item, machine))
                    ends.machines.push_back(machine);
            if (ends.machines.size() > most) return std::nullopt;
            const bool can_leave = ends.machines.size() > ends.begins.back();
            ends.stays.push_back(!can_leave || reach_.may_stay(item, leave));
            ends.begins.push_back(ends.machines.size());
        }
        return ends;
    }

  private:
    [[nodiscard]] bool fits(ItemId item, MachineId machine) const {
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            if (problem_.amount(item, kind) > room_[machine * kinds_ + kind]) return false;
        return true;
    }

    const Problem& problem_;
    const Reach& reach_;
    std::size_t kinds_;
    std::vector<Tokens> room_;  ///< by machine, then resource: of what arrives
};

/// By machine, then resource or balance. Those without meaning are 0.
template <class Number>
struct Prices {
    std::vector<Number> above;    ///< a unit above the threshold
    std::vector<Number> held;     ///< a unit of what is held
    std::vector<Number> arrives;  ///< a unit of what arrives
    std::vector<Number> balance;  ///< a unit that is missing
};

/// By machine, then resource.
struct Amounts {
    std::vector<double> held;
    std::vector<double> arrived;  ///< by items that were elsewhere

    /// Moves this mean towards newer amounts.
    void add(const Amounts& newer, double share) {
        for (std::size_t at = 0; at < held.size(); ++at) {
            held[at] += share * (newer.held[at] - held[at]);
            arrived[at] += share * (newer.arrived[at] - arrived[at]);
        }
    }
};

class PriceAscent {
  public:
    PriceAscent(const Problem& problem, const Reach& reach, const Ends& ends)
        : problem_(problem),
          objective_(problem.objective),
          reach_(reach),
          ends_(ends),
          kinds_(problem.resource_count()),
          machines_(problem.machine_count()),
          balances_(objective_.balances.size()),
          means_(kinds_, 0) {
        const std::vector<Tokens> totals = problem.totals();
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            means_[kind] = std::max(number(totals[kind]) / number(machines_), 1.0);
        for (const Tokens amount : problem.amounts)
            amounts_.push_back(number(amount));
        for (ItemId item = 0; item < problem.item_count(); ++item)
            for (const MachineId machine : ends.of(item))
                move_costs_.push_back(
                    number(move_cost(problem, item, problem.places[item], machine)));
        prices_ = start();
        best_prices_ = prices_;
    }

    [[nodiscard]] Int128 best(Int128 reached, std::uint64_t steps) {
        const double enough = number(reached);
        double best = look();
        const double first = best;
        double hope = best + hoped * std::max(enough - best, 1.0);
        double stride = stride_first;
        double newest = newest_first;
        Amounts mean = amounts_there_;
        int in_vain = 0;
        for (std::uint64_t step = 1; step < steps && stride > stride_least && best < enough;
             ++step) {
            if (!go(mean, stride * (hope - best))) break;
            const double value = look();
            const bool goes_on = along() > 0;
            mean.add(amounts_there_, newest);
            if (value > best) {
                best = value;
                best_prices_ = prices_;
                in_vain = 0;
                if (goes_on) stride = std::min(stride * longer, stride_most);
                if (hope - best < hoped * hoped * (enough - first))
                    hope = best + hoped * std::max(enough - best, 1.0);
            } else if (++in_vain >= patience) {
                in_vain = 0;
                stride *= shorter;
                newest = std::max(newest * newest_shorter, newest_least);
            }
        }
        return exact(whole(best_prices_));
    }

  private:
    template <class Whole>
    static double number(Whole whole) {
        return static_cast<double>(whole);
    }

    [[nodiscard]] Tokens weight(std::size_t kind) const {
        return objective_.over_threshold.empty() ? 0 : objective_.over_threshold[kind];
    }
    [[nodiscard]] bool has_threshold(MachineId machine, std::size_t kind) const {
        return weight(kind) > 0 && problem_.threshold(machine, kind) != tokens_max;
    }
    [[nodiscard]] std::optional<Tokens> room(MachineId machine, std::size_t kind) const {
        return room_beside_all(problem_, reach_, machine, kind);
    }

    /// What is held in the end, where that is sure to be limited.
    [[nodiscard]] std::optional<Tokens> capacity(MachineId machine, std::size_t kind) const {
        const Tokens most = problem_.capacity(machine, kind);
        if (most == tokens_max || reach_.used[machine * kinds_ + kind] > most) return std::nullopt;
        return most;
    }

    /// Where the bound is at least that of sums: over all machines, or of what cannot leave.
    [[nodiscard]] Prices<double> start() const {
        Prices<double> prices{std::vector<double>(machines_ * kinds_, 0),
                              std::vector<double>(machines_ * kinds_, 0),
                              std::vector<double>(machines_ * kinds_, 0),
                              std::vector<double>(machines_ * balances_, 0)};
        std::vector<Tokens> stuck(machines_ * kinds_, 0);
        for (ItemId item = 0; item < problem_.item_count(); ++item)
            if (ends_.of(item).empty())
                for (std::size_t kind = 0; kind < kinds_; ++kind)
                    stuck[problem_.places[item] * kinds_ + kind] += problem_.amount(item, kind);
        for (std::size_t kind = 0; kind < kinds_; ++kind) {
            if (weight(kind) == 0) continue;
            Int128 room = 0;
            Int128 rest = 0;
            for (MachineId machine = 0; machine < machines_; ++machine) {
                const std::size_t at = machine * kinds_ + kind;
                room += surplus(problem_.threshold(machine, kind), stuck[at]);
                rest += reach_.used[at] - stuck[at];
            }
            for (MachineId machine = 0; machine < machines_; ++machine)
                if (has_threshold(machine, kind) &&
                    (rest >= room ||
                     stuck[machine * kinds_ + kind] >= problem_.threshold(machine, kind)))
                    prices.above[machine * kinds_ + kind] = number(weight(kind));
        }
        for (std::size_t at = 0; at < balances_; ++at)
            if (is_short(objective_.balances[at]))
                for (MachineId machine = 0; machine < machines_; ++machine)
                    prices.balance[machine * balances_ + at] =
                        number(objective_.balances[at].weight);
        return prices;
    }

    [[nodiscard]] bool is_short(const Objective::Balance& balance) const {
        double sum = 0;
        for (MachineId machine = 0; machine < machines_; ++machine)
            sum += missing(balance, machine, reach_.used);
        return sum > 0;
    }
    /// target * free(resource) - free(other), with these amounts on the machine.
    template <class Amount>
    [[nodiscard]] double missing(const Objective::Balance& balance, MachineId machine,
                                 const std::vector<Amount>& held) const {
        const auto free = [&](std::size_t kind) {
            return number(problem_.capacity(machine, kind)) - number(held[machine * kinds_ + kind]);
        };
        return number(balance.target) * free(balance.resource) - free(balance.other);
    }

    /// The sum of the constant and of each item's least amount, in any kind of numbers: `add` is
    /// given products.
    template <class Number, class Add>
    void add_constant(const Prices<Number>& prices, const Add& add) const {
        for (MachineId machine = 0; machine < machines_; ++machine) {
            for (std::size_t kind = 0; kind < kinds_; ++kind) {
                const std::size_t at = machine * kinds_ + kind;
                if (has_threshold(machine, kind))
                    add(-prices.above[at], problem_.threshold(machine, kind), 1);
                if (const auto most = room(machine, kind)) add(-prices.arrives[at], *most, 1);
                if (const auto most = capacity(machine, kind)) add(-prices.held[at], *most, 1);
            }
            for (std::size_t at = 0; at < balances_; ++at) {
                const Objective::Balance& balance = objective_.balances[at];
                const Number price = prices.balance[machine * balances_ + at];
                add(price, problem_.capacity(machine, balance.resource), balance.target);
                add(-price, problem_.capacity(machine, balance.other), 1);
            }
        }
    }

    /// By machine, then resource: what a unit costs there. `product` multiplies a price.
    template <class Number, class Product>
    [[nodiscard]] std::vector<Number> unit_costs(const Prices<Number>& prices,
                                                 const Product& product) const {
        std::vector<Number> costs = prices.above;
        for (std::size_t at = 0; at < costs.size(); ++at)
            costs[at] += prices.held[at];
        for (MachineId machine = 0; machine < machines_; ++machine)
            for (std::size_t at = 0; at < balances_; ++at) {
                const Objective::Balance& balance = objective_.balances[at];
                const Number price = prices.balance[machine * balances_ + at];
                costs[machine * kinds_ + balance.resource] -= product(price, balance.target);
                costs[machine * kinds_ + balance.other] += price;
            }
        return costs;
    }

    /// The bound at the present prices; `amounts_there_` is what it puts where.
    double look() {
        const std::vector<double> here =
            unit_costs(prices_, [](double price, Tokens amount) { return price * number(amount); });
        std::vector<double> there = here;
        for (std::size_t at = 0; at < there.size(); ++at)
            there[at] += prices_.arrives[at];
        std::vector<double>& held = amounts_there_.held;
        std::vector<double>& arrived = amounts_there_.arrived;
        held.assign(machines_ * kinds_, 0);
        arrived.assign(machines_ * kinds_, 0);
        double sum = 0;
        add_constant(prices_, [&](double price, Tokens amount, Tokens factor) {
            sum += price * number(amount) * number(factor);
        });
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            const double* needs = &amounts_[item * kinds_];
            const auto cost = [&](const std::vector<double>& costs, MachineId machine) {
                const double* units = &costs[machine * kinds_];
                double each = 0;
                for (std::size_t kind = 0; kind < kinds_; ++kind)
                    each += needs[kind] * units[kind];
                return each;
            };
            MachineId best = problem_.places[item];
            double least =
                ends_.stays[item] ? cost(here, best) : std::numeric_limits<double>::infinity();
            for (std::size_t at = ends_.begins[item]; at < ends_.begins[item + std::size_t{1}];
                 ++at) {
                const double each = move_costs_[at] + cost(there, ends_.machines[at]);
                if (each < least) {
                    least = each;
                    best = ends_.machines[at];
                }
            }
            sum += least;
            for (std::size_t kind = 0; kind < kinds_; ++kind) {
                held[best * kinds_ + kind] += needs[kind];
                if (best != problem_.places[item]) arrived[best * kinds_ + kind] += needs[kind];
            }
        }
        return sum;
    }

    /// Each of the present prices with the amount that it is multiplied with, if the placement
    /// has these amounts; what it may be at most; and a typical amount.
    template <class Visit>
    void for_each_price(const Amounts& amounts, const Visit& visit) {
        for (MachineId machine = 0; machine < machines_; ++machine) {
            for (std::size_t kind = 0; kind < kinds_; ++kind) {
                const std::size_t at = machine * kinds_ + kind;
                if (has_threshold(machine, kind))
                    visit(prices_.above[at],
                          amounts.held[at] - number(problem_.threshold(machine, kind)),
                          number(weight(kind)), means_[kind]);
                if (const auto most = capacity(machine, kind))
                    visit(prices_.held[at], amounts.held[at] - number(*most),
                          std::numeric_limits<double>::infinity(), means_[kind]);
                if (const auto most = room(machine, kind))
                    visit(prices_.arrives[at], amounts.arrived[at] - number(*most),
                          std::numeric_limits<double>::infinity(), means_[kind]);
            }
            for (std::size_t at = 0; at < balances_; ++at) {
                const Objective::Balance& balance = objective_.balances[at];
                visit(prices_.balance[machine * balances_ + at],
                      missing(balance, machine, amounts.held), number(balance.weight),
                      number(balance.target) * means_[balance.resource] + means_[balance.other]);
            }
        }
    }

    /// From the best prices, along the slopes that a mean of placements has, so far that the bound
    /// would rise by `rise` if it were linear. False if no price can change for the better.
    bool go(const Amounts& mean, double rise) {
        prices_ = best_prices_;
        direction_.clear();
        double square = 0;
        for_each_price(mean, [&](double price, double slope, double most, double typical) {
            double along = slope / typical;
            if ((along > 0 && price >= most) || (along < 0 && price <= 0)) along = 0;
            direction_.push_back(along);
            square += along * along;
        });
        if (square == 0) return false;
        std::size_t at = 0;
        for_each_price(mean, [&](double& price, double /*slope*/, double most, double typical) {
            price = std::clamp(price + rise / square * direction_[at++] / typical, 0.0, most);
        });
        return true;
    }

    /// Whether the bound still rises in the last direction: above 0 if so.
    double along() {
        double sum = 0;
        std::size_t at = 0;
        for_each_price(amounts_there_,
                       [&](double /*price*/, double slope, double /*most*/, double typical) {
                           sum += direction_[at++] * slope / typical;
                       });
        return sum;
    }

    /// Prices in whole numbers of 2^-shift.
    struct WholePrices {
        Prices<Int128> prices;
        int shift = 0;
    };
    [[nodiscard]] WholePrices whole(const Prices<double>& prices) const {
        Tokens largest = 1;
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            largest = std::max(largest, weight(kind));
        for (const Objective::Balance& balance : objective_.balances)
            largest = std::max(largest, balance.weight);
        WholePrices made;
        made.shift = std::max(whole_bits - std::ilogb(number(largest)), 0);
        // Prices that have no limit may be this many times the largest weight.
        constexpr Int128 most_times = 1024;
        const auto made_of = [&](double price, Int128 most) {
            const double scaled = std::ldexp(price, made.shift);
            most <<= static_cast<unsigned>(made.shift);
            return scaled >= number(most) ? most : static_cast<Int128>(scaled);
        };
        for (std::size_t at = 0; at < prices.above.size(); ++at) {
            made.prices.above.push_back(made_of(prices.above[at], weight(at % kinds_)));
            made.prices.held.push_back(made_of(prices.held[at], largest * most_times));
            made.prices.arrives.push_back(made_of(prices.arrives[at], largest * most_times));
        }
        for (std::size_t at = 0; at < prices.balance.size(); ++at)
            made.prices.balance.push_back(
                made_of(prices.balance[at], objective_.balances[at % balances_].weight));
        return made;
    }

    /// The bound at these prices, rounded up. Throws OverflowError.
    [[nodiscard]] Int128 exact(const WholePrices& whole) const {
        const auto product = [](Int128 price, Int128 amount) {
            return checked_multiply(price, amount);
        };
        const std::vector<Int128> here = unit_costs(whole.prices, product);
        const Int128 unit = Int128{1} << static_cast<unsigned>(whole.shift);
        Int128 sum = 0;
        add_constant(whole.prices, [&](Int128 price, Tokens amount, Tokens factor) {
            sum = checked_add(sum, product(price, Int128{amount} * factor));
        });
        for (ItemId item = 0; item < problem_.item_count(); ++item) {
            std::optional<Int128> least;
            if (ends_.stays[item]) least = cost_there(item, problem_.places[item], here);
            for (const MachineId machine : ends_.of(item)) {
                const Int128 move = move_cost(problem_, item, problem_.places[item], machine);
                Int128 each = checked_add(product(move, unit), cost_there(item, machine, here));
                each = checked_add(each, cost_there(item, machine, whole.prices.arrives));
                least = std::min(least.value_or(each), each);
            }
            sum = checked_add(sum, *least);
        }
        return sum <= 0 ? Int128{0} : (sum - 1) / unit + 1;
    }

    [[nodiscard]] Int128 cost_there(ItemId item, MachineId machine,
                                    const std::vector<Int128>& units) const {
        Int128 cost = 0;
        for (std::size_t kind = 0; kind < kinds_; ++kind)
            cost = checked_add(cost, checked_multiply(Int128{problem_.amount(item, kind)},
                                                      units[machine * kinds_ + kind]));
        return cost;
    }

    const Problem& problem_;
    const Objective& objective_;
    const Reach& reach_;
    const Ends& ends_;
    std::size_t kinds_;
    MachineId machines_;
    std::size_t balances_;
    std::vector<double> means_;       ///< by resource: the mean of machines
    std::vector<double> amounts_;     ///< by item, then resource
    std::vector<double> move_costs_;  ///< as the machines of `ends_`
    Prices<double> prices_;
    Prices<double> best_prices_;
    Amounts amounts_there_;
    std::vector<double> direction_;  ///< in the order of `for_each_price`
};

}  // namespace

Int128 cost_by_prices(const Problem& problem, const Reach& reach, bool leave, Int128 reached,
                      std::uint64_t effort) {
    const std::uint64_t kinds = problem.resource_count();
    const std::optional<Ends> ends =
        EndsFinder(problem, reach).find(leave, effort / kinds / steps_least);
    if (!ends) return 0;
    const std::uint64_t looks =
        (std::uint64_t{problem.item_count()} + ends->machines.size()) * kinds;
    try {
        return PriceAscent(problem, reach, *ends)
            .best(reached, std::min(effort / looks, steps_most));
    } catch (const OverflowError&) {
        return 0;
    }
}

}  // namespace equipoise::reassign
