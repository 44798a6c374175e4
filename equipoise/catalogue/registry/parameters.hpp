#pragma once
// Parameters of algorithms: described once, for help, docs, checks and records.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace equipoise::catalogue {

enum class ParameterType : std::uint8_t { word, whole, real, fraction };

/// One parameter of an algorithm as help shows it.
struct Parameter {
    std::string name;
    ParameterType type = ParameterType::word;
    std::string default_value;
    std::string help;                     ///< one line
    std::vector<std::string> words = {};  ///< the words that a `word` may be
    double least = 0;                     ///< smallest `whole` or `real`
    double most = 0;                      ///< largest `whole` or `real`
    /// Whether a number in this range is allowed; null: all are. `expected` then describes the
    /// allowed ones.
    bool (*accepts)(double number) = nullptr;
    std::string expected = {};
};

struct ParameterRange {
    double least = 0;
    double most = 0;
};

/// A parameter that is one of these words, by default the first.
[[nodiscard]] Parameter word_parameter(std::string name, std::vector<std::string> words,
                                       std::string help);
/// A parameter that is a number from this range.
[[nodiscard]] Parameter whole_parameter(std::string name, std::string default_value,
                                        ParameterRange range, std::string help);
[[nodiscard]] Parameter real_parameter(std::string name, std::string default_value,
                                       ParameterRange range, std::string help);

/// A `fraction`: "1/2", strictly between 0 and 1.
struct Fraction {
    std::uint64_t numerator = 1;
    std::uint64_t denominator = 2;
};
/// The largest denominator of a parameter's fraction.
inline constexpr std::uint64_t denominator_max = 1'000'000;

using ParameterTexts = std::map<std::string, std::string>;

/// The values of all parameters of one algorithm, checked against their descriptions.
class Parameters {
  public:
    /// Fills in defaults. Throws InputError naming the algorithm, the parameter, what was expected
    /// and what was found.
    Parameters(const std::string& algorithm, const std::vector<Parameter>& known,
               const ParameterTexts& given);

    /// The value of a parameter that the description lists (asserted).
    [[nodiscard]] const std::string& word(const std::string& name) const;
    [[nodiscard]] std::uint64_t whole(const std::string& name) const;
    [[nodiscard]] double real(const std::string& name) const;
    [[nodiscard]] Fraction fraction(const std::string& name) const;
    /// All values as text, defaults too, as records keep them.
    [[nodiscard]] const ParameterTexts& texts() const { return values_; }

  private:
    ParameterTexts values_;
};

}  // namespace equipoise::catalogue
