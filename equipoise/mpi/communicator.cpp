#include "equipoise/mpi/communicator.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/digest.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/mpi/agreement.hpp"
#include "equipoise/mpi/binding.hpp"
#include "equipoise/mpi/direct_copy.hpp"
#include "equipoise/mpi/error.hpp"

namespace equipoise::mpi {

namespace {

constexpr int pass_tag = 6;  // other messages on this communicator use other tags

using Tally = Communicator::Tally;

constexpr std::size_t words_told = 6;
constexpr int words_per_tally = 14;
static_assert(sizeof(Tally) == words_per_tally * sizeof(std::int64_t));

using WordsOfTally = std::array<std::int64_t, words_per_tally>;

Tally tally_of(const std::int64_t* words) {
    WordsOfTally own;
    std::copy_n(words, own.size(), own.begin());
    return std::bit_cast<Tally>(own);
}
void put_tally(const Tally& tally, std::int64_t* words) {
    const auto own = std::bit_cast<WordsOfTally>(tally);
    std::copy(own.begin(), own.end(), words);
}

// Where the words of a rank lie behind the tally of a ballot.
std::ptrdiff_t first_brought(int rank) {
    return words_per_tally + rank * static_cast<std::ptrdiff_t>(Communicator::words_brought);
}

// Adds tallies to others, and the words behind them: those of a rank are 0 on all others. MPI asks
// for exactly this signature.
// NOLINTNEXTLINE(readability-non-const-parameter)
void add_tallies(void* brought, void* total, int* count, MPI_Datatype* type) {
    int bytes = 0;
    MPI_Type_size(*type, &bytes);
    const auto words = static_cast<std::size_t>(bytes) / sizeof(std::int64_t);
    const auto* mine = static_cast<const std::int64_t*>(brought);
    auto* all = static_cast<std::int64_t*>(total);
    for (int i = 0; i < *count; ++i, mine += words, all += words) {
        Tally sum = tally_of(all);
        sum += tally_of(mine);
        put_tally(sum, all);
        for (std::size_t word = words_per_tally; word < words; ++word)
            all[word] += mine[word];
    }
}

void require_running() {
    int initialised = 0;
    int finalised = 0;
    MPI_Initialized(&initialised);
    if (initialised != 0) MPI_Finalized(&finalised);
    if (initialised == 0 || finalised != 0)
        throw InputError("expected a call between MPI_Init and MPI_Finalize");
}

// Throws the same on all ranks if one has no memory; frees the communicator then.
void throw_if_any_failed(MPI_Comm own, int rank, const engine::LocalFailure& failure) {
    int ranks = 0;
    check(MPI_Comm_size(own, &ranks), "MPI_Comm_size");
    const int mine = failure.failed() ? ranks - rank : 0;
    int lowest = 0;
    check(MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MAX, own), "MPI_Allreduce");
    if (lowest == 0) return;
    MPI_Comm_free(&own);
    const engine::LocalFailure shortage(std::make_exception_ptr(std::bad_alloc()));
    throw_collective_error({shortage, ranks - lowest, 1, nullptr});
}

// Each rank's group by the smallest rank in it. Collective; takes no memory.
void name_groups_of_type(MPI_Comm own, int rank, int type, std::span<int> names) {
    MPI_Comm part = MPI_COMM_NULL;
    check(MPI_Comm_split_type(own, type, rank, MPI_INFO_NULL, &part), "MPI_Comm_split_type");
    int smallest = rank;
    if (part != MPI_COMM_NULL) {
        check(MPI_Bcast(&smallest, 1, MPI_INT, 0, part), "MPI_Bcast");
        check(MPI_Comm_free(&part), "MPI_Comm_free");
    }
    check(MPI_Allgather(&smallest, 1, MPI_INT, names.data(), 1, MPI_INT, own), "MPI_Allgather");
}

// The same for ranks that are bound to the same part of their machine; `all` has room for a word of
// each rank. Returns false if some rank is bound to none.
bool name_groups_of_part(MPI_Comm own, int machine, const std::optional<std::string>& part,
                         std::span<std::int64_t> all, std::span<int> names) {
    std::int64_t mine = 0;
    if (part) {
        Digest digest;
        digest.add(static_cast<std::uint64_t>(machine));
        for (const char c : *part)
            digest.add(static_cast<unsigned char>(c));
        mine = static_cast<std::int64_t>(digest.value() | 1U);
    }
    check(MPI_Allgather(&mine, 1, MPI_INT64_T, all.data(), 1, MPI_INT64_T, own), "MPI_Allgather");
    for (std::size_t rank = 0; rank < all.size(); ++rank) {
        if (all[rank] == 0) return false;
        names[rank] = static_cast<int>(std::find(all.begin(), all.end(), all[rank]) - all.begin());
    }
    return true;
}

}  // namespace

