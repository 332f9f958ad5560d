#include "batch/work_list.h"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <map>
#include <new>
#include <nlohmann/json.hpp>
#include <unordered_map>

#include "batch/find_graphs.h"
#include "batch/item_result.h"
#include "graph/hash128.h"
#include "import/import.h"
#include "json/fields.h"
#include "policy/conflicting_limits.h"
#include "policy/setting_rows.h"
#include "read/read_file.h"
#include "read/read_policy.h"
#include "read/read_settings.h"

namespace fxcut {
namespace {

// A manifest lists graphs, one JSON object per line:
//
//     {"graph": "llama/0.json", "settings": {"recompute_views": true}, "policy": "keep_q.json", "name": "llama-0"}
//
// All except "graph" are optional. Paths are relative to the manifest. Settings override those of the batch, one by one; a
// policy, a file or the policy itself, replaces the batch's. The name is that of the results, default: the path without its
// extension.
struct ManifestEntry {
  std::size_t line = 0;
  std::filesystem::path graph;
  std::string name;
  std::shared_ptr<const Instructions> instructions;
};

namespace fs = std::filesystem;

class ManifestReader {
 public:
  ManifestReader(const std::string& file, const std::shared_ptr<const Instructions>& instructions, Expansion expansion)
      : file_(file), directory_(fs::path(file).parent_path()), instructions_(instructions), expansion_(expansion) {}

  void read_line(std::string_view text, std::size_t line) {
    if (text.find_first_not_of(" \t\r") == std::string_view::npos) return;
    try {
      entries_.push_back(entry_of(*Document::parse(std::string(text), file_), line));
    } catch (const Failure& failure) {
      for (const Diagnostic& mistake : failure.diagnostics()) add_mistake(mistake, line);
    }
  }

  std::vector<ManifestEntry> take() {
    if (!mistakes_.empty()) throw Failure(ExitStatus::BadInput, std::move(mistakes_));
    return std::move(entries_);
  }

 private:
  ManifestEntry entry_of(const Document& document, std::size_t line) {
    Mistakes mistakes;
    const Members members(document.root(), mistakes);
    if (document.root().is(JsonValue::Type::Object)) {
      expect_known(document.root(), {"graph", "settings", "policy", "name"}, mistakes);
    }
    const fs::path graph = members.text("graph");
    if (graph.empty() && mistakes.empty()) members.add_mistake("graph", "expected a path, found an empty string");
    const std::string name = members.find("name") ? members.text("name") : name_of(graph);
    mistakes.raise();
    return {line, directory_ / graph, name, instructions_of(members, mistakes)};
  }

  std::shared_ptr<const Instructions> instructions_of(const Members& members, Mistakes& mistakes) {
    const auto settings = members.find("settings"), policy = members.find("policy");
    if (!settings && !policy) return instructions_;
    auto own = std::make_shared<Instructions>(*instructions_);
    if (settings) {
      read_settings(*settings, own->settings);
      refuse_conflicting_limits(own->settings);
    }
    if (policy) {
      own->policies = policy->is(JsonValue::Type::String) ? policies_in(directory_ / policy->text())
                                                          : read_policies(*policy, mistakes);
    }
    mistakes.raise();
    return own;
  }

  // Reads each file once.
  const PolicyStack& policies_in(const fs::path& path) {
    const auto known = policies_.find(path);
    if (known != policies_.end()) return known->second;
    const std::string text = decompressed(read_file(path.string()), path.string(), expansion_);
    return policies_.emplace(path, read_policies(*Document::parse(text, path.string()))).first->second;
  }

  // A line is a document of its own, whose only line is the first.
  void add_mistake(Diagnostic mistake, std::size_t line) {
    if (mistakes_.size() >= kMaxMistakes) return;
    const std::string here = fmt::format("{}:{}", file_, line), as_document = file_ + ":1";
    if (mistake.place.starts_with(as_document)) mistake.place.replace(0, as_document.size(), here);
    else mistake.place = mistake.place.empty() ? here : here + ": " + mistake.place;
    mistakes_.push_back(std::move(mistake));
  }

