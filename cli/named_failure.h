// Failures without a place, which get the name of the file that they are about.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"

namespace fxcut {

// The failure with `file_name` where a diagnostic of it has no place. One of usage stays as it is: a setting is at
// fault, not the graph.
inline Failure about_file(const Failure& failure, const std::string& file_name) {
  std::vector<Diagnostic> diagnostics = failure.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    if (diagnostic.place.empty() && failure.status() != ExitStatus::Usage) diagnostic.place = file_name;
  }
  return Failure(failure.status(), std::move(diagnostics));
}

// The same of a failure whose places, where it has any, are within the file.
inline Failure about_part(const Failure& failure, const std::string& file_name) {
  std::vector<Diagnostic> diagnostics = failure.diagnostics();
  for (Diagnostic& diagnostic : diagnostics) {
    diagnostic.place = diagnostic.place.empty() ? file_name : file_name + ": " + diagnostic.place;
  }
  return Failure(failure.status(), std::move(diagnostics));
}

}  // namespace fxcut