struct Communicator::Kept {
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Datatype tally_type = MPI_DATATYPE_NULL;
    MPI_Op tally_operation = MPI_OP_NULL;
    std::unique_ptr<Groups> groups;
    /// A tally, and the words that each rank brings to a vote; empty: there are too many ranks.
    std::vector<std::int64_t> ballot;
    std::vector<std::int64_t> ballots;  ///< of all ranks, added up
    MPI_Datatype ballot_type = MPI_DATATYPE_NULL;
    std::vector<std::int64_t> direct_partners;  ///< by rank; empty: not found out yet
    std::optional<std::vector<Ends>> links;
    std::atomic<bool> in_call = false;

    Kept() = default;
    Kept(const Kept&) = delete;
    Kept& operator=(const Kept&) = delete;
    ~Kept() {
        if (tally_operation != MPI_OP_NULL) MPI_Op_free(&tally_operation);
        if (tally_type != MPI_DATATYPE_NULL) MPI_Type_free(&tally_type);
        if (ballot_type != MPI_DATATYPE_NULL) MPI_Type_free(&ballot_type);
        if (own != MPI_COMM_NULL) MPI_Comm_free(&own);
    }
};

// The duplicates kept with the communicators of all threads.
struct Communicator::AllKept {
    std::mutex mutex;
    std::list<Kept> all;

    void keep(std::list<Kept>& fresh) {
        const std::scoped_lock lock(mutex);
        all.splice(all.end(), fresh);
    }
    // Takes out one duplicate, or all if null is given. They are freed outside of the lock.
    std::list<Kept> take(const void* one) {
        std::list<Kept> taken;
        const std::scoped_lock lock(mutex);
        for (auto kept = all.begin(); kept != all.end();) {
            const auto now = kept++;
            if (one == nullptr || &*now == one) taken.splice(taken.end(), all, now);
        }
        return taken;
    }
};

Communicator::AllKept& Communicator::all_kept() {
    static AllKept all;
    return all;
}

// While it lives, no other thread may make a collective call on the communicator: ranks could not
// tell their calls apart, and all of them would wait for ever.
class Communicator::InCall {
  public:
    explicit InCall(Kept& kept) : in_call_(kept.in_call) {
        if (in_call_.exchange(true))
            throw InputError(
                "expected one thread at a time to use a communicator, found a call while that of "
                "another thread is under way: give each thread a communicator of its own "
                "(MPI_Comm_dup)");
    }
    InCall(const InCall&) = delete;
    InCall& operator=(const InCall&) = delete;
    ~InCall() { in_call_ = false; }

  private:
    std::atomic<bool>& in_call_;
};

// The caller frees a communicator: its duplicate is freed with it.
int Communicator::forget(MPI_Comm /*callers*/, int /*key*/, void* value, void* /*extra*/) {
    static_cast<void>(all_kept().take(value));
    return MPI_SUCCESS;
}

// Attributes of MPI_COMM_SELF are deleted when MPI_Finalize begins, while communicators can still
// be freed.
int Communicator::finalise(MPI_Comm /*self*/, int /*key*/, void* /*value*/, void* /*extra*/) {
    static_cast<void>(all_kept().take(nullptr));
    return MPI_SUCCESS;
}

int Communicator::key() {
    static const int made = [] {
        int at_end = MPI_KEYVAL_INVALID;
        check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, finalise, &at_end, nullptr),
              "MPI_Comm_create_keyval");
        check(MPI_Comm_set_attr(MPI_COMM_SELF, at_end, nullptr), "MPI_Comm_set_attr");
        int fresh = MPI_KEYVAL_INVALID;
        check(MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &fresh, nullptr),
              "MPI_Comm_create_keyval");
        return fresh;
    }();
    return made;
}

