#include "equipoise/balancer/goods.hpp"

#include <algorithm>

#include "equipoise/base/error.hpp"

namespace equipoise::balancer::detail {

void Goods::add(std::unique_ptr<Good> good) {
    const auto twice = [&](const auto& other) { return other->vector() == good->vector(); };
    if (std::any_of(goods_.begin(), goods_.end(), twice))
        throw InputError("expected vectors that differ from each other, found one of them twice");
    goods_.push_back(std::move(good));
}

void Goods::prepare(const Plan& plan, Leg leg, engine::LocalFailure& failure) {
    for (const std::unique_ptr<Good>& good : goods_)
        good->prepare(plan, leg, failure);
}

void Goods::start(Leg leg) {
    if (first_alone()) return goods_.front()->start(leg);
    for (const std::unique_ptr<Good>& good : goods_)
        good->start(leg);
}

void Goods::end(Leg leg) {
    auto rest = goods_.begin();
    if (first_alone()) {
        (*rest++)->end(leg);
        std::for_each(rest, goods_.end(), [&](const auto& good) { good->start(leg); });
    }
    std::for_each(rest, goods_.end(), [&](const auto& good) { good->end(leg); });
}

void Goods::cancel() {
    for (const std::unique_ptr<Good>& good : goods_)
        good->cancel();
}

std::string Goods::describe() const {
    std::string text;
    for (const std::unique_ptr<Good>& good : goods_)
        text += (text.empty() ? "" : " and ") + good->describe();
    return text;
}

void GoodsMove::begin(engine::LocalFailure& failure) {
    goods_.prepare(plan_, Leg::there, failure);
    plan_.agree_to_move(failure, [this] { return goods_.describe(); });
    goods_.start(Leg::there);
}

Report level(MPI_Comm communicator, std::size_t size, const Options& options, Goods goods,
             engine::LocalFailure& failure) {
    // Ranks compare what they carry even if nothing has to move.
    std::string what;
    failure.guard([&] { what = goods.describe(); });
    const Plan plan = begin_plan(communicator, static_cast<Tokens>(size), options, failure, what);
    if (plan.settled()) return plan.report();
    return Moving<GoodsMove>(failure, plan, std::move(goods)).end();
}

}  // namespace equipoise::balancer::detail
