#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <sstream>
#include <tuple>

#include "equipoise/adapters/experts/systems.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/table_reader.hpp"

namespace equipoise::experts {

namespace {

struct Line {
    std::uint64_t step = 0;
    std::uint64_t layer = 0;
    std::uint64_t expert = 0;
    double load = 0;
    std::uint64_t number = 0;  ///< of the line in the text

    [[nodiscard]] auto key() const { return std::tie(step, layer, expert); }
};

class TableOfLoads {
  public:
    TableOfLoads(LineSource& source) : source_(source), table_(source) {
        for (std::size_t i = 0; i < names.size(); ++i)
            columns_[i] = table_.column(names[i]);
        for (std::size_t i = 1; i < names.size(); ++i)
            if (!columns_[i])
                source.fail(
                    "the columns layer,expert,load, or JSON of SGLang (logical_count) or vLLM",
                    table_.header());
    }

    [[nodiscard]] Loads read() {
        std::vector<std::string> fields;
        while (table_.next(fields))
            lines_.push_back(line_of(fields));
        if (lines_.empty()) source_.fail_plainly("a line of loads", "the end of the file");
        std::stable_sort(lines_.begin(), lines_.end(),
                         [](const Line& a, const Line& b) { return a.key() < b.key(); });
        return loads();
    }

  private:
    static constexpr std::array<const char*, 4> names = {"step", "layer", "expert", "load"};

    [[nodiscard]] Line line_of(const std::vector<std::string>& fields) const {
        Line line;
        const auto whole = [&](std::size_t column, std::uint64_t most) {
            const std::string& field = fields[*columns_[column]];
            const auto number = whole_number(field, most);
            if (!number)
                source_.fail(std::string(column == 2 ? "an " : "a ") + names[column] +
                                 " from 0 to " + std::to_string(most),
                             field);
            return *number;
        };
        if (columns_[0]) line.step = whole(0, (std::uint64_t{1} << 53U) - 1);
        line.layer = whole(1, layers_max - 1);
        line.expert = whole(2, (std::uint64_t{1} << 31U) - 1);
        const std::string& field = fields[*columns_[3]];
        const auto load = real_number(field);
        if (!load || *load < 0) source_.fail("a load, a number from 0 on", field);
        line.load = *load;
        line.number = source_.line_number();
        return line;
    }

    /// "expert 3 of layer 5", with its step if there are steps.
    [[nodiscard]] std::string name_of(const Line& line) const {
        return "expert " + std::to_string(line.expert) + " of layer " + std::to_string(line.layer) +
               (columns_[0] ? " in step " + std::to_string(line.step) : std::string());
    }

    [[noreturn]] void fail(const Line& at, const std::string& what) const {
        throw InputError(source_.name() + ':' + std::to_string(at.number) + ": " + what);
    }

    /// What is missing behind the last line.
    [[noreturn]] void refuse_end(const Loads& loads, std::size_t place, std::size_t experts) const {
        Line expected = lines_.back();
        expected.layer = loads.layers[place / experts];
        expected.expert = place % experts;
        fail(lines_.back(), "expected a load of " + name_of(expected) + " too, found none");
    }

    /// Of sorted lines. Every step has the layers of the first one, every layer the same experts.
    [[nodiscard]] Loads loads() const {
        Loads loads;
        std::size_t experts = 1;  // there is a line
        while (experts < lines_.size() && lines_[experts].step == lines_[0].step &&
               lines_[experts].layer == lines_[0].layer)
            ++experts;
        for (const Line& line : lines_) {
            if (line.step != lines_[0].step) break;
            if (loads.layers.empty() || loads.layers.back() != line.layer)
                loads.layers.push_back(line.layer);
        }
        const std::size_t a_step = loads.layers.size() * experts;
        for (std::size_t at = 0; at < lines_.size(); ++at) {
            const std::size_t place = at % a_step;
            const Line& line = lines_[at];
            if (at > 0 && line.key() == lines_[at - 1].key())
                fail(line, "expected every load once, found " + name_of(line) + " twice");
            Line expected = line;
            expected.step = lines_[at - place].step;
            expected.layer = loads.layers[place / experts];
            expected.expert = place % experts;
            if (line.key() != expected.key())
                fail(line, "expected a load of " + name_of(expected) + " before that of " +
                               name_of(line) + ", found none");
            if (place == 0) loads.steps.emplace_back(loads.layers.size());
            loads.steps.back()[place / experts].push_back(line.load);
        }
        if (lines_.size() % a_step != 0) refuse_end(loads, lines_.size() % a_step, experts);
        return loads;
    }

    LineSource& source_;
    TableReader table_;
    std::array<std::optional<std::size_t>, names.size()> columns_;
    std::vector<Line> lines_;
};

}  // namespace

Loads table_loads(std::string_view text, const std::string& name) {
    std::istringstream stream{std::string(text)};
    LineSource source(stream, name);
    return TableOfLoads(source).read();
}

}  // namespace equipoise::experts
