#include "equipoise/trace/content.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "equipoise/base/json.hpp"
#include "equipoise/base/json_value.hpp"
#include "equipoise/trace/files.hpp"

namespace equipoise::trace {

namespace {

using nlohmann::json;

constexpr std::int64_t phase_most = std::int64_t{1} << 53U;

/// The members of an object without the braces around them.
std::string members(const json& object) {
    const std::string text = json_text(object);
    return text.substr(1, text.size() - 2);
}

/// A whole number that fits into 64 bits, with or without a sign.
void expect_whole(const JsonValue& value) {
    if (!value.json().is_number_integer()) value.refuse("a whole number");
}

void expect_whole_if_given(const JsonValue& object, const char* key) {
    if (const auto value = object.find(key)) expect_whole(*value);
}

/// A number, 0 or more; from then on it is written with a decimal point.
double amount(const JsonValue& value, const char* what) {
    const double number = value.json().is_number() ? value.json().get<double>() : -1.0;
    if (!(number >= 0) || !std::isfinite(number))
        value.refuse(std::string(what) + " (a number, 0 or more)");
    value.json() = number + 0.0;  // no -0
    return number + 0.0;
}

EntityName parse_entity(const JsonValue& entity, bool of_task) {
    entity.expect_keys(
        {"collection_id", "home", "id", "index", "migratable", "objgroup_id", "seq_id", "type"});
    EntityName name;
    name.is_rank = entity.at("type").text() == "node" && !of_task;
    if (const auto id = entity.find("id")) name.id = id->whole<std::uint64_t>();
    if (const auto seq_id = entity.find("seq_id")) name.seq_id = seq_id->whole<std::uint64_t>();
    if (!name.id && !name.seq_id) entity.fail("expected \"id\" or \"seq_id\", found neither");
    if (of_task || entity.find("home")) name.home = entity.at("home").whole<std::int64_t>();
    if (of_task || entity.find("migratable")) name.migratable = entity.at("migratable").truth();
    if (const auto collection = entity.find("collection_id")) {
        expect_whole(*collection);
        name.collection = json_text(collection->json());
    }
    if (name.seq_id && name.migratable.value_or(false) && !name.collection)
        entity.fail("expected \"collection_id\" beside \"seq_id\" of what may migrate, found none");
    expect_whole_if_given(entity, "objgroup_id");
    if (const auto index = entity.find("index"))
        index->for_each([](const JsonValue& number) { expect_whole(number); });
    return name;
}

/// The bytes that are sent when the task moves. Programs may put anything into `user_defined`: a
/// value that is no number of bytes is ignored.
std::optional<double> parse_bytes(const JsonValue& user_defined) {
    user_defined.expect_object();
    for (const char* key : {"task_serialized_bytes", "task_footprint_bytes"}) {
        const auto found = user_defined.json().find(key);
        if (found == user_defined.json().end() || !found->is_number()) continue;
        const double bytes = found->get<double>();
        if (bytes >= 0 && bytes <= std::numeric_limits<double>::max()) return bytes;
    }
    return std::nullopt;
}

/// `rank`: that of the file; nothing if the task may have run on another rank.
TaskContent parse_task(const JsonValue& task, std::optional<int> rank, bool keep_text) {
    task.expect_keys(
        {"attributes", "entity", "node", "resource", "subphases", "time", "user_defined"});
    TaskContent content;
    content.entity = parse_entity(task.at("entity"), true);
    content.seconds = amount(task.at("time"), "seconds");
    static_cast<void>(task.at("resource").text());
    const JsonValue node = task.at("node");
    if (node.whole<std::int64_t>() != rank.value_or(node.whole<std::int64_t>()))
        node.refuse(std::to_string(*rank) + ", the rank of the file");
    if (const auto attributes = task.find("attributes")) attributes->expect_object();
    if (const auto user = task.find("user_defined")) content.bytes = parse_bytes(*user);
    if (const auto subphases = task.find("subphases")) {
        subphases->for_each([](const JsonValue& subphase) {
            subphase.expect_keys({"id", "time"});
            expect_whole(subphase.at("id"));
            static_cast<void>(amount(subphase.at("time"), "seconds"));
        });
    }
    if (keep_text) {
        task.json().erase("node");
        content.text = members(task.json());
    }
    return content;
}

CommunicationContent parse_communication(const JsonValue& sent, bool keep_text) {
    sent.expect_keys({"bytes", "from", "messages", "to", "type"});
    CommunicationContent content;
    static_cast<void>(sent.at("type").text());
    content.from = parse_entity(sent.at("from"), false);
    content.to = parse_entity(sent.at("to"), false);
    content.messages = sent.at("messages").whole<std::int64_t>(0, tokens_max);
    content.bytes = amount(sent.at("bytes"), "bytes");
    if (keep_text) content.text = json_text(sent.json());
    return content;
}

/// The attempts of load balancing in a phase: checked, and otherwise only kept.
void check_iterations(const JsonValue& iterations) {
    iterations.for_each([](const JsonValue& iteration) {
        iteration.expect_keys({"communications", "id", "tasks", "user_defined"});
        expect_whole(iteration.at("id"));
        if (const auto tasks = iteration.find("tasks"))
            tasks->for_each([](const JsonValue& task) {
                static_cast<void>(parse_task(task, std::nullopt, false));
            });
        if (const auto sent = iteration.find("communications"))
            sent->for_each(
                [](const JsonValue& one) { static_cast<void>(parse_communication(one, false)); });
        if (const auto user = iteration.find("user_defined")) user->expect_object();
    });
}

PhaseContent parse_phase(const JsonValue& phase, int rank, bool keep_text) {
    phase.expect_keys({"communications", "id", "lb_iterations", "tasks", "user_defined"});
    PhaseContent content;
    content.id = phase.at("id").whole<std::int64_t>(0, phase_most);
    // vt omits the list of tasks of a rank that has none.
    if (const auto tasks = phase.find("tasks")) {
        tasks->for_each([&](const JsonValue& task) {
            content.tasks.push_back(parse_task(task, rank, keep_text));
            task.json() = nullptr;  // frees its memory, which is no longer needed
        });
    }
    if (const auto sent = phase.find("communications")) {
        sent->for_each([&](const JsonValue& one) {
            content.communications.push_back(parse_communication(one, keep_text));
            one.json() = nullptr;
        });
    }
    if (const auto user = phase.find("user_defined")) user->expect_object();
    if (const auto iterations = phase.find("lb_iterations")) check_iterations(*iterations);
    if (keep_text) {
        for (const char* key : {"communications", "id", "tasks"})
            phase.json().erase(key);
        content.kept = members(phase.json());
    }
    return content;
}

/// The phases that `list` and `range` name, as pairs of first and last, in order.
std::vector<std::pair<std::int64_t, std::int64_t>> parse_ranges(const JsonValue& phases) {
    phases.expect_keys({"list", "range"});
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    phases.at("list").for_each([&](const JsonValue& phase) {
        const std::int64_t id = phase.whole<std::int64_t>(0, phase_most);
        ranges.emplace_back(id, id);
    });
    phases.at("range").for_each([&](const JsonValue& range) {
        std::vector<std::int64_t> ends;
        range.for_each(
            [&](const JsonValue& end) { ends.push_back(end.whole<std::int64_t>(0, phase_most)); });
        if (ends.size() != 2 || ends[0] > ends[1]) range.refuse("the first and the last phase");
        ranges.emplace_back(ends[0], ends[1]);
    });
    std::sort(ranges.begin(), ranges.end());
    for (std::size_t i = 1; i < ranges.size(); ++i)
        if (ranges[i].first <= ranges[i - 1].second)
            phases.fail("expected every phase once, found " + std::to_string(ranges[i].first) +
                        " twice");
    return ranges;
}

void parse_metadata(const JsonValue& metadata, FileContent& content) {
    metadata.expect_keys({"attributes", "phases", "rank", "rank_alpha", "shared_node", "type"});
    const auto expect_type = [](const JsonValue& type) {
        if (type.text() != "LBDatafile") type.refuse("\"LBDatafile\"");
    };
    if (const auto type = metadata.find("type")) expect_type(*type);
    if (const auto rank = metadata.find("rank"))
        content.rank = static_cast<int>(rank->whole<std::int64_t>(0, rank_most));
    if (const auto alpha = metadata.find("rank_alpha"))
        static_cast<void>(amount(*alpha, "a factor of loads"));
    if (const auto attributes = metadata.find("attributes")) attributes->expect_object();
    if (const auto shared = metadata.find("shared_node")) {
        shared->expect_keys({"id", "num_nodes", "rank", "size"});
        for (const char* key : {"id", "num_nodes", "rank", "size"})
            expect_whole(shared->at(key));
    }
    const auto phases = metadata.find("phases");
    if (!phases) return;
    phases->expect_keys({"count", "identical_to_previous", "skipped"});
    expect_whole_if_given(*phases, "count");
    content.skipped = parse_ranges(phases->at("skipped"));
    const JsonValue identical = phases->at("identical_to_previous");
    content.identical = parse_ranges(identical);
    std::int64_t count = 0;
    for (const auto& [first, last] : content.identical) {
        count += std::min(last - first + 1, identical_most + 1);
        if (count > identical_most)
            identical.fail("expected at most " + std::to_string(identical_most) +
                           " phases, found more");
    }
}

}  // namespace

FileContent parse_content(std::string_view text, const std::string& name, std::optional<int> rank,
                          bool keep_text) {
    json document = parse_json(text, name);
    const JsonValue file(document, name);
    file.expect_keys({"metadata", "phases", "type"});
    FileContent content;
    if (const auto type = file.find("type")) {
        if (type->text() != "LBDatafile") type->refuse("\"LBDatafile\"");
        content.typed = true;
    }
    if (const auto metadata = file.find("metadata")) {
        parse_metadata(*metadata, content);
        if (keep_text) content.metadata = json_text(metadata->json());
        if (content.rank && rank && *content.rank != *rank)
            metadata->fail("expected rank " + std::to_string(*rank) +
                           ", as the file's name says, found " + std::to_string(*content.rank));
    }
    if (!rank) rank = content.rank;
    file.at("phases").for_each([&](const JsonValue& phase) {
        content.phases.push_back(parse_phase(phase, rank.value_or(0), keep_text));
    });
    std::sort(content.phases.begin(), content.phases.end(),
              [](const PhaseContent& a, const PhaseContent& b) { return a.id < b.id; });
    for (std::size_t i = 1; i < content.phases.size(); ++i)
        if (content.phases[i].id == content.phases[i - 1].id)
            file.at("phases").fail("expected every phase once, found " +
                                   std::to_string(content.phases[i].id) + " twice");
    return content;
}

}  // namespace equipoise::trace
