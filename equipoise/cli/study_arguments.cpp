#include "equipoise/cli/study_arguments.hpp"

#include "equipoise/base/error.hpp"
#include "equipoise/base/suggest.hpp"

namespace equipoise::cli {

void StudyArguments::add_to(Command& verb) {
    verb.add_option("--x", x,
                    "the column along the horizontal axis; of texts, each has a place of its own");
    verb.add_option("--y", y, "the column of numbers along the vertical axis");
    verb.add_option("--by", by,
                    "one curve for each value of this column (default: algorithm, with its "
                    "parameters where they differ)");
    verb.add_option("--facet", facet,
                    "one panel for each value of this column; panels share their axes and stand "
                    "side by side where they fit");
    verb.add_option("--marks", marks,
                    "curves (default), points with error bars, or boxes: median, quantiles, and "
                    "whiskers to the least and the largest")
        ->offers(report::marks_words());
    verb.add_option("--band", band,
                    "what bands and error bars show: mean (default: the mean and its confidence "
                    "interval), quantiles or extremes (around the median), or none")
        ->offers(report::spread_words());
    spread.add_to(verb);
}

report::FigureOptions StudyArguments::options(const report::Study& study) const {
    if (x.empty() || y.empty())
        throw InputError(study.origin +
                         " is a study: expected --x COLUMN and --y COLUMN with it, " + "found no " +
                         (x.empty() ? "--x" : "--y") + "; its columns are " +
                         listed(study.columns, " and "));
    report::FigureOptions options;
    options.x = x;
    options.y = y;
    options.by = by;
    options.facet = facet;
    if (!marks.empty()) options.marks = report::marks_from_word(marks);
    if (!band.empty()) options.spread = report::spread_from_word(band);
    if (options.marks == report::Marks::boxes && !band.empty())
        throw InputError("--band: boxes show quantiles and extremes: expected no --band with them");
    spread.fill(options.summary);
    return options;
}

}  // namespace equipoise::cli
