// The baseline of reports: another report, those of a batch, or a baseline file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/baseline.h"
#include "cli/report_files.h"

namespace fxcut {

class Baselines {
 public:
  // An empty path: none. A baseline file is read at once, reports at their lookup. Throws Failure.
  explicit Baselines(const std::string& path);

  const std::string& name() const { return name_; }  // for messages; empty if there is none
  bool empty() const { return graphs_.empty(); }

  // The graph, if there is only one: a single report is compared with it whatever its name. Otherwise null.
  const ComparedReport* alone();
  // The graph of that name; null if there is none. Valid until the next call.
  const ComparedReport* find(const std::string& name);

  // The names in it, in its order.
  std::vector<std::string> names() const;

 private:
  struct Graph {
    std::string name, path;  // no path: it is in `report`
    ComparedReport report;
  };

  void read_file(const std::string& path);
  const ComparedReport* report_of(Graph& graph);

  std::string name_;
  std::vector<Graph> graphs_;
  ComparedReport read_;  // the last
};

}  // namespace fxcut
