#pragma once
// What records of version 1 noted as texts among their constants.

#include <string>

#include "equipoise/model/run/record.hpp"

namespace equipoise::model {

/// Moves the constants that later versions keep in fields into those fields. Throws InputError
/// naming `file`, the constant, what was expected and what was found.
void type_constants(Record& record, const std::string& file);

}  // namespace equipoise::model
