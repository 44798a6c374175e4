#pragma once
// A path to one value of a JSON object, as a scenario names its columns.

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace equipoise::report {

/// `steps`, `guarantee.steps`, `schedule[0]`, `bounds[theorem=Theorem 2].value`: keys, elements by
/// their number from 0, and, in a list of objects, the first one whose key has this value (several
/// conditions may follow each other; all must hold).
class JsonPath {
  public:
    struct Key {
        std::string name;
    };
    struct Element {
        std::size_t number;
    };
    struct Condition {
        std::string key;
        std::string value;
    };
    using Part = std::variant<Key, Element, Condition>;

    /// Throws InputError for a text that is not such a path.
    explicit JsonPath(std::string_view text);

    /// The path, with one underscore for everything that stands between letters and digits.
    [[nodiscard]] const std::string& name() const { return name_; }

    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

  private:
    std::string name_;
    std::vector<Part> parts_;
};

/// The values of a JSON object at the paths as comma-separated fields of a CSV line: texts as they
/// are, lists and objects as JSON, nothing for null and for missing values.
[[nodiscard]] std::string csv_fields_at(const std::vector<JsonPath>& paths,
                                        std::string_view object);

}  // namespace equipoise::report
