#pragma once
// The characters of a text file, one after the other, for formats that ignore ends of lines.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "equipoise/base/line_source.hpp"

namespace equipoise::network {

class CharacterSource {
  public:
    static constexpr int end = -1;

    explicit CharacterSource(LineSource& lines) : lines_(lines) {}

    /// The next character without taking it, `end` at the end.
    int peek() {
        while (!ended_ && at_ > line_.size()) {
            ended_ = !lines_.next(line_);
            at_ = 0;
        }
        if (ended_) return end;
        return at_ == line_.size() ? '\n' : static_cast<unsigned char>(line_[at_]);
    }
    /// Takes the next character.
    int take() {
        const int character = peek();
        if (character != end) ++at_;
        return character;
    }
    /// The line of the character that `peek` shows.
    std::uint64_t line() {
        static_cast<void>(peek());
        return lines_.line_number();
    }

  private:
    LineSource& lines_;
    std::string_view line_;
    std::size_t at_ = 1;
    bool ended_ = false;
};

[[nodiscard]] constexpr bool is_space(int character) {
    return character == ' ' || (character >= '\t' && character <= '\r');
}

}  // namespace equipoise::network
