#include "equipoise/trace/read.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/base/file_kind.hpp"
#include "equipoise/base/json_outline.hpp"
#include "equipoise/base/read_bytes.hpp"
#include "equipoise/trace/brotli.hpp"
#include "equipoise/trace/files.hpp"

namespace equipoise::trace {

namespace {

struct FileText {
    std::string text;
    bool compressed = false;
};

/// The text of a file, which may be compressed whatever its name says: LBAF leaves out .br.
FileText text_of(const NamedFile& file) {
    std::optional<Decompressor> decompressor;
    JsonOutline outline(file.path);
    std::string bytes = read_bytes(file.path, [&](std::string_view all, std::size_t from) {
        if (from == 0 && !begins_an_object(all) && !kind_other_than_text(all) &&
            (file.name.ends_with(".br") || may_be_compressed_object(all)))
            decompressor.emplace(file.path);
        const std::string_view block = all.substr(from);
        outline.follow(decompressor ? decompressor->follow(block) : block);
    });
    if (decompressor) return {std::move(*decompressor).text(), true};
    return {std::move(bytes), false};
}

/// Numbers objects, and finds those that communications refer to.
class Entities {
  public:
    /// The number of the object of a task on a rank.
    EntityId number(const EntityName& name, int rank) {
        const bool may_move = name.migratable.value_or(false);
        // An object that cannot move is told apart by its rank.
        const Key key = key_of(name, may_move ? no_rank : rank);
        const auto [place, is_new] = numbers_.try_emplace(key, count_);
        if (is_new) {
            if (count_ == no_entity) throw OverflowError("number of objects");
            ++count_;
        }
        if (may_move && name.id && name.seq_id) {
            EntityName short_name = name;
            short_name.id.reset();
            numbers_.try_emplace(key_of(short_name, no_rank), place->second);
        }
        return place->second;
    }
    [[nodiscard]] End end(const EntityName& name, std::size_t ranks) const {
        End end;
        const auto rank_from = [&](std::uint64_t number) {
            if (number < ranks) end.rank = static_cast<int>(number);
        };
        if (name.is_rank) {
            rank_from(name.id.value_or(name.seq_id.value_or(ranks)));
            return end;
        }
        if (name.home && *name.home >= 0) rank_from(static_cast<std::uint64_t>(*name.home));
        if (name.migratable.value_or(true)) {
            const auto found = numbers_.find(key_of(name, no_rank));
            if (found != numbers_.end()) end.entity = found->second;
        }
        return end;
    }
    [[nodiscard]] EntityId count() const { return count_; }

  private:
    using Key = std::tuple<bool, std::uint64_t, std::int64_t, std::string, int>;

    /// The key of an object: its id alone, or seq_id with home and collection.
    static Key key_of(const EntityName& name, int rank) {
        if (name.id) return {true, *name.id, 0, "", rank};
        return {false, *name.seq_id, name.home.value_or(0), name.collection.value_or(""), rank};
    }

    std::map<Key, EntityId> numbers_;
    EntityId count_ = 0;
};

class Assembly {
  public:
    Assembly(std::vector<RankFile> files, std::vector<FileContent> contents)
        : contents_(std::move(contents)) {
        trace_.files = std::move(files);
    }

    Trace assemble() {
        lay_out_phases();
        for (std::size_t rank = 0; rank < contents_.size(); ++rank)
            take_tasks(rank);
        for (std::size_t rank = 0; rank < contents_.size(); ++rank)
            take_communications(rank);
        for (std::size_t rank = 0; rank < contents_.size(); ++rank)
            repeat_identical(rank);
        trace_.entity_count = entities_.count();
        expect_one_rank_each();
        return std::move(trace_);
    }

  private:
    [[nodiscard]] const std::string& path(std::size_t rank) const {
        return trace_.files[rank].path;
    }