int& Communicator::ranks_that_bring() {
    static int most = 32;
    return most;
}

int bring_words_up_to(int ranks) {
    return std::exchange(Communicator::ranks_that_bring(), ranks);
}

Communicator::Kept* Communicator::make(MPI_Comm callers) {
    std::list<Kept> fresh;
    engine::LocalFailure failure;
    int rank = 0;
    int ranks = 0;
    check(MPI_Comm_rank(callers, &rank), "MPI_Comm_rank");
    check(MPI_Comm_size(callers, &ranks), "MPI_Comm_size");
    failure.guard([&] {
        Kept& kept = fresh.emplace_back();
        if (ranks > ranks_that_bring()) return;
        kept.ballot.resize(static_cast<std::size_t>(first_brought(ranks)));
        kept.ballots.resize(kept.ballot.size());
    });
    // A split, unlike a duplicate, does not run the copy callbacks of the caller's attributes.
    MPI_Comm own = MPI_COMM_NULL;
    check(MPI_Comm_split(callers, 0, rank, &own), "MPI_Comm_split");
    throw_if_any_failed(own, rank, failure);
    Kept* const kept = &fresh.front();
    kept->own = own;
    check(MPI_Comm_set_errhandler(kept->own, MPI_ERRORS_RETURN), "MPI_Comm_set_errhandler");
    check(MPI_Type_contiguous(words_per_tally, MPI_INT64_T, &kept->tally_type),
          "MPI_Type_contiguous");
    check(MPI_Type_commit(&kept->tally_type), "MPI_Type_commit");
    if (!kept->ballot.empty()) {
        check(MPI_Type_contiguous(static_cast<int>(kept->ballot.size()), MPI_INT64_T,
                                  &kept->ballot_type),
              "MPI_Type_contiguous");
        check(MPI_Type_commit(&kept->ballot_type), "MPI_Type_commit");
    }
    check(MPI_Op_create(add_tallies, 1, &kept->tally_operation), "MPI_Op_create");
    all_kept().keep(fresh);
    check(MPI_Comm_set_attr(callers, key(), kept), "MPI_Comm_set_attr");
    return kept;
}

Communicator::Communicator(MPI_Comm callers) : callers_(callers) {
    require_running();
    if (callers == MPI_COMM_NULL) throw InputError("expected a communicator, found MPI_COMM_NULL");
    int between_groups = 0;
    check(MPI_Comm_test_inter(callers, &between_groups), "MPI_Comm_test_inter");
    if (between_groups != 0)
        throw InputError("expected a communicator of one group, found an intercommunicator");
    void* found = nullptr;
    int exists = 0;
    check(MPI_Comm_get_attr(callers, key(), static_cast<void*>(&found), &exists),
          "MPI_Comm_get_attr");
    kept_ = exists != 0 ? static_cast<Kept*>(found) : make(callers);
    own_ = kept_->own;
    check(MPI_Comm_rank(own_, &rank_), "MPI_Comm_rank");
    check(MPI_Comm_size(own_, &size_), "MPI_Comm_size");
}

Communicator::Tally Communicator::reduce(const Tally& mine) const {
    const InCall call(*kept_);
    Tally all;
    check(MPI_Allreduce(&mine, &all, 1, kept_->tally_type, kept_->tally_operation, own_),
          "MPI_Allreduce");
    return all;
}

bool Communicator::votes_bring_words() const {
    return !kept_->ballots.empty();
}

std::span<const std::int64_t> Communicator::brought(int rank) const {
    return std::span<const std::int64_t>(kept_->ballots)
        .subspan(static_cast<std::size_t>(first_brought(rank)), words_brought);
}

Communicator::Tally Communicator::vote(const Tally& mine,
                                       std::span<const std::int64_t> words) const {
    EQUIPOISE_ASSERT(words.size() <= words_brought);
    if (!votes_bring_words()) return reduce(mine);
    const InCall call(*kept_);
    std::vector<std::int64_t>& ballot = kept_->ballot;
    std::fill(ballot.begin(), ballot.end(), 0);
    put_tally(mine, ballot.data());
    std::copy(words.begin(), words.end(), ballot.begin() + first_brought(rank_));
    check(MPI_Allreduce(ballot.data(), kept_->ballots.data(), 1, kept_->ballot_type,
                        kept_->tally_operation, own_),
          "MPI_Allreduce");
    return tally_of(kept_->ballots.data());
}

