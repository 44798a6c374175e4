#pragma once
// `--html FILE`: the page of one or more runs.

#include <span>
#include <string>

#include "equipoise/cli/command.hpp"
#include "equipoise/model/run/record.hpp"

namespace equipoise::cli {

struct HtmlArgument {
    std::string path;

    Option* add_to(Command& verb);
    [[nodiscard]] bool wanted() const { return !path.empty(); }
    /// Writes the page. Throws InputError.
    void emit(std::span<const model::Record> records) const;
};

}  // namespace equipoise::cli
