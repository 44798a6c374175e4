// Writes the pages of plans that the browser test opens: write_plan_pages <folder>.

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/random.hpp"
#include "equipoise/reassign/checks/replay.hpp"
#include "equipoise/reassign/checks/standing.hpp"
#include "equipoise/report/answers/reassign.hpp"
#include "equipoise/report/page/reassign_page.hpp"

namespace {

using namespace equipoise;
using reassign::ItemId;
using reassign::MachineId;
using reassign::Move;
using reassign::Problem;

/// A problem that grows machine by machine and item by item.
class Sample {
  public:
    Sample() {
        problem.resources = {{"items"}, {"size"}, {"cpu"}};
        problem.resources[1].in_bytes = true;
        problem.resources[2].decimals = 2;
        problem.item_labels.push_back({"item", {}, {}});
        problem.machine_labels.push_back({"rack", {}, {}});
        problem.apart.push_back({0});
        problem.level.push_back({1});
        problem.fewest = 1;
    }
    MachineId machine(const std::string& name, const std::string& rack,
                      Tokens capacity = tokens_max, Tokens threshold = tokens_max) {
        const MachineId number = problem.machines.number_of(name);
        reassign::Label& racks = problem.machine_labels[0];
        racks.of.push_back(rack.empty() ? reassign::no_value : racks.values.number_of(rack));
        for (const Tokens limit : {tokens_max, capacity, tokens_max})
            problem.capacities.push_back(limit);
        for (const Tokens limit : {tokens_max, threshold, tokens_max})
            problem.thresholds.push_back(limit);
        problem.drained.push_back(false);
        problem.pinned.push_back(false);
        problem.speeds.push_back(1);
        return number;
    }
    ItemId item(const std::string& name, MachineId place, Tokens bytes, Tokens cpu) {
        problem.thing.push_back(problem.things.number_of(name));
        reassign::Label& names = problem.item_labels[0];
        names.of.push_back(names.values.number_of(name));
        problem.places.push_back(place);
        for (const Tokens amount : {Tokens{1}, bytes, cpu})
            problem.amounts.push_back(amount);
        return problem.item_count() - 1;
    }
    [[nodiscard]] report::ReassignAnswer answer(std::vector<Move> moves) const {
        report::ReassignAnswer answer;
        answer.origin = "shards.csv";
        answer.problem = problem;
        answer.plan.before = reassign::stand(problem, problem.places);
        answer.plan.replayed = reassign::replay(problem, moves);
        answer.plan.moves = std::move(moves);
        answer.plan.method = "made by hand";
        return answer;
    }

