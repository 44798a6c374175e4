#include "equipoise/mpi/agreement.hpp"

#include <new>
#include <string>

#include "equipoise/base/digest.hpp"

namespace equipoise::mpi {

namespace {

Failure kind_of(engine::LocalFailure::Kind kind) {
    using Kind = engine::LocalFailure::Kind;
    switch (kind) {
        case Kind::none:
            return Failure::none;
        case Kind::overflow:
        case Kind::unsuitable:
        case Kind::joint:
        case Kind::input:
            return Failure::input;
        case Kind::differing:
            return Failure::differing;
        case Kind::memory:
            return Failure::memory;
        case Kind::other:
            return Failure::user_code;
    }
    return Failure::user_code;
}

/// The ranks of a communicator, which wait as MPI itself does: planning is short.
class RanksOf final : public engine::Council {
  public:
    RanksOf(const Communicator& communicator, std::span<const std::int64_t> words)
        : communicator_(communicator), words_(words) {}

    [[nodiscard]] int rank() const override { return communicator_.rank(); }
    [[nodiscard]] int ranks() const override { return communicator_.size(); }
    [[nodiscard]] Tally reduce(const Tally& mine) override {
        return communicator_.vote(mine, words_);
    }
    void broadcast(std::span<std::byte> bytes, int from) override {
        communicator_.broadcast(bytes, from);
    }
    [[noreturn]] void raise(const engine::RankFailure& found) const override {
        throw_collective_error(found);
    }

  private:
    const Communicator& communicator_;
    std::span<const std::int64_t> words_;
};

}  // namespace

void throw_collective_error(const engine::RankFailure& found) {
    const engine::LocalFailure& failure = found.failure;
    std::string words;  // only what needs them takes memory
    if (failure.kind() == engine::LocalFailure::Kind::overflow) {
        try {
            words = failure.message();
        } catch (const std::bad_alloc&) {  // its quantity must do
        }
    }
    const bool is_joint = failure.kind() == engine::LocalFailure::Kind::joint;
    throw CollectiveError(kind_of(failure.kind()),
                          is_joint ? CollectiveError::all_ranks : found.rank,
                          words.empty() ? failure.text() : std::string_view(words));
}

std::uint64_t digest_of(std::string_view text) {
    Digest digest;
    for (const char character : text)
        digest.add(static_cast<unsigned char>(character));
    return digest.value();
}

engine::Ballot agree(const Communicator& communicator, const engine::LocalFailure& failure,
                     const engine::Ballot& mine, std::span<const std::int64_t> words) {
    RanksOf ranks(communicator, words);
    return engine::agree(ranks, failure, mine);
}

void agree(const Communicator& communicator, const engine::LocalFailure& failure,
           std::string_view call) {
    engine::Ballot ballot;
    ballot.must_be_equal = digest_of(call);
    ballot.describe = [&] { return std::string(call); };
    agree(communicator, failure, ballot);
}

}  // namespace equipoise::mpi
