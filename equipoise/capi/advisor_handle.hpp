#pragma once
// The advisor behind a handle of C.

#include <utility>

#include "equipoise/balancer/advisor.hpp"
#include "equipoise/capi/equipoise.h"
#include "equipoise/capi/numbered.hpp"

struct equipoise_advisor : equipoise::capi::Numbered {
    equipoise::balancer::Advisor advisor;

    explicit equipoise_advisor(equipoise::balancer::Advisor of) : advisor(std::move(of)) {}
};
