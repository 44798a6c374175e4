#include "equipoise/trace/write.hpp"

#include <cstddef>
#include <filesystem>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/json.hpp"
#include "equipoise/trace/brotli.hpp"

namespace equipoise::trace {

namespace {

namespace filesystem = std::filesystem;

/// The rank in whose file a communication is listed that `rank` recorded.
int rank_that_lists(const Communication& sent, int rank, const std::vector<int>& before,
                    const std::vector<int>& after) {
    for (const End& end : {sent.to, sent.from})
        if (end.entity != no_entity && before[end.entity] == rank) return after[end.entity];
    return rank;
}

/// `text` with commas between elements.
void add(std::string& text, std::string_view element) {
    if (text.back() != '[') text += ',';
    text += element;
}

/// The phases that a rank's file lists as identical, if they differ from those that it listed
/// before.
std::string metadata_text(const Trace& trace, const std::vector<PhaseLists>& lists,
                          std::size_t rank) {
    const std::string& text = trace.files[rank].metadata;
    bool changed = false;
    nlohmann::json list = nlohmann::json::array();
    nlohmann::json range = nlohmann::json::array();
    std::size_t run = 0;  // identical phases that end before this one
    const auto end_run = [&](std::size_t end) {
        if (run == 1) list.push_back(trace.phases[end - 1].id);
        if (run > 1) range.push_back({trace.phases[end - run].id, trace.phases[end - 1].id});
        run = 0;
    };
    for (std::size_t place = 0; place < trace.phases.size(); ++place) {
        changed = changed || lists[place][rank].repeats != trace.phases[place].ranks[rank].repeats;
        const bool follows = place > 0 && trace.phases[place].id == trace.phases[place - 1].id + 1;
        if (!lists[place][rank].repeats || !follows) end_run(place);
        if (lists[place][rank].repeats) ++run;
    }
    end_run(trace.phases.size());
    if (!changed) return text;
    nlohmann::json metadata = parse_json(text, trace.files[rank].path);
    metadata["phases"]["identical_to_previous"] = {{"list", list}, {"range", range}};
    return json_text(metadata);
}

std::string phase_text(const Trace& trace, std::size_t place, std::size_t rank,
                       const RankLists& lists) {
    const RankPhase& recorded = trace.phases[place].ranks[rank];
    std::string text = "{\"id\":" + std::to_string(trace.phases[place].id) + ",\"tasks\":[";
    const std::string node = "{\"node\":" + std::to_string(rank) + ',';
    for (const std::uint32_t task : lists.tasks)
        add(text, node + trace.tasks[task].text + '}');
    text += ']';
    if (!lists.communications.empty() || !recorded.communications.empty()) {
        text += ",\"communications\":[";
        for (const std::uint32_t sent : lists.communications)
            add(text, trace.communications[sent].text);
        text += ']';
    }
    if (!recorded.kept.empty()) text += ',' + recorded.kept;
    return text + '}';
}

/// A folder under construction: removed with all that it holds unless it was committed.
class AtomicFolder {
  public:
    explicit AtomicFolder(const std::string& path) : path_(path) {
        filesystem::path target(path);
        if (!target.has_filename()) target = target.parent_path();
        target_ = target;
        temporary_ = target.parent_path() /
                     ('.' + target.filename().string() + ".part-" + std::to_string(getpid()));
        std::error_code failure;
        filesystem::create_directory(temporary_, failure);
        if (failure) fail(failure);
    }
    ~AtomicFolder() {
        std::error_code ignored;
        if (!temporary_.empty()) filesystem::remove_all(temporary_, ignored);
    }
    AtomicFolder(const AtomicFolder&) = delete;
    AtomicFolder& operator=(const AtomicFolder&) = delete;

    [[nodiscard]] std::string file(const std::string& name) const {
        return (temporary_ / name).string();
    }
    void commit() {
        std::error_code failure;
        filesystem::rename(temporary_, target_, failure);  // takes the place of an empty folder
        if (failure) fail(failure);
        temporary_.clear();
    }

