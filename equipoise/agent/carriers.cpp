#include "equipoise/agent/carriers.hpp"

#include <algorithm>
#include <utility>

namespace equipoise::agent {

namespace {

void add(Carriers::Totals& totals, const Carrier& carrier) {
    totals.stored += carrier.counts().stored;
    totals.doubled += carrier.counts().doubled;
    totals.refused += carrier.counts().refused;
    totals.in_doubt += carrier.in_doubt();
}

}  // namespace

Carrier& Carriers::to(const std::string& name, const std::string& link, const Make& make) {
    if (const auto found = all_.find(link); found != all_.end()) return *found->second.carrier;
    std::unique_ptr<Carrier> made = make();
    return *all_.emplace(link, Entry{name, std::move(made), 0}).first->second.carrier;
}

void Carriers::each(const std::function<void(const std::string& name, Carrier&)>& visit) const {
    for (const auto& [key, entry] : all_)
        visit(entry.name, *entry.carrier);
}

void Carriers::work(Micros now) const {
    for (const auto& [key, entry] : all_)
        entry.carrier->work(now);
}

Micros Carriers::due() const {
    Micros due = ~Micros{0};
    for (const auto& [key, entry] : all_)
        due = std::min(due, entry.carrier->due());
    return due;
}

bool Carriers::are_busy() const {
    return std::any_of(all_.begin(), all_.end(),
                       [](const auto& entry) { return entry.second.carrier->size() > 0; });
}

Carriers::Totals Carriers::totals() const {
    Totals totals = forgotten_;
    for (const auto& [key, entry] : all_)
        add(totals, *entry.carrier);
    return totals;
}

Carriers::Abandoned Carriers::abandon_others(const std::vector<Carrier*>& linked, Micros now) {
    Abandoned abandoned;
    for (auto at = all_.begin(); at != all_.end();) {
        Entry& entry = at->second;
        Carrier& carrier = *entry.carrier;
        if (std::find(linked.begin(), linked.end(), &carrier) != linked.end()) {
            entry.unlinked = 0;
        } else if (entry.unlinked == 0) {
            entry.unlinked = now;
        } else if (now >= entry.unlinked + unlinked_for) {
            if (carrier.size() == 0 && !carrier.has_done()) {
                add(forgotten_, carrier);
                at = all_.erase(at);
                continue;
            }
            abandoned.jobs += carrier.size();
            abandoned.in_doubt += carrier.abandon();
        }
        ++at;
    }
    return abandoned;
}

}  // namespace equipoise::agent
