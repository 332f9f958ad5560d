#include "show/show_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>

#include "cost/device_profile.h"
#include "cost/flops.h"
#include "cost/fused_roofline.h"
#include "cost/size.h"
#include "graph/int128.h"
#include "report/layers.h"
#include "text/printable.h"
#include "text/quantities.h"
#include "text/table.h"
#include "text/text_style.h"

namespace fxcut {
namespace {

constexpr std::size_t kMaxTableRows = 12;
constexpr std::size_t kMaxSymbolsShown = 12;

using Rows = std::vector<std::vector<std::string>>;

struct Tally {
  std::size_t calls = 0;
  Int128 bytes = 0;
  Int128 flops = 0;
  double ms = 0;
  std::size_t modules = 0;
};

// Groups in the order of their first nodes.
class Tallies {
 public:
  Tally& operator[](const std::string& name) {
    const auto [entry, is_new] = position_.try_emplace(name, rows_.size());
    if (is_new) rows_.emplace_back(name, Tally());
    return rows_[entry->second].second;
  }

  // The largest first: by FLOPs, then by bytes, then by calls.
  std::vector<std::pair<std::string, Tally>> sorted() && {
    std::stable_sort(rows_.begin(), rows_.end(), [](const auto& a, const auto& b) {
      return std::tie(a.second.flops, a.second.bytes, a.second.calls) >
             std::tie(b.second.flops, b.second.bytes, b.second.calls);
    });
    return std::move(rows_);
  }

 private:
  std::unordered_map<std::string, std::size_t> position_;
  std::vector<std::pair<std::string, Tally>> rows_;
};

// The bytes of the storages in `value` that no earlier value has.
Int128 new_bytes(const Value& value, const StorageBytes& storages, std::unordered_set<std::int64_t>& seen) {
  Int128 bytes = 0;
  for (const Value& item : value.items) bytes += new_bytes(item, storages, seen);
  if (!value.is_tensor()) return bytes;
  if (!value.tensor.storage) return extent_bytes(value.tensor);
  return seen.insert(*value.tensor.storage).second ? storages.at(*value.tensor.storage) : 0;
}

// For each node: the memory that it allocates, or that an input has.
std::vector<Int128> memory_allocated(const Graph& graph) {
  const StorageBytes storages = storage_bytes(graph);
  std::unordered_set<std::int64_t> seen;
  std::vector<Int128> made;
  for (const Node& node : graph.nodes) made.push_back(node.value ? new_bytes(*node.value, storages, seen) : 0);
  return made;
}

// Limits a table to its largest rows, a few unless the user says how many.
std::string with_rest(Rows rows, std::string_view alignment, std::string_view noun) {
  const std::size_t count = rows.size() - 1, most = text_style().limit.value_or(kMaxTableRows);
  if (count > most) rows.resize(most + 1);
  std::string text = "\n" + show_columns(rows, alignment);
  return count > most ? text + fmt::format("and {} more\n", show_count(count - most, noun)) : text;
}

class Summary {
 public:
  Summary(const JointGraph& joint, GraphForm form)
      : joint_(joint), graph_(joint.graph), form_(form), allocated_(memory_allocated(graph_)),
        device_(device_of(Settings(), graph_).profile), times_(fused_roofline_ms(graph_, device_)) {}

  std::string write() {
    line("nodes", std::to_string(graph_.size()), operators());
    inputs();
    outputs();
    memory();
    tags();
    if (!joint_.symbols.empty()) line("symbols", std::to_string(joint_.symbols.size()), symbols());
    if (!joint_.subgraphs.empty()) line("subgraphs", std::to_string(joint_.subgraphs.size()), "");
    return title() + "\n" + show_columns(lines_, "lrl") + by_operator() + by_module();
  }

 private:
  void line(std::string label, std::string count, std::string meaning) {
    if (!lines_.empty() && label == last_label_) label.clear();
    if (!label.empty()) last_label_ = label;
    lines_.push_back({std::move(label), std::move(count), std::move(meaning)});
  }

