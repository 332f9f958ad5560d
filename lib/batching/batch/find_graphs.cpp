#include "batch/find_graphs.h"

#include <fmt/format.h>
#include <glob.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "batch/json_kind.h"
#include "batch/output_tree.h"
#include "diagnostic/diagnostic.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTraceLog = "dedicated_log_torch_trace";  // how TORCH_TRACE names its logs

[[noreturn]] void fail(const std::string& place, std::string message, std::string hint) {
  throw Failure(ExitStatus::FileTrouble, {{place, std::move(message), std::move(hint)}});
}

bool is_graph_or_log(const fs::path& path) {
  return path.filename().string().starts_with(kTraceLog) || kind_of(path) == BatchFileKind::Graph;
}

bool is_same_directory(const fs::path& a, const fs::path& b) {
  std::error_code error;
  return fs::equivalent(a, b, error) && !error;
}

bool is_within(const fs::path& path, const fs::path& directory) {
  const fs::path below = path_below(directory, path);
  return !below.empty() && *below.begin() != "..";
}

// A file, or an entry of unknown type such as a broken link, which fails on its own; not a pipe.
bool may_be_file(const fs::directory_entry& entry) {
  std::error_code unknown;
  const fs::file_type type = entry.status(unknown).type();
  return type == fs::file_type::regular || type == fs::file_type::not_found || type == fs::file_type::none;
}

class Walk {
 public:
  Walk(const fs::path& top, const fs::path& output_directory)
      : output_directory_(output_directory), may_meet_results_(is_within(top, output_directory)) {
    add(top);
    std::sort(files_.begin(), files_.end());
  }

  const std::vector<fs::path>& files() const { return files_; }
  bool may_meet_results() const { return may_meet_results_; }

 private:
  void add(const fs::path& directory) {
    std::error_code error;
    fs::directory_iterator entry(directory, error);
    for (; !error && entry != fs::directory_iterator(); entry.increment(error)) add(*entry);
    if (error) {
      fail(directory.string(), fmt::format("cannot be read: {}", error.message()),
           "the whole directory is searched: make it readable, or name the graphs by a glob");
    }
  }

  void add(const fs::directory_entry& entry) {
    const fs::path& path = entry.path();
    if (path.filename().string().starts_with('.')) return;
    if (may_meet_results_ && is_result(path, output_directory_)) return;
    std::error_code unknown;
    if (entry.is_directory(unknown)) {
      if (!entry.is_symlink(unknown) && !is_same_directory(path, output_directory_)) add(path);
    } else if (is_graph_or_log(path) && may_be_file(entry)) {
      files_.push_back(path);
    }
  }

  const fs::path& output_directory_;
  bool may_meet_results_;
  std::vector<fs::path> files_;
};

FoundFiles walk(const fs::path& directory, const fs::path& output_directory) {
  const Walk walk(directory, output_directory);
  FoundFiles found;
  for (const fs::path& path : walk.files()) {
    if (kind_of(path) == BatchFileKind::Graph && json_kind_of_file(path.string()) == JsonKind::Other) {
      found.others.push_back(path);
    } else {
      found.files.push_back({path, name_of(path.lexically_relative(directory))});
    }
  }
  if (found.files.empty() && !walk.may_meet_results()) {
    const std::string others =
        found.others.empty() ? "" : fmt::format("; its {} JSON files are not joint graphs", found.others.size());
    fail(directory.string(), "no graph in this directory" + others,
         "expected *.json, *.json.gz, *.json.zst or logs of TORCH_TRACE, at any depth");
  }
  return found;
}

struct FreeGlob {
  void operator()(glob_t* matches) const { globfree(matches); }
};

// The matches of the pattern, sorted; none if `input` is not a pattern.
std::vector<std::string> expand(const std::string& input) {
  glob_t matches{};
  const std::unique_ptr<glob_t, FreeGlob> freeing(&matches);
  if (input.find_first_of("*?[") == std::string::npos) return {};
  if (glob(input.c_str(), 0, nullptr, &matches) != 0) return {};
  std::vector<std::string> paths(matches.gl_pathv, matches.gl_pathv + matches.gl_pathc);
  std::sort(paths.begin(), paths.end());  // glob sorts by the locale
  return paths;
}

FoundFiles files_of(const fs::path& path, const fs::path& output_directory) {
  if (is_result(path, output_directory)) return {};
  std::error_code error;
  if (fs::is_directory(path, error)) return walk(path, output_directory);
  return {{{path, name_of(path)}}, {}};
}

}  // namespace

fs::path without_compression(fs::path path) {
  const fs::path extension = path.extension();
  if (extension == ".gz" || extension == ".zst") path.replace_extension();
  return path;
}

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

FoundFiles find_graphs(const std::string& input, const fs::path& output_directory) {
  std::error_code error;
  if (fs::exists(fs::symlink_status(input, error))) return files_of(input, output_directory);
  const std::vector<std::string> matches = expand(input);
  if (matches.empty()) fail(input, "no such file, and no file matches it as a pattern", "check the path");
  FoundFiles all;
  for (const std::string& path : matches) {
    FoundFiles found = files_of(path, output_directory);
    std::move(found.files.begin(), found.files.end(), std::back_inserter(all.files));
    std::move(found.others.begin(), found.others.end(), std::back_inserter(all.others));
  }
  return all;
}

}  // namespace fxcut
