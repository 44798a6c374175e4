#include "equipoise/reassign/checks/move_order.hpp"

namespace equipoise::reassign {

MoveOrder::MoveOrder(const WaitsFor& waits_for)
    : count_(waits_for.size()), words_((count_ + 63) / 64) {
    std::vector<std::size_t> open(count_, 0);
    std::vector<std::vector<std::uint32_t>> waiting(count_);
    for (std::size_t move = 0; move < count_; ++move)
        for (const std::uint32_t first : waits_for[move]) {
            if (first >= count_) return;
            ++open[move];
            waiting[first].push_back(static_cast<std::uint32_t>(move));
        }
    for (std::size_t move = 0; move < count_; ++move)
        if (open[move] == 0) sorted_.push_back(static_cast<std::uint32_t>(move));
    for (std::size_t at = 0; at < sorted_.size(); ++at)
        for (const std::uint32_t move : waiting[sorted_[at]])
            if (--open[move] == 0) sorted_.push_back(move);
    if (!is_possible()) return;
    before_.assign(count_ * words_, 0);
    for (const std::uint32_t move : sorted_) {
        std::uint64_t* row = before_.data() + move * words_;
        for (const std::uint32_t first : waits_for[move]) {
            const std::uint64_t* other = before_.data() + first * words_;
            for (std::size_t word = 0; word < words_; ++word)
                row[word] |= other[word];
            row[first / 64] |= std::uint64_t{1} << (first % 64);
        }
    }
}

}  // namespace equipoise::reassign
