#include "verify/figures.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "graph/nodes_by_name.h"
#include "json/json_forms.h"
#include "verify/bytes.h"
#include "verify/calls_by_name.h"
#include "verify/counted_flops.h"
#include "verify/counted_memory.h"

namespace fxcut {
namespace {

std::string operator_of(const Node& node) {
  if (node.is_call()) return node.callee->target;
  return node.opcode == Opcode::GetAttr ? "get_attr" : "placeholder";
}

void expect_in(const ReportJson& report, const std::string& place, const ReportJson& figure, std::vector<Mismatch>& mismatches) {
  const ReportJson::json_pointer path(place);
  const bool is_there = report.contains(path);
  if (is_there && report[path] == figure) return;
  mismatches.push_back({"report: " + place, figure.dump(), is_there ? report[path].dump() : "nothing"});
}

class Figures {
 public:
  Figures(const Reported& reported, std::vector<Mismatch>& mismatches)
      : reported_(reported), report_(reported.report), joint_(reported.joint), mismatches_(mismatches),
        forward_calls_(calls_of(reported.forward.graph)), backward_calls_(calls_of(reported.backward.graph)),
        by_name_(nodes_by_name(joint_.graph)) {}

  std::size_t run() && {
    expect("/graph", joint_.name);
    expect("/num_fwd_outputs", joint_.num_forward_outputs);
    check_saved();
    check_recomputed();
    check_repeated();
    if (!joint_.step) check_memory();  // for a whole step, check_step_figures does
    return count_;
  }

 private:
  void expect(const std::string& place, const ReportJson& figure) {
    ++count_;
    expect_in(report_, place, figure, mismatches_);
  }

  void check_memory() {
    for (const auto& [place, figure] : memory_figures(joint_, sides(), reported_.crossings)) {
      const bool is_new = place.ends_with("/kind");  // older reports have none
      if (!is_new || report_.contains(ReportJson::json_pointer(place))) expect(place, figure);
    }
  }

  void check_saved() {
    std::map<std::string, std::int64_t> totals = {
        {"saved_bytes", 0}, {"saved_bytes_static", 0}, {"offloaded_bytes", 0}, {"offloaded_values", 0}};
    std::vector<NodeId> saved;
    for (const char* list : kSavedRows) {
      const ReportJson& rows = rows_of(report_, list);
      totals[list] = static_cast<std::int64_t>(rows.size());
      const std::string_view kind = list;
      for (std::size_t r = 0; r < rows.size() && kind != "saved_random_states"; ++r) {
        const std::string place = fmt::format("/{}/{}", list, r);
        const auto name = rows[r].find("name");
        const auto node = name != rows[r].end() && name->is_string() ? by_name_.find(name->get_ref<const std::string&>())
                                                                     : by_name_.end();
        if (node == by_name_.end()) {
          mismatches_.push_back({"report: " + place + "/name", "a node of the joint graph", rows[r].dump()});
          continue;
        }
        check_row(place, rows[r], node->second);
        if (kind != "saved_values") {
          if (rows[r].contains("kept_bytes")) expect(place + "/kept_bytes", 0);  // older reports have none
          continue;
        }
        saved.push_back(node->second);
        const std::int64_t bytes = bytes_of(node->second);
        totals["saved_bytes"] += bytes;
        if (joint_.graph[node->second].meta.static_lifetime) totals["saved_bytes_static"] += bytes;
        if (!rows[r].contains("host_name")) continue;
        totals["offloaded_bytes"] += bytes_as_it_crosses(rows[r], bytes);
        ++totals["offloaded_values"];
      }
    }
    check_states();
    check_compressed();
    for (const auto& [name, total] : totals) expect("/totals/" + name, total);
    check_held(saved);
  }

  // The bytes of its form in fewer bits, which check_compressed() checks, or of the value itself.
  static std::int64_t bytes_as_it_crosses(const ReportJson& row, std::int64_t bytes) {
    const auto compressed = row.find("compressed");
    const bool is_known = compressed != row.end() && compressed->is_object() && compressed->contains("bytes");
    return is_known && (*compressed)["bytes"].is_number_unsigned() ? (*compressed)["bytes"].get<std::int64_t>() : bytes;
  }

