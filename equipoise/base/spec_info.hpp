#pragma once
// What help, docs and errors say about each kind of thing that a spec can name.

#include <string>

namespace equipoise {

/// What people are told about a row. Every example can be made as it stands, except that FILE
/// means a file of the caller's.
struct SpecInfo {
    std::string name;       ///< what the spec begins with: "torus"
    std::string example;    ///< "torus:64x64"
    std::string help;       ///< one line
    bool random = false;    ///< depends on the seed
    std::string form = {};  ///< how errors name it, "quiet:STEPS"; empty: by its name

    [[nodiscard]] const std::string& shown() const { return form.empty() ? name : form; }
};

}  // namespace equipoise
