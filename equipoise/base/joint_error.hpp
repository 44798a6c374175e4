#pragma once
// The error of input that is wrong only as a whole.

#include "equipoise/base/error.hpp"

namespace equipoise {

/// What several pass is fine for each of them, but not together: limits that leave too little room
/// for all, say. All who look at it find the same.
class JointError : public InputError {
  public:
    using InputError::InputError;
};

}  // namespace equipoise