  private:
    [[noreturn]] void fail(const std::error_code& failure) const {
        throw InputError(path_ + ": cannot be written: " + failure.message());
    }

    std::string path_;
    filesystem::path target_;
    filesystem::path temporary_;
};

}  // namespace

std::vector<PhaseLists> lists_under(const Trace& trace, const Placement& placement) {
    const Placement recorded = recorded_placement(trace);
    std::vector<PhaseLists> all;
    for (std::size_t place = 0; place < trace.phases.size(); ++place) {
        const Phase& phase = trace.phases[place];
        const std::vector<int>& ranks = placement[place];
        PhaseLists& lists = all.emplace_back(phase.ranks.size());
        // First the tasks that stay, then those that arrive.
        for (const bool stays : {true, false}) {
            std::size_t at = 0;
            for (std::size_t rank = 0; rank < phase.ranks.size(); ++rank)
                for (const std::uint32_t task : phase.ranks[rank].tasks) {
                    const int to = ranks[at++];
                    if ((to == static_cast<int>(rank)) == stays)
                        lists[static_cast<std::size_t>(to)].tasks.push_back(task);
                }
        }
        const std::vector<int> before = rank_of_entity(trace, phase, recorded[place]);
        const std::vector<int> after = rank_of_entity(trace, phase, ranks);
        for (const bool stays : {true, false}) {
            for (std::size_t rank = 0; rank < phase.ranks.size(); ++rank)
                for (const std::uint32_t sent : phase.ranks[rank].communications) {
                    const int to = rank_that_lists(trace.communications[sent],
                                                   static_cast<int>(rank), before, after);
                    if ((to == static_cast<int>(rank)) == stays)
                        lists[static_cast<std::size_t>(to)].communications.push_back(sent);
                }
        }
        for (std::size_t rank = 0; place > 0 && rank < phase.ranks.size(); ++rank) {
            RankLists& own = lists[rank];
            const RankLists& earlier = all[place - 1][rank];
            own.repeats = phase.ranks[rank].repeats && own.tasks == earlier.tasks &&
                          own.communications == earlier.communications;
        }
    }
    return all;
}

std::string file_text(const Trace& trace, const std::vector<PhaseLists>& lists, std::size_t rank) {
    const RankFile& file = trace.files[rank];
    std::string text = "{";
    if (file.typed) text += "\"type\":\"LBDatafile\",";
    if (!file.metadata.empty()) text += "\"metadata\":" + metadata_text(trace, lists, rank) + ',';
    text += "\"phases\":[";
    for (std::size_t place = 0; place < trace.phases.size(); ++place)
        if (!lists[place][rank].repeats)
            add(text, phase_text(trace, place, rank, lists[place][rank]));
    return text + "]}\n";
}

void expect_writable(const Trace& trace, const std::string& folder) {
    std::error_code failure;
    if (filesystem::exists(folder, failure) &&
        !(filesystem::is_directory(folder, failure) && filesystem::is_empty(folder, failure)))
        throw InputError(folder + ": expected a folder that is new or empty, found " +
                         (filesystem::is_directory(folder, failure) ? "files in it" : "a file"));
    std::set<std::string> names;
    for (const RankFile& file : trace.files)
        if (!names.insert(file.name).second)
            throw InputError("expected files of different names to write, found " + file.name +
                             " twice");
}

void write_trace(const Trace& trace, const Placement& placement, const std::string& folder,
                 const std::function<void()>& check) {
    expect_writable(trace, folder);
    const std::vector<PhaseLists> lists = lists_under(trace, placement);
    AtomicFolder under_way(folder);
    for (std::size_t rank = 0; rank < trace.rank_count(); ++rank) {
        if (check) check();
        const RankFile& file = trace.files[rank];
        const std::string text = file_text(trace, lists, rank);
        write_file(under_way.file(file.name), file.compressed ? compressed(text, file.path) : text);
    }
    under_way.commit();
}

}  // namespace equipoise::trace
