#pragma once
// The library's own duplicate of the caller's communicator, and the few collectives that the
// library needs.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <mpi.h>

#include "equipoise/base/ids.hpp"
#include "equipoise/engine/agreement.hpp"

namespace equipoise::mpi {

/// A group of ranks, named on every rank by its smallest member.
struct Groups {
    std::vector<int> machine;  ///< by rank: ranks that share memory
    std::vector<int> socket;   ///< by rank: ranks of one processor package; as `machine` if
                               ///< ranks are not bound to one
};

/// A private duplicate of a caller's communicator, so that our messages can never meet the
/// caller's. It is made collectively at the first use and kept with the caller's communicator until
/// that is freed (or MPI is finalised), so that later uses cost nothing. Its errors are returned,
/// not fatal.
///
/// Threads may use different communicators at the same time (MPI_THREAD_MULTIPLE), but not one
/// together: MPI itself does not know which of their calls belong together. A collective call made
/// while another thread is in one on the same communicator throws InputError, on this rank.
class Communicator {
  public:
    using Tally = engine::Council::Tally;

    /// Collective at the first use of `callers`. Throws InputError if MPI is not running, for
    /// MPI_COMM_NULL and for an intercommunicator; MpiError.
    explicit Communicator(MPI_Comm callers);

    [[nodiscard]] int rank() const { return rank_; }
    [[nodiscard]] int size() const { return size_; }
    /// The private duplicate.
    [[nodiscard]] MPI_Comm raw() const { return own_; }
    /// The caller's communicator, which has its topology.
    [[nodiscard]] MPI_Comm callers() const { return callers_; }

    /// One reduction whose result every rank receives: O(log P) messages.
    [[nodiscard]] Tally reduce(const Tally& mine) const;
    /// The most words that a rank brings to a vote.
    static constexpr std::size_t words_brought = 6;
    /// The same for votes, to which ranks bring words. Up to 32 ranks the reduction has room for
    /// those of each rank, besides the tally: afterwards, until the next vote, `brought` has them.
    /// With more ranks its messages would become long, and words stay where they are.
    [[nodiscard]] Tally vote(const Tally& mine, std::span<const std::int64_t> words) const;
    [[nodiscard]] bool votes_bring_words() const;
    /// The words of a rank, and 0 up to `words_brought` of them. Only if votes bring words.
    [[nodiscard]] std::span<const std::int64_t> brought(int rank) const;
    /// Begins a reduction: `all` holds the result when the request is complete.
    void begin_reduce(const Tally& mine, Tally& all, MPI_Request& request) const;
    /// The words of all ranks, one rank after the other; every rank brings the same number. `all`
    /// has room for them: nothing is allocated here, so that no rank can fail alone.
    void all_gather(std::span<const std::int64_t> mine, std::span<std::int64_t> all) const;
    void all_gather(std::span<const double> mine, std::span<double> all) const;
    /// The same if ranks bring different, known numbers of words: `words` of each rank, which begin
    /// at `firsts` in `all`.
    void all_gather(std::span<const std::int64_t> mine, std::span<std::int64_t> all,
                    std::span<const int> words, std::span<const int> firsts) const;
    /// The bytes of rank `root`, on every rank; at most 2^31 - 1.
    void broadcast(std::span<std::byte> bytes, int root) const;
    /// Words that pass through all ranks, one after the other, in their order or against it: each
    /// rank receives what the one before has made of them, changes them (`change` must not throw)
    /// and sends them on. Then every rank gets what the last one made. P messages, each of which
    /// waits for the one before, and a broadcast.
    void pass_through(std::span<std::int64_t> words, bool backwards,
                      const std::function<void()>& change) const;
    /// Which ranks share a machine and a socket. Collective at the first call.
    [[nodiscard]] const Groups& groups() const;
    /// The groups that MPI_Comm_split_type makes: for each rank, the smallest rank of its group. A
    /// rank that MPI puts into no group is a group of its own. Collective.
    [[nodiscard]] std::vector<int> groups_of_type(int type) const;
    /// Which ranks of a machine are bound to the same part of it: for each rank, the smallest rank
    /// of its group. Empty if a rank is bound to none. Collective.
    [[nodiscard]] std::vector<int> groups_of_part(const std::optional<std::string>& part) const;

    /// The links of the caller's topology, if they have been gathered; otherwise null.
    [[nodiscard]] const std::vector<Ends>* links() const;
    void keep_links(std::vector<Ends> links) const;

    /// Finds out, at the first call, which ranks may copy from each other's memory: all ranks of a
    /// machine or none of them. Each rank tries it on a word of every other one. Collective; throws
    /// CollectiveError if a rank has no memory for the results.
    void find_direct_partners() const;
    /// The process of a rank that may copy from this one and this from it; 0: there is none, or
    /// this has not been found out.
    [[nodiscard]] std::int64_t direct_partner(int rank) const;
    /// Whether a rank shares the memory of this one's machine; false if this has not been found
    /// out.
    [[nodiscard]] bool shares_machine(int rank) const;

  private:
    friend int bring_words_up_to(int ranks);
    struct Kept;
    class InCall;
    [[nodiscard]] bool copies_from(int rank, std::span<const std::int64_t> told) const;
    MPI_Comm callers_ = MPI_COMM_NULL;
    MPI_Comm own_ = MPI_COMM_NULL;
    int rank_ = 0;
    int size_ = 0;
    Kept* kept_ = nullptr;

    static int key();
    static Kept* make(MPI_Comm callers);
    static int forget(MPI_Comm callers, int key, void* value, void* extra);
    static int finalise(MPI_Comm self, int key, void* value, void* extra);
    struct AllKept;
    static AllKept& all_kept();
    static int& ranks_that_bring();
};

/// For tests: votes on communicators that are used for the first time from now on bring words up to
/// this many ranks. Returns what it was.
int bring_words_up_to(int ranks);

}  // namespace equipoise::mpi
