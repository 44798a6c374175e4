#include "equipoise/balancer/relabel.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#include "equipoise/balancer/gathering.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/figures.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/communicator.hpp"

namespace equipoise::balancer {

namespace {

using Words = std::vector<std::int64_t>;

// Every rank keeps some figures for each part.
constexpr std::int64_t parts_max = std::int64_t{1} << 24U;

void check_relabel_options(const RelabelOptions& options) {
    if (options.parts < 0)
        throw InputError("expected a number of parts of at least 0, found " +
                         std::to_string(options.parts));
    if (options.parts_a_rank < 1)
        throw InputError("expected at least 1 part a rank, found " +
                         std::to_string(options.parts_a_rank));
    if (options.machine && !options.machines_first)
        throw InputError("expected a machine colour only with machines_first, found one without");
}

std::string words_of(const RelabelOptions& options) {
    std::string text = "relabelling " + std::to_string(options.parts) + " parts, at most " +
                       std::to_string(options.parts_a_rank) + " a rank";
    if (options.machines_first) text += ", machines first";
    if (options.machine) text += ", with machine colours";
    return text;
}

// The largest part + 1.
template <class Number>
std::int64_t parts_in(std::span<const Number> new_part, const RelabelOptions& options) {
    std::int64_t parts = options.parts;
    for (const Number part : new_part) {
        if (part < 0 || (options.parts > 0 && part >= options.parts))
            throw InputError("expected parts " +
                             (options.parts > 0 ? "0 to " + std::to_string(options.parts - 1)
                                                : std::string("of at least 0")) +
                             ", found " + std::to_string(part));
        // The largest number of 64 bits has no successor, and is refused as too large anyway.
        constexpr std::int64_t last = std::numeric_limits<std::int64_t>::max() - 1;
        parts = std::max(parts, std::min(std::int64_t{part}, last) + 1);
    }
    return parts;
}

// (part, bytes) for every part of which this rank has items.
template <class Number>
Words sums_by_part(std::span<const Number> new_part, std::span<const Tokens> bytes,
                   std::int64_t parts) {
    if (!bytes.empty() && bytes.size() != new_part.size())
        throw InputError("expected one size for each of " +
                         counted(static_cast<std::uint64_t>(new_part.size()), "item") + ", found " +
                         std::to_string(bytes.size()));
    std::vector<Tokens> sums(static_cast<std::size_t>(parts));
    for (std::size_t item = 0; item < new_part.size(); ++item) {
        const Tokens size = bytes.empty() ? 1 : bytes[item];
        if (size < 0 || size > tokens_max)
            throw InputError("expected sizes of 0 to 2^61 - 1 bytes, found " +
                             std::to_string(size));
        Tokens& sum = sums[static_cast<std::size_t>(new_part[item])];
        sum = checked_add(sum, size);
    }
    Words words;
    for (std::size_t part = 0; part < sums.size(); ++part) {
        if (sums[part] == 0) continue;
        words.push_back(static_cast<std::int64_t>(part));
        words.push_back(sums[part]);
    }
    return words;
}

std::vector<int> machines_of(const mpi::Groups* groups, const RelabelOptions& options,
                             const Gathered& all) {
    if (!options.machines_first) return {};
    if (groups != nullptr) return groups->machine;
    std::vector<int> machines;
    for (std::size_t rank = 0; rank < all.counts.size(); ++rank)
        machines.push_back(static_cast<int>(all.of(rank).front()));
    return machines;
}

template <class Number>
Relabelled relabel_numbers(MPI_Comm callers, std::span<const Number> new_part,
                           std::span<const Tokens> bytes, const RelabelOptions& options,
                           engine::LocalFailure failure) {
    const mpi::Communicator communicator(callers);
    engine::Ballot ballot;
    failure.guard([&] {
        check_relabel_options(options);
        ballot.maxima[0] = parts_in(new_part, options);
        if (!new_part.empty()) ballot.maxima[bytes.empty() ? 1 : 2] = 1;
        ballot.must_be_equal = mpi::digest_of(words_of(options));
    });
    ballot.describe = [&] { return words_of(options); };
    ballot = mpi::agree(communicator, failure, ballot);
    const std::int64_t parts = ballot.maxima[0];
    Words mine;
    failure.guard([&] {
        // Refused before memory is taken for all parts.
        if (parts > std::int64_t{communicator.size()} * options.parts_a_rank)
            throw InputError("expected at most " +
                             counted(std::int64_t{options.parts_a_rank}, "part") + " for each of " +
                             counted(std::int64_t{communicator.size()}, "rank") + ", found " +
                             counted(parts, "part"));
        if (parts > parts_max)
            throw InputError("expected at most " + counted(parts_max, "part") + ", found " +
                             grouped(parts));
        if (ballot.maxima[1] != 0 && ballot.maxima[2] != 0)
            throw InputError("expected sizes of the items of all ranks or of none");
        mine = sums_by_part(new_part, bytes, parts);
        if (options.machine) mine.insert(mine.begin(), *options.machine);
    });
    constexpr const char* call = "a relabelling";
    const Gathered all = gather_all(communicator, mine, failure, call);
    const mpi::Groups* const groups =
        options.machines_first && !options.machine ? &communicator.groups() : nullptr;
    Relabelled result;
    failure.guard([&] {
        const std::vector<int> machines = machines_of(groups, options, all);
        std::vector<placement::Holding> holdings;
        for (std::size_t rank = 0; rank < all.counts.size(); ++rank) {
            const std::span<const std::int64_t> words =
                all.of(rank).subspan(options.machine ? 1 : 0);
            for (std::size_t word = 0; word < words.size(); word += 2)
                holdings.push_back(
                    {static_cast<int>(rank), static_cast<int>(words[word]), words[word + 1]});
        }
        static_cast<placement::Relabelling&>(result) =
            placement::fewest_bytes({static_cast<int>(parts), communicator.size(),
                                     options.parts_a_rank, holdings, machines});
        result.machines_first = options.machines_first;
    });
    mpi::agree(communicator, failure, call);
    return result;
}

}  // namespace

Relabelled relabel(MPI_Comm callers, std::span<const int> new_part, std::span<const Tokens> bytes,
                   const RelabelOptions& options, engine::LocalFailure failure) {
    return relabel_numbers(callers, new_part, bytes, options, failure);
}

Relabelled relabel_wide(MPI_Comm callers, std::span<const std::int64_t> new_part,
                        std::span<const Tokens> bytes, const RelabelOptions& options,
                        engine::LocalFailure failure) {
    return relabel_numbers(callers, new_part, bytes, options, failure);
}

std::string Relabelled::describe() const {
    std::string text = "moves " + counted(moved, "byte") + " of " + grouped(bytes);
    text += machines_first ? ", the fewest that keep those between machines fewest"
                           : ", the fewest possible";
    text += "; leaving part p on rank p would move " + grouped(moved_by_identity);
    if (machines_first) {
        text += "\nbetween machines: " + counted(between_machines, "byte");
        text += ", the fewest possible; with part p on rank p: ";
        text += grouped(between_machines_by_identity);
    }
    text += '\n';
    return text;
}

}  // namespace equipoise::balancer
