#pragma once
// Rule and links of a synchronous algorithm, as its entry declares them, and the one way to play
// them: in one process, on ranks, and in pieces.

#include <array>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

#include "equipoise/base/error.hpp"
#include "equipoise/catalogue/registry/algorithm.hpp"
#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/rounds.hpp"
#include "equipoise/model/run/colour_schedule.hpp"
#include "equipoise/model/run/grid_schedule.hpp"
#include "equipoise/model/run/matching_schedule.hpp"

namespace equipoise::catalogue {

/// Owns the schedule that a task requires. It may borrow from the task's network.
class HeldSchedule {
  public:
    using Kinds = std::variant<model::PeriodicSchedule, model::GridSchedule, model::AllLinks,
                               model::SameLinks, model::RandomMatching, model::RandomLink,
                               model::RandomPair, model::SteepestMatching>;

    HeldSchedule(Kinds schedule) : schedule_(std::move(schedule)) {}

    /// Refers to this object, which must not move.
    [[nodiscard]] engine::AnySchedule any() {
        return std::visit([](auto& schedule) { return engine::any_schedule(schedule); }, schedule_);
    }
    /// Whether it stores no links, so that every process can follow it without them.
    [[nodiscard]] bool follows_from_numbers() const {
        return std::holds_alternative<model::GridSchedule>(schedule_);
    }

  private:
    Kinds schedule_;
};

/// The links over which a rule is played.
struct Links {
    enum class Kind : std::uint8_t {
        neighbours,  ///< deal rules: a node deals with all its neighbours
        all,         ///< all links in every step
        periodic,    ///< fixed sets of links in turn
        drawn,       ///< a matching of the whole network, or a link, found afresh for every step
    };
    Kind kind = Kind::neighbours;
    /// Makes the schedule; null for `neighbours`.
    HeldSchedule (*schedule)(const Task&, std::uint64_t seed) = nullptr;
    /// The links if the algorithm's parameters decide; null: these.
    Links (*chosen)(const Parameters&) = nullptr;
};

/// For deal rules, which find links by themselves.
[[nodiscard]] Links neighbours();
/// All links in every step. A process alone stores them, since finding a node's links in an
/// implicit grid would take longer than playing them. With several ranks, each finds the links of
/// its own nodes.
[[nodiscard]] Links all_links();
/// Dimension exchange: the colours in turn, those of the given colouring, otherwise of an implicit
/// grid, otherwise of the best colouring that the library can find.
[[nodiscard]] Links colours();
/// Dimension exchange: on a hypercube, unless a colouring is given, its dimensions; else `colours`.
[[nodiscard]] Links dimensions();
/// The matchings of `dimensions`.
[[nodiscard]] const network::MatchingSequence& dimensions_of(const Task& task);
/// Dimension exchange over the spanning tree that the parameter `tree` names.
[[nodiscard]] Links tree_colours();
/// The matchings that were given, otherwise the natural ones, in turn, oriented as they are.
[[nodiscard]] Links matchings();
/// A random matching every step.
[[nodiscard]] Links random_matchings();
/// One random link every step; one random pair of all nodes, linked or not, every step.
[[nodiscard]] Links random_links();
[[nodiscard]] Links random_pairs_of_nodes();
/// A greedy matching of the steepest links every step.
[[nodiscard]] Links steepest_matchings();

/// A rule of synchronous rounds, of any type.
class AnyRule {
  public:
    using Begin = std::function<std::unique_ptr<engine::RoundPlay>(
        engine::AnySchedule&&, engine::LoadedPart&&, const engine::RoundOptions&)>;

    /// A rule that is played by the object that `begin` makes.
    explicit AnyRule(Begin begin) : begin_(std::move(begin)) {}
    template <model::EdgeRule R>
    explicit AnyRule(R rule)
        : begin_([rule = std::move(rule)](engine::AnySchedule&& schedule, engine::LoadedPart&& part,
                                          const engine::RoundOptions& options) {
              return std::make_unique<engine::EdgeRounds<R>>(rule, std::move(schedule),
                                                             std::move(part), options);
          }) {}
    template <model::DealRule R>
    explicit AnyRule(R rule)
        : begin_([rule = std::move(rule)](engine::AnySchedule&& /*none*/, engine::LoadedPart&& part,
                                          const engine::RoundOptions& options) {
              return std::make_unique<engine::DealRounds<R>>(rule, std::move(part), options);
          }) {}

    /// The rule at work on a part; deal rules ignore the schedule.
    [[nodiscard]] std::unique_ptr<engine::RoundPlay> begin(
        engine::AnySchedule schedule, engine::LoadedPart part,
        const engine::RoundOptions& options) const {
        return begin_(std::move(schedule), std::move(part), options);
    }

  private:
    Begin begin_;
};

/// How an entry's rule is made, and over which links it is played; the function `plays` makes one.
class Rounds {
  public:
    explicit Rounds(Links links) : links_(links) {}
    virtual ~Rounds() = default;
    Rounds(const Rounds&) = delete;
    Rounds& operator=(const Rounds&) = delete;

    [[nodiscard]] const Links& links() const { return links_; }
    /// The links of a run with these parameters.
    [[nodiscard]] Links links(const Parameters& parameters) const {
        return links_.chosen != nullptr ? links_.chosen(parameters) : links_;
    }
    /// The rule for a task. May play other rounds to find it, and note what it found.
    [[nodiscard]] virtual AnyRule make(const Task& task, const engine::RoundOptions& options,
                                       model::Notes& notes) const = 0;
    /// Makes the rule on rank 0, which alone has the task (null on the others), and returns it on
    /// every rank. Collective. Throws UnsuitableError, on every rank, for rules that hold more than
    /// a few values.
    [[nodiscard]] virtual AnyRule make_on_first(engine::Fabric& fabric, const Task* task,
                                                const engine::RoundOptions& options) const = 0;
    /// The rule if it does not depend on the network; nothing if it does or may.
    [[nodiscard]] virtual std::optional<AnyRule> make_for_any(
        const Parameters& parameters) const = 0;
    /// Whether ranks that hold only a piece of the network can play it.
    [[nodiscard]] bool fits_pieces() const {
        return links_.kind != Links::Kind::drawn && has_fixed_size();
    }

