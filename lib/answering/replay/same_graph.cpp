#include "replay/replay.h"

#include <fmt/format.h>

#include <unordered_map>

#include "diagnostic/diagnostic.h"
#include "graph/value.h"

namespace fxcut {
namespace {

// A wrong graph differs in most rows.
constexpr std::size_t kMostRows = 10;

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
    if (found_.size() < kMostRows) {
      found_.push_back({fmt::format("/{}/{} (node '{}')", list, position, name), std::move(message), ""});
    } else {
      ++omitted_;
    }
  }

  std::unordered_map<std::string_view, const Node*> nodes_;
  std::vector<Diagnostic> found_;
  std::size_t omitted_ = 0;
};

}  // namespace

void require_same_graph(const Report& decision, const GraphFingerprint& fingerprint, const JointGraph& joint) {
  RowCheck rows(joint.graph);
  rows.add_saved("saved_values", decision.saved_values);
  rows.add_saved("saved_opaques", decision.saved_opaques);
  rows.add_saved("saved_symbols", decision.saved_symbols);
  rows.add_recomputed(decision.recomputed_values);
  std::vector<Diagnostic> wrong = rows.take();
  if (decision.fingerprint && *decision.fingerprint != fingerprint) {
    const auto aspects = differing_aspects(*decision.fingerprint, fingerprint);
    wrong.insert(wrong.begin(), {"",
                                 fmt::format("the decision was made on another graph; of this one differ: {}",
                                             fmt::join(aspects, "; ")),
                                 "decide on this graph anew: leave --decision out"});
  }
  if (decision.torch.release != joint.torch.release) {
    wrong.push_back({"",
                     fmt::format("the decision is PyTorch {}'s, but this graph is decided as by PyTorch {}",
                                 decision.torch.release.version(), joint.torch.release.version()),
                     "the graph's producer says so; 'fxcut help releases' tells the differences"});
  }
  if (!wrong.empty()) throw Failure(ExitStatus::BadInput, std::move(wrong));
}

}  // namespace fxcut
