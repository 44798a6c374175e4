#include "equipoise/adapters/kafka/steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "equipoise/adapters/kafka/script_files.hpp"
#include "equipoise/adapters/kafka/wave_files.hpp"
#include "equipoise/adapters/kafka/words.hpp"
#include "equipoise/base/assert.hpp"
#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/base/printable.hpp"
#include "equipoise/reassign/problem.hpp"

namespace equipoise::kafka {

namespace {

constexpr std::string_view script_ending = ".sh";

// How files beside the script end, besides those of waves.
constexpr const char* end_ending = "-end.json";
constexpr const char* leaders_ending = "-leaders.json";
constexpr const char* back_leaders_ending = "-rollback-leaders.json";
constexpr std::array other_endings = {end_ending, leaders_ending, back_leaders_ending};

/// How the names of the script and of all files beside it begin.
std::string base_of(const std::string& path) {
    return path.substr(0, path.size() - script_ending.size());
}

/// The two lists of a topic are one argument of a command; the longest that Linux hands to a
/// program has 131,072 bytes.
constexpr std::size_t lists_max = 100'000;

/// A partition in a wave.
struct Change {
    std::uint32_t thing = 0;
    std::vector<NodeId> before;
    std::vector<NodeId> after;

    /// The same on the way back.
    [[nodiscard]] Change back() const { return {thing, after, before}; }
    /// The brokers that take a replica.
    [[nodiscard]] std::vector<NodeId> taken() const {
        std::vector<NodeId> nodes;
        for (const NodeId node : after)
            if (std::find(before.begin(), before.end(), node) == before.end())
                nodes.push_back(node);
        return nodes;
    }
};

/// By wave.
std::vector<std::vector<Change>> changes_by_wave(const Items& items,
                                                 const std::vector<std::vector<Replicas>>& waves) {
    const std::vector<std::vector<Replicas>> back = waves_back(items, waves);
    std::vector<std::vector<Change>> changes(waves.size());
    for (std::size_t wave = 0; wave < waves.size(); ++wave)
        for (std::size_t at = 0; at < waves[wave].size(); ++at)
            changes[wave].push_back({waves[wave][at].thing, back[waves.size() - 1 - wave][at].nodes,
                                     waves[wave][at].nodes});
    return changes;
}

/// The name of a partition, which a script can take as a word.
std::string partition_word(const Items& items, std::uint32_t thing) {
    std::string name = items.thing_name(thing);
    constexpr std::string_view legal =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-";
    if (name.find_first_not_of(legal) != std::string::npos)
        throw InputError(
            "--steps: expected topics of letters, digits, points, hyphens and "
            "underscores, found \"" +
            printable(name) + '"');
    return name;
}

/// In single quotes, for bash.
std::string shell_word(std::string_view text) {
    std::string all = "'";
    for (const char each : text)
        all += each == '\'' ? std::string("'\\''") : std::string(1, each);
    return all + '\'';
}

/// What limits brokers in a wave, and which replicas.
class Throttles {
  public:
    explicit Throttles(const Reassignment& reassignment)
        : reassignment_(reassignment), items_(reassignment.items) {}

    void add(const Change& change) {
        const std::vector<NodeId> taken = change.taken();
        if (taken.empty()) return;
        const PartitionName name = partition_name(partition_word(items_, change.thing)).value();
        const std::string number = std::to_string(name.number);
        Lists& lists = topics_[name.topic];
        for (const NodeId node : change.before) {
            gives_.insert(node);
            add_to(lists.leaders, number + ':' + items_.node_name(node));
        }
        for (const NodeId node : taken) {
            takes_.insert(node);
            add_to(lists.followers, number + ':' + items_.node_name(node));
        }
    }

    /// Lines that begin so; none if no broker has a limit.
    [[nodiscard]] std::string lines(const std::string& begin) const {
        std::string all;
        std::set<NodeId> nodes = gives_;
        nodes.insert(takes_.begin(), takes_.end());
        for (const NodeId node : nodes) {
            const std::string leader = rate(gives_, reassignment_.gives, takes_, node);
            const std::string follower =
                rate(takes_, reassignment_.half_duplex ? reassignment_.gives : reassignment_.takes,
                     gives_, node);
            if (leader == "-" && follower == "-") continue;
            all +=
                begin + " brokers " + items_.node_name(node) + ' ' + leader + ' ' + follower + '\n';
        }
        if (all.empty()) return all;
        for (auto [topic, lists] : topics_) {
            lists.shorten();
            all += begin + " topics " + topic + ' ' + lists.leaders + ' ' + lists.followers + '\n';
        }
        return all;
    }

  private:
    struct Lists {
        std::string leaders;
        std::string followers;

        /// Makes the longer list, and if necessary both, `*`: all replicas of the topic.
        void shorten() {
            while (leaders.size() + followers.size() > lists_max)
                (leaders.size() < followers.size() ? followers : leaders) = "*";
        }
    };

    static void add_to(std::string& list, const std::string& entry) {
        list.append(list.empty() ? "" : ",").append(entry);
    }

