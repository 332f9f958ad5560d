#include "cli/batch_graph.h"

#include <fmt/format.h>

#include <optional>
#include <sstream>

#include "batch/index_page.h"
#include "batch/item_result.h"
#include "cli/batch_items.h"
#include "cli/decision_options.h"
#include "cli/graph_file.h"
#include "cli/narration.h"
#include "cli/partition_graph.h"
#include "cli/search_clock.h"
#include "html/page.h"
#include "ranks/canonical_order.h"
#include "report/decision_effect.h"
#include "settings/memory_limit.h"
#include "text/quantities.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;
using State = GraphOutcome::State;

// The line of the existing results, if they are complete and have that key.
std::optional<std::string> finished_line(const fs::path& directory, const WorkItem& item, const std::string& key) {
  const auto line = kept_line(directory);
  if (!line) return std::nullopt;
  const ResultHead head = read_result_head(*line, "");
  return head.name == item.name && head.key == key ? line : std::nullopt;
}

// The limit applies to each rank, also with another rank's decision.
void require_within_limit(const Report& report, const Settings& settings) {
  const std::optional<MemoryLimit>& limit = settings.saved_bytes_limit;
  const std::int64_t held = effect_of(report).held_bytes;
  if (!limit || limit->is_least || held <= limit->bytes) return;
  throw Failure(ExitStatus::NoPartition,
                fmt::format("the decision for all ranks saves {} here, more than the limit of {}",
                            show_bytes_apart(held, limit->bytes), limit->text),
                "raise the limit, or drop --ranks");
}

// The partition by the item's own decision, or another rank's.
Partition partition_of(const WorkItem& item, JointGraph joint, std::ostream& err) {
  const auto& [settings, policies] = *item.instructions;
  if (!item.adopted) return partition_graph(std::move(joint), settings, policies, item.file, err);
  Decision decision = decide(std::move(joint), settings, policies, start_clock(settings, err));
  adopt(decision, *item.adopted, canonical_order(decision.joint.graph));
  Partition result = carry_out(decision, settings);
  require_within_limit(result.report, settings);
  return result;
}

GraphOutcome work(const WorkItem& item, const BatchTarget& target, std::ostream& err) {
  if (item.failure) throw *item.failure;
  std::string text = text_of(item);
  const std::string key = item_key(text, item, target.version);
  const fs::path directory = graph_directory(target.directory, item.name);
  std::error_code error;
  const bool is_there = fs::exists(directory, error);
  if (is_there && target.keeps_finished) {
    const bool lacks_page = target.has_pages && !fs::exists(directory / kPageFile, error);
    auto line = lacks_page ? std::nullopt : finished_line(directory, item, key);
    if (line) return {State::Kept, std::move(*line), ""};
  }
  const std::size_t warnings = warnings_so_far();
  GraphFile file = read_graph_text(std::move(text), item.file, err, item.instructions->settings.torch_version);
  const Partition result = partition_of(item, std::move(file.joint), err);
  warn_of_all(err, item.file, result.report.warnings);
  if (must_fail_for(warnings_so_far() - warnings)) throw warnings_are_errors(warnings_so_far() - warnings);
  const std::string line = done_line(item.name, key, result.report, result.memory.curve.back().bytes_after);
  const std::string result_file = line + "\n";
  std::vector<OutputFile> files = files_of(result, *file.document);
  std::string page;
  if (target.has_pages) {
    page = html_page(page_data({{result}}));
    files.push_back({std::string(kPageFile), page});
  }
  files.push_back({std::string(kResultFiles.back()), result_file});
  target.tree.put_graph(item.name, files);
  return {is_there ? State::Redone : State::Done, line, ""};
}

}  // namespace

GraphOutcome failed(const WorkItem& item, const BatchTarget& target, const Failure& failure) {
  std::vector<Diagnostic> mistakes = failure.diagnostics();
  try {
    target.tree.drop_graph(item.name);
  } catch (const Failure& further) {
    mistakes.insert(mistakes.end(), further.diagnostics().begin(), further.diagnostics().end());
  }
  const Failure all(failure.status(), mistakes);
  return {State::Failed, failed_line(item.name, static_cast<int>(all.status()), mistakes), std::string(all.what()) + "\n"};
}

GraphOutcome work_on(const WorkItem& item, const BatchTarget& target, const std::ostream& err) {
  std::ostringstream messages;
  messages.copyfmt(err);  // copies its verbosity
  GraphOutcome outcome;
  try {
    outcome = work(item, target, messages);
  } catch (...) {
    outcome = failed(item, target, failure_in_flight(item));
  }
  outcome.messages = messages.str() + outcome.messages;
  return outcome;
}

std::string packed(const GraphOutcome& outcome) {
  return static_cast<char>('0' + static_cast<int>(outcome.state)) + outcome.line + "\n" + outcome.messages;
}

GraphOutcome unpacked(std::string_view text) {
  const std::size_t end = text.find('\n');
  return {static_cast<State>(text.front() - '0'), std::string(text.substr(1, end - 1)), std::string(text.substr(end + 1))};
}

}  // namespace fxcut
