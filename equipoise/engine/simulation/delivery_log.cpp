#include "equipoise/engine/simulation/delivery_log.hpp"

namespace equipoise::engine {

void DeliveryLog::note_sent(std::size_t side_count, std::uint32_t in, model::Ticks now) {
    sent_.resize(side_count);
    sent_[in].push_back(now);
}

void DeliveryLog::note_arrival(std::uint32_t in, const model::Delivery& delivery) {
    model::Delivery complete = delivery;
    complete.sent = sent_[in].front();
    sent_[in].pop_front();
    keep(complete);
}

void DeliveryLog::note_event(NodeId node, model::Ticks now, std::uint32_t event) {
    keep({now, now, node, node, event, 0});
}

void DeliveryLog::keep(const model::Delivery& delivery) {
    if (deliveries_.size() < deliveries_max_) {
        deliveries_.push_back(delivery);
        return;
    }
    deliveries_max_ = 0;
    deliveries_ = {};
    sent_ = {};
}

}  // namespace equipoise::engine