  std::string title() const {
    const std::string_view form = form_ == GraphForm::Joint     ? "joint graph"
                                  : form_ == GraphForm::Forward ? "forward graph"
                                                                : "backward graph";
    const std::string name = joint_.name.empty() ? "" : joint_.name + ": ";
    return printable(fmt::format("{}{}{}", name, form, joint_.producer.empty() ? "" : " by " + joint_.producer)) + "\n";
  }

  std::string operators() const { return fmt::format("of which {} calls of operators", count_calls(graph_)); }

  void inputs() {
    struct Kind {
      std::string_view what;
      std::size_t count = 0;
      Int128 bytes = 0;
    };
    std::array<Kind, 5> kinds = {{{"parameters and buffers"},
                                  {form_ == GraphForm::Backward ? "saved values" : "other inputs"},
                                  {"tangents"},
                                  {"symbolic sizes"},
                                  {"states of random number generators"}}};
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (!node.is_placeholder()) continue;
      const bool is_state = is_forward_seed(node) || is_backward_seed(node);
      Kind& kind = kinds[node.meta.static_lifetime ? 0 : is_tangent(node) ? 2 : node.has_symbol() ? 3 : is_state ? 4 : 1];
      ++kind.count;
      kind.bytes += allocated_[i];
    }
    for (const Kind& kind : kinds) {
      if (kind.count == 0) continue;
      const std::string bytes = kind.bytes > 0 ? fmt::format(", {}", show_scaled(kind.bytes, "B")) : "";
      line("inputs", std::to_string(kind.count), std::string(kind.what) + bytes);
    }
  }

  void outputs() {
    const std::vector<OutputLeaf> leaves = output_leaves(graph_);
    const std::size_t own = form_ == GraphForm::Backward ? 0 : std::min(joint_.num_forward_outputs, leaves.size());
    const auto count = [&](std::size_t begin, std::size_t end, std::string_view what) {
      Int128 bytes = 0;
      std::size_t nodes = 0;
      for (std::size_t i = begin; i < end; ++i) {
        if (!leaves[i].node) continue;
        ++nodes;
        if (graph_[*leaves[i].node].value) bytes += tensor_bytes(*graph_[*leaves[i].node].value);
      }
      if (nodes > 0) line("outputs", std::to_string(nodes), fmt::format("{}, {}", what, show_scaled(bytes, "B")));
    };
    count(0, own, form_ == GraphForm::Joint ? "of the forward" : "of the step");
    count(own, leaves.size(), form_ == GraphForm::Forward ? "saved for the backward" : "gradients");
  }

  void memory() {
    Int128 bytes = 0, flops = 0;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (!graph_.nodes[i].is_call()) continue;
      bytes += allocated_[i];
      flops += flops_of(graph_.nodes[i]);
    }
    line("makes", show_scaled(bytes, "B"), "of memory, each storage counted once");
    line("computes", show_scaled(flops, "FLOP"), "as PyTorch's counter has it");
    const double ms = std::accumulate(times_.begin(), times_.end(), 0.0);
    line("run time", show_time(ms), fmt::format("estimated for {}", device_.name));
  }

