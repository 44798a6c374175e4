#include "equipoise/cli/picture_arguments.hpp"

#include "equipoise/base/atomic_file.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/cli/render.hpp"

namespace equipoise::cli {

namespace {

constexpr unsigned resolution_most = 2400;

}  // namespace

void PictureFile::add_to(Command& verb) {
    verb.add_option("-o,--output", path, "the picture's file: .svg, .pdf or .png")
        ->required()
        ->writes_file();
    verb.add_option("--width", width,
                    "width of a PNG picture in pixels (default: enough for print)")
        ->range(100, pixels_most);
    verb.add_option("--resolution", resolution,
                    "resolution of a PNG picture in pixels an inch (default: 288, or what --width "
                    "comes to)")
        ->range(36, resolution_most);
}

void PictureFile::check() const {
    const bool svg = path.ends_with(".svg");
    const bool png = path.ends_with(".png");
    if (!svg && !png && !path.ends_with(".pdf"))
        throw InputError(
            "plot draws SVG, PDF and PNG: expected -o FILE.svg, .pdf or .png, found \"" + path +
            '"');
    if (width > 0 && !png)
        throw InputError("--width is in pixels: expected -o FILE.png with it, found \"" + path +
                         '"');
    if (resolution > 0 && !png)
        throw InputError(
            "--resolution is in pixels an inch: expected -o FILE.png with it, found \"" + path +
            '"');
    if (resolution > 0 && width > 0)
        throw InputError("--width and --resolution both say how many pixels: expected one of them");
    if (!svg) expect_rsvg(png ? "PNG" : "PDF");
}

std::string PictureFile::drawn(std::string_view svg) const {
    if (path.ends_with(".svg")) return std::string(svg);
    if (path.ends_with(".pdf")) return to_pdf(svg);
    return to_png(svg, {static_cast<unsigned>(width), resolution});
}

void PictureFile::write(std::string_view svg) const {
    write_file(path, drawn(svg));
}

void PictureFile::write_with(std::string_view svg, const std::string& numbers_path,
                             std::string_view numbers) const {
    const std::string contents = drawn(svg);
    AtomicFile picture(path);
    AtomicFile table(numbers_path);
    picture.write(contents);
    table.write(numbers);
    picture.commit();
    table.commit();
}

void ChartArguments::add_to(Command& verb) {
    verb.add_option("--title", title,
                    "the title; none leaves it out (default: of runs, what they start from; of "
                    "studies, none)");
    verb.add_option("--x-label", x_label, "the name of the horizontal axis");
    verb.add_option("--y-label", y_label, "the name of the vertical axis");
    verb.add_option("--legend", legend,
                    "where the legend stands: above (default), right, in a corner, inside (the "
                    "emptiest corner), or none")
        ->offers(report::key_place_words());
    verb.add_option("--names", names,
                    "OLD=NEW,...: other names for curves, panels and categories; curves named "
                    "here, with or without a new name, come first, in this order");
    verb.add_option("--size", size,
                    "width and height in millimetres, 85x60, or the width alone (default: of "
                    "studies 120)");
    verb.add_option("--font", font,
                    "a font's name, or serif, sans (default) or mono; PDF and PNG take another if "
                    "it is not installed");
    verb.add_option("--font-size", font_size, "in points (default: 8 with a size in millimetres)");
    verb.add_option("--colours", colours,
                    "colour-blind (default: colours that everybody can tell apart), print (that "
                    "also differ without colour) or grey")
        ->offers(report::palette_words());
    verb.add_option("--lines", lines,
                    "solid, or styled: each curve has dashes of its own (default: styled with "
                    "--colours print or grey)")
        ->offers(report::line_style_words());
    verb.add_flag("--without-promises", without_promises, "leave out what theorems promise");
}

report::ChartLook ChartArguments::look(report::ChartLook look) const {
    if (!size.empty()) look.size = report::size_from_text(size);
    if (!font.empty()) look.font = report::font_from_text(font);
    if (!font_size.empty()) look.font_points = report::font_points_from_text(font_size);
    if (!colours.empty()) look.palette = report::palette_from_word(colours);
    look.line_styles = lines.empty() ? look.palette != report::look::Palette::colour_blind
                                     : report::line_styles_from_word(lines);
    if (!legend.empty()) look.keys = report::key_place_from_word(legend);
    look.promises = !without_promises;
    return look;
}

void ChartArguments::apply(report::Chart& chart) const {
    if (!title.empty()) {
        if (chart.description.empty()) chart.description = chart.title;
        chart.title = title == "none" ? "" : title;
    }
    for (report::ChartPanel& panel : chart.panels) {
        if (!x_label.empty()) panel.x.title = x_label;
        if (!y_label.empty()) panel.y.title = y_label;
    }
    if (!names.empty()) report::rename(chart, names);
}

}  // namespace equipoise::cli
