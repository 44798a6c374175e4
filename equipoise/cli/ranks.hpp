#pragma once
// The processes in which mpirun started this program, one of which speaks for all.

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <string>

#include "equipoise/engine/fabric.hpp"
#include "equipoise/engine/same_on_ranks.hpp"

namespace equipoise::cli {

/// All ranks of the program; a single one, without MPI, if it was started without a launcher.
class Ranks {
  public:
    /// Starts MPI if there was a launcher, or if `anyway` is set. Ranks other than 0 fall silent.
    /// Throws InputError if several copies were started that cannot communicate: the program has no
    /// MPI, or not the launcher's.
    explicit Ranks(bool anyway = false);
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;
    ~Ranks();

    /// What joins the ranks; null if there is one process without MPI.
    [[nodiscard]] engine::Fabric* fabric() const { return fabric_; }
    /// Whether this is the rank that prints and writes files.
    [[nodiscard]] bool speaks() const { return fabric_ == nullptr || fabric_->rank() == 0; }

    /// Runs an action that may fail on one rank alone; if it does, throws on all ranks.
    template <class Act>
    void together(const Act& act) const {
        engine::try_together(fabric_, act);
    }
    /// Runs an action on rank 0 while the others wait; an exception from it is thrown on all ranks.
    template <class Act>
    void first(const Act& act) const {
        if (fabric_ == nullptr) return act();
        const std::exception_ptr failure = speaks() ? engine::failure_of(act) : nullptr;
        wait_for_all();
        fabric_->agree(failure);
    }
    /// The status that `act` returns on rank 0, which the others wait for.
    [[nodiscard]] int status_of_first(const std::function<int()>& act) const;
    /// Whether something is true on any rank.
    [[nodiscard]] bool any(bool here) const;
    /// Reports that this program failed, once for all ranks that fail in the same way. A rank that
    /// fails alone reports it itself and ends all, since others may wait for it.
    void complain(const std::string& message) const;
    /// Throws InputError if the ranks were not started with the same arguments.
    void expect_same_arguments(int argc, char** argv) const;
    /// The exit status of this process when all ranks came to the same one. Only rank 0 reports
    /// that the end was not reached, since launchers print pages about every process that fails.
    [[nodiscard]] int own_status(int status) const;

  private:
    /// The largest of all ranks' values.
    [[nodiscard]] std::int64_t largest(std::int64_t here) const;
    void wait_for_all() const;

    struct Session;
    std::unique_ptr<Session> session_;
    engine::Fabric* fabric_ = nullptr;
};

}  // namespace equipoise::cli
