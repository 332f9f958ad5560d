// What verify found, as text and as JSON.
#pragma once

#include <string>

#include "verify/verify.h"

namespace fxcut {

// A line a mismatch, or one that says what holds.
std::string verification_text(const Verification& verification);

// One object, schemas/verification.schema.json.
std::string verification_json(const Verification& verification);

}  // namespace fxcut
