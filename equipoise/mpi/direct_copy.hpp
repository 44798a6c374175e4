#pragma once
// Copying bytes out of the memory of another process of the same machine, where the system allows
// it.

#include <cstddef>
#include <cstdint>
#include <span>

namespace equipoise::mpi {

/// The number by which other processes of the machine know this one.
[[nodiscard]] std::int64_t this_process();

/// Whether this process is to copy directly.
enum class DirectCopies : std::uint8_t { off, if_processors_suffice, on };

/// What the environment says: EQUIPOISE_DIRECT_COPIES=off (or 0, no, false, in capitals or not) or
/// =on (1, yes, true). Unset or anything else: if processors suffice. Off where the system has no
/// such call.
[[nodiscard]] DirectCopies direct_copies_wanted();

/// The processors that a process may run on.
struct Processors {
    std::int64_t which = 0;  ///< the same number for the same processors
    std::int64_t count = 0;
};
[[nodiscard]] Processors processors_of(std::span<const int> numbers);

/// Whether the processes of a machine together may use as many processors as they are: who copies
/// then does not keep a processor from those who wait. Processors that two processes may use count
/// twice, unless both may use the same ones.
[[nodiscard]] bool processors_suffice(std::span<const Processors> processes);

/// Copies bytes that lie at `address` in another process. Returns how many it copied, counted from
/// the first: fewer than asked for if the system refuses.
[[nodiscard]] std::size_t copy_from_process(std::int64_t process, std::uint64_t address,
                                            std::span<std::byte> to);

/// For tests: once this many more bytes have been copied, the system refuses.
void refuse_direct_copies_after(std::uint64_t bytes);

}  // namespace equipoise::mpi