    Problem problem;
};

constexpr Tokens gigabyte = 1'000'000'000;

/// Six machines in two racks, one of them drained; 30 shards; the waves empty it.
report::ReassignAnswer shards() {
    Sample sample;
    for (const char* name : {"a1", "a2", "a3"})
        sample.machine(name, "a", 60 * gigabyte, 45 * gigabyte);
    for (const char* name : {"b1", "b2", "b10"})
        sample.machine(name, "b", 60 * gigabyte);
    sample.problem.drained[2] = true;
    for (int i = 0; i < 30; ++i)
        sample.item("shard-" + std::to_string(i), static_cast<MachineId>(i % 5),
                    (1 + i % 7) * gigabyte, 25 * (i % 4));
    sample.problem.gives_a_second.assign(6, 1e8);
    sample.problem.takes_a_second.assign(6, 1e8);
    sample.problem.copied = 1;
    std::vector<Move> moves;
    for (ItemId item = 2; item < 30; item += 5)
        moves.push_back({static_cast<Step>(item / 5), item, 2, item % 2 == 0 ? 5U : 4U});
    moves.push_back({6, 0, 0, 5});
    moves.push_back({6, 3, 3, 5});
    report::ReassignAnswer answer = sample.answer(std::move(moves));
    answer.plan.at_least.fewest = {answer.plan.replayed.end.score.fewest,
                                   "No plan moves less: a3 must end empty, and holds 23.0 GB."};
    answer.plan.at_least.waves = {6, "No plan has fewer than 6 waves: a3 gives one item a wave."};
    answer.notes = {"shards.csv: the column owner is not used"};
    return answer;
}

/// 5,000 machines in 50 racks, and 50,000 moves.
report::ReassignAnswer large() {
    Sample sample;
    RandomStream draw(1, Purpose::sampling);
    constexpr std::uint32_t machines = 5000;
    for (std::uint32_t machine = 0; machine < machines; ++machine)
        sample.machine("machine-" + std::to_string(machine), "rack-" + std::to_string(machine % 50),
                       4000 * gigabyte);
    std::vector<Move> moves;
    for (std::uint32_t i = 0; i < 50'000; ++i) {
        const auto from = static_cast<MachineId>(draw.below(machines - 500));
        const auto to = static_cast<MachineId>((from + 1 + draw.below(machines - 1)) % machines);
        const Tokens bytes = (1 + static_cast<Tokens>(draw.below(40))) * gigabyte;
        moves.push_back(
            {i / 250, sample.item("partition-" + std::to_string(i), from, bytes, 1), from, to});
    }
    return sample.answer(std::move(moves));
}

/// Rules are broken, and cannot all hold.
report::ReassignAnswer broken() {
    Sample sample;
    sample.machine("a", "r1", 10 * gigabyte);
    sample.machine("b", "r2", 10 * gigabyte);
    sample.machine("without rack", "");
    for (int i = 0; i < 4; ++i)
        sample.item("i" + std::to_string(i), 0, 6 * gigabyte, 0);
    sample.problem.pinned[2] = true;
    report::ReassignAnswer answer = sample.answer({{0, 1, 0, 1}});
    answer.plan.conflicts.push_back({answer.plan.replayed.end.broken.front(), 8 * gigabyte,
                                     "a: size is 8.00 GB above its capacity of 10.0 GB",
                                     "capacity of a: size 18 GB", true});
    return answer;
}

report::ReassignAnswer nothing() {
    Sample sample;
    sample.machine("a", "");
    sample.machine("b", "");
    sample.item("x", 0, gigabyte, 1);
    sample.item("y", 1, gigabyte, 1);
    return sample.answer({});
}

report::ReassignAnswer hostile() {
    Sample sample;
    const std::string attack = "</script><script>window.attacked=1</script>";
    sample.machine(attack + "<b>", attack);
    sample.machine("<img src=x onerror=window.attacked=1>", "{{data}}");
    for (int i = 0; i < 4; ++i)
        sample.item(attack + std::to_string(i), 0, gigabyte, 1);
    report::ReassignAnswer answer = sample.answer({{0, 0, 0, 1}, {1, 1, 0, 1}});
    answer.origin = attack;
    answer.notes = {attack};
    return answer;
}

/// Amounts beside what the program writes for them, a line each.
std::string amounts() {
    reassign::Resource bytes{"size"};
    bytes.in_bytes = true;
    std::string text;
    for (const Tokens amount :
         {Tokens{0}, Tokens{1}, Tokens{999}, Tokens{1000}, Tokens{1499}, Tokens{9994}, Tokens{9995},
          Tokens{99'949}, Tokens{99'950}, Tokens{999'499}, Tokens{999'500}, Tokens{1'234'567},
          Tokens{1'500'000'000}, Tokens{7'000'000'000'000'000}})
        text += std::to_string(amount) + '\t' + reassign::amount_text(bytes, amount) + '\n';
    return text;
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 2) return 2;
    const std::string folder = std::string(arguments[1]) + "/";
    for (const auto& [name, answer] :
         {std::pair{"shards", shards()}, std::pair{"large", large()}, std::pair{"broken", broken()},
          std::pair{"nothing", nothing()}, std::pair{"hostile", hostile()}})
        write_file(folder + name + ".html", report::reassign_page(answer));
    write_file(folder + "amounts.txt", amounts());
    return 0;
}