void Communicator::begin_reduce(const Tally& mine, Tally& all, MPI_Request& request) const {
    check(MPI_Iallreduce(&mine, &all, 1, kept_->tally_type, kept_->tally_operation, own_, &request),
          "MPI_Iallreduce");
}

void Communicator::all_gather(std::span<const std::int64_t> mine,
                              std::span<std::int64_t> all) const {
    EQUIPOISE_ASSERT(all.size() == mine.size() * static_cast<std::size_t>(size_));
    const int words = static_cast<int>(mine.size());
    const InCall call(*kept_);
    check(MPI_Allgather(mine.data(), words, MPI_INT64_T, all.data(), words, MPI_INT64_T, own_),
          "MPI_Allgather");
}

void Communicator::all_gather(std::span<const double> mine, std::span<double> all) const {
    EQUIPOISE_ASSERT(all.size() == mine.size() * static_cast<std::size_t>(size_));
    const int words = static_cast<int>(mine.size());
    const InCall call(*kept_);
    check(MPI_Allgather(mine.data(), words, MPI_DOUBLE, all.data(), words, MPI_DOUBLE, own_),
          "MPI_Allgather");
}

void Communicator::all_gather(std::span<const std::int64_t> mine, std::span<std::int64_t> all,
                              std::span<const int> words, std::span<const int> firsts) const {
    const InCall call(*kept_);
    check(MPI_Allgatherv(mine.data(), static_cast<int>(mine.size()), MPI_INT64_T, all.data(),
                         words.data(), firsts.data(), MPI_INT64_T, own_),
          "MPI_Allgatherv");
}

void Communicator::broadcast(std::span<std::byte> bytes, int root) const {
    const InCall call(*kept_);
    check(MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, root, own_),
          "MPI_Bcast");
}

void Communicator::pass_through(std::span<std::int64_t> words, bool backwards,
                                const std::function<void()>& change) const {
    {
        const InCall call(*kept_);
        const int size = static_cast<int>(words.size());
        const int step = backwards ? -1 : 1;
        const int from = rank_ - step;
        const int to = rank_ + step;
        if (from >= 0 && from < size_)
            check(
                MPI_Recv(words.data(), size, MPI_INT64_T, from, pass_tag, own_, MPI_STATUS_IGNORE),
                "MPI_Recv");
        change();
        if (to >= 0 && to < size_)
            check(MPI_Send(words.data(), size, MPI_INT64_T, to, pass_tag, own_), "MPI_Send");
    }
    broadcast(std::as_writable_bytes(words), backwards ? 0 : size_ - 1);
}

std::vector<int> Communicator::groups_of_type(int type) const {
    std::vector<int> names(static_cast<std::size_t>(size_));
    name_groups_of_type(own_, rank_, type, names);
    return names;
}

// All memory is taken before the first collective call, so that no rank waits for one without.
const Groups& Communicator::groups() const {
    if (kept_->groups) return *kept_->groups;
    std::unique_ptr<Groups> groups;
    std::vector<std::int64_t> parts;
    std::optional<std::string> part;
    engine::LocalFailure failure;
    failure.guard([&] {
        const auto ranks = static_cast<std::size_t>(size_);
        groups = std::make_unique<Groups>();
        groups->machine.resize(ranks);
        groups->socket.resize(ranks);
        parts.resize(ranks);
        for (const Bound& bound : binding())
            if (bound.kind == "socket") part = bound.part;
    });
    agree(*this, failure, "finding out which ranks share a machine");
    name_groups_of_type(own_, rank_, MPI_COMM_TYPE_SHARED, groups->machine);
    const int machine = groups->machine[static_cast<std::size_t>(rank_)];
    if (!name_groups_of_part(own_, machine, part, parts, groups->socket))
        std::copy(groups->machine.begin(), groups->machine.end(), groups->socket.begin());
    kept_->groups = std::move(groups);
    return *kept_->groups;
}

std::vector<int> Communicator::groups_of_part(const std::optional<std::string>& part) const {
    std::vector<std::int64_t> parts(static_cast<std::size_t>(size_));
    std::vector<int> names(parts.size());
    const int machine = groups().machine[static_cast<std::size_t>(rank_)];
    if (!name_groups_of_part(own_, machine, part, parts, names)) names.clear();
    return names;
}

