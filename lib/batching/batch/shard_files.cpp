#include "batch/shard_files.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <charconv>
#include <numeric>
#include <optional>
#include <queue>
#include <unordered_map>

#include "batch/item_result.h"
#include "batch/summary.h"
#include "diagnostic/diagnostic.h"
#include "json/fields.h"
#include "json/json_forms.h"
#include "read/read_file.h"

namespace fxcut {
namespace {

constexpr std::string_view kForms = "--shard takes 3/8 (of 8 parts 0 to 7), auto (in a Slurm array task) or auto/8";

std::optional<std::size_t> number(std::string_view text) {
  std::size_t value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
  return value;
}

// The number in a variable of the environment; nullopt if it is not set.
std::optional<std::size_t> number_in(const Environment& environment, const char* variable) {
  const char* const text = environment(variable);
  if (!text) return std::nullopt;
  if (const auto value = number(text)) return value;
  throw Failure(ExitStatus::Usage, fmt::format("--shard auto: {} is '{}', which is not a number", variable, text));
}

Shard checked(std::size_t index, std::size_t count, const std::string& text, std::string_view where = "") {
  if (index < count) return {index, count};
  throw Failure(ExitStatus::Usage, fmt::format("--shard {}: {}no part {} of {}", text, where, index, count),
                fmt::format("{} parts are numbered from 0", count));
}

// The place of this task's number among FIRST, FIRST + STEP, ... LAST.
Shard slurm_task(const Environment& environment, const std::string& text) {
  const auto id = number_in(environment, "SLURM_ARRAY_TASK_ID");
  const auto count = number_in(environment, "SLURM_ARRAY_TASK_COUNT");
  if (!id || !count) {
    const bool is_kubernetes = environment("JOB_COMPLETION_INDEX") != nullptr;
    throw Failure(ExitStatus::Usage,
                  fmt::format("--shard {}: {} is not set", text, id ? "SLURM_ARRAY_TASK_COUNT" : "SLURM_ARRAY_TASK_ID"),
                  is_kubernetes ? "Kubernetes does not set the number of completions: use --shard auto/N"
                                : "use --shard I/N, or run it in a task of 'sbatch --array'");
  }
  const std::size_t gaps = std::max<std::size_t>(*count, 1) - 1;
  const std::size_t first = number_in(environment, "SLURM_ARRAY_TASK_MIN").value_or(0);
  const std::size_t last = std::max(first, number_in(environment, "SLURM_ARRAY_TASK_MAX").value_or(first + gaps));
  const std::size_t step = gaps > 0 ? (last - first) / gaps : 1;
  if (*id < first || step == 0 || last - first != step * gaps || (*id - first) % step != 0) {
    throw Failure(ExitStatus::Usage, fmt::format("--shard {}: the tasks of the array are not evenly numbered", text),
                  "use --shard auto/N, which counts the task's number from 0");
  }
  return checked((*id - first) / step, *count, text);
}

Shard numbered_task(const Environment& environment, std::size_t count, const std::string& text) {
  for (const char* const variable : {"SLURM_ARRAY_TASK_ID", "JOB_COMPLETION_INDEX"}) {
    const auto index = number_in(environment, variable);
    if (index) return checked(*index, count, text, fmt::format("{} is {}: ", variable, *index));
  }
  throw Failure(ExitStatus::Usage,
                fmt::format("--shard {}: neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set", text),
                "use --shard I/N");
}

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr int kShardFilesVersion = 1;
constexpr std::string_view kWorkListFormat = "fxcut-batch-work-list", kShardFormat = "fxcut-batch-shard";
const std::string kWorkListFile = "shards/work_list.json";

std::string file_of(const Shard& shard) { return fmt::format("shards/{}.jsonl", shard.name()); }

[[noreturn]] void refuse(const fs::path& file, std::string message, std::string hint) {
  throw Failure(ExitStatus::BadInput, {{file.string(), std::move(message), std::move(hint)}});
}

void expect_format(const Members& members, std::string_view format, Mistakes& mistakes) {
  if (members.text("format") != format && mistakes.empty()) {
    members.add_mistake("format", fmt::format("expected \"{}\"", format));
  }
}

struct WorkListFile {
  std::string id;
  std::vector<std::string> names;
};

WorkListFile read_work_list(const fs::path& path) {
  const auto document = Document::parse(read_file(path.string()), path.string());
  Mistakes mistakes;
  const Members members(document->root(), mistakes);
  expect_format(members, kWorkListFormat, mistakes);
  expect_version(document->root(), kShardFilesVersion, mistakes);
  WorkListFile list{members.text("id"), {}};
  if (const auto names = members.array("names")) {
    for (const JsonValue name : *names) list.names.emplace_back(read_string(name, "", mistakes).value_or(""));
  }
  mistakes.raise();
  return list;
}

struct ShardFile {
  fs::path path;
  Shard shard;
  std::string work_list;
  std::vector<std::string> lines;
};

ShardFile read_shard(const fs::path& path) {
  const std::string text = read_file(path.string());
  std::vector<std::string> lines;
  for (std::size_t begin = 0, end = 0; (end = text.find('\n', begin)) != text.npos; begin = end + 1) {
    lines.push_back(text.substr(begin, end - begin));
  }
  if (lines.empty()) refuse(path, "is empty", "run this shard again");
  const auto document = Document::parse(lines.front(), path.string());
  Mistakes mistakes;
  const Members head(document->root(), mistakes);
  expect_format(head, kShardFormat, mistakes);
  expect_version(document->root(), kShardFilesVersion, mistakes);
  ShardFile file{path, {head.size("shard"), head.size("of")}, head.text("work_list"), {}};
  const std::size_t graphs = head.size("graphs");
  mistakes.raise();
  file.lines.assign(lines.begin() + 1, lines.end());
  if (file.lines.size() != graphs || file.shard.index >= file.shard.count) {
    refuse(path, fmt::format("declares {} graphs but has {}", graphs, file.lines.size()),
           "is the copy complete? otherwise run this shard again");
  }
  return file;
}

std::vector<fs::path> shard_paths(const fs::path& directory) {
  std::vector<fs::path> paths;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory / "shards", error)) {
    if (entry.path().extension() == ".jsonl") paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// All finished shards, which have the same work list and number of shards.
std::vector<ShardFile> read_shards(const fs::path& directory, const std::string& work_list) {
  std::vector<ShardFile> files;
  for (const fs::path& path : shard_paths(directory)) {
    files.push_back(read_shard(path));
    if (files.back().work_list != work_list) {
      refuse(path, "belongs to another work list: graphs, settings or fxcut's version have changed since",
             "run this shard again with --resume, which keeps unchanged results");
    }
    if (files.back().shard.count != files.front().shard.count) {
      refuse(path, fmt::format("is of {} shards, but {} of {}", files.back().shard.count,
                               files.front().path.filename().string(), files.front().shard.count),
             "remove the files of the other run");
    }
  }
  return files;
}

}  // namespace

std::string Shard::name() const { return fmt::format("{}-of-{}", index, count); }

Shard parse_shard(const std::string& text, const Environment& environment) {
  if (text == "auto") return slurm_task(environment, text);
  const std::size_t slash = text.find('/');
  if (slash == text.npos) throw Failure(ExitStatus::Usage, fmt::format("--shard '{}'", text), std::string(kForms));
  const std::string_view view = text;
  const auto index = number(view.substr(0, slash)), count = number(view.substr(slash + 1));
  const bool is_auto = text.starts_with("auto/");
  if (!count || *count == 0 || (!index && !is_auto)) {
    throw Failure(ExitStatus::Usage, fmt::format("--shard '{}'", text), std::string(kForms));
  }
  return is_auto ? numbered_task(environment, *count, text) : checked(*index, *count, text);
}

std::vector<std::size_t> items_of(const Shard& shard, const std::vector<std::uintmax_t>& sizes) {
  std::vector<std::size_t> by_size(sizes.size());
  std::iota(by_size.begin(), by_size.end(), std::size_t{0});
  std::stable_sort(by_size.begin(), by_size.end(), [&](std::size_t a, std::size_t b) { return sizes[a] > sizes[b]; });

  using Load = std::pair<std::uintmax_t, std::size_t>;  // of a part
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t part = 0; part < std::min(shard.count, sizes.size()); ++part) loads.emplace(0, part);
  std::vector<std::size_t> items;
  for (const std::size_t item : by_size) {
    const auto [load, part] = loads.top();
    loads.pop();
    if (part == shard.index) items.push_back(item);
    loads.emplace(load + sizes[item] + 1, part);  // also an empty file is work
  }
  std::sort(items.begin(), items.end());
  return items;
}