  void check_row(const std::string& place, const ReportJson& row, NodeId id) {
    const Node& node = joint_.graph[id];
    expect(place + "/operator", operator_of(node));
    if (const auto& value = node.value ? node.value : node.tensor_meta; value && value->is_tensor()) {
      expect(place + "/dtype", value->tensor.dtype->name);
      expect(place + "/shape", shape_json(value->tensor.shape));
    }
    expect(place + "/bytes", bytes_of(id));
    expect(place + "/static_lifetime", node.meta.static_lifetime);
    expect(place + "/offloaded", row.contains("host_name"));
  }

  void check_states() {
    const std::vector<OutputLeaf> outputs = output_leaves(reported_.forward.graph);
    for (const CrossingValue& crossing : reported_.crossings) {
      if (!crossing.row.starts_with("/saved_random_states")) continue;
      const auto& state = outputs[crossing.forward_output].node;
      if (!state || !reported_.forward.graph[*state].has_tensor()) continue;
      expect(crossing.row + "/bytes", bytes_of_elements(reported_.forward.graph[*state].value->tensor));
    }
  }

  // Checks the values that cross in fewer bits, and their sums.
  void check_compressed() {
    const std::vector<OutputLeaf> outputs = output_leaves(reported_.forward.graph);
    std::int64_t values = 0, before = 0, bytes = 0;
    std::set<std::string_view> compressed;
    for (const CrossingValue& crossing : reported_.crossings) {
      const ReportJson::json_pointer row(crossing.row);
      const bool is_scale = crossing.row.ends_with(kScaleRow);
      const auto& node = outputs[crossing.forward_output].node;
      if ((!is_scale && !report_[row].contains("compressed")) || !node || !reported_.forward.graph[*node].has_tensor()) continue;
      const Tensor& tensor = reported_.forward.graph[*node].value->tensor;
      bytes += bytes_of_elements(tensor);
      expect(crossing.row + (is_scale ? "/bytes" : "/compressed/bytes"), bytes_of_elements(tensor));
      if (is_scale) continue;
      expect(crossing.row + "/compressed/dtype", tensor.dtype->name);
      const auto value = by_name_.find(text_in(report_[row], "name", ""));
      ++values;
      if (value != by_name_.end()) compressed.insert(value->first);
      if (value != by_name_.end()) before += bytes_of(value->second);
    }
    if (values == 0) return;
    const std::int64_t held = bytes + held_by(others_than(compressed));
    expect("/totals/compressed", {{"values", values}, {"bytes_before", before}, {"bytes", bytes}, {"held_bytes", held}});
  }

  void check_recomputed() {
    std::size_t row = 0;
    Int128 flops = 0;
    std::map<std::string, std::size_t> by_operator;
    for (std::size_t i = 0; i < joint_.graph.size(); ++i) {
      const Node& node = joint_.graph.nodes[i];
      if (!node.is_call() || !forward_calls_.contains(node.name) || !backward_calls_.contains(node.name)) continue;
      const Int128 flops_of_node = count_flops(joint_.graph, node, joint_.torch.release);
      flops += flops_of_node;
      if (!runs_on(reported_.forward, forward_calls_, node)) continue;
      if (!runs_on(reported_.backward, backward_calls_, node)) continue;
      const std::string place = fmt::format("/recomputed_values/{}", row++);
      expect(place + "/name", node.name);
      expect(place + "/operator", node.callee->target);
      expect(place + "/flops", json_number(flops_of_node));
      expect(place + "/bytes", bytes_of(node_id(i)));
      ++by_operator[node.callee->target];
    }
    const std::size_t rows = rows_of(report_, "recomputed_values").size();
    for (; row < rows; ++row) expect(fmt::format("/recomputed_values/{}", row), "no further call that runs in both graphs");
    expect("/totals/recomputed_operators", rows);
    expect("/totals/recomputed_by_operator", by_operator);
    expect("/totals/recomputed_flops", json_number(flops));
    expect("/totals/forward_operators", forward_calls_.size());
    expect("/totals/backward_operators", backward_calls_.size());
  }

