#pragma once
// Waiting for messages on machines that others use as well.

#include <chrono>
#include <span>

#include <mpi.h>

namespace equipoise::mpi {

/// The pause between two checks for arrivals: at first none, for as long as a quick message takes;
/// then the processor is yielded; and soon the rank sleeps. Otherwise, if ranks and other jobs
/// outnumber processors, a rank for which another one waits would itself wait for that one's
/// processor.
class Patience {
  public:
    void pause();

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point begin_ = Clock::now();
    std::chrono::microseconds nap_{50};
};

/// The result of a look at requests.
enum class Progress { none, some, all };

/// Looks once at requests, without waiting. Drops those at the front that are complete.
[[nodiscard]] Progress look_at(std::span<MPI_Request>& requests);

/// MPI_Waitall with patience, which begins anew whenever a request completes. A long message must
/// therefore come in pieces: it advances only while a rank checks, and a rank that sleeps between
/// checks holds up both ends. Throws MpiError.
void wait_for(std::span<MPI_Request> requests);
void wait_for(MPI_Request& request);

}  // namespace equipoise::mpi
