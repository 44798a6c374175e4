#pragma once
// The program `equipoise` with its verbs, ready to read arguments or to be described.

#include <memory>

#include "equipoise/cli/description.hpp"

namespace equipoise::cli {

class Ranks;

class Program {
  public:
    /// For the ranks that run it together, which must outlive it.
    explicit Program(const Ranks& ranks);
    Program(const Program&) = delete;
    Program& operator=(const Program&) = delete;
    ~Program();

    /// Carries out the arguments; returns the exit status. Throws InputError.
    int run(int argc, char** argv);
    [[nodiscard]] CommandDescription describe() const;

  private:
    struct Parser;

    const Ranks& ranks_;
    std::unique_ptr<Parser> parser_;
};

}  // namespace equipoise::cli
