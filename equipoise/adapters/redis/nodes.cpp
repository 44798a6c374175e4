#include "equipoise/adapters/redis/nodes.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <optional>

#include "equipoise/base/assert.hpp"
#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"

namespace equipoise::redis {

namespace {

/// The text up to the mark, which is taken away with it.
std::string_view take(std::string_view& text, char mark) {
    const std::string_view taken = text.substr(0, text.find(mark));
    text.remove_prefix(std::min(taken.size() + 1, text.size()));
    return taken;
}

std::optional<std::uint16_t> slot_in(std::string_view text) {
    const auto number = whole_number(text, slot_count - 1);
    if (!number) return std::nullopt;
    return static_cast<std::uint16_t>(*number);
}

/// Reads the lines of CLUSTER NODES, each
/// `id host:port@bus[,hostname] flags master ping pong epoch link slot... [slot->-id]...`.
class Reader {
  public:
    Reader(std::string_view text, const std::string& name) : text_(text), name_(name) {}

    View read() {
        while (!text_.empty()) {
            ++line_;
            std::string_view line = take(text_, '\n');
            if (line.ends_with('\r')) line.remove_suffix(1);
            if (!line.empty()) read_node(line);
        }
        const auto selves = std::count_if(view_.nodes.begin(), view_.nodes.end(),
                                          [](const Node& node) { return node.is_self; });
        if (selves != 1)
            throw InputError(name_ + ": expected one node of CLUSTER NODES marked myself, found " +
                             std::to_string(selves));
        return std::move(view_);
    }

  private:
    [[noreturn]] void fail(std::string_view expected, std::string_view found) const {
        throw InputError::at(name_ + ": CLUSTER NODES", line_, expected, found);
    }

    void read_node(std::string_view line) {
        Node node;
        node.id = take(line, ' ');
        if (node.id.empty()) fail("the id of a node", line);
        read_address(take(line, ' '), node);
        read_flags(take(line, ' '), node);
        const std::string_view master = take(line, ' ');
        if (master != "-") node.master = master;
        take(line, ' ');  // ping sent
        take(line, ' ');  // pong received
        const std::string_view epoch = take(line, ' ');
        const auto number = whole_number(epoch, std::numeric_limits<std::uint64_t>::max());
        if (!number) fail("the configuration epoch, a whole number", epoch);
        node.epoch = *number;
        const std::string_view link = take(line, ' ');
        if (link != "connected" && link != "disconnected") fail("connected or disconnected", link);
        while (!line.empty())
            read_slots(take(line, ' '), node);
        view_.nodes.push_back(std::move(node));
    }

    void read_address(std::string_view text, Node& node) const {
        const std::string_view all = text;
        text = text.substr(0, text.find(','));
        text = text.substr(0, text.find('@'));
        const std::size_t colon = text.rfind(':');
        if (colon == std::string_view::npos) fail("HOST:PORT", all);
        const auto port = whole_number(text.substr(colon + 1), 65535);
        if (!port) fail("HOST:PORT", all);
        std::string_view host = text.substr(0, colon);
        if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
        node.address = {std::string(host), static_cast<std::uint16_t>(*port)};
    }

    void read_flags(std::string_view text, Node& node) const {
        if (text.empty()) fail("flags such as master or slave", text);
        bool has_address = node.address.port != 0;
        while (!text.empty()) {
            const std::string_view flag = take(text, ',');
            node.is_self = node.is_self || flag == "myself";
            node.is_master = node.is_master || flag == "master";
            node.has_failed = node.has_failed || flag == "fail";
            node.is_joining = node.is_joining || flag == "handshake";
            has_address = has_address && flag != "noaddr";
        }
        // One that is gone loses its address, too.
        node.is_joining = node.is_joining || (!has_address && !node.has_failed);
    }

    void read_slots(std::string_view text, Node& node) {
        if (text.starts_with('[')) return read_open(text, node);
        const std::string_view all = text;
        const auto first = slot_in(take(text, '-'));
        const auto last = text.empty() ? first : slot_in(text);
        if (!first || !last || *last < *first) fail("a slot or slots such as 0-5460", all);
        node.slots.push_back({*first, *last});
    }

    /// `[5461->-ID]` or `[5461-<-ID]`
    void read_open(std::string_view text, const Node& node) {
        const std::string_view all = text;
        text.remove_prefix(1);
        const auto slot = slot_in(take(text, '-'));
        const bool importing = text.starts_with("<-");
        if (!slot || !text.ends_with(']') || text.size() < 4 ||
            !(importing || text.starts_with(">-")))
            fail("an open slot such as [5461->-ID]", all);
        // Only a server's own line speaks of these.
        if (!node.is_self) return;
        view_.open.push_back({*slot, importing, std::string(text.substr(2, text.size() - 3))});
    }

    std::string_view text_;
    const std::string& name_;
    std::size_t line_ = 0;
    View view_;
};

}  // namespace

const Node& View::self() const {
    const auto found =
        std::find_if(nodes.begin(), nodes.end(), [](const Node& node) { return node.is_self; });
    EQUIPOISE_ASSERT(found != nodes.end());
    return *found;
}

View read_view(std::string_view text, const std::string& name) {
    return Reader(text, name).read();
}

}  // namespace equipoise::redis
