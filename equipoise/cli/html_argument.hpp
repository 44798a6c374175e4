#pragma once
// `--html FILE`: the page of one or more runs.

#include <cstddef>
#include <span>
#include <string>

#include "equipoise/catalogue/runner/run.hpp"
#include "equipoise/cli/command.hpp"

namespace equipoise::cli {

struct HtmlArgument {
    std::string path;

    Option* add_to(Command& verb);
    [[nodiscard]] bool wanted() const { return !path.empty(); }
    /// Makes a run, one of `runs` on this many nodes, keep what the page shows: every transfer on
    /// small networks, loads at some moments on others, in memory that all runs share.
    static void ask(catalogue::RunOptions& options, NodeId nodes, std::size_t runs);
    /// Writes the page. Throws InputError.
    void emit(std::span<const model::Record> records) const;
};

}  // namespace equipoise::cli
