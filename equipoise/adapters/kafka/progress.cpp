#include "equipoise/adapters/kafka/progress.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>
#include <utility>

#include "equipoise/adapters/kafka/partition_list.hpp"
#include "equipoise/adapters/kafka/words.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::kafka {

namespace {

/// Takes a beginning off a text, if it has it.
bool take(std::string_view& text, std::string_view beginning) {
    if (!text.starts_with(beginning)) return false;
    text.remove_prefix(beginning.size());
    return true;
}

/// The text up to a mark, which is taken off with it; nothing if it is not there.
std::optional<std::string_view> take_until(std::string_view& text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) return std::nullopt;
    const std::string_view taken = text.substr(0, at);
    text.remove_prefix(at + mark.size());
    return taken;
}

std::string_view trimmed(std::string_view line) {
    constexpr std::string_view blanks = " \t\r";
    line.remove_prefix(std::min(line.find_first_not_of(blanks), line.size()));
    return line.substr(0, line.find_last_not_of(blanks) + 1);
}

/// The name of a partition, "t-0" or, of the oldest versions, "[t,0]".
std::optional<std::string> name_of(std::string_view text) {
    std::string name(text);
    if (name.starts_with('[') && name.ends_with(']')) {
        name = name.substr(1, name.size() - 2);
        if (const std::size_t comma = name.rfind(','); comma != std::string::npos)
            name[comma] = '-';
    }
    if (!partition_name(name)) return std::nullopt;
    return name;
}

constexpr std::string_view verified = "Reassignment of partition ";
constexpr std::string_view inactive = "There is no active reassignment of partition ";

/// What a line says, if it is understood.
struct Said {
    Progress progress;
    bool understood = false;
};

Said said_of_verified(std::string_view line) {
    constexpr std::array<std::pair<std::string_view, Progress::State>, 6> endings = {{
        {" is completed.", Progress::State::completed},
        {" completed successfully", Progress::State::completed},
        {" is complete.", Progress::State::completed},
        {" is still in progress.", Progress::State::under_way},
        {" is still in progress", Progress::State::under_way},
        {" failed", Progress::State::failed},
    }};
    for (const auto& [ending, state] : endings) {
        if (!line.ends_with(ending)) continue;
        Said said;
        const auto name = name_of(line.substr(0, line.size() - ending.size()));
        said.understood = name.has_value();
        said.progress = {name.value_or(""), state, {}, {}, 0};
        return said;
    }
    return {};
}

Said said_of_inactive(std::string_view line) {
    Said said;
    const auto name = take_until(line, ", but replica set is ");
    const auto replicas = take_until(line, " rather than ");
    if (!name || !replicas) return said;
    const auto partition = name_of(*name);
    const auto brokers = broker_list(*replicas);
    said.understood = partition && (brokers || replicas->empty());
    if (!said.understood) return said;
    const auto state = brokers ? Progress::State::elsewhere : Progress::State::gone;
    said.progress = {*partition, state, brokers.value_or(std::vector<std::string>()), {}, 0};
    return said;
}

/// `t-0: replicas: 1,2,3. adding: 3. removing: 1.`
std::optional<Said> said_of_listed(std::string_view line) {
    const auto name = take_until(line, ": replicas: ");
    if (!name) return std::nullopt;
    const auto partition = name_of(*name);
    if (!partition) return std::nullopt;
    Said said;
    const auto replicas = take_until(line, ".");
    auto brokers = broker_list(replicas.value_or(""));
    std::vector<std::string> adding;
    std::vector<std::string> removing;
    for (const auto& [mark, into] :
         {std::pair(" adding: ", &adding), std::pair(" removing: ", &removing)}) {
        if (!take(line, mark)) continue;
        auto list = broker_list(take_until(line, ".").value_or(""));
        if (!list) return said;
        *into = std::move(*list);
    }
    if (!brokers || !line.empty()) return said;
    for (const std::string& broker : adding)
        if (std::find(brokers->begin(), brokers->end(), broker) == brokers->end())
            brokers->push_back(broker);
    std::erase_if(*brokers, [&](const std::string& broker) {
        return std::find(removing.begin(), removing.end(), broker) != removing.end();
    });
    if (brokers->empty()) return said;
    said.understood = true;
    said.progress = {*partition, Progress::State::under_way, std::move(*brokers), std::move(adding),
                     0};
    return said;
}

