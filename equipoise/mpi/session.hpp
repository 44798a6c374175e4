#pragma once
// A whole program under mpirun: from MPI_Init to MPI_Finalize.

#include <memory>

#include "equipoise/engine/fabric.hpp"

namespace equipoise::mpi {

/// Initialises MPI in the constructor and finalises it in the destructor; once in the life of a
/// process. SIGINT and SIGTERM are kept from the threads of MPI, so that the program can handle
/// them.
class Session {
  public:
    Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;
    ~Session();

    /// All ranks.
    [[nodiscard]] engine::Fabric& fabric();
    /// Returns when every rank has called this. Ranks sleep while they wait, for hours if
    /// necessary.
    void wait_for_all();
    /// The same for at most this many seconds; returns whether all have come.
    [[nodiscard]] bool wait_for_all(double seconds_max);
    /// Ends all ranks at once, if this one cannot go on and others may wait for it.
    static void end_all(int status);

  private:
    struct Inner;
    std::unique_ptr<Inner> inner_;
};

}  // namespace equipoise::mpi
