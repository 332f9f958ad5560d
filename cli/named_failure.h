// Names of files for failures without a place.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {

// The failure with `file_name` as the place of diagnostics without one. A Usage failure is returned unchanged: it is about a
// setting, not the graph.
inline Failure about_file(const Failure& failure, const std::string& file_name) {
  std::vector<Diagnostic> diagnostics = failure.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.place.empty() && failure.status() != ExitStatus::Usage) diagnostic.place = file_name;
  }
  return Failure(failure.status(), std::move(diagnostics));
}

// The same for a failure whose places are within the file.
inline Failure about_part(const Failure& failure, const std::string& file_name) {
  std::vector<Diagnostic> diagnostics = failure.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.place = diagnostic.place.empty() ? file_name : file_name + ": " + diagnostic.place;
  }
  return Failure(failure.status(), std::move(diagnostics));
}

}  // namespace fxcut
