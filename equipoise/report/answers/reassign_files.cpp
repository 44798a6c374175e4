#include "equipoise/report/answers/reassign_files.hpp"

#include <cstdint>
#include <utility>

#include "equipoise/adapters/kafka/steps.hpp"
#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/reassign/input/schedule_file.hpp"
#include "equipoise/reassign/input/way_back.hpp"

namespace equipoise::report {

namespace {

bool is_kafkas(const std::string& path) {
    return path.ends_with(".json");
}

void expect_kafkas(const char* option, const std::string& path, const char* expected,
                   const ReassignInstance& instance) {
    if (!instance.cluster)
        throw InputError(std::string(option) + ": expected " + expected +
                         ", as the items are not Kafka's partitions, found \"" + printable(path) +
                         '"');
}

}  // namespace

void expect_suitable(const ReassignFiles& files, const ReassignInstance& instance) {
    for (const auto& [option, path] :
         {std::pair("--schedule", &files.schedule), std::pair("--rollback", &files.rollback)})
        if (is_kafkas(*path)) expect_kafkas(option, *path, "a CSV file", instance);
    if (files.steps.empty()) return;
    expect_kafkas("--steps", files.steps, "none", instance);
    kafka::expect_script_name(files.steps);
}

kafka::Reassignment kafkas(const ReassignAnswer& answer) {
    EQUIPOISE_ASSERT(answer.cluster.has_value());
    return kafka::reassignment_of(answer, *answer.cluster, answer.plan);
}

void write_schedule(const std::string& path, const ReassignAnswer& answer) {
    expect_suitable({.schedule = path}, answer);
    if (is_kafkas(path))
        return kafka::write_wave_files("--schedule", path, kafka::wave_documents(kafkas(answer)));
    write_file(path, reassign::moves_text(answer.problem, answer.plan.moves, answer.plan.leaders,
                                          answer.dropped));
}

void write_rollback(const std::string& path, const ReassignAnswer& answer) {
    expect_suitable({.rollback = path}, answer);
    if (is_kafkas(path))
        return kafka::write_wave_files("--rollback", path,
                                       kafka::rollback_documents(kafkas(answer)));
    write_file(path, reassign::way_back_text(answer, answer.plan.moves, answer.plan.leaders));
}

void write_moves(const std::string& path, const ReassignAnswer& answer) {
    const reassign::Replayed& replayed = answer.plan.replayed;
    if (!replayed.allowed)
        throw InputError("--moves: expected moves that are allowed, found a fault: " +
                         printable(replayed.fault));
    const reassign::PartialOrder& order = answer.plan.order;
    if (order.waits_for.size() != answer.plan.moves.size())
        throw InputError("--moves: expected moves that wait for at most " +
                         grouped(std::uint64_t{reassign::waits_most}) +
                         " others in all, found more");
    write_file(
        path, reassign::waits_text(answer.problem, answer.plan.moves, order.waits_for, order.starts,
                                   order.ends, answer.plan.leaders, answer.dropped));
}

void write_leaders(const std::string& path, const ReassignAnswer& answer) {
    write_file(path,
               reassign::leaders_text(answer.problem, answer.plan.moves, answer.plan.leaders));
}

void write_steps(const std::string& path, const ReassignAnswer& answer) {
    expect_suitable({.steps = path}, answer);
    kafka::write_steps(kafkas(answer), path);
}

std::string written_words(const std::string& path, const ReassignAnswer& answer) {
    if (!is_kafkas(path)) return "written to " + path;
    return kafka::written_words(path, std::uint64_t{kafkas(answer).waves.waves.size()});
}

}  // namespace equipoise::report