const std::vector<Ends>* Communicator::links() const {
    return kept_->links ? &*kept_->links : nullptr;
}

void Communicator::keep_links(std::vector<Ends> links) const {
    kept_->links = std::move(links);
}

// The words that a rank sends: its process (0: it may not copy), where its probe lies, the word
// that must be found there, which distinguishes processes with the same number in different
// containers, its processors, and whether it is to copy even if these do not suffice.
void Communicator::find_direct_partners() const {
    if (!kept_->direct_partners.empty()) return;
    const std::vector<int>& machine = groups().machine;
    std::vector<std::int64_t> partners;
    std::vector<std::int64_t> all;
    std::vector<std::int64_t> able;
    std::vector<Processors> near_processors;
    Processors processors;
    engine::LocalFailure failure;
    failure.guard([&] {
        const auto ranks = static_cast<std::size_t>(size_);
        near_processors.reserve(ranks);
        processors = processors_of(own_processors());
        partners.resize(ranks);
        all.resize(words_told * ranks);
        able.resize(ranks);
    });
    agree(*this, failure, "finding out which ranks share memory");
    const DirectCopies wanted = direct_copies_wanted();
    const std::int64_t process = wanted == DirectCopies::off ? 0 : this_process();
    std::int64_t probe = 0;
    const auto address = reinterpret_cast<std::uintptr_t>(&probe);
    Digest word;
    word.add(static_cast<std::uint64_t>(process));
    word.add(static_cast<std::uint64_t>(rank_));
    word.add(static_cast<std::uint64_t>(address));
    word.add(
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()));
    probe = static_cast<std::int64_t>(word.value());
    all_gather(std::array{process, static_cast<std::int64_t>(address), probe, processors.which,
                          processors.count, std::int64_t{wanted == DirectCopies::on ? 1 : 0}},
               all);
    std::int64_t mine = 1;
    bool any_insists = false;
    for (int rank = 0; rank < size_; ++rank) {
        const auto other = static_cast<std::size_t>(rank);
        const auto told = std::span(all).subspan(words_told * other, words_told);
        const bool near = machine[other] == machine[static_cast<std::size_t>(rank_)];
        partners[other] = near && rank != rank_ ? told[0] : 0;
        if (!near) continue;
        near_processors.push_back({told[3], told[4]});
        any_insists = any_insists || told[5] != 0;
        if (rank != rank_ && !copies_from(rank, all)) mine = 0;
    }
    if (!any_insists && !processors_suffice(near_processors)) mine = 0;
    // Once this is gathered, all ranks have read the probes.
    all_gather(std::span(&mine, 1), able);
    for (int rank = 0; rank < size_; ++rank)
        if (machine[static_cast<std::size_t>(rank)] == machine[static_cast<std::size_t>(rank_)])
            mine = std::min(mine, able[static_cast<std::size_t>(rank)]);
    if (mine == 0) std::fill(partners.begin(), partners.end(), 0);
    kept_->direct_partners = std::move(partners);
}

// Ranks that are threads of one process have nothing to gain: MPI copies once there.
bool Communicator::copies_from(int rank, std::span<const std::int64_t> told) const {
    const auto words = told.subspan(words_told * static_cast<std::size_t>(rank), words_told);
    const std::int64_t here = told[words_told * static_cast<std::size_t>(rank_)];
    if (words[0] == 0 || here == 0 || words[0] == here) return false;
    std::int64_t found = 0;
    const auto room = std::as_writable_bytes(std::span(&found, 1));
    return copy_from_process(words[0], static_cast<std::uint64_t>(words[1]), room) == room.size() &&
           found == words[2];
}

std::int64_t Communicator::direct_partner(int rank) const {
    const std::vector<std::int64_t>& partners = kept_->direct_partners;
    return partners.empty() ? 0 : partners[static_cast<std::size_t>(rank)];
}

bool Communicator::shares_machine(int rank) const {
    if (kept_->direct_partners.empty()) return false;
    const std::vector<int>& machine = kept_->groups->machine;
    return machine[static_cast<std::size_t>(rank)] == machine[static_cast<std::size_t>(rank_)];
}

}  // namespace equipoise::mpi