  const std::string& file_;
  fs::path directory_;
  const std::shared_ptr<const Instructions>& instructions_;
  Expansion expansion_;
  std::map<fs::path, PolicyStack> policies_;
  std::vector<ManifestEntry> entries_;
  std::vector<Diagnostic> mistakes_;
};

// The entries of the manifest in `text`, which is of `file`, without empty lines. `instructions`: of the batch. Reads the
// policies; `expansion` limits compressed ones. Throws Failure (BadInput) with all mistakes (at most 100), each with its line.
std::vector<ManifestEntry> read_manifest(std::string_view text, const std::string& file,
                                         const std::shared_ptr<const Instructions>& instructions, Expansion expansion) {
  ManifestReader reader(file, instructions, expansion);
  for (std::size_t line = 1; !text.empty(); ++line) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.read_line(text.substr(0, end), line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.take();
}

namespace fs = std::filesystem;

std::uintmax_t size_of(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  return error ? 0 : size;
}

// All failures become the log's own.
std::vector<ImportOutcome> graphs_of_log(const std::string& path, Expansion expansion) {
  try {
    std::string stored = read_file(path);
    ImportRequest import;
    import.most_unpacked_bytes = max_decompressed_bytes(stored.size(), expansion);
    return import_each(decompressed(std::move(stored), path, expansion), path, import);
  } catch (const Failure&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw Failure(ExitStatus::FileTrouble, {{path, "out of memory while it was imported",
                                             "is memory limited by --max-memory, ulimit or a container?"}});
  } catch (const std::exception& error) {
    throw Failure(ExitStatus::Internal, {{path, fmt::format("internal error: {}", error.what()),
                                          "this is a bug in fxcut: please report it with the log"}});
  }
}

class WorkListMaker {
 public:
  explicit WorkListMaker(const WorkRequest& request) : request_(request) {}

  void add_input(const std::string& input) {
    FoundFiles found = find_graphs(input, request_.output_directory);
    std::move(found.others.begin(), found.others.end(), std::back_inserter(list_.left_out));
    for (const BatchFile& file : found.files) {
      switch (kind_of(file.path)) {
        case BatchFileKind::Graph: add_graph(file.path, file.name, request_.instructions, file.path.string()); break;
        case BatchFileKind::Manifest: add_manifest(file.path.string()); break;
        case BatchFileKind::Log: add_log(file); break;
      }
    }
  }

  void add_manifest(const std::string& file) {
    const std::string text = decompressed(read_file(file), file, request_.expansion);
    for (const ManifestEntry& entry : read_manifest(text, file, request_.instructions, request_.expansion)) {
      add_graph(entry.graph, entry.name, entry.instructions, fmt::format("{}:{}", file, entry.line));
    }
  }

  WorkList take() { return std::move(list_); }

 private:
  void add_graph(const fs::path& path, const std::string& name, const std::shared_ptr<const Instructions>& instructions,
                 std::string given_at) {
    list_.items.push_back({name, path.string(), instructions, size_of(path)});
    list_.items.back().given_at = std::move(given_at);
  }

  // A log that cannot be read is one failed graph.
  void add_log(const BatchFile& file) {
    const std::string path = file.path.string();
    try {
      for (ImportOutcome& outcome : graphs_of_log(path, request_.expansion)) {
        WorkItem item{fmt::format("{}/{}", file.name, outcome.name), fmt::format("{}: graph {}", path, outcome.name),
                      request_.instructions};
        if (outcome.graph) item.text = std::move(outcome.graph->json);
        item.size_bytes = item.text ? item.text->size() : 0;
        item.failure = std::move(outcome.failure);
        item.given_at = item.file;
        list_.items.push_back(std::move(item));
      }
    } catch (const Failure& failure) {
      add_graph(file.path, file.name, request_.instructions, path);
      list_.items.back().failure = failure;
    }
  }

  const WorkRequest& request_;
  WorkList list_;
};

[[noreturn]] void refuse(const WorkItem& item, std::string message) {
  throw Failure(ExitStatus::Usage, {{item.given_at, std::move(message),
                                     "a manifest's \"name\" gives a graph another name, and a directory above names the path"}});
}

// Names are paths below the output directory, and nothing else; each path has one name: "a//b" is "a/b".
void require_path(WorkItem& item) {
  const fs::path path = item.name;
  fs::path plain;
  bool is_path = !item.name.empty() && path.is_relative() && item.name.find('\0') == std::string::npos;
  for (const fs::path& part : path) {
    is_path = is_path && !part.empty() && part != "." && part != "..";
    plain /= part;
  }
  if (!is_path) refuse(item, fmt::format("'{}' cannot name a directory for results", item.name));
  item.name = plain.generic_string();
}

// Results are JSON, which has to be UTF-8.
void fail_unless_utf8(WorkItem& item) {
  try {
    nlohmann::json(item.name).dump();
  } catch (const nlohmann::json::type_error&) {
    item.failure = Failure(ExitStatus::FileTrouble, {{item.file, "its name is not UTF-8", "rename it"}});
  }
}

void require_distinct_names(const std::vector<WorkItem>& items) {
  std::unordered_map<std::string_view, const WorkItem*> by_name;
  for (const WorkItem& item : items) {
    const auto [other, is_new] = by_name.emplace(item.name, &item);
    if (is_new) continue;
    refuse(item, fmt::format("its results would have the name '{}', like those of {}", item.name, other->second->given_at));
  }
  for (const WorkItem& item : items) {
    const std::string_view name = item.name;
    for (std::size_t slash = name.find('/'); slash != name.npos; slash = name.find('/', slash + 1)) {
      const auto other = by_name.find(name.substr(0, slash));
      if (other == by_name.end()) continue;
      refuse(item, fmt::format("its results, '{}', would be inside those of {}, '{}'", name, other->second->given_at,
                               other->first));
    }
  }
}

}  // namespace

WorkList make_work_list(const WorkRequest& request) {
  WorkListMaker maker(request);
  for (const std::string& input : request.inputs) maker.add_input(input);
  for (const std::string& manifest : request.manifests) maker.add_manifest(manifest);
  WorkList list = maker.take();
  for (WorkItem& item : list.items) {
    require_path(item);
    fail_unless_utf8(item);
  }
  require_distinct_names(list.items);
  return list;
}

std::string work_list_id(const std::vector<WorkItem>& items, std::string_view version) {
  Hash128 hash;
  hash.add(version);
  const Instructions* last = nullptr;
  for (const WorkItem& item : items) {
    hash.add(item.name);
    hash.add(static_cast<std::uint64_t>(item.size_bytes));
    if (item.instructions.get() != last) add_instructions(hash, *item.instructions);
    last = item.instructions.get();
  }
  return hash.text();
}

}  // namespace fxcut
