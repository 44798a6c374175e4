#include <charconv>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include <nlohmann/json.hpp>

#include "equipoise/base/csv_fields.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/report/answers/reassign.hpp"

namespace equipoise::report {

namespace {

using PlanJson = nlohmann::ordered_json;

/// A whole number, or the nearest real one where it does not fit into 64 bits.
PlanJson wide_json(Int128 number) {
    if (number >= std::numeric_limits<std::int64_t>::min() &&
        number <= std::numeric_limits<std::int64_t>::max())
        return static_cast<std::int64_t>(number);
    return static_cast<double>(number);
}

/// An amount in the units of its column.
PlanJson amount_json(const reassign::Resource& resource, Int128 amount) {
    if (resource.decimals == 0) return wide_json(amount);
    const std::string digits = reassign::exact_text(resource, amount);
    double number = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    return number;
}

PlanJson share_json(const reassign::Resource& resource, double share) {
    for (int i = 0; i < resource.decimals; ++i)
        share /= 10;
    return share;
}

PlanJson limit_json(const reassign::Resource& resource, Tokens limit) {
    return limit == tokens_max ? PlanJson(nullptr) : amount_json(resource, limit);
}

/// Null for no machine, or for outside.
PlanJson machine_name_json(const reassign::Problem& problem, reassign::MachineId machine) {
    if (machine == reassign::no_machine || machine == problem.outside) return nullptr;
    return problem.machine_name(machine);
}

PlanJson label_json(const reassign::Label& label, reassign::MachineId machine) {
    if (label.of[machine] == reassign::no_value) return nullptr;
    return std::string(label.values.name(label.of[machine]));
}

/// The resource that `bytes` means.
std::optional<std::size_t> bytes_of(const reassign::Problem& problem) {
    for (const char* name : {"bytes", "size"})
        for (std::size_t resource = 1; resource < problem.resource_count(); ++resource)
            if (problem.resources[resource].name == name) return resource;
    return {};
}

/// Amounts of all resources, of which the first is moves.
PlanJson moved_json(const reassign::Problem& problem, std::span<const Tokens> moved) {
    PlanJson object = {{"moves", moved[reassign::items_resource]}};
    if (const auto bytes = bytes_of(problem))
        object["bytes"] = amount_json(problem.resources[*bytes], moved[*bytes]);
    object["resources"] = PlanJson::object();
    for (std::size_t resource = 1; resource < problem.resource_count(); ++resource)
        object["resources"][problem.resources[resource].name] =
            amount_json(problem.resources[resource], moved[resource]);
    return object;
}

/// Nothing where it is not known who leads.
std::optional<reassign::Problem::Shares> shares_of_leaders(const ReassignAnswer& answer) {
    if (!knows_leaders(answer)) return std::nullopt;
    return answer.problem.leader_shares();
}

PlanJson machine_json(const ReassignAnswer& answer, reassign::MachineId machine,
                      const std::vector<reassign::Problem::Shares>& shares,
                      const std::optional<reassign::Problem::Shares>& leader_shares) {
    const reassign::Problem& problem = answer.problem;
    PlanJson object = {{"machine", problem.machine_name(machine)}, {"labels", PlanJson::object()}};
    for (const reassign::Label& label : problem.machine_labels)
        if (!is_name(label)) object["labels"][label.name] = label_json(label, machine);
    object["drained"] = static_cast<bool>(problem.drained[machine]);
    object["pinned"] = static_cast<bool>(problem.pinned[machine]);
    object["resources"] = PlanJson::object();
    for (std::size_t resource = 0; resource < problem.resource_count(); ++resource) {
        const std::size_t at = machine * problem.resource_count() + resource;
        const reassign::Resource& of = problem.resources[resource];
        object["resources"][of.name] = {
            {"before", amount_json(of, answer.plan.before.used[at])},
            {"after", amount_json(of, answer.plan.replayed.end.used[at])},
            {"share", share_json(of, shares[resource].of(machine))},
            {"peak", amount_json(of, answer.plan.replayed.peaks[at])},
            {"capacity", limit_json(of, problem.capacities[at])},
            {"threshold", limit_json(of, problem.thresholds[at])}};
    }
    if (leader_shares)
        object["leaders"] = {{"before", answer.plan.led_before.led[machine]},
                             {"after", answer.plan.led_after.led[machine]},
                             {"share", leader_shares->of(machine)}};
    return object;
}

/// Another item of a thing leads in the end.
PlanJson leader_json(const ReassignAnswer& answer, const reassign::LeaderChange& change) {
    const auto machine = [&](reassign::ItemId item) {
        return item == reassign::no_item
                   ? PlanJson(nullptr)
                   : PlanJson(answer.problem.machine_name(answer.plan.replayed.places[item]));
    };
    return {{"group", std::string(answer.problem.things.name(change.thing))},
            {"from", machine(change.from)},
            {"to", machine(change.to)}};
}

PlanJson totals_json(const ReassignAnswer& answer) {
    const reassign::Plan& plan = answer.plan;
    PlanJson totals = moved_json(answer.problem, plan.replayed.moved);
    totals["waves"] = plan.replayed.waves;
    if (!plan.replayed.seconds.empty())
        totals["seconds"] =
            std::accumulate(plan.replayed.seconds.begin(), plan.replayed.seconds.end(), 0.0);
    if (!plan.order.ends.empty()) totals["seconds_without_barriers"] = plan.order.seconds();
    totals["detours"] = plan.detours;
    if (knows_leaders(answer)) totals["leaders"] = plan.leaders.size();
    if (!answer.target.empty()) totals["missed"] = plan.missed;
    return totals;
}

PlanJson at_least_json(const ReassignAnswer& answer) {
    const reassign::Problem& problem = answer.problem;
    const reassign::Bounds& bounds = answer.plan.at_least;
    const bool weighs_amounts =
        !problem.objective.given && problem.fewest != reassign::items_resource;
    const std::size_t fewest = problem.fewest;
    PlanJson object = {
        {"moves", wide_json(weighs_amounts || problem.objective.given ? bounds.moves.at_least
                                                                      : bounds.fewest.at_least)}};
    if (weighs_amounts) {
        const PlanJson amount = amount_json(problem.resources[fewest], bounds.fewest.at_least);
        if (bytes_of(problem) == fewest) object["bytes"] = amount;
        object["resources"] = {{problem.resources[fewest].name, amount}};
    }
    object["waves"] = wide_json(bounds.waves.at_least);
    const reassign::SecondsBound& seconds = answer.plan.seconds_at_least;
    if (!answer.plan.order.ends.empty()) object["seconds"] = seconds.at_least;
    if (knows_leaders(answer)) object["leaders"] = wide_json(bounds.leaders_changed.at_least);
    object["reasons"] = PlanJson::object();
    for (const auto& [name, bound] :
         {std::pair("broken", &bounds.broken),
          std::pair("over_thresholds", &bounds.over_thresholds),
          std::pair("over_levels", &bounds.over_levels), std::pair("cost", &bounds.cost),
          std::pair("fewest", &bounds.fewest), std::pair("moves", &bounds.moves),
          std::pair("waves", &bounds.waves), std::pair("over_leaders", &bounds.leaders_over),
          std::pair("leaders", &bounds.leaders_changed)})
        if (!bound->reason.empty()) object["reasons"][name] = bound->reason;
    if (!seconds.reason.empty()) object["reasons"]["seconds"] = seconds.reason;
    return object;
}

PlanJson score_json(const reassign::Score& score) {
    return {{"broken", wide_json(score.broken)},
            {"over_thresholds", wide_json(score.over_thresholds)},
            {"over_levels", wide_json(score.over_levels)},
            {"cost", wide_json(score.cost)},
            {"fewest", wide_json(score.fewest)},
            {"moves", wide_json(score.moves)}};
}

PlanJson scores_json(const ReassignAnswer& answer) {
    const reassign::Plan& plan = answer.plan;
    const reassign::Bounds& bounds = plan.at_least;
    const reassign::Score least = {bounds.broken.at_least,      bounds.over_thresholds.at_least,
                                   bounds.over_levels.at_least, bounds.cost.at_least,
                                   bounds.fewest.at_least,      bounds.moves.at_least};
    PlanJson object = {{"before", score_json(plan.before.score)},
                       {"after", score_json(plan.replayed.end.score)},
                       {"at_least", score_json(least)}};
    if (answer.problem.leaders_tolerance) {
        object["before"]["over_leaders"] = plan.led_before.over;
        object["after"]["over_leaders"] = plan.led_after.over;
        object["at_least"]["over_leaders"] = wide_json(bounds.leaders_over.at_least);
    }
    return object;
}

PlanJson across_json(const ReassignAnswer& answer, std::size_t groups) {
    PlanJson object = {{"label", answer.problem.machine_labels[groups].name}};
    object.update(
        moved_json(answer.problem, amounts_across(answer.problem, answer.plan.moves, groups)));
    return object;
}

PlanJson rules_json(const reassign::Problem& problem,
                    const std::vector<reassign::BrokenRule>& broken) {
    PlanJson list = PlanJson::array();
    for (const reassign::BrokenRule& each : broken) {
        PlanJson object = {{"rule", to_string(each.kind)}};
        object["machine"] = machine_name_json(problem, each.machine);
        object["by"] = each.kind == reassign::RuleKind::capacity
                           ? amount_json(problem.resources[each.resource], each.by)
                           : PlanJson(each.by);
        object["words"] = reassign::words(problem, each);
        list.push_back(std::move(object));
    }
    return list;
}

PlanJson infeasible_json(const reassign::Problem& problem,
                         const std::vector<reassign::Conflict>& conflicts) {
    PlanJson list = PlanJson::array();
    for (const reassign::Conflict& conflict : conflicts) {
        const reassign::BrokenRule& rule = conflict.rule;
        list.push_back(
            {{"rule", to_string(rule.kind)},
             {"machine", machine_name_json(problem, rule.machine)},
             {"short_by", rule.kind == reassign::RuleKind::capacity
                              ? amount_json(problem.resources[rule.resource], conflict.short_by)
                              : PlanJson(conflict.short_by)},
             {"relax", conflict.relax},
             {"words", conflict.words},
             {"proved", conflict.proved}});
    }
    return list;
}

PlanJson aims_json(const reassign::Problem& problem) {
    PlanJson aims;
    aims["level"] = PlanJson::array();
    for (const reassign::LevelAim& aim : problem.level)
        aims["level"].push_back({{"resource", problem.resources[aim.resource].name},
                                 {"tolerance", static_cast<double>(aim.tolerance) / 1e6}});
    if (problem.leaders_tolerance)
        aims["level"].push_back(
            {{"resource", "leaders"},
             {"tolerance", static_cast<double>(*problem.leaders_tolerance) / 1e6}});
    aims["fewest"] = problem.fewest == reassign::items_resource
                         ? "moves"
                         : problem.resources[problem.fewest].name;
    aims["objective"] = problem.objective.given;
    return aims;
}

PlanJson move_json(const ReassignAnswer& answer, std::size_t number) {
    const reassign::Move& move = answer.plan.moves[number];
    const reassign::PartialOrder& order = answer.plan.order;
    PlanJson object = {{"wave", move.wave},
                       {"item", answer.problem.item_name(move.item)},
                       {"from", machine_name_json(answer.problem, move.from)},
                       {"to", machine_name_json(answer.problem, move.to)}};
    if (!order.waits_for.empty()) object["waits_for"] = order.waits_for[number];
    if (order.ends.empty()) return object;
    object["starts"] = order.starts[number];
    object["ends"] = order.ends[number];
    return object;
}

PlanJson carried_out_json(const redis::CarriedOut& done) {
    PlanJson object = {{"slots", done.slots},   {"keys", done.keys},
                       {"bytes", done.bytes},   {"seconds", done.seconds},
                       {"closed", done.closed}, {"finished", done.finished},
                       {"left", done.left},     {"interrupted", done.interrupted}};
    if (!done.stopped.empty()) object["stopped"] = done.stopped;
    return object;
}

std::vector<reassign::Problem::Shares> all_shares(const reassign::Problem& problem) {
    std::vector<reassign::Problem::Shares> shares;
    for (std::size_t resource = 0; resource < problem.resource_count(); ++resource)
        shares.push_back(problem.shares(resource));
    return shares;
}

}  // namespace

std::string reassign_json(const ReassignAnswer& answer) {
    const reassign::Problem& problem = answer.problem;
    const reassign::Plan& plan = answer.plan;
    PlanJson object = object_of_schema("equipoise-reassign");
    object["file"] = answer.origin;
    if (answer.judged()) {
        object["schedule"] = answer.schedule;
        object["allowed"] = answer.fault.empty();
        if (!answer.fault.empty()) object["fault"] = answer.fault;
    }
    object["items"] = problem.item_count();
    object["aims"] = aims_json(problem);
    object["done"] = answer.resumed;
    object["reached"] = answer.reached();
    object["totals"] = totals_json(answer);
    if (const auto groups = machine_groups(problem))
        object["across"] = across_json(answer, *groups);
    object["at_least"] = at_least_json(answer);
    object["scores"] = scores_json(answer);
    object["rules"] = {
        {"broken_before", rules_json(problem, told_before(problem, plan.before.broken))},
        {"broken_after", rules_json(problem, told_once(problem, plan.replayed.end.broken))}};
    object["infeasible"] = infeasible_json(problem, plan.conflicts);
    if (!answer.judged()) {
        object["effort"] = plan.effort;
        object["interrupted"] = plan.interrupted;
        object["method"] = plan.method;
    }
    if (plan.waves_cut_short || plan.bounds_cut_short) {
        object["cut_short"] = PlanJson::array();
        if (plan.waves_cut_short) object["cut_short"].push_back("waves");
        if (plan.bounds_cut_short) object["cut_short"].push_back("bounds");
    }
    if (!plan.replayed.seconds.empty()) object["wave_seconds"] = plan.replayed.seconds;
    if (answer.carried_out) object["carried_out"] = carried_out_json(*answer.carried_out);
    object["notes"] = answer.notes;
    std::string text = json_text(object, 2);
    const std::vector<reassign::Problem::Shares> shares = all_shares(problem);
    const std::optional<reassign::Problem::Shares> leader_shares = shares_of_leaders(answer);
    append_list(text, "machines", problem.known_machines(), [&](std::size_t machine) {
        return json_text(
            machine_json(answer, static_cast<reassign::MachineId>(machine), shares, leader_shares));
    });
    append_list(text, "moves", plan.moves.size(),
                [&](std::size_t i) { return json_text(move_json(answer, i)); });
    append_list(text, "dropped", answer.dropped.size(), [&](std::size_t i) {
        const reassign::DroppedCopy& copy = answer.dropped[i];
        return json_text(PlanJson{{"item", problem.things.name(copy.thing)},
                                  {"machine", problem.machine_name(copy.machine)}});
    });
    append_list(text, "leaders", plan.leaders.size(),
                [&](std::size_t i) { return json_text(leader_json(answer, plan.leaders[i])); });
    return text + '\n';
}

std::string reassign_csv(const ReassignAnswer& answer) {
    const reassign::Problem& problem = answer.problem;
    const std::vector<reassign::Problem::Shares> shares = all_shares(problem);
    const std::optional<reassign::Problem::Shares> leader_shares = shares_of_leaders(answer);
    std::string text = "machine";
    for (const reassign::Label& label : problem.machine_labels)
        if (!is_name(label)) text += ',' + csv_field(label.name);
    text += ",drained,resource,before,after,share,peak,capacity,threshold\n";
    for (reassign::MachineId machine = 0; machine < problem.known_machines(); ++machine) {
        std::string begin = csv_field(problem.machine_name(machine));
        for (const reassign::Label& label : problem.machine_labels)
            if (!is_name(label))
                begin += ',' + (label.of[machine] == reassign::no_value
                                    ? std::string()
                                    : csv_field(std::string(label.values.name(label.of[machine]))));
        begin += problem.drained[machine] ? ",true" : ",false";
        for (std::size_t resource = 0; resource < problem.resource_count(); ++resource) {
            const reassign::Resource& of = problem.resources[resource];
            const std::size_t at = machine * problem.resource_count() + resource;
            const auto limit = [&](Tokens amount) {
                return amount == tokens_max ? std::string() : reassign::exact_text(of, amount);
            };
            text += begin + ',' + csv_field(of.name) + ',' +
                    reassign::exact_text(of, answer.plan.before.used[at]) + ',' +
                    reassign::exact_text(of, answer.plan.replayed.end.used[at]) + ',' +
                    share_json(of, shares[resource].of(machine)).dump() + ',' +
                    reassign::exact_text(of, answer.plan.replayed.peaks[at]) + ',' +
                    limit(problem.capacities[at]) + ',' + limit(problem.thresholds[at]) + '\n';
        }
        if (leader_shares)
            text += begin + ",leaders," + std::to_string(answer.plan.led_before.led[machine]) +
                    ',' + std::to_string(answer.plan.led_after.led[machine]) + ',' +
                    PlanJson(leader_shares->of(machine)).dump() + ",,,\n";
    }
    return text;
}

}  // namespace equipoise::report