    /// Of a node that is one of `nodes`. Kafka has a limit for each direction: a node that may use
    /// both, and has one rate for them together, gets half of it for each.
    [[nodiscard]] std::string rate(const std::set<NodeId>& nodes, const std::vector<double>& rates,
                                   const std::set<NodeId>& other_way, NodeId node) const {
        if (!nodes.contains(node) || node >= rates.size()) return "-";
        const bool is_halved = reassignment_.half_duplex && other_way.contains(node);
        const double most = is_halved ? rates[node] / 2 : rates[node];
        if (!std::isfinite(most) || most < 1) return "-";
        return std::to_string(static_cast<std::int64_t>(std::min(std::floor(most), 0x1.0p62)));
    }

    const Reassignment& reassignment_;
    const Items& items_;
    std::set<NodeId> gives_;
    std::set<NodeId> takes_;
    std::map<std::string, Lists> topics_;
};

std::string bytes_text(Tokens bytes) {
    reassign::Resource resource;
    resource.in_bytes = true;
    return reassign::amount_text(resource, bytes);
}

/// "2 partitions, 1 replica to copy, 1.30 GB".
std::string words(const WaveFigures& figures) {
    std::string text = counted(figures.partitions, "partition");
    if (figures.copied == 0) return text + ", nothing to copy";
    text += ", " + counted(figures.copied, "replica") + " to copy";
    return figures.bytes ? text + ", " + bytes_text(*figures.bytes) : text;
}

/// The way back of a wave takes what the wave gave; rates are by direction, and so is the time.
WaveFigures figures_back(const std::vector<Change>& wave, const WaveFigures& forward) {
    WaveFigures back;
    back.partitions = wave.size();
    for (const Change& change : wave)
        back.copied += change.back().taken().size();
    if (back.copied == forward.copied) back.bytes = forward.bytes;
    return back;
}

std::string title(const Reassignment& reassignment) {
    std::uint64_t copied = 0;
    std::optional<Tokens> bytes;
    for (const WaveFigures& wave : reassignment.figures) {
        copied += wave.copied;
        if (wave.bytes) bytes = checked_add(bytes.value_or(0), *wave.bytes);
    }
    std::string text = counted(std::uint64_t{reassignment.figures.size()}, "wave") + ", " +
                       counted(copied, "replica") + " to copy";
    if (bytes && copied > 0) text += ", " + bytes_text(*bytes);
    return text + ", " + counted(std::uint64_t{reassignment.elected.size()}, "leader election");
}

std::string function(const char* name, const std::string& lines) {
    return std::string(name) + "() {\n    cat <<'END'\n" + lines + "END\n}\n\n";
}

std::string election_words(const std::vector<std::uint32_t>& partitions) {
    if (partitions.empty()) return "''";
    return shell_word(counted(std::uint64_t{partitions.size()}, "partition") +
                      (partitions.size() == 1 ? " elects its preferred leader"
                                              : " elect their preferred leaders"));
}

/// The variables and functions that differ between scripts.
std::string data(const Reassignment& reassignment, const std::string& stem) {
    const std::vector<std::vector<Change>> changes =
        changes_by_wave(reassignment.items, reassignment.waves.waves);
    const std::size_t waves = changes.size();
    std::string lines;
    std::string forward_words;
    std::string back_words;
    std::string seconds;
    for (std::size_t wave = 0; wave < waves; ++wave) {
        for (const Change& change : changes[wave])
            lines += std::to_string(wave) + ' ' + partition_word(reassignment.items, change.thing) +
                     ' ' + broker_words(reassignment.items, change.before) + ' ' +
                     broker_words(reassignment.items, change.after) + '\n';
        const WaveFigures& figures = reassignment.figures[wave];
        forward_words += "    " + shell_word(words(figures)) + '\n';
        const std::size_t back = waves - 1 - wave;
        back_words += "    " +
                      shell_word(words(figures_back(changes[back], reassignment.figures[back]))) +
                      '\n';
        seconds += (wave == 0 ? "" : " ");
        seconds += figures.seconds && std::isfinite(*figures.seconds)
                       ? std::to_string(static_cast<std::int64_t>(std::ceil(*figures.seconds)))
                       : "0";
    }
    std::string text = "readonly stem=" + shell_word(stem) + '\n';
    text += "readonly title=" + shell_word(title(reassignment)) + '\n';
    text += "readonly waves=" + std::to_string(waves) + '\n';
    text += "readonly leaders_words=" + election_words(reassignment.elected) + '\n';
    text += "readonly back_leaders_words=" + election_words(reassignment.elected_back) + '\n';
    text +=
        "# By wave, forward and back; seconds are reckoned from the given rates, 0: not known.\n";
    text += "readonly forward_words=(\n" + forward_words + ")\n";
    text += "readonly back_words=(\n" + back_words + ")\n";
    text += "readonly forward_seconds=(" + seconds + ")\n\n";
    text += "# Wave, partition, its replicas before and after.\n" + function("changes", lines);
    text += "# Forward or back, wave, what is limited, leaders, followers (-: no limit).\n" +
            function("throttles", throttle_lines(reassignment));
    return text;
}

std::string elections_text(const Items& items, const std::vector<std::uint32_t>& partitions) {
    nlohmann::ordered_json document = {{"partitions", nlohmann::ordered_json::array()}};
    for (const std::uint32_t thing : partitions) {
        const PartitionName name = partition_name(partition_word(items, thing)).value();
        document["partitions"].push_back({{"topic", name.topic}, {"partition", name.number}});
    }
    return json_text(document, 2) + '\n';
}

/// Of an earlier plan: the wave after the last one, and files that this plan does without.
void expect_none_left(const std::string& base, std::uint64_t waves,
                      const std::vector<NamedText>& files) {
    std::vector<std::string> paths = {file_of_wave(base + ".json", waves),
                                      file_of_wave(base + "-rollback.json", waves)};
    for (const char* const end : other_endings)
        paths.push_back(base + end);
    for (const std::string& path : paths)
        if (std::none_of(files.begin(), files.end(),
                         [&](const NamedText& file) { return file.first == path; }))
            expect_no_earlier("--steps", path);
}

void replace(std::string& text, std::string_view what, const std::string& by) {
    const std::size_t at = text.find(what);
    EQUIPOISE_ASSERT(at != std::string::npos);
    text.replace(at, what.size(), by);
}

}  // namespace

std::string throttle_lines(const Reassignment& reassignment) {
    if (reassignment.gives.empty() && reassignment.takes.empty()) return "";
    const std::vector<std::vector<Change>> changes =
        changes_by_wave(reassignment.items, reassignment.waves.waves);
    std::string lines;
    for (std::size_t wave = 0; wave < changes.size(); ++wave) {
        Throttles throttles(reassignment);
        for (const Change& change : changes[wave])
            throttles.add(change);
        lines += throttles.lines("forward " + std::to_string(wave));
    }
    for (std::size_t wave = changes.size(); wave-- > 0;) {
        Throttles throttles(reassignment);
        for (const Change& change : changes[wave])
            throttles.add(change.back());
        lines += throttles.lines("back " + std::to_string(changes.size() - 1 - wave));
    }
    return lines;
}

void expect_script_name(const std::string& path) {
    if (!path.ends_with(script_ending))
        throw InputError("--steps: expected a name that ends in .sh, found \"" + printable(path) +
                         '"');
}

std::vector<NamedText> steps(const Reassignment& reassignment, const std::string& path) {
    expect_script_name(path);
    const std::string base = base_of(path);
    const std::string stem = std::filesystem::path(base).filename().string();
    std::vector<NamedText> files;
    const auto add_waves = [&](const std::string& name, const std::vector<std::string>& documents) {
        for (std::size_t wave = 0; wave < documents.size(); ++wave)
            files.emplace_back(file_of_wave(name, wave), documents[wave]);
    };
    add_waves(base + ".json", wave_documents(reassignment));
    add_waves(base + "-rollback.json", rollback_documents(reassignment));
    if (!reassignment.waves.waves.empty()) {
        LogDirs none;
        files.emplace_back(
            base + end_ending,
            wave_documents({reassignment.last_lists()}, reassignment.items, none).front());
    }
    if (!reassignment.elected.empty())
        files.emplace_back(base + leaders_ending,
                           elections_text(reassignment.items, reassignment.elected));
    if (!reassignment.elected_back.empty())
        files.emplace_back(base + back_leaders_ending,
                           elections_text(reassignment.items, reassignment.elected_back));
    std::string script(script_file("steps.sh"));
    replace(script, "@summary@", "# " + title(reassignment) + ". Written by equipoise reassign.");
    replace(script, "@data@\n", data(reassignment, stem));
    files.emplace_back(path, std::move(script));
    return files;
}

void add_files_of_steps(FileSet& files, const std::string& path) {
    files.add(path);
    if (!path.ends_with(script_ending)) return;
    const std::string base = base_of(path);
    for (const char* const waves : {"", "-rollback"})
        files.add_numbered(base + waves, ".json");
    for (const char* const end : other_endings)
        files.add(base + end);
}

void write_steps(const Reassignment& reassignment, const std::string& path) {
    const std::vector<NamedText> files = steps(reassignment, path);
    expect_none_left(base_of(path), reassignment.waves.waves.size(), files);
    write_files(files);
    using std::filesystem::perms;
    perms all = std::filesystem::status(path).permissions();
    for (const auto& [reads, executes] : {std::pair(perms::owner_read, perms::owner_exec),
                                          std::pair(perms::group_read, perms::group_exec),
                                          std::pair(perms::others_read, perms::others_exec)})
        if ((all & reads) != perms::none) all |= executes;
    std::error_code ignored;  // on a file system without permissions `bash steps.sh` still runs it
    std::filesystem::permissions(path, all, ignored);
}

}  // namespace equipoise::kafka
