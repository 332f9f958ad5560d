#include "batch/manifest.h"

#include <fmt/format.h>

#include <map>

#include "batch/find_graphs.h"
#include "json/members.h"
#include "policy/setting_rows.h"
#include "read/decompress.h"
#include "read/read_file.h"
#include "read/read_policy.h"
#include "read/read_settings.h"

namespace fxcut {
namespace {

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
    if (mistakes_.size() >= kMostMistakes) return;
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

}  // namespace

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

}  // namespace fxcut
