#include "equipoise/report/pictures/circuit_drawing.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "equipoise/report/pictures/look.hpp"
#include "equipoise/report/pictures/svg.hpp"

namespace equipoise::report {

namespace {

using svg::Point;

constexpr double wire_gap = 30;
constexpr double balancer_gap = 16;  ///< between balancers of a level that would overlap
constexpr double level_gap = 20;     ///< between a level and the next one
constexpr double token_radius = 5;
constexpr double token_gap = 12;
constexpr double caption_room = 30;
constexpr double rounds_room = 20;

/// The balancers of a level in columns, so that none overlaps another.
std::vector<std::vector<DrawnBalancer>> columns_of(std::vector<DrawnBalancer> level) {
    const auto ends = [](const DrawnBalancer& balancer) {
        return std::minmax(balancer.up, balancer.down);
    };
    std::stable_sort(level.begin(), level.end(),
                     [&](const auto& a, const auto& b) { return ends(a).first < ends(b).first; });
    std::vector<std::vector<DrawnBalancer>> columns;
    for (const DrawnBalancer& balancer : level) {
        const auto free = std::find_if(columns.begin(), columns.end(), [&](const auto& column) {
            return ends(column.back()).second < ends(balancer).first;
        });
        if (free == columns.end())
            columns.push_back({balancer});
        else
            free->push_back(balancer);
    }
    return columns;
}

class CircuitDrawing {
  public:
    /// `token_room`: the same for every circuit of the picture, so that their levels are aligned.
    CircuitDrawing(const DrawnCircuit& circuit, double token_room)
        : circuit_(&circuit), token_room_(circuit.tokens.empty() ? 0 : token_room) {
        for (const std::string& name : circuit.wires)
            left_ = std::max(left_, look::text_width(name, look::text_size) + 10);
        right_ = left_ + (token_room_ > 0 ? token_room_ : level_gap);
        for (const auto& level : circuit.levels) {
            columns_.push_back(columns_of(level));
            starts_.push_back(right_);
            const auto count =
                static_cast<double>(std::max<std::size_t>(1, columns_.back().size()));
            right_ += (count - 1) * balancer_gap + (token_room_ > 0 ? token_room_ + 16 : level_gap);
        }
        starts_.push_back(right_);
    }

    /// The room between two levels that the widest tokens need.
    static double token_room(const DrawnCircuit& circuit) {
        double room = 0;
        for (const auto& between : circuit.tokens)
            for (const DrawnTokens& tokens : between)
                room = std::max(room, width_of(tokens) + 12);
        return room;
    }

    [[nodiscard]] double width() const { return right_ + 10; }
    [[nodiscard]] double height() const {
        return wire_y(circuit_->wires.size() - 1) + 14 + (several_rounds() ? rounds_room : 0);
    }
    [[nodiscard]] std::string drawn() const {
        std::string out =
            svg::text({0, 16}, "start", circuit_->caption, fmt::format(R"(fill="{}")", look::soft));
        out += wires();
        if (several_rounds()) out += rounds();
        for (std::size_t level = 0; level < columns_.size(); ++level)
            out += this->level(level);
        for (std::size_t between = 0; between < circuit_->tokens.size(); ++between)
            out += tokens(between);
        return out;
    }

  private:
    static double width_of(const DrawnTokens& tokens) {
        return std::max(look::text_width(tokens.words, look::text_size),
                        token_gap * static_cast<double>(tokens.filled + tokens.open));
    }
    static double wire_y(std::size_t wire) {
        return caption_room + 12 + wire_gap * static_cast<double>(wire);
    }
    [[nodiscard]] bool several_rounds() const { return circuit_->levels.size() > circuit_->round; }
    /// The middle of the place for tokens before this level.
    [[nodiscard]] double middle(std::size_t between) const {
        return starts_[between] - token_room_ / 2 - (between > 0 ? 2 : 4);
    }

    [[nodiscard]] std::string wires() const {
        std::string out;
        for (std::size_t wire = 0; wire < circuit_->wires.size(); ++wire) {
            out += svg::text({left_ - 8, wire_y(wire) + 4.5}, "end", circuit_->wires[wire]);
            out += svg::line({left_, wire_y(wire)}, {right_, wire_y(wire)}, look::frame, 1.2);
        }
        return out;
    }

