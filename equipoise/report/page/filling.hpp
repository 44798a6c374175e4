#pragma once
// Pages are a frame of `browser/` that is filled with a body, styles, scripts and data.

#include <initializer_list>
#include <string>
#include <string_view>

namespace equipoise::report {

/// The page's own files, one after the other.
[[nodiscard]] std::string page_files(std::initializer_list<std::string_view> names);

/// What a page puts into the frame that all pages have.
struct PageContents {
    std::string title;      ///< without markup
    std::string_view lead;  ///< the id of the paragraph below the title
    std::string style;
    /// A file of the page's own; `{{player}}` stands for the player's buttons, `{{plan}}` for the
    /// sections that end pages of plans.
    std::string_view body;
    std::string_view unit = "step";  ///< by which the player goes on
    std::string_view time = "Time";  ///< what the player's slider sets
    std::string_view proofs;         ///< the title of what is proved of a plan
    std::string library;             ///< scripts of others, with their element; may be empty
    std::string scripts;
    std::string data;  ///< JSON, escaped
};

/// The whole page.
[[nodiscard]] std::string framed_page(const PageContents& contents);

/// JSON in which `<`, `>` and `&` are escaped, so that it can be put in a script element.
[[nodiscard]] std::string escape_for_script(const std::string& json);

}  // namespace equipoise::report