    /// Lists all phases of all ranks. Throws InputError unless every rank has each of them.
    void lay_out_phases() {
        std::vector<std::vector<std::int64_t>> had(contents_.size());
        for (std::size_t rank = 0; rank < contents_.size(); ++rank) {
            std::vector<std::int64_t>& ids = had[rank];
            for (const PhaseContent& phase : contents_[rank].phases)
                ids.push_back(phase.id);
            for (const auto& [first, last] : contents_[rank].identical)
                for (std::int64_t id = first; id <= last; ++id)
                    ids.push_back(id);
            std::sort(ids.begin(), ids.end());
            const auto twice = std::adjacent_find(ids.begin(), ids.end());
            if (twice != ids.end())
                throw InputError(path(rank) + ": expected phase " + std::to_string(*twice) +
                                 " written out or identical to the one before, found both");
            if (ids != had[0]) refuse_phases(had[0], 0, ids, rank);
        }
        for (const std::int64_t id : had[0]) {
            Phase& phase = trace_.phases.emplace_back();
            phase.id = id;
            phase.ranks.resize(contents_.size());
            place_of_.emplace(id, trace_.phases.size() - 1);
        }
    }
    [[noreturn]] void refuse_phases(const std::vector<std::int64_t>& ids, std::size_t rank,
                                    const std::vector<std::int64_t>& others,
                                    std::size_t other) const {
        std::vector<std::int64_t> apart;
        std::set_symmetric_difference(ids.begin(), ids.end(), others.begin(), others.end(),
                                      std::back_inserter(apart));
        const bool is_first = std::binary_search(ids.begin(), ids.end(), apart.front());
        const std::size_t lacks = is_first ? other : rank;
        bool skips = false;
        for (const auto& [first, last] : contents_[lacks].skipped)
            skips = skips || (first <= apart.front() && apart.front() <= last);
        throw InputError(path(lacks) + ": expected phase " + std::to_string(apart.front()) +
                         ", which " + trace_.files[is_first ? rank : other].name + " has, found " +
                         (skips ? "it skipped" : "none"));
    }

    RankPhase& part(std::size_t rank, std::int64_t id) {
        return trace_.phases[place_of_.at(id)].ranks[rank];
    }
    void count_entries(std::size_t more) {
        entries_ += more;
        if (entries_ > entries_most)
            throw InputError("expected at most " + std::to_string(entries_most) +
                             " tasks and communications in all phases, found more");
    }

    void take_tasks(std::size_t rank) {
        for (PhaseContent& phase : contents_[rank].phases) {
            count_entries(phase.tasks.size() + phase.communications.size());
            RankPhase& into = part(rank, phase.id);
            into.kept = std::move(phase.kept);
            for (TaskContent& task : phase.tasks) {
                into.tasks.push_back(static_cast<std::uint32_t>(trace_.tasks.size()));
                const EntityId entity = entities_.number(task.entity, static_cast<int>(rank));
                trace_.tasks.push_back({entity, task.seconds, task.bytes,
                                        task.entity.migratable.value_or(false),
                                        std::move(task.text)});
            }
            phase.tasks = {};
        }
    }
    void take_communications(std::size_t rank) {
        for (PhaseContent& phase : contents_[rank].phases) {
            RankPhase& into = part(rank, phase.id);
            for (CommunicationContent& sent : phase.communications) {
                into.communications.push_back(
                    static_cast<std::uint32_t>(trace_.communications.size()));
                trace_.communications.push_back({entities_.end(sent.from, contents_.size()),
                                                 entities_.end(sent.to, contents_.size()),
                                                 sent.messages, sent.bytes, std::move(sent.text)});
            }
            phase.communications = {};
        }
    }
    void repeat_identical(std::size_t rank) {
        for (const auto& [first, last] : contents_[rank].identical) {
            for (std::int64_t id = first; id <= last; ++id) {
                const std::size_t place = place_of_.at(id);
                if (place == 0)
                    throw InputError(path(rank) + ": phase " + std::to_string(id) +
                                     " is identical to the one before: expected one, found none");
                const RankPhase& before = trace_.phases[place - 1].ranks[rank];
                count_entries(before.tasks.size() + before.communications.size());
                RankPhase& now = trace_.phases[place].ranks[rank];
                now = before;
                now.repeats = true;
            }
        }
    }

