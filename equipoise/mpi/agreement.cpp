#include "equipoise/mpi/agreement.hpp"

#include <bit>
#include <cstddef>
#include <utility>

namespace equipoise::mpi {

namespace {

// The lowest rank for which `mine` holds, or -1: largest of (ranks above it + 1).
std::int64_t mark(bool mine, const Communicator& communicator) {
    return mine ? communicator.size() - communicator.rank() : 0;
}

int lowest_rank(std::int64_t largest_mark, const Communicator& communicator) {
    return largest_mark == 0 ? -1 : communicator.size() - static_cast<int>(largest_mark);
}

[[noreturn]] void throw_failure(const Communicator& communicator, const LocalFailure& failure,
                                int rank) {
    std::string text(1, static_cast<char>('0' + static_cast<int>(failure.failure())));
    text += failure.text();
    text = communicator.broadcast(text, rank);
    throw CollectiveError(static_cast<Failure>(text[0] - '0'), rank,
                          std::string_view(text).substr(1));
}

[[noreturn]] void throw_difference(const Communicator& communicator, const Ballot& mine) {
    const std::string described = mine.describe ? mine.describe() : "";
    const std::string first = communicator.broadcast(described, 0);
    Vote vote;
    vote.maxima[0] = mark(described != first, communicator);
    const int other = lowest_rank(communicator.vote(vote).maxima[0], communicator);
    if (other < 0)
        throw CollectiveError(Failure::differing, 0, "the ranks hand in different plans or types");
    std::string text = communicator.broadcast(described, other);
    text += ", but rank 0: ";
    text += first;
    throw CollectiveError(Failure::differing, other, text);
}

}  // namespace

Ballot agree(const Communicator& communicator, const LocalFailure& failure, const Ballot& mine) {
    const auto digest = std::bit_cast<std::int64_t>(mine.must_be_equal);
    Vote vote;
    vote.maxima = {mark(failure.failed(), communicator),
                   digest,
                   ~digest,  // its maximum is the complement of the smallest digest
                   mine.maxima[0],
                   mine.maxima[1],
                   mine.maxima[2],
                   mine.maxima[3]};
    vote.sum = mine.sum;
    vote = communicator.vote(vote);
    if (vote.maxima[0] != 0)
        throw_failure(communicator, failure, lowest_rank(vote.maxima[0], communicator));
    if (vote.maxima[1] != ~vote.maxima[2]) throw_difference(communicator, mine);
    Ballot answer;
    for (std::size_t word = 0; word < answer.maxima.size(); ++word)
        answer.maxima[word] = vote.maxima[word + 3];
    answer.sum = vote.sum;
    return answer;
}

}  // namespace equipoise::mpi