/// What a line of these tools says of a partition; nothing for other lines.
std::optional<Said> said_of(std::string_view line) {
    line = trimmed(line);
    if (take(line, verified)) return said_of_verified(line);
    if (take(line, inactive)) return said_of_inactive(line);
    return said_of_listed(line);
}

}  // namespace

bool is_progress_line(std::string_view line) {
    line = trimmed(line);
    return line == "Status of partition reassignment:" ||
           line == "Current partition reassignments:" ||
           line == "No partition reassignments found." || said_of(line).has_value();
}

std::vector<Progress> read_progress(std::string_view text, const std::string& name) {
    std::vector<Progress> all;
    std::unordered_map<std::string, std::size_t> numbers;
    for (std::size_t line_number = 1; !text.empty(); ++line_number) {
        const std::string_view line = take_line(text);
        std::optional<Said> said = said_of(line);
        if (!said) continue;
        if (!said->understood)
            throw InputError::at(name, line_number,
                                 "what kafka-reassign-partitions says of a partition",
                                 trimmed(line));
        said->progress.line = line_number;
        const auto [known, is_new] = numbers.try_emplace(said->progress.partition, all.size());
        if (is_new) {
            all.push_back(std::move(said->progress));
        } else {
            all[known->second] = std::move(said->progress);
        }
    }
    return all;
}

std::vector<std::string> take_progress(const std::vector<Progress>& progress,
                                       const std::string& name, Cluster& cluster) {
    PartitionList list(cluster);
    std::vector<std::string> others;
    for (const Progress& each : progress) {
        const bool under_way = each.state == Progress::State::under_way;
        Partition* const partition = list.find(each.partition);
        if (partition == nullptr) {
            if (under_way) others.push_back(each.partition);
            continue;
        }
        expect_there(each, name);
        if (under_way && each.replicas.empty() && !list.is_under_way(*partition))
            throw InputError(name + ':' + std::to_string(each.line) +
                             ": expected also what --list or kafka-topics --describe prints, "
                             "which say where partition " +
                             printable(each.partition) + " goes, found neither");
        if (under_way) list.mark_under_way(*partition);
        if (each.replicas.empty()) continue;
        if (!list.set_replicas(*partition, each.replicas))
            throw InputError(name + ": expected at most " + std::to_string(replicas_max) +
                             " replicas, found more");
        for (Replica& replica : partition->replicas)
            replica.adding = std::find(each.adding.begin(), each.adding.end(),
                                       cluster.brokers.name(replica.broker)) != each.adding.end();
    }
    return others;
}

void expect_there(const Progress& progress, const std::string& name) {
    if (progress.state != Progress::State::gone) return;
    throw InputError(name + ':' + std::to_string(progress.line) + ": expected replicas of " +
                     printable(progress.partition) +
                     ", which is among the items, found none: the partition is gone");
}

void note_progress(const std::vector<Progress>& progress, const std::string& name,
                   Cluster& cluster) {
    PartitionList list(cluster);
    for (const Progress& each : progress) {
        const Partition* const partition = list.find(each.partition);
        if (partition != nullptr && each.state == Progress::State::under_way)
            list.mark_under_way(*partition);
    }
    for (std::string& note : progress_notes(progress, name))
        cluster.notes.push_back(std::move(note));
}

std::vector<std::string> progress_notes(const std::vector<Progress>& progress,
                                        const std::string& name) {
    const auto names_with = [&](Progress::State state) {
        std::vector<std::string> names;
        for (const Progress& each : progress)
            if (each.state == state) names.push_back(each.partition);
        return names;
    };
    std::vector<std::string> notes;
    if (std::vector<std::string> names = names_with(Progress::State::under_way); !names.empty())
        notes.push_back(under_way_note(name, std::move(names)));
    if (std::vector<std::string> names = names_with(Progress::State::failed); !names.empty()) {
        const bool one = names.size() == 1;
        notes.push_back(name + ": the reassignment of " + some_of(std::move(names)) +
                        (one ? " failed; it is taken to be where it was before"
                             : " failed; they are taken to be where they were before"));
    }
    return notes;
}

}  // namespace equipoise::kafka
