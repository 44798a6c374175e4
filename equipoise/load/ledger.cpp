#include "equipoise/load/ledger.hpp"

#include "equipoise/base/assert.hpp"
#include "equipoise/load/loads.hpp"

namespace equipoise::load {

Ledger::Ledger(std::span<const Tokens> loads) : opened_(total(loads)) {}

void Ledger::resume(Tokens created, Tokens destroyed) {
    opened_ = checked_add(checked_add(opened_, -created), destroyed);
    created_ = created;
    destroyed_ = destroyed;
}

void Ledger::create(Tokens tokens) {
    EQUIPOISE_ASSERT(tokens >= 0);
    created_ = checked_add(created_, tokens);
}

void Ledger::destroy(Tokens tokens) {
    EQUIPOISE_ASSERT(tokens >= 0);
    destroyed_ = checked_add(destroyed_, tokens);
}

bool Ledger::balances(std::span<const Tokens> loads, Tokens in_flight) const {
    Int128 held = in_flight;
    for (const Tokens load : loads)
        held = checked_add(held, Int128{load});
    return held == Int128{opened_} + created_ - destroyed_;
}

}  // namespace equipoise::load