    void expect_one_rank_each() const {
        std::vector<std::pair<std::size_t, std::size_t>> seen(trace_.entity_count, {0, 0});
        for (std::size_t place = 0; place < trace_.phases.size(); ++place) {
            const Phase& phase = trace_.phases[place];
            for (std::size_t rank = 0; rank < phase.ranks.size(); ++rank) {
                for (const std::uint32_t task : phase.ranks[rank].tasks) {
                    auto& [last_phase, last_rank] = seen[trace_.tasks[task].entity];
                    if (last_phase == place + 1 && trace_.tasks[task].migratable)
                        throw InputError(path(rank) + ": phase " + std::to_string(phase.id) +
                                         ": expected every object that may migrate once, found one "
                                         "twice, here and in " +
                                         trace_.files[last_rank].name);
                    last_phase = place + 1;
                    last_rank = rank;
                }
            }
        }
    }

    Trace trace_;
    std::vector<FileContent> contents_;
    Entities entities_;
    std::unordered_map<std::int64_t, std::size_t> place_of_;
    std::size_t entries_ = 0;
};

/// The files sorted by rank. Throws InputError unless each of the ranks 0, 1, ... occurs exactly
/// once.
std::vector<NamedFile> by_rank(std::vector<NamedFile> files) {
    std::stable_sort(files.begin(), files.end(),
                     [](const NamedFile& a, const NamedFile& b) { return *a.rank < *b.rank; });
    int expected = 0;
    const NamedFile* before = nullptr;
    for (const NamedFile& file : files) {
        if (before != nullptr && *before->rank == *file.rank)
            throw InputError("expected one file for every rank, found two for rank " +
                             std::to_string(*file.rank) + ": " + before->path + " and " +
                             file.path);
        if (*file.rank != expected)
            throw InputError("expected the files of all ranks from 0 to " +
                             std::to_string(*files.back().rank) + ", found none for rank " +
                             std::to_string(expected));
        ++expected;
        before = &file;
    }
    return files;
}

}  // namespace

Trace assemble(std::vector<RankFile> files, std::vector<FileContent> contents) {
    return Assembly(std::move(files), std::move(contents)).assemble();
}

Trace read_trace(const std::vector<std::string>& paths, const ReadOptions& options) {
    std::vector<NamedFile> files = files_of_trace(paths);
    // If file names give the ranks, these are known before anything is read; otherwise they are in
    // the metadata.
    const bool named = std::all_of(files.begin(), files.end(),
                                   [](const NamedFile& file) { return file.rank.has_value(); });
    if (named) files = by_rank(std::move(files));
    std::vector<std::pair<NamedFile, FileContent>> read;
    for (const NamedFile& file : files) {
        if (options.check) options.check();
        const FileText read_file = text_of(file);
        FileContent content =
            parse_content(read_file.text, file.path, file.rank, options.keep_text);
        content.compressed = read_file.compressed;
        NamedFile known = file;
        if (!known.rank) known.rank = content.rank;
        if (!known.rank)
            throw InputError(file.path +
                             ": expected the rank in the name, as in data.0.json, or in the "
                             "metadata, found neither");
        read.emplace_back(std::move(known), std::move(content));
    }
    std::sort(read.begin(), read.end(),
              [](const auto& a, const auto& b) { return *a.first.rank < *b.first.rank; });
    std::vector<NamedFile> sorted;
    sorted.reserve(read.size());
    for (const auto& [file, content] : read)
        sorted.push_back(file);
    static_cast<void>(by_rank(sorted));
    std::vector<RankFile> rank_files;
    std::vector<FileContent> contents;
    for (auto& [file, content] : read) {
        rank_files.push_back(
            {file.path, file.name, std::move(content.metadata), content.compressed, content.typed});
        contents.push_back(std::move(content));
    }
    return assemble(std::move(rank_files), std::move(contents));
}

}  // namespace equipoise::trace
