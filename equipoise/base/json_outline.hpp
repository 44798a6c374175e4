#pragma once
// JSON judged while it is being read.

#include <cstddef>
#include <string>
#include <string_view>

namespace equipoise {

/// Follows brackets and texts through a document, byte by byte, in constant memory. `name`, which
/// it borrows, stands for the document in messages.
class JsonOutline {
  public:
    explicit JsonOutline(const std::string& name) : name_(name) {}

    /// Takes the next bytes. Throws InputError at one that no document of at most `json_levels_max`
    /// levels can continue with, and at the beginning of a file that is not text.
    void follow(std::string_view block);

  private:
    void take(char c, std::string_view rest);
    [[noreturn]] void fail(const std::string& expected, std::string_view rest) const;

    const std::string& name_;
    std::size_t line_ = 1;
    int levels_ = 0;
    bool first_ = true;
    bool begun_ = false;
    bool in_text_ = false;
    bool escaped_ = false;
};

}  // namespace equipoise
