#pragma once
// Token distribution on a linear array, by its names in this room.

#include "equipoise/load/line.hpp"

namespace equipoise::mesh {

using load::Extras;
using load::fewest_steps;
using load::level_targets;
using load::LinkTimes;
using load::make_timetable;

}  // namespace equipoise::mesh