void announce_shard(const OutputTree& tree, const fs::path& directory, const Shard& shard,
                    const std::vector<WorkItem>& items, std::string_view id) {
  const std::string number_of_shards = fmt::format("-of-{}.jsonl", shard.count);
  for (const fs::path& path : shard_paths(directory)) {
    const std::string name = path.filename().string();
    if (!name.ends_with(number_of_shards)) tree.drop_file("shards/" + name);
  }
  tree.drop_file(file_of(shard));
  Json names = Json::array();
  for (const WorkItem& item : items) names.push_back(item.name);
  tree.put_file(kWorkListFile,
                json_line({{"format", kWorkListFormat}, {"version", kShardFilesVersion}, {"id", id}, {"names", names}}) + "\n");
}

void finish_shard(const OutputTree& tree, const Shard& shard, const std::vector<std::string>& lines, std::string_view id) {
  const std::string head = json_line({{"format", kShardFormat},
                                      {"version", kShardFilesVersion},
                                      {"work_list", id},
                                      {"shard", shard.index},
                                      {"of", shard.count},
                                      {"graphs", lines.size()}});
  tree.put_file(file_of(shard), head + "\n" + joined(lines));
}

void drop_shards(const OutputTree& tree, const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory / "shards", error)) return;
  for (const fs::path& path : shard_paths(directory)) tree.drop_file("shards/" + path.filename().string());
  tree.drop_file(kWorkListFile);
  fs::remove(directory / "shards", error);
}

