#include "equipoise/cli/render.hpp"

#include "equipoise/base/error.hpp"

#ifdef EQUIPOISE_WITH_RSVG
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>

#include <cairo-pdf.h>
#include <cairo.h>
#include <librsvg/rsvg.h>
#endif

namespace equipoise::cli {

#ifdef EQUIPOISE_WITH_RSVG

namespace {

constexpr double points_per_unit = 72.0 / 96;
constexpr double pixels_per_unit = 3;
constexpr double units_per_inch = 96;
constexpr double inches_per_metre = 1 / 0.0254;

struct Closer {
    void operator()(RsvgHandle* handle) const { g_object_unref(handle); }
    void operator()(GError* error) const { g_error_free(error); }
    void operator()(cairo_surface_t* surface) const { cairo_surface_destroy(surface); }
    void operator()(cairo_t* context) const { cairo_destroy(context); }
};
template <class T>
using Owned = std::unique_ptr<T, Closer>;

[[noreturn]] void fail(const std::string& reason) {
    throw InputError("the picture could not be drawn: " + reason);
}

void expect_good(cairo_status_t status) {
    if (status != CAIRO_STATUS_SUCCESS) fail(cairo_status_to_string(status));
}

/// An SVG picture that librsvg has read.
class Picture {
  public:
    explicit Picture(std::string_view svg) {
        GError* error = nullptr;
        handle_.reset(rsvg_handle_new_from_data(reinterpret_cast<const guint8*>(svg.data()),
                                                svg.size(), &error));
        if (!handle_) fail(message(error));
        rsvg_handle_set_dpi(handle_.get(), units_per_inch);
        if (rsvg_handle_get_intrinsic_size_in_pixels(handle_.get(), &width_, &height_) == FALSE)
            fail("it has no size");
    }
    [[nodiscard]] double width() const { return width_; }
    [[nodiscard]] double height() const { return height_; }

    /// Fills a surface of this size.
    void draw_on(cairo_surface_t* surface, double columns, double rows) const {
        expect_good(cairo_surface_status(surface));
        const Owned<cairo_t> context(cairo_create(surface));
        cairo_set_source_rgb(context.get(), 1, 1, 1);
        cairo_paint(context.get());
        const RsvgRectangle all{0, 0, columns, rows};
        GError* error = nullptr;
        if (rsvg_handle_render_document(handle_.get(), context.get(), &all, &error) == FALSE)
            fail(message(error));
        expect_good(cairo_status(context.get()));
    }

  private:
    static std::string message(GError* error) {
        const Owned<GError> owned(error);
        return owned ? owned->message : "unknown reason";
    }

    Owned<RsvgHandle> handle_;
    double width_ = 0;
    double height_ = 0;
};

cairo_status_t append(void* out, const unsigned char* bytes, unsigned count) {
    static_cast<std::string*>(out)->append(reinterpret_cast<const char*>(bytes), count);
    return CAIRO_STATUS_SUCCESS;
}

std::string four_bytes(std::uint32_t number) {
    std::string bytes;
    for (int shift = 24; shift >= 0; shift -= 8)
        bytes += static_cast<char>((number >> static_cast<unsigned>(shift)) & 0xffU);
    return bytes;
}

/// The checksum of a chunk of PNG: CRC-32 (ISO 3309).
std::uint32_t checksum(std::string_view bytes) {
    std::uint32_t sum = 0xffffffffU;
    for (const char byte : bytes) {
        sum ^= static_cast<unsigned char>(byte);
        for (int bit = 0; bit < 8; ++bit)
            sum = (sum >> 1U) ^ ((sum & 1U) != 0 ? 0xedb88320U : 0);
    }
    return ~sum;
}

/// Puts the resolution, in pixels an inch, behind the header of a PNG picture.
void add_resolution(std::string& png, double resolution) {
    constexpr std::size_t header = 8 + 25;  // signature and the chunk IHDR
    const auto per_metre = static_cast<std::uint32_t>(std::lround(resolution * inches_per_metre));
    const std::string data =
        "pHYs" + four_bytes(per_metre) + four_bytes(per_metre) + '\x01';  // 1: in metres
    png.insert(header, four_bytes(9) + data + four_bytes(checksum(data)));
}

}  // namespace

bool has_rsvg() {
    return true;
}

std::string to_pdf(std::string_view svg) {
    const Picture picture(svg);
    std::string bytes;
    const Owned<cairo_surface_t> surface(cairo_pdf_surface_create_for_stream(
        append, &bytes, points_per_unit * picture.width(), points_per_unit * picture.height()));
    cairo_pdf_surface_set_metadata(surface.get(), CAIRO_PDF_METADATA_CREATOR, "Equipoise");
    picture.draw_on(surface.get(), points_per_unit * picture.width(),
                    points_per_unit * picture.height());
    cairo_surface_finish(surface.get());
    expect_good(cairo_surface_status(surface.get()));
    return bytes;
}

std::string to_png(std::string_view svg, PngSize size) {
    const Picture picture(svg);
    const double scale = size.width > 0        ? size.width / picture.width()
                         : size.resolution > 0 ? size.resolution / units_per_inch
                                               : pixels_per_unit;
    const double columns = std::max(1.0, std::round(scale * picture.width()));
    const double rows = std::max(1.0, std::round(scale * picture.height()));
    if (std::max(columns, rows) > pixels_most)
        throw InputError(
            "expected a picture of at most " + std::to_string(pixels_most) +
            " pixels in width and height, found " + std::to_string(std::llround(columns)) + " x " +
            std::to_string(std::llround(rows)) + "; --width and --resolution set its size");
    const Owned<cairo_surface_t> surface(cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, static_cast<int>(columns), static_cast<int>(rows)));
    picture.draw_on(surface.get(), columns, rows);
    std::string bytes;
    expect_good(cairo_surface_write_to_png_stream(surface.get(), append, &bytes));
    add_resolution(bytes, units_per_inch * scale);
    return bytes;
}

#else

bool has_rsvg() {
    return false;
}

std::string to_pdf(std::string_view /*svg*/) {
    expect_rsvg("PDF");
    return {};
}

std::string to_png(std::string_view /*svg*/, PngSize /*size*/) {
    expect_rsvg("PNG");
    return {};
}

#endif

void expect_rsvg(std::string_view format) {
    if (has_rsvg()) return;
    throw InputError("this program was built without librsvg, which draws " + std::string(format) +
                     ": expected -o FILE.svg, or build with librsvg2-dev");
}

}  // namespace equipoise::cli