  // Each runs just before the next call of the joint graph.
  void check_repeated() {
    std::size_t row = 0, first_of_place = 0;
    for (const Node& node : reported_.backward.graph.nodes) {
      if (!node.is_call()) continue;
      const auto repeated = reported_.backward.repeated.find(node.name);
      if (repeated == reported_.backward.repeated.end()) {
        for (; first_of_place < row; ++first_of_place) {
          expect(fmt::format("/recomputed_again/{}/before", first_of_place), node.name);
        }
        continue;
      }
      const NodeId of = by_name_.at(repeated->second);
      const std::string place = fmt::format("/recomputed_again/{}", row++);
      expect(place + "/name", node.name);
      expect(place + "/of", repeated->second);
      expect(place + "/flops", json_number(count_flops(joint_.graph, joint_.graph[of], joint_.torch.release)));
      expect(place + "/bytes", bytes_of(of));
    }
    const std::size_t rows = rows_of(report_, "recomputed_again").size();
    for (; row < rows; ++row) expect(fmt::format("/recomputed_again/{}", row), "no further call that the backward repeats");
  }

  std::int64_t bytes_of(NodeId id) const { return bytes_of_value(joint_.graph[id]); }

  // The activations held: each storage once, by its first saved value, without always resident memory.
  // The saved values of other names.
  std::vector<NodeId> others_than(const std::set<std::string_view>& names) const {
    std::vector<NodeId> others;
    for (const ReportJson& row : rows_of(report_, "saved_values")) {
      const auto node = by_name_.find(text_in(row, "name", ""));
      if (node != by_name_.end() && !names.contains(node->first)) others.push_back(node->second);
    }
    return others;
  }

  std::int64_t held_by(const std::vector<NodeId>& values) const {
    const std::vector<std::int64_t> kept = kept_by(values);
    return std::accumulate(kept.begin(), kept.end(), std::int64_t{0});
  }

  void check_held(const std::vector<NodeId>& saved) {
    const ReportJson& rows = rows_of(report_, "saved_values");
    const std::vector<std::int64_t> kept = kept_by_rows(rows, saved);
    for (std::size_t r = 0; r < saved.size(); ++r) {
      const bool is_row = saved.size() == rows.size() && rows[r].contains("kept_bytes");  // otherwise reported already, or older
      if (is_row) expect(fmt::format("/saved_values/{}/kept_bytes", r), kept[r]);
    }
    expect("/totals/saved_bytes_not_static", std::accumulate(kept.begin(), kept.end(), std::int64_t{0}));
  }

