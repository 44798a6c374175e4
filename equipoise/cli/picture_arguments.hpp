#pragma once
// How charts look, and the files that pictures are written to.

#include <string>
#include <string_view>
#include <vector>

#include "equipoise/cli/command.hpp"
#include "equipoise/report/pictures/chart.hpp"

namespace equipoise::cli {

/// `--output`, `--width` and `--resolution`.
struct PictureFile {
    std::string path;
    int width = 0;
    int resolution = 0;

    void add_to(Command& verb);
    /// Throws InputError unless the program can write such a picture as is asked for.
    void check() const;
    /// Writes the picture in the format that the file's name says.
    void write(std::string_view svg) const;
    /// Writes the picture and a file of its numbers, or neither of them. Throws InputError, of the
    /// picture first.
    void write_with(std::string_view svg, const std::string& numbers_path,
                    std::string_view numbers) const;

  private:
    /// The contents of the file.
    [[nodiscard]] std::string drawn(std::string_view svg) const;
};

/// The options about titles, text, size, colours and keys.
struct ChartArguments {
    std::string title;
    std::string x_label;
    std::string y_label;
    std::string legend;
    std::string names;
    std::string size;
    std::string font;
    std::string font_size;
    std::string colours;
    std::string lines;
    bool without_promises = false;

    void add_to(Command& verb);
    /// The look, or `look` where nothing was asked for. Throws InputError.
    [[nodiscard]] report::ChartLook look(report::ChartLook look) const;
    /// Titles and names. Throws InputError.
    void apply(report::Chart& chart) const;
};

}  // namespace equipoise::cli
