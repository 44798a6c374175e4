#include <memory>

#include "equipoise/base/error.hpp"
#include "equipoise/capi/advisor_handle.hpp"
#include "equipoise/capi/guarded.hpp"
#include "equipoise/mpi/agreement.hpp"

namespace {

using equipoise::InputError;
using equipoise::capi::guarded;

equipoise::balancer::Advisor& advisor_of(equipoise_advisor* handle) {
    if (handle == nullptr)
        throw InputError("expected an advisor, found none: it was not made, or has been freed");
    return handle->advisor;
}

}  // namespace

extern "C" {

int equipoise_advisor_make(MPI_Comm comm, equipoise_advisor** advisor) {
    return guarded([&] {
        equipoise::balancer::Advisor fresh(comm);
        std::unique_ptr<equipoise_advisor> made;
        equipoise::engine::LocalFailure failure;
        failure.guard([&] {
            if (advisor == nullptr)
                throw InputError("expected the address of an advisor, found NULL");
            *advisor = nullptr;
            made = std::make_unique<equipoise_advisor>(fresh);
        });
        equipoise::mpi::agree(equipoise::mpi::Communicator(comm), failure, "an advisor");
        *advisor = made.release();
    });
}

void equipoise_advisor_free(equipoise_advisor** advisor) {
    if (advisor == nullptr) return;
    delete *advisor;
    *advisor = nullptr;
}

int equipoise_advisor_step(equipoise_advisor* advisor, double seconds) {
    return guarded([&] { advisor_of(advisor).step(seconds); });
}

int equipoise_advisor_balanced(equipoise_advisor* advisor, double seconds) {
    return guarded([&] { advisor_of(advisor).balanced(seconds); });
}

int equipoise_advisor_worth_it(const equipoise_advisor* advisor, equipoise_advice* advice) {
    const auto found =
        advisor == nullptr ? equipoise::balancer::Advice() : advisor->advisor.worth_it();
    if (advice != nullptr)
        *advice = {found.worth_it ? 1 : 0, found.gain, found.cost.value_or(-1),
                   found.break_even_step.value_or(0)};
    return found.worth_it ? 1 : 0;
}

}  // extern "C"