  // The bytes of each row's storage, unless a row before it, or any value that crosses as it is, holds that.
  std::vector<std::int64_t> kept_by_rows(const ReportJson& rows, const std::vector<NodeId>& saved) const {
    const auto is_compressed = [&](std::size_t row) { return row < rows.size() && rows[row].contains("compressed"); };
    std::vector<std::size_t> order(saved.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_partition(order, [&](std::size_t row) { return !is_compressed(row); });
    std::vector<NodeId> values;
    for (const std::size_t row : order) values.push_back(saved[row]);
    const std::vector<std::int64_t> kept = kept_by(values);
    std::vector<std::int64_t> by_row(saved.size());
    for (std::size_t i = 0; i < order.size(); ++i) by_row[order[i]] = kept[i];
    return by_row;
  }

  // The bytes of each value's storage, unless a value before it holds that.
  std::vector<std::int64_t> kept_by(const std::vector<NodeId>& saved) const {
    const auto storages = bytes_by_storage(joint_.graph);
    std::unordered_set<std::int64_t> counted;
    for (const Node& node : joint_.graph.nodes) {
      const bool is_resident = node.meta.static_lifetime && node.has_tensor() && node.value->tensor.storage;
      if (is_resident) counted.insert(*node.value->tensor.storage);
    }
    std::vector<std::int64_t> each;
    for (const NodeId id : saved) {
      const Node& node = joint_.graph[id];
      std::int64_t kept = 0;
      if (node.has_tensor() && !node.meta.static_lifetime) {
        const Tensor& tensor = node.value->tensor;
        if (!tensor.storage) {
          kept = bytes_of_elements(tensor);
        } else if (counted.insert(*tensor.storage).second) {
          kept = storages.at(*tensor.storage);
        }
      }
      each.push_back(kept);
    }
    return each;
  }

  // The two graphs with the joint graph's marks of always resident inputs: the marks in their files are by the joint graph's
  // targets, under which a gradient may have the name of a parameter.
  GraphPair sides() const {
    GraphPair sides{reported_.forward.graph, reported_.backward.graph};
    for (Graph* side : {&sides.forward, &sides.backward}) {
      for (Node& node : side->nodes) {
        if (!node.is_placeholder()) continue;
        const auto original = by_name_.find(node.name);
        node.meta.static_lifetime = original != by_name_.end() && joint_.graph[original->second].meta.static_lifetime;
      }
    }
    return sides;
  }

  // Whether the side runs the joint graph's call rather than another one of its name.
  bool runs_on(const ReportedSide& side, const CallsByName& calls, const Node& node) const {
    const auto found = calls.find(node.name);
    return found != calls.end() && found->second->callee->target == node.callee->target &&
           !side.added_calls.contains(node.name);
  }

  const Reported& reported_;
  const ReportJson& report_;
  const JointGraph& joint_;
  std::vector<Mismatch>& mismatches_;
  const CallsByName forward_calls_, backward_calls_;
  NodesByName by_name_;
  std::size_t count_ = 0;
};

// For a whole step: the forms in which values are saved in fewer bits, and their sums.
PlacedFigures form_figures(const JointGraph& before, const Graph& rewritten, const ReportJson& report) {
  const NodesByName written = nodes_by_name(rewritten), read = nodes_by_name(before.graph);
  const ReportJson& rows = rows_of(report, "saved_values");
  PlacedFigures figures;
  std::int64_t values = 0, before_bytes = 0, bytes = 0;
  const auto add_form = [&](const ReportJson& form, const std::string& place) {
    const auto node = written.find(text_in(form, "name", ""));
    const bool is_there = node != written.end() && rewritten[node->second].has_tensor();
    const std::int64_t own = is_there ? bytes_of_elements(rewritten[node->second].value->tensor) : 0;
    figures.emplace_back(place + "/bytes", own);
    bytes += own;
    return is_there ? rewritten[node->second].value->tensor.dtype->name : std::string_view();
  };
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!rows[r].contains("compressed")) continue;
    const ReportJson& form = rows[r]["compressed"];
    const std::string place = fmt::format("/saved_values/{}/compressed", r);
    figures.emplace_back(place + "/dtype", add_form(form, place));
    if (form.contains("scale")) add_form(form["scale"], place + "/scale");
    const auto value = read.find(text_in(rows[r], "name", ""));
    if (value != read.end()) before_bytes += bytes_of_value(before.graph[value->second]);
    ++values;
  }
  if (values == 0) return figures;
  figures.emplace_back("/totals/compressed/values", values);
  figures.emplace_back("/totals/compressed/bytes_before", before_bytes);
  figures.emplace_back("/totals/compressed/bytes", bytes);
  return figures;
}

}  // namespace

std::size_t check_figures(const Reported& reported, std::vector<Mismatch>& mismatches) {
  return Figures(reported, mismatches).run();
}

std::size_t check_step_figures(const JointGraph& before, const Graph& rewritten, const ReportJson& report,
                               std::vector<Mismatch>& mismatches) {
  PlacedFigures figures = memory_figures(before, rewritten);
  std::ranges::move(form_figures(before, rewritten, report), std::back_inserter(figures));
  for (const auto& [place, figure] : figures) expect_in(report, place, figure, mismatches);
  return figures.size();
}

}  // namespace fxcut
