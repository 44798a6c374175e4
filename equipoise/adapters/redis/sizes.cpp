#include "equipoise/adapters/redis/sizes.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string_view>

#include "equipoise/base/error.hpp"
#include "equipoise/base/line_source.hpp"
#include "equipoise/base/printable.hpp"

namespace equipoise::redis {

namespace {

/// Throws InputError for a reply that is an error.
const Reply& expect(const Reply& reply, const std::string& name, std::string_view command) {
    if (reply.is_error())
        throw InputError(name + ": expected an answer to " + std::string(command) + ", found \"" +
                         printable(reply.text) + '"');
    return reply;
}

std::vector<std::uint16_t> slots_of(const Cluster& cluster, MasterId master) {
    std::vector<std::uint16_t> slots;
    for (std::uint16_t slot = 0; slot < slot_count; ++slot)
        if (cluster.owners[slot] == master) slots.push_back(slot);
    return slots;
}

/// The estimate of what a slot holds, from the bytes of some of its keys.
class SlotEstimate {
  public:
    void add(double bytes) {
        sum_ += bytes;
        squares_ += bytes * bytes;
        ++count_;
    }
    [[nodiscard]] std::uint64_t count() const { return count_; }
    [[nodiscard]] double mean() const { return count_ == 0 ? 0 : sum_ / double(count_); }
    /// The sum of squares of the differences from the mean.
    [[nodiscard]] double spread() const {
        return count_ == 0 ? 0 : std::max(0.0, squares_ - sum_ * mean());
    }

  private:
    double sum_ = 0;
    double squares_ = 0;
    std::uint64_t count_ = 0;
};

class MasterSizes {
  public:
    MasterSizes(Server& server, const std::string& name, std::vector<std::uint16_t> slots,
                SlotSizes& sizes)
        : server_(server), name_(name), slots_(std::move(slots)), sizes_(sizes) {}

    /// Returns how far the sum may be off, as a fraction of it.
    double read() {
        count_keys();
        sample();
        return estimate();
    }

  private:
    void count_keys() {
        std::vector<Command> commands;
        commands.reserve(slots_.size());
        for (const std::uint16_t slot : slots_)
            commands.push_back({"CLUSTER", "COUNTKEYSINSLOT", std::to_string(slot)});
        const std::vector<Reply> replies = server_.ask(commands);
        for (std::size_t at = 0; at < slots_.size(); ++at)
            sizes_.keys[slots_[at]] = static_cast<std::uint64_t>(std::max<std::int64_t>(
                0, expect(replies[at], name_, "CLUSTER COUNTKEYSINSLOT").number));
    }

    void sample() {
        std::vector<Command> commands;
        std::vector<std::size_t> asked;  // by command: the slot's place in `slots_`
        for (std::size_t at = 0; at < slots_.size(); ++at)
            if (sizes_.keys[slots_[at]] > 0) {
                commands.push_back({"CLUSTER", "GETKEYSINSLOT", std::to_string(slots_[at]),
                                    std::to_string(sampled_keys)});
                asked.push_back(at);
            }
        const std::vector<Reply> found = server_.ask(commands);
        std::vector<Command> usage;
        std::vector<std::size_t> of;
        for (std::size_t at = 0; at < found.size(); ++at)
            for (const Reply& key : expect(found[at], name_, "CLUSTER GETKEYSINSLOT").list) {
                usage.push_back({"MEMORY", "USAGE", key.text});
                of.push_back(asked[at]);
            }
        const std::vector<Reply> bytes = server_.ask(usage);
        estimates_.assign(slots_.size(), {});
        for (std::size_t at = 0; at < bytes.size(); ++at) {
            // A key may be gone by now, deleted or with its slot.
            if (bytes[at].text.starts_with("MOVED ") || bytes[at].text.starts_with("ASK "))
                continue;
            if (expect(bytes[at], name_, "MEMORY USAGE").kind != Reply::Kind::number) continue;
            estimates_[of[at]].add(static_cast<double>(bytes[at].number));
            ++sizes_.sampled;
        }
    }

    /// Keys of one slot differ from their mean as much as, on average, those of all slots do.
    double estimate() {
        double spread = 0;
        double freedom = 0;
        for (const SlotEstimate& each : estimates_)
            if (each.count() > 1) {
                spread += each.spread();
                freedom += static_cast<double>(each.count() - 1);
            }
        const double variance = freedom > 0 ? spread / freedom : 0;
        double total = 0;
        double error = 0;
        for (std::size_t at = 0; at < slots_.size(); ++at) {
            const auto keys = static_cast<double>(sizes_.keys[slots_[at]]);
            const SlotEstimate& each = estimates_[at];
            const double bytes = keys * each.mean();
            sizes_.bytes[slots_[at]] = static_cast<std::uint64_t>(std::llround(bytes));
            total += bytes;
            const auto count = static_cast<double>(each.count());
            // Of a part of the keys, without replacement.
            if (count > 0 && keys > count)
                error += keys * keys * variance / count * (keys - count) / std::max(1.0, keys - 1);
        }
        return total > 0 ? 2 * std::sqrt(error) / total : 0;
    }

    Server& server_;
    const std::string& name_;
    std::vector<std::uint16_t> slots_;
    SlotSizes& sizes_;
    std::vector<SlotEstimate> estimates_;
};

/// The value of a setting; empty if the user may not read it.
std::string setting_in(const Reply& reply) {
    return reply.list.size() == 2 ? reply.list[1].text : std::string();
}

}  // namespace

SlotSizes read_sizes(const Dial& dial, const Cluster& cluster) {
    SlotSizes sizes;
    sizes.keys.assign(slot_count, 0);
    sizes.bytes.assign(slot_count, 0);
    for (MasterId master = 0; master < cluster.masters.size(); ++master) {
        const std::unique_ptr<Server> server = dial(cluster.masters[master].address);
        sizes.error.push_back(
            MasterSizes(*server, cluster.name(master), slots_of(cluster, master), sizes).read());
    }
    return sizes;
}

std::vector<MasterState> read_states(const Dial& dial, const Cluster& cluster) {
    const std::vector<Command> commands = {
        {"INFO", "memory"},
        {"DBSIZE"},
        {"CONFIG", "GET", "maxmemory"},
        {"CONFIG", "GET", "appendonly"},
        {"CONFIG", "GET", "appendfsync"},
        {"CONFIG", "GET", "cluster-node-timeout"},
    };
    constexpr double milliseconds = 1000;
    constexpr std::uint64_t most = std::numeric_limits<std::int64_t>::max();
    std::vector<MasterState> states;
    for (const Master& master : cluster.masters) {
        const std::vector<Reply> replies = dial(master.address)->ask(commands);
        MasterState state;
        state.memory_used = number_in(replies[0].text, "used_memory").value_or(0);
        state.keys = static_cast<std::uint64_t>(std::max<std::int64_t>(0, replies[1].number));
        state.memory_max = whole_number(setting_in(replies[2]), most).value_or(0);
        // Those who may not read settings are told the limit here.
        if (state.memory_max == 0)
            state.memory_max = number_in(replies[0].text, "maxmemory").value_or(0);
        state.saves_always = setting_in(replies[3]) == "yes" && setting_in(replies[4]) == "always";
        state.node_timeout =
            static_cast<double>(whole_number(setting_in(replies[5]), most).value_or(0)) /
            milliseconds;
        states.push_back(state);
    }
    return states;
}

}  // namespace equipoise::redis
