#include "equipoise/base/digest.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "equipoise/optimum/windows/file.hpp"

namespace equipoise::optimum {

namespace {

class Hasher {
  public:
    void add(std::uint64_t word) { digest_.add(word); }
    void add(const std::string& text) {
        add(text.size());
        for (const char c : text)
            add(static_cast<unsigned char>(c));
    }
    void add(const Runs& runs) {
        add(runs.runs.size());
        for (const Runs::Run& run : runs.runs) {
            add(static_cast<std::uint64_t>(run.count));
            add(static_cast<std::uint64_t>(run.value));
        }
    }
    void add(const std::vector<NodeId>& nodes) {
        add(nodes.size());
        for (const NodeId node : nodes)
            add(node);
    }
    [[nodiscard]] std::uint64_t value() const { return digest_.value(); }

  private:
    Digest digest_;
};

void add_proofs(const WindowsFile& file, Hasher& hasher) {
    hasher.add(file.flow ? 1 : 0);
    if (file.flow) {
        hasher.add(file.flow->steps);
        hasher.add(file.flow->windows.size());
        for (const Window& window : file.flow->windows) {
            hasher.add((std::uint64_t{window.from} << 32U) | window.to);
            hasher.add(window.first);
            hasher.add(window.steps);
            hasher.add(static_cast<std::uint64_t>(window.tokens));
        }
    }
    hasher.add(file.cut ? 1 : 0);
    if (file.cut) {
        hasher.add(file.cut->steps);
        hasher.add(static_cast<std::uint64_t>(file.cut->surplus));
        hasher.add(static_cast<std::uint64_t>(file.cut->crossings));
        hasher.add(file.inside);
        for (const Runs& gate : file.gates)
            hasher.add(gate);
    }
    hasher.add(file.zones ? 1 : 0);
    if (!file.zones) return;
    hasher.add(file.zones->steps);
    hasher.add(static_cast<std::uint64_t>(file.zones->surplus));
    hasher.add(static_cast<std::uint64_t>(file.zones->crossings));
    hasher.add(file.zones->zones.size());
    for (const Zone& zone : file.zones->zones) {
        hasher.add(zone.first);
        hasher.add(zone.steps);
        for (const auto* nodes : {&zone.nodes, &zone.senders, &zone.receivers, &zone.dropped})
            hasher.add(*nodes);
    }
    hasher.add(file.zones->last_zone);
}

}  // namespace

void Runs::add(std::int64_t value) {
    if (runs.empty() || runs.back().value != value) {
        runs.push_back({1, value});
    } else {
        ++runs.back().count;
    }
}

std::uint64_t WindowsFile::digest() const {
    Hasher hasher;
    hasher.add(origin);
    hasher.add(seed);
    hasher.add(generated ? 1 : 0);
    hasher.add(nodes);
    hasher.add(link_count);
    hasher.add(network_digest);
    hasher.add(links.size());
    for (const Ends& ends : links)
        hasher.add((std::uint64_t{ends.tail} << 32U) | ends.head);
    hasher.add(target);
    hasher.add(all_ports ? 1 : 0);
    for (const Runs* runs : {&loads, &base, &may_hold_extra, &ports, &capacities, &delays})
        hasher.add(*runs);
    hasher.add(static_cast<std::uint64_t>(extras));
    hasher.add(at_least);
    hasher.add(at_most ? *at_most + 1 : 0);
    add_proofs(*this, hasher);
    return hasher.value();
}

}  // namespace equipoise::optimum
