// What a run keeps between two steps: the width of its loads, and how they are saved and restored.

#include <algorithm>
#include <cstring>
#include <utility>

#include "equipoise/base/error.hpp"
#include "equipoise/engine/rounds/round_play.hpp"

namespace equipoise::engine {

void RoundPlay::set_width(Width width) {
    repack(loads_, width_, width);
    width_ = width;
}

// Bodies that serve all widths never move a load beyond the extremes, so a width that fits once
// fits for ever.
void RoundPlay::fit_width() {
    const Width width = width_for(range_.least, range_.most);
    if (width < width_) set_width(width);
}

void RoundPlay::resume_books() {
    if (options_.keeper != nullptr && options_.keeper->resumed() != nullptr)
        control_->resume(*options_.keeper->resumed());
}

void RoundPlay::expect_ascending() const {
    if (options_.keeper == nullptr || part_.whole() || part_.partition().consecutive()) return;
    for (NodeId node = 1; node < part_.own_count(); ++node)
        if (part_.global(node) < part_.global(node - 1))
            throw UnsuitableError("a run that holds its nodes in another order cannot be saved");
}

KeptValues RoundPlay::kept_by_node(std::string_view name, std::byte* bytes, std::size_t size) {
    KeptValues kept{name, part_.node_count(), size};
    const NodeId count = part_.own_count();
    const bool consecutive = part_.whole() || part_.partition().consecutive();
    const std::uint64_t first = consecutive && count > 0 ? part_.global(0) : 0;
    kept.own_begin = first;
    kept.own_end = consecutive ? first + count : part_.node_count();
    if (count == 0) kept.own_end = first;
    kept.in_order = consecutive;
    // The own node with the least number that is at least this.
    const auto from = [this, count, first, consecutive](std::uint64_t number) -> NodeId {
        if (consecutive)
            return static_cast<NodeId>(std::clamp<std::uint64_t>(number, first, first + count) -
                                       first);
        NodeId low = 0;
        for (NodeId high = count; low < high;) {
            const NodeId middle = low + (high - low) / 2;
            if (part_.global(middle) < number)
                low = middle + 1;
            else
                high = middle;
        }
        return low;
    };
    kept.give = [=, this](std::uint64_t begin, std::uint64_t end, KeptValues::Own& own) {
        const NodeId low = from(begin);
        const NodeId high = from(end);
        own.bytes.insert(own.bytes.end(), bytes + low * size, bytes + high * size);
        if (!consecutive)
            for (NodeId node = low; node < high; ++node)
                own.numbers.push_back(part_.global(node));
    };
    kept.take = [=, this](std::uint64_t begin, std::span<const std::byte> values,
                          std::size_t /*size*/) {
        for (NodeId node = from(begin); node < from(begin + values.size() / size); ++node)
            std::copy_n(values.data() + (part_.global(node) - begin) * size, size,
                        bytes + node * size);
    };
    return kept;
}

KeptValues RoundPlay::kept_loads() {
    const PackedLoads loads = loads_now();
    return kept_by_node("loads", loads.bytes, loads.load_bytes());
}

std::optional<KeptValues> RoundPlay::kept_nodes() {
    const Values states = node_memory();
    if (states.size == 0) return std::nullopt;
    return kept_by_node("node states", states.bytes.data(), states.size);
}

// In a file, loads have the least width that they fit.
void RoundPlay::take_up_loads() {
    if (options_.keeper == nullptr || options_.keeper->resumed() == nullptr) return;
    KeptValues kept = kept_loads();
    const auto take = kept.take;
    kept.take = [&](std::uint64_t first, std::span<const std::byte> values, std::size_t bytes) {
        load::Loads wide(values.size() / bytes);
        const std::size_t room = wide.size() * sizeof(Tokens);
        std::copy(values.begin(), values.end(), std::as_writable_bytes(std::span(wide)).begin());
        repack(wide, static_cast<Width>(bytes), Width::eight);
        take(first, std::as_bytes(std::span(wide)).first(room), sizeof(Tokens));
    };
    options_.keeper->read(kept);
}

void RoundPlay::take_up_states() {
    guard([&] {
        if (options_.keeper == nullptr || options_.keeper->resumed() == nullptr) return;
        if (const auto nodes = kept_nodes()) options_.keeper->read(*nodes);
        if (const auto links = kept_links()) options_.keeper->read(*links);
    });
    agree();
}

// Loads are saved with the least width that fits them all, so that a file does not depend on how
// they were played.
void RoundPlay::save() {
    const Width width = width_;
    const Width least = width_for(range_.least, range_.most);
    std::vector<KeptValues> kept;
    guard([&] {
        set_width(least);
        kept.push_back(kept_loads());
        if (auto nodes = kept_nodes()) kept.push_back(std::move(*nodes));
        if (auto links = kept_links()) kept.push_back(std::move(*links));
    });
    agree();
    options_.keeper->save(fabric_, control_->books(), kept);
    guard([&] { set_width(width); });
}

}  // namespace equipoise::engine
