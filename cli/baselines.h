// What reports are held against: another report, those of a batch, or a baseline file.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "baseline/baseline.h"
#include "cli/report_files.h"

namespace fxcut {

class Baselines {
 public:
  // An empty path: none. A baseline file is read at once, reports when they are looked up. Throws Failure.
  explicit Baselines(const std::string& path);

  const std::string& name() const { return name_; }  // what answers call it; empty where there is none
  bool empty() const { return graphs_.empty(); }

  // The one graph that it holds, where it holds one only: a report that stands alone is compared with that whatever it is
  // called. Else null.
  const ComparedReport* alone();
  // The graph of that name; null where there is none. What is returned is valid until the next call.
  const ComparedReport* find(const std::string& name);

  // The names in it, in its order.
  std::vector<std::string> names() const;

 private:
  struct Graph {
    std::string name, path;  // no path: `report` has it
    ComparedReport report;
  };

  void read_file(const std::string& path);
  const ComparedReport* report_of(Graph& graph);

  std::string name_;
  std::vector<Graph> graphs_;
  ComparedReport read_;  // the last
};

}  // namespace fxcut