  private:
    /// Whether the rule can be sent to other ranks as its bytes.
    [[nodiscard]] virtual bool has_fixed_size() const = 0;

    Links links_;
};

/// Plays an algorithm of synchronous rounds on the task's network, together with what its entry
/// does around the rounds. With a fabric each rank plays its part; the task is then the same on
/// all.
[[nodiscard]] engine::RoundOutcome play_rounds(const Algorithm& algorithm, const Task& task,
                                               const engine::RoundOptions& options,
                                               model::Notes& notes);

/// Plays a rule on the task's network in the same way.
[[nodiscard]] engine::RoundOutcome play_rule(const AnyRule& rule, const Links& links,
                                             const Task& task, const engine::RoundOptions& options);

namespace detail {

/// The result of a Make for a task: a rule, or a variant of several.
template <class Make>
[[nodiscard]] auto made(const Make& make, const Task& task, const engine::RoundOptions& options,
                        model::Notes& notes) {
    if constexpr (std::invocable<Make, const Task&, const engine::RoundOptions&, model::Notes&>)
        return make(task, options, notes);
    else if constexpr (std::invocable<Make, const Task&, model::Notes&>)
        return make(task, notes);
    else if constexpr (std::invocable<Make, const Task&>)
        return make(task);
    else if constexpr (std::invocable<Make, const Parameters&>)
        return make(task.parameters);
    else
        return make;
}

template <class R>
struct Alternatives {
    using type = std::variant<R>;
};
template <class... R>
struct Alternatives<std::variant<R...>> {
    using type = std::variant<R...>;
};

template <class Make>
class RoundsOf final : public Rounds {
  public:
    RoundsOf(Make make, Links links) : Rounds(links), make_(std::move(make)) {}

    [[nodiscard]] AnyRule make(const Task& task, const engine::RoundOptions& options,
                               model::Notes& notes) const override {
        return std::visit([](const auto& rule) { return AnyRule(rule); },
                          Made(made(make_, task, options, notes)));
    }
    [[nodiscard]] AnyRule make_on_first(engine::Fabric& fabric, const Task* task,
                                        const engine::RoundOptions& options) const override {
        std::optional<Made> mine;
        std::size_t which = 0;
        engine::on_first(fabric, [&] {
            model::Notes unread;
            mine.emplace(made(make_, *task, options, unread));
            which = mine->index();
        });
        broadcast_value(fabric, which);
        std::optional<AnyRule> rule;
        each_kind([&]<std::size_t number>(std::integral_constant<std::size_t, number> /*kind*/) {
            if (number == which) rule = tell<number>(fabric, mine);
        });
        return *rule;
    }
    [[nodiscard]] std::optional<AnyRule> make_for_any(const Parameters& parameters) const override {
        if constexpr (std::invocable<Make, const Parameters&>) {
            const auto rule = make_(parameters);
            if constexpr (std::invocable<Make, const Task&>)
                return rule ? std::optional(AnyRule(*rule)) : std::nullopt;
            else
                return AnyRule(rule);
        } else if constexpr (model::EdgeRule<Make> || model::DealRule<Make>) {
            return AnyRule(make_);
        } else {
            return std::nullopt;
        }
    }

  private:
    using Made = typename Alternatives<decltype(made(
        std::declval<const Make&>(), std::declval<const Task&>(),
        std::declval<const engine::RoundOptions&>(), std::declval<model::Notes&>()))>::type;

    template <class Visit>
    static void each_kind(const Visit& visit) {
        [&]<std::size_t... number>(std::index_sequence<number...> /*all*/) {
            (visit(std::integral_constant<std::size_t, number>()), ...);
        }(std::make_index_sequence<std::variant_size_v<Made>>{});
    }

    template <std::size_t number>
    static AnyRule tell(engine::Fabric& fabric, const std::optional<Made>& mine) {
        using R = std::variant_alternative_t<number, Made>;
        if constexpr (std::is_trivially_copyable_v<R>) {
            std::array<std::byte, sizeof(R)> bytes{};
            if (mine) bytes = std::bit_cast<std::array<std::byte, sizeof(R)>>(get<number>(*mine));
            broadcast_value(fabric, bytes);
            return AnyRule(std::bit_cast<R>(bytes));
        } else {
            throw UnsuitableError(
                "this rule stores a list of values: expected a rule of fixed size for a network in "
                "pieces");
        }
    }

    [[nodiscard]] bool has_fixed_size() const override {
        bool fixed = false;
        each_kind([&]<std::size_t number>(std::integral_constant<std::size_t, number> /*kind*/) {
            fixed = fixed || std::is_trivially_copyable_v<std::variant_alternative_t<number, Made>>;
        });
        return fixed;
    }

    Make make_;
};

}  // namespace detail

/// `make` is the rule itself, or a function object that makes the rule (or a variant of several)
/// from a task, called with (task), (task, notes) or (task, options, notes), or with (parameters)
/// if the rule works on any network. If it is callable both with (task) and with (parameters), the
/// latter returns an optional rule: nothing if the rule does not work on any network.
template <class Make>
[[nodiscard]] std::shared_ptr<const Rounds> plays(Make make, Links links) {
    return std::make_shared<detail::RoundsOf<Make>>(std::move(make), links);
}

}  // namespace equipoise::catalogue
