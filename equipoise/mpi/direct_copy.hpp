#pragma once
// Copying bytes out of the memory of another process of the same machine, where the system allows
// it.

#include <cstddef>
#include <cstdint>
#include <span>

namespace equipoise::mpi {

/// The number by which other processes of the machine know this one.
[[nodiscard]] std::int64_t this_process();

/// Whether this process may copy directly: unless the environment sets EQUIPOISE_DIRECT_COPIES=off
/// (or 0, no, false, in capitals or not), or the system has no such call.
[[nodiscard]] bool direct_copies_wanted();

/// Copies bytes that lie at `address` in another process. Returns how many it copied, counted from
/// the first: fewer than asked for if the system refuses.
[[nodiscard]] std::size_t copy_from_process(std::int64_t process, std::uint64_t address,
                                            std::span<std::byte> to);

/// For tests: once this many more bytes have been copied, the system refuses.
void refuse_direct_copies_after(std::uint64_t bytes);

}  // namespace equipoise::mpi
