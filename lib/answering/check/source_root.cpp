#include "check/source_root.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/show_results.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

bool is_of_package(const fs::path& path) {
  return std::any_of(path.begin(), path.end(),
                     [](const fs::path& part) { return part == "site-packages" || part == "dist-packages"; });
}

// The line to annotate for a value: the user's own, if known; otherwise the innermost.
std::optional<CodeLocation> line_of(const ComparedValue& value, const SourceRoot& root) {
  const Provenance& from = value.provenance;
  const auto users = from.user_file.empty() ? std::nullopt : root.name_of(from.user_file);
  if (users) return CodeLocation{*users, from.user_line, value.name};
  const auto innermost = from.source_file.empty() ? std::nullopt : root.name_of_innermost(from.source_file);
  if (innermost) return CodeLocation{*innermost, from.source_line, value.name};
  return std::nullopt;
}

void annotate(CheckResult& result, const SourceRoot& root) {
  for (const ValueChange& change : first_responsible(result)) {
    result.at = line_of(change.value(), root);
    if (result.at) return;
    const Provenance& from = change.value().provenance;
    if (result.elsewhere.empty() && !from.source_file.empty()) {
      result.elsewhere = fmt::format("{}:{}", from.source_file, from.source_line);
    }
  }
}

}  // namespace

SourceRoot::SourceRoot(const fs::path& directory) : directory_(fs::canonical(directory)) {}

std::optional<std::string> SourceRoot::name_of(const std::string& file) const {
  if (directory_.empty()) return file;
  std::error_code error;
  const fs::path path = fs::canonical(directory_ / file, error);
  if (error || !fs::is_regular_file(path, error)) return std::nullopt;
  const fs::path below = path.lexically_relative(directory_);
  if (below.empty() || *below.begin() == ".." || is_of_package(below)) return std::nullopt;
  return below.generic_string();
}

std::optional<std::string> SourceRoot::name_of_innermost(const std::string& file) const {
  if (!directory_.empty() && !fs::path(file).has_parent_path()) return std::nullopt;
  return name_of(file);
}

void annotate(std::vector<CheckResult>& results, const SourceRoot& root) {
  for (CheckResult& result : results) {
    if (!result.passed) annotate(result, root);
  }
}

}  // namespace fxcut
