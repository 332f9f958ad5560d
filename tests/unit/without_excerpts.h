// The text of a failure without the excerpts of files, which tests/unit/json/document_test.cpp and the golden runs look at.
#pragma once

#include <string>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {

inline std::string without_excerpts(const Failure& failure) {
  std::vector<Diagnostic> diagnostics = failure.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) diagnostic.excerpt.clear();
  return Failure(failure.status(), std::move(diagnostics)).what();
}

}  // namespace fxcut
