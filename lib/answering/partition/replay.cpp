#include "partition/replay.h"

#include <fmt/format.h>

#include <string_view>
#include <unordered_map>

#include "graph/value.h"
#include "report/describe_parts.h"

namespace fxcut {
namespace {

// A wrong graph differs in most rows.
constexpr std::size_t kMaxRowsListed = 10;

// "float32[4, 4]": the tensor of a row or a node; empty if it is not a tensor, or unknown.
std::string tensor_text(std::string_view dtype, const Sizes& shape) {
  if (dtype.empty()) return "";
  return std::string(dtype) + show_shape(shape);
}

std::string tensor_text(const Node& node) {
  const auto& value = node.value ? node.value : node.tensor_meta;
  if (!value || !value->is_tensor()) return "";
  return tensor_text(value->tensor.dtype->name, value->tensor.shape);
}

class RowCheck {
 public:
  explicit RowCheck(const Graph& graph) {
    for (const Node& node : graph.nodes) nodes_.emplace(node.name, &node);
  }

  void add_saved(std::string_view list, const std::vector<SavedValue>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Node* node = find(list, i, rows[i].name, rows[i].op);
      const std::string tagged = tensor_text(rows[i].dtype, rows[i].shape);
      if (node && tagged != tensor_text(*node)) {
        add(list, i, rows[i].name, fmt::format("it was {}, and is {} in this graph", tagged, tensor_text(*node)));
      }
    }
  }

  void add_recomputed(const std::vector<RecomputedValue>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) find("recomputed_values", i, rows[i].name, rows[i].op);
  }

  void add_again(const std::vector<RecomputedAgainValue>& rows) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
      for (const std::string& name : {rows[i].of, rows[i].before}) {
        if (!nodes_.contains(name)) add("recomputed_again", i, name, "this graph has no such node");
      }
    }
  }

  std::vector<Diagnostic> take() {
    if (omitted_ > 0) found_.push_back({"", fmt::format("and {} more rows that are wrong", omitted_), ""});
    return std::move(found_);
  }

 private:
  const Node* find(std::string_view list, std::size_t position, const std::string& name, const std::string& op) {
    const auto found = nodes_.find(name);
    if (found == nodes_.end()) {
      add(list, position, name, "this graph has no such node");
      return nullptr;
    }
    if (operator_of(*found->second) == op) return found->second;
    add(list, position, name, fmt::format("it was {}, and is {} in this graph", op, operator_of(*found->second)));
    return nullptr;
  }

  void add(std::string_view list, std::size_t position, const std::string& name, std::string message) {
    if (found_.size() < kMaxRowsListed) {
      found_.push_back({fmt::format("/{}/{} (node '{}')", list, position, name), std::move(message), ""});
    } else {
      ++omitted_;
    }
  }

  std::unordered_map<std::string_view, const Node*> nodes_;
  std::vector<Diagnostic> found_;
  std::size_t omitted_ = 0;
};

template <typename Row>
void copy_reasons(std::vector<Row>& rows, const std::vector<Row>& recorded) {
  std::unordered_map<std::string_view, const Why*> reasons;
  for (const Row& row : recorded) reasons.emplace(row.name, &row.why);
  for (Row& row : rows) {
    if (const auto found = reasons.find(row.name); found != reasons.end()) row.why = *found->second;
  }
}

// Warns of rows that are not saved, and throws for rows that are not offloaded.
void compare_saved(Report& report, const std::vector<SavedValue>& rows, const std::vector<SavedValue>& recorded) {
  std::unordered_map<std::string_view, const SavedValue*> saved;
  for (const SavedValue& row : rows) saved.emplace(row.name, &row);
  for (const SavedValue& row : recorded) {
    const auto found = saved.find(row.name);
    if (found == saved.end()) {
      report.warnings.push_back(fmt::format("'{}' is saved by the decision, but the backward needs it no more: it is "
                                            "not saved", row.name));
    } else if (!row.host_name.empty() && found->second->host_name.empty()) {
      std::string why = "its copy does not cross";
      for (const OffloadRefused& refused : report.offload_refusals) {
        if (refused.name == row.name) why = refused.why.text;
      }
      throw Failure(ExitStatus::NoPartition,
                    fmt::format("the decision has '{}' on the host, but it stays on its device: {}", row.name, why),
                    "let the decision say \"offloaded\": false");
    }
  }
}

}  // namespace

namespace {

// The decision's fingerprint; the sizes in it do not count if the decision was made at others.
std::optional<GraphFingerprint> fingerprint_to_compare(const Report& decision, const GraphFingerprint& of_graph,
                                                       const JointGraph& joint) {
  std::optional<GraphFingerprint> recorded = decision.fingerprint;
  if (recorded && decision.hints != joint.hints) recorded->values = of_graph.values;
  return recorded;
}

}  // namespace

void require_same_graph(const Report& decision, const GraphFingerprint& fingerprint, const JointGraph& joint) {
  RowCheck rows(joint.graph);
  rows.add_saved("saved_values", decision.saved_values);
  rows.add_saved("saved_opaques", decision.saved_opaques);
  rows.add_saved("saved_symbols", decision.saved_symbols);
  rows.add_recomputed(decision.recomputed_values);
  rows.add_again(decision.recomputed_again);
  std::vector<Diagnostic> wrong = rows.take();
  if (const auto recorded = fingerprint_to_compare(decision, fingerprint, joint); recorded && *recorded != fingerprint) {
    const auto aspects = differing_aspects(*recorded, fingerprint);
    wrong.insert(wrong.begin(), {"",
                                 fmt::format("the decision was made on another graph; of this one differ: {}",
                                             fmt::join(aspects, "; ")),
                                 "decide on this graph again: remove --decision"});
  }
  if (decision.torch.release != joint.torch.release) {
    wrong.push_back({"",
                     fmt::format("the decision is PyTorch {}'s, but this graph is decided as by PyTorch {}",
                                 decision.torch.release.version(), joint.torch.release.version()),
                     "the graph's producer says so; 'fxcut help releases' tells the differences"});
  }
  if (!wrong.empty()) throw Failure(ExitStatus::BadInput, std::move(wrong));
}

void restore_reasons(Report& report, const Report& decision) {
  for (const auto rows : {&Report::saved_values, &Report::saved_opaques, &Report::saved_symbols}) {
    compare_saved(report, report.*rows, decision.*rows);
  }
  for (const auto rows : {&Report::saved_values, &Report::saved_opaques, &Report::saved_symbols}) {
    copy_reasons(report.*rows, decision.*rows);
  }
  copy_reasons(report.recomputed_values, decision.recomputed_values);
  if (report.totals == decision.totals) {
    report.cuts = decision.cuts;
    report.knapsack = decision.knapsack;
    report.frontier = decision.frontier;
    report.peak_limit = decision.peak_limit;
    report.varying_sizes = decision.varying_sizes;
    describe_search(report);
    return;
  }
  if (report.hints != decision.hints) return;  // other figures are expected
  report.warnings.push_back(
      "the decision was edited: its totals are not those that it records, and the cuts that it was solved by say "
      "nothing of it");
}

}  // namespace fxcut
