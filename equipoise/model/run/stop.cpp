#include "equipoise/model/run/stop.hpp"

namespace equipoise::model {

std::string to_string(StopReason reason) {
    switch (reason) {
        case StopReason::own_termination:
            return "own-termination";
        case StopReason::discrepancy:
            return "discrepancy-reached";
        case StopReason::one_balanced:
            return "one-balanced";
        case StopReason::quiet:
            return "quiet";
        case StopReason::stable:
            return "stable";
        case StopReason::steps_max:
            return "max-steps";
        case StopReason::interrupted:
            return "interrupted";
        case StopReason::nothing_to_do:
            return "nothing-to-do";
    }
    return "unknown";
}

}  // namespace equipoise::model
