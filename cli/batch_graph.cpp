#include "cli/batch_graph.h"

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <sstream>

#include "batch/item_key.h"
#include "batch/item_result.h"
#include "cli/batch_items.h"
#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "cli/named_failure.h"
#include "cli/partition_graph.h"
#include "ranks/canonical_order.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;
using State = GraphOutcome::State;

constexpr std::string_view kResult = "result.json";

// The line of the results that are there, whole and of that key; nothing where they are not.
std::optional<std::string> finished_line(const fs::path& directory, const WorkItem& item, const std::string& key) {
  std::error_code error;
  constexpr std::array<std::string_view, 4> kFiles = {"forward.json", "backward.json", "report.json", kResult};
  for (const std::string_view file : kFiles) {
    if (!fs::is_regular_file(directory / file, error)) return std::nullopt;
  }
  try {
    std::string line = read_file((directory / kResult).string());
    if (!line.ends_with('\n')) return std::nullopt;
    line.pop_back();
    const ResultHead head = read_result_head(line, "");
    if (head.is_done && head.name == item.name && head.key == key) return line;
  } catch (const Failure&) {  // no result
  }
  return std::nullopt;
}

// By a decision of its own, or by another rank's.
Partition partition_of(const WorkItem& item, JointGraph joint, std::ostream& err) {
  const auto& [settings, policies] = *item.instructions;
  if (!item.adopted) return partition_graph(std::move(joint), settings, policies, item.file, err);
  try {
    Decision decision = decide(std::move(joint), settings, policies, start_clock(settings, err));
    adopt(decision, *item.adopted, canonical_order(decision.joint.graph));
    return carry_out(decision, settings);
  } catch (const Failure& failure) {
    throw about_file(failure, item.file);
  }
}

GraphOutcome work(const WorkItem& item, const BatchTarget& target, std::ostream& err) {
  if (item.failure) throw *item.failure;
  std::string text = text_of(item);
  const std::string key = item_key(text, item, target.version);
  const fs::path directory = graph_directory(target.directory, item.name);
  std::error_code error;
  const bool is_there = fs::exists(directory, error);
  if (is_there && target.keeps_finished) {
    if (auto line = finished_line(directory, item, key)) return {State::Kept, std::move(*line), ""};
  }
  GraphFile file = read_graph_text(std::move(text), item.file, err, item.instructions->settings.torch_version);
  const Partition result = partition_of(item, std::move(file.joint), err);
  const std::string line = done_line(item.name, key, result.report);
  const std::string result_file = line + "\n";
  std::vector<OutputFile> files = files_of(result, *file.document);
  files.push_back({std::string(kResult), result_file});
  target.tree.put_graph(item.name, files);
  return {is_there ? State::Redone : State::Done, line, ""};
}

}  // namespace

GraphOutcome failed(const WorkItem& item, const BatchTarget& target, ExitStatus status,
                    std::vector<Diagnostic> mistakes) {
  try {
    target.tree.drop_graph(item.name);
  } catch (const Failure& failure) {
    mistakes.insert(mistakes.end(), failure.diagnostics().begin(), failure.diagnostics().end());
  }
  const Failure all(status, mistakes);
  return {State::Failed, failed_line(item.name, static_cast<int>(status), mistakes), std::string(all.what()) + "\n"};
}

GraphOutcome work_on(const WorkItem& item, const BatchTarget& target, const std::ostream& err) {
  std::ostringstream told;
  told.copyfmt(err);  // which makes it as verbose
  GraphOutcome outcome;
  try {
    outcome = work(item, target, told);
  } catch (const Failure& failure) {
    outcome = failed(item, target, failure.status(), failure.diagnostics());
  } catch (const std::bad_alloc&) {
    const Failure failure = out_of_memory(item.file);
    outcome = failed(item, target, failure.status(), failure.diagnostics());
  } catch (const std::exception& error) {
    outcome = failed(item, target, ExitStatus::Internal,
                     {{item.file, std::string("internal error: ") + error.what(),
                       "This is a bug in fxcut: please report it with the graph."}});
  }
  outcome.told = told.str() + outcome.told;
  return outcome;
}

std::string packed(const GraphOutcome& outcome) {
  return static_cast<char>('0' + static_cast<int>(outcome.state)) + outcome.line + "\n" + outcome.told;
}

GraphOutcome unpacked(std::string_view text) {
  const std::size_t end = text.find('\n');
  return {static_cast<State>(text.front() - '0'), std::string(text.substr(1, end - 1)),
          std::string(text.substr(end + 1))};
}

}  // namespace fxcut
