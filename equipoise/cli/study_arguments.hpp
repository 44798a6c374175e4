#pragma once
// `plot STUDY.csv`: what is drawn over what.

#include <string>

#include "equipoise/cli/command.hpp"
#include "equipoise/cli/summary_arguments.hpp"
#include "equipoise/report/pictures/figure.hpp"

namespace equipoise::cli {

struct StudyArguments {
    std::string x;
    std::string y;
    std::string by;
    std::string facet;
    std::string marks;
    std::string band;
    SpreadArguments spread;

    void add_to(Command& verb);
    /// Whether these arguments ask for a study.
    [[nodiscard]] bool given() const { return !(x + y).empty(); }
    /// What they ask of this study. Throws InputError.
    [[nodiscard]] report::FigureOptions options(const report::Study& study) const;
};

}  // namespace equipoise::cli
