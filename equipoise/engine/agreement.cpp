#include "equipoise/engine/agreement.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <new>
#include <stdexcept>
#include <string_view>

#include "equipoise/base/error.hpp"
#include "equipoise/base/joint_error.hpp"

namespace equipoise::engine {

namespace {

// The place of each value of a ballot in a tally.
enum BallotSum : std::size_t { ballot_sum, ballot_failures, ballot_first_sum };
enum BallotMaximum : std::size_t { ballot_mark, ballot_digest, ballot_complement, ballot_first };

// A rank marks itself with ranks() - rank(), so that the largest mark is that of the lowest rank.
std::int64_t mark(bool holds, const Council& council) {
    return holds ? council.ranks() - council.rank() : 0;
}
int marked(std::int64_t largest, const Council& council) {
    return council.ranks() - static_cast<int>(largest);
}

void tell(Council& council, LocalFailure& failure, int from) {
    council.broadcast(std::as_writable_bytes(std::span(&failure, 1)), from);
}

// The failure that says what differs, with the description of the lowest rank whose words differ
// from rank 0's.
RankFailure difference(Council& council, const Ballot& mine) {
    LocalFailure described;
    described.guard([&] {
        const std::string text = mine.describe ? mine.describe() : "";
        described.note(LocalFailure::Kind::differing, text.empty() ? "another call" : text);
    });
    LocalFailure first = described;
    tell(council, first, 0);
    Council::Tally tally;
    tally.maxima[ballot_mark] = mark(described.text() != first.text(), council);
    const std::int64_t largest = council.reduce(tally).maxima[ballot_mark];
    RankFailure found;
    found.failed = 1;
    if (largest == 0) {
        found.failure.note(LocalFailure::Kind::differing,
                           "the ranks pass different plans or types");
        return found;
    }
    found.rank = marked(largest, council);
    tell(council, described, found.rank);
    // Without memory, which may be short on some ranks.
    std::array<char, LocalFailure::text_max + 1> text{};
    std::size_t length = 0;
    for (const std::string_view part :
         {described.text(), std::string_view(", but rank 0: "), first.text()}) {
        const std::size_t some = std::min(part.size(), text.size() - length);
        std::copy_n(part.begin(), some, text.data() + length);
        length += some;
    }
    found.failure.note(LocalFailure::Kind::differing, {text.data(), length});
    return found;
}

}  // namespace

void Council::Tally::operator+=(const Tally& other) {
    for (std::size_t word = 0; word < sums.size(); ++word)
        sums[word] += other.sums[word];
    for (std::size_t word = 0; word < maxima.size(); ++word)
        maxima[word] = std::max(maxima[word], other.maxima[word]);
}

void Council::raise(const RankFailure& found) const {
    using Kind = LocalFailure::Kind;
    if (ranks() == 1 && found.own) std::rethrow_exception(found.own);
    const std::string text(found.failure.text());
    const std::string named = "rank " + std::to_string(found.rank) + ": " + text;
    switch (found.failure.kind()) {
        case Kind::overflow:
            throw OverflowError(text);
        case Kind::unsuitable:
            throw UnsuitableError(text);
        case Kind::joint:
            throw JointError(text);
        case Kind::input:
            throw InputError(text);
        case Kind::differing:
            throw InputError(named);
        case Kind::memory:
            throw std::bad_alloc();
        default:
            throw std::runtime_error(named);
    }
}

void Council::agree(const std::exception_ptr& mine) {
    std::optional<RankFailure> found;
    if (ranks() > 1) {
        Ballot answer;
        found = find_failure(*this, LocalFailure(mine), {}, answer);
    } else if (mine) {
        found = RankFailure{LocalFailure(mine), 0, 1, {}};
    }
    if (!found) return;
    found->own = mine;
    raise(*found);
}

std::optional<RankFailure> find_failure(Council& council, const LocalFailure& mine,
                                        const Ballot& ballot, Ballot& answer) {
    Council::Tally tally;
    tally.sums[ballot_sum] = ballot.sum;
    tally.sums[ballot_failures] = mine.failed() ? 1 : 0;
    tally.maxima[ballot_mark] = mark(mine.failed(), council);
    tally.maxima[ballot_digest] = std::bit_cast<std::int64_t>(ballot.must_be_equal);
    // The maximum of the complements is the complement of the smallest digest.
    tally.maxima[ballot_complement] = ~tally.maxima[ballot_digest];
    std::copy(ballot.maxima.begin(), ballot.maxima.end(), tally.maxima.begin() + ballot_first);
    std::copy(ballot.sums.begin(), ballot.sums.end(), tally.sums.begin() + ballot_first_sum);
    tally = council.reduce(tally);
    answer.sum = tally.sums[ballot_sum];
    std::copy_n(tally.maxima.begin() + ballot_first, answer.maxima.size(), answer.maxima.begin());
    std::copy_n(tally.sums.begin() + ballot_first_sum, answer.sums.size(), answer.sums.begin());
    if (tally.sums[ballot_failures] > 0) {
        RankFailure found;
        found.rank = marked(tally.maxima[ballot_mark], council);
        found.failed = static_cast<int>(tally.sums[ballot_failures]);
        if (council.rank() == found.rank) found.failure = mine;
        tell(council, found.failure, found.rank);
        return found;
    }
    if (tally.maxima[ballot_digest] != ~tally.maxima[ballot_complement])
        return difference(council, ballot);
    return std::nullopt;
}

Ballot agree(Council& council, const LocalFailure& mine, const Ballot& ballot) {
    Ballot answer;
    if (const auto found = find_failure(council, mine, ballot, answer)) council.raise(*found);
    return answer;
}

}  // namespace equipoise::engine
