#include "batch/find_graphs.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTraceLog = "dedicated_log_torch_trace";  // how TORCH_TRACE names its logs

[[noreturn]] void fail(const std::string& place, std::string message, std::string hint) {
  throw Failure(ExitStatus::FileTrouble, {{place, std::move(message), std::move(hint)}});
}

fs::path without_compression(fs::path path) {
  const fs::path extension = path.extension();
  if (extension == ".gz" || extension == ".zst") path.replace_extension();
  return path;
}

bool is_wanted(const fs::path& path) {
  return path.filename().string().starts_with(kTraceLog) || kind_of(path) == BatchFileKind::Graph;
}

bool is_same_directory(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

std::vector<BatchFile> walk(const fs::path& directory, const fs::path& output_directory) {
  std::vector<BatchFile> files;
  std::error_code error;
  fs::recursive_directory_iterator entry(directory, error);
  for (; !error && entry != fs::recursive_directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    std::error_code unknown;
    if (entry->is_directory(unknown)) {
      if (path.filename().string().starts_with('.') || is_same_directory(path, output_directory)) {
        entry.disable_recursion_pending();
      }
    } else if (!path.filename().string().starts_with('.') && entry->is_regular_file(unknown) && is_wanted(path)) {
      files.push_back({path, name_of(path.lexically_relative(directory))});
    }
  }
  if (error) fail(directory.string(), fmt::format("cannot be read: {}", error.message()), "");
  if (files.empty()) {
    fail(directory.string(), "no graphs are in this directory",
         "looked for *.json, *.json.gz, *.json.zst and logs of TORCH_TRACE, also further down");
  }
  std::sort(files.begin(), files.end(), [](const BatchFile& a, const BatchFile& b) { return a.path < b.path; });
  return files;
}

struct FreeGlob {
  void operator()(glob_t* matches) const { globfree(matches); }
};

// What the pattern matches, sorted; nothing where `input` is no pattern.
std::vector<std::string> expand(const std::string& input) {
  glob_t matches{};
  const std::unique_ptr<glob_t, FreeGlob> freeing(&matches);
  if (input.find_first_of("*?[") == std::string::npos) return {};
  if (glob(input.c_str(), 0, nullptr, &matches) != 0) return {};
  std::vector<std::string> paths(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  std::sort(paths.begin(), paths.end());  // glob sorts by the locale
  return paths;
}

std::vector<BatchFile> files_of(const fs::path& path, const fs::path& output_directory) {
  std::error_code error;
  if (fs::is_directory(path, error)) return walk(path, output_directory);
  return {{path, name_of(path)}};
}

}  // namespace

BatchFileKind kind_of(const fs::path& path) {
  const fs::path extension = without_compression(path).extension();
  if (extension == ".json") return BatchFileKind::Graph;
  return extension == ".jsonl" ? BatchFileKind::Manifest : BatchFileKind::Log;
}

std::string name_of(const fs::path& path) {
  fs::path name;
  for (const fs::path& part : without_compression(path).replace_extension().lexically_normal().relative_path()) {
    if (part != ".." && part != "." && !part.empty()) name /= part;
  }
  return name.generic_string();
}

std::vector<BatchFile> find_graphs(const std::string& input, const fs::path& output_directory) {
  std::error_code error;
  if (fs::exists(input, error)) return files_of(input, output_directory);
  std::vector<BatchFile> files;
  for (const std::string& path : expand(input)) {
    for (BatchFile& file : files_of(path, output_directory)) files.push_back(std::move(file));
  }
  if (files.empty()) {
    fail(input, "there is no such file, and as a pattern it matches none", "check the path");
  }
  return files;
}

}  // namespace fxcut
