#pragma once
// Waiting for messages on machines that others use, too.

#include <chrono>
#include <span>

#include <mpi.h>

namespace equipoise::mpi {

/// What to do between two looks whether something has come. For the time of a quick message
/// nothing, then whoever else wants the processor may have it, and before long the waiting rank
/// sleeps: where ranks and other jobs outnumber processors, the rank waited for would have to wait
/// for it.
class Patience {
  public:
    void pause();

  private:
    using Clock = std::chrono::steady_clock;

    Clock::time_point begin_ = Clock::now();
    std::chrono::microseconds nap_{50};
};

/// MPI_Waitall with patience, which begins anew whenever a request completes. A long message must
/// therefore come in pieces: it moves only while somebody looks, and who sleeps between looks holds
/// up both ends. Throws MpiError.
void wait_for(std::span<MPI_Request> requests);
void wait_for(MPI_Request& request);

}  // namespace equipoise::mpi