JoinedShards join_shards(const fs::path& directory) {
  std::error_code error;
  if (!fs::exists(directory / kWorkListFile, error)) {
    throw Failure(ExitStatus::FileTrouble, {{directory.string(), "no shard of a batch in this directory",
                                             "'fxcut batch ... --shard I/N --output-dir DIR' writes them"}});
  }
  const WorkListFile list = read_work_list(directory / kWorkListFile);
  const std::vector<ShardFile> files = read_shards(directory, list.id);

  JoinedShards joined;
  joined.shards = files.empty() ? 0 : files.front().shard.count;
  std::vector<bool> is_there(joined.shards);
  std::unordered_map<std::string, const std::string*> lines;
  for (const ShardFile& file : files) {
    is_there[file.shard.index] = true;
    for (const std::string& line : file.lines) {
      const ResultHead head = read_result_head(line, file.path.string());
      if (!head.is_done || kept_line(graph_directory(directory, head.name)) == line) lines.emplace(head.name, &line);
    }
  }
  for (std::size_t shard = 0; shard < joined.shards; ++shard) {
    if (!is_there[shard]) joined.missing_shards.push_back(shard);
  }
  for (const std::string& name : list.names) {
    if (const auto line = lines.find(name); line != lines.end()) joined.lines.push_back(*line->second);
    else joined.missing_names.push_back(name);
  }
  return joined;
}

}  // namespace fxcut
