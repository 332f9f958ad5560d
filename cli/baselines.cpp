#include "cli/baselines.h"

#include <algorithm>

#include "cli/input_file.h"
#include "cli/memory_cap.h"
#include "report/read_report.h"

namespace fxcut {

Baselines::Baselines(const std::string& path) {
  if (path.empty()) return;
  const ReportFiles found = find_report_files(path);
  if (!found.is_batch) {
    read_file(found.files.front().path);
    return;
  }
  name_ = path;
  for (const ReportFile& file : found.files) graphs_.push_back({file.name, file.path, {}});
}

void Baselines::read_file(const std::string& path) {
  const InputFile file = read_input_file(path);
  name_ = file.name;
  within_memory(name_, [&] {
    if (!file.is(kBaselineFormat)) {
      const ComparedReport report = compared(read_report(*file.document));
      graphs_.push_back({report.graph, "", report});
      return;
    }
    for (BaselineGraph& graph : read_baseline(*file.document)) {
      graphs_.push_back({std::move(graph.name), "", std::move(graph.report)});
    }
  });
}

const ComparedReport* Baselines::report_of(Graph& graph) {
  if (graph.path.empty()) return &graph.report;
  const InputFile file = read_input_file(graph.path);
  read_ = within_memory(file.name, [&] { return compared(read_report(*file.document)); });
  return &read_;
}

const ComparedReport* Baselines::alone() {
  return graphs_.size() == 1 ? report_of(graphs_.front()) : nullptr;
}

const ComparedReport* Baselines::find(const std::string& name) {
  const auto found = std::find_if(graphs_.begin(), graphs_.end(), [&](const Graph& graph) { return graph.name == name; });
  return found == graphs_.end() ? nullptr : report_of(*found);
}

std::vector<std::string> Baselines::names() const {
  std::vector<std::string> names;
  for (const Graph& graph : graphs_) names.push_back(graph.name);
  return names;
}

}  // namespace fxcut