  void tags() {
    std::array<std::size_t, kCheckpointPolicies.size()> by_policy{};
    std::unordered_set<std::int64_t> regions;
    std::unordered_set<std::string_view> names;
    std::size_t marked = 0, mutating = 0, random = 0;
    for (const Node& node : graph_.nodes) {
      if (node.meta.recompute) ++by_policy[static_cast<std::size_t>(*node.meta.recompute)];
      if (node.meta.ac_graph_id) regions.insert(*node.meta.ac_graph_id);
      if (node.provenance && !node.provenance->checkpoint_name.empty()) names.insert(node.provenance->checkpoint_name);
      marked += node.meta.should_offload;
      mutating += node.is_call() && node.callee->mutates;
      random += node.is_call() && node.callee->seeded_random;
    }
    for (const auto& [name, policy] : kCheckpointPolicies) {
      const std::size_t count = by_policy[static_cast<std::size_t>(policy)];
      if (count > 0) line("tags", std::to_string(count), "nodes " + std::string(name));
    }
    if (!regions.empty()) line("tags", std::to_string(regions.size()), "checkpointed regions");
    if (!names.empty()) line("tags", std::to_string(names.size()), "checkpoint names");
    if (marked > 0) line("tags", std::to_string(marked), "values marked for offloading");
    if (random > 0) line("calls", std::to_string(random), "draw random numbers");
    if (mutating > 0) line("calls", std::to_string(mutating), "write to their arguments");
  }

  std::string symbols() const {
    std::string text;
    std::size_t shown = 0;
    for (const auto& [name, symbol] : joint_.symbols) {
      if (shown++ == kMaxSymbolsShown) return text + ", ...";
      if (!text.empty()) text += ", ";
      text += symbol.hint ? fmt::format("{} = {}", name, *symbol.hint) : name;
      if (!symbol.backed) text += " (depends on data)";
    }
    return text;
  }

  std::string by_operator() const {
    Tallies tallies;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      if (graph_.nodes[i].is_call()) add(i, tallies[graph_.nodes[i].callee->target]);
    }
    Rows rows = {{"OPERATOR", "CALLS", "MAKES", "COMPUTES", "RUN TIME"}};
    for (const auto& [name, tally] : std::move(tallies).sorted()) {
      rows.push_back({name, std::to_string(tally.calls), show_scaled(tally.bytes, "B"), show_scaled(tally.flops, "FLOP"),
                      show_time(tally.ms)});
    }
    return rows.size() == 1 ? "" : with_rest(std::move(rows), "lrrrr", "operator");
  }

  std::string by_module() const {
    std::vector<std::size_t> calls;  // with a module
    std::vector<ModuleRow> from;
    for (std::size_t i = 0; i < graph_.size(); ++i) {
      const Node& node = graph_.nodes[i];
      if (!node.is_call() || !node.provenance || node.provenance->module.empty()) continue;
      calls.push_back(i);
      from.push_back({node.provenance->module, ""});
    }
    Tallies tallies;
    for (const FoldedRows& folded : fold_rows(from)) {
      Tally& tally = tallies[folded.path];
      tally.modules = folded.modules;
      for (const std::size_t row : folded.rows) add(calls[row], tally);
    }
    Rows rows = {{"MODULE", "", "CALLS", "MAKES", "COMPUTES", "RUN TIME"}};
    for (const auto& [name, tally] : std::move(tallies).sorted()) {
      rows.push_back({name, tally.modules > 1 ? fmt::format("x{}", tally.modules) : "", std::to_string(tally.calls),
                      show_scaled(tally.bytes, "B"), show_scaled(tally.flops, "FLOP"), show_time(tally.ms)});
    }
    return rows.size() == 1 ? "" : with_rest(std::move(rows), "llrrrr", "module");
  }

  void add(std::size_t call, Tally& tally) const {
    ++tally.calls;
    tally.bytes += allocated_[call];
    tally.flops += flops_of(graph_.nodes[call]);
    tally.ms += times_[call];
  }
  Int128 flops_of(const Node& node) const { return estimate_flops(graph_, node, joint_.torch.release); }

  const JointGraph& joint_;
  const Graph& graph_;
  GraphForm form_;
  std::vector<Int128> allocated_;
  const DeviceProfile device_;
  std::vector<double> times_;  // by node, milliseconds
  Rows lines_;
  std::string last_label_;
};

}  // namespace

std::string graph_summary(const JointGraph& joint, GraphForm form) { return Summary(joint, form).write(); }

}  // namespace fxcut