    [[nodiscard]] std::string rounds() const {
        std::string out;
        const double top = wire_y(0) - 12;
        const double bottom = wire_y(circuit_->wires.size() - 1) + 12;
        for (std::size_t level = 0; level < circuit_->levels.size(); level += circuit_->round) {
            const std::size_t end = std::min(level + circuit_->round, circuit_->levels.size());
            const double begin_x = border(level);
            const double end_x = border(end);
            if (level > 0)
                out += svg::line({begin_x, top}, {begin_x, bottom}, look::link, 1, "2 4");
            out +=
                svg::text({(begin_x + end_x) / 2, bottom + 14}, "middle",
                          fmt::format("round {}", level / circuit_->round + 1),
                          fmt::format(R"(font-size="{}" fill="{}")", look::small_size, look::soft));
        }
        return out;
    }
    /// Where a round that begins at this level is divided from the one before.
    [[nodiscard]] double border(std::size_t level) const {
        if (level == 0) return left_;
        if (level == circuit_->levels.size()) return right_;
        return starts_[level] - (token_room_ > 0 ? token_room_ + 4 : level_gap / 2);
    }

    [[nodiscard]] std::string level(std::size_t level) const {
        const std::string_view colour = look::colour(level % circuit_->round);
        std::string out;
        double x = starts_[level];
        for (const auto& column : columns_[level]) {
            for (const DrawnBalancer& balancer : column) {
                const double up = wire_y(balancer.up);
                const double down = wire_y(balancer.down);
                out += svg::arrow({x, down}, {x, up}, colour, 2.2, balancer.marked ? "4 3" : "");
                out += svg::circle({x, down}, 3, colour, colour, 1);
            }
            x += balancer_gap;
        }
        return out;
    }

    [[nodiscard]] std::string tokens(std::size_t between) const {
        std::string out;
        for (std::size_t wire = 0; wire < circuit_->wires.size(); ++wire) {
            const DrawnTokens& here = circuit_->tokens[between][wire];
            const Point at{middle(between), wire_y(wire)};
            if (!here.words.empty())
                out += svg::text_upon_lines({at.x, at.y + 4.5}, "middle", here.words);
            const unsigned count = here.filled + here.open;
            for (unsigned k = 0; k < count; ++k) {
                const double x = at.x + token_gap * (k - (count - 1) / 2.0);
                out += svg::circle({x, at.y}, token_radius,
                                   k < here.filled ? look::ink : look::paper, look::ink, 1.6);
            }
        }
        return out;
    }

    const DrawnCircuit* circuit_;
    double token_room_;
    std::vector<std::vector<std::vector<DrawnBalancer>>> columns_;
    std::vector<double> starts_;  ///< of the balancers of every level, and the end
    double left_ = 20;
    double right_ = 0;
};

}  // namespace

std::string circuit_svg(const std::string& title, std::span<const DrawnCircuit> circuits,
                        std::span<const std::string> notes) {
    std::vector<CircuitDrawing> drawings;
    double inner =
        std::min(look::width - 2 * look::margin, look::text_width(title, look::title_width_size));
    double token_room = 0;
    for (const DrawnCircuit& circuit : circuits)
        token_room = std::max(token_room, CircuitDrawing::token_room(circuit));
    for (const DrawnCircuit& circuit : circuits) {
        drawings.emplace_back(circuit, token_room);
        inner = std::max(
            {inner, drawings.back().width(), look::text_width(circuit.caption, look::text_size)});
    }
    std::string out;
    double y = 12;
    for (const std::string& words : svg::wrapped(title, inner, look::title_width_size)) {
        y += 18;
        out += svg::text({look::margin, y}, "start", words,
                         fmt::format(R"(font-size="{}" font-weight="bold")", look::title_size));
    }
    y += 10;
    for (const CircuitDrawing& drawing : drawings) {
        out += fmt::format("<g transform=\"translate({:.1f} {:.1f})\">\n{}</g>\n", look::margin, y,
                           drawing.drawn());
        y += drawing.height() + 14;
    }
    for (const std::string& note : notes)
        for (const std::string& words : svg::wrapped(note, inner, look::small_size)) {
            y += 14;
            out +=
                svg::text({look::margin, y}, "start", words,
                          fmt::format(R"(font-size="{}" fill="{}")", look::small_size, look::soft));
        }
    return svg::picture(inner + 2 * look::margin, y + look::margin, title, out);
}

}  // namespace equipoise::report
