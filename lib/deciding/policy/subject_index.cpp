#include "policy/subject_index.h"

#include <algorithm>
#include <limits>

#include "classify/gathered_parameters.h"

namespace fxcut {

SubjectIndex::SubjectIndex(const Graph& graph, const PolicySubjects& subjects) : graph_(graph), subjects_(subjects) {
  for (std::size_t i = 0; i < graph.size(); ++i) {
    if (subjects.is_subject[i]) all_.push_back(node_id(i));
  }
}

Selection SubjectIndex::select(const PolicyMatch& match) {
  Lists left{{&all_}, all_.size()};
  std::optional<Part> holds_already;
  for (const Part part : kParts) {
    if (!is_given(match, part)) continue;
    if (auto fewer = find(match, part, left.count)) {
      left = std::move(*fewer);
      holds_already = part;
    }
  }
  std::vector<NodeId> nodes = left.merged();
  for (const Part part : kParts) {
    if (!is_given(match, part) || part == holds_already) continue;
    std::erase_if(nodes, [&](NodeId id) { return !holds(match, part, id); });
  }
  Selection selection{{}, nodes.size()};
  const auto every = static_cast<std::size_t>(match.every);
  for (std::size_t n = every; n <= nodes.size(); n += every) selection.nodes.push_back(nodes[n - 1]);
  return selection;
}

std::vector<NodeId> SubjectIndex::Lists::merged() const {
  std::vector<NodeId> nodes;
  nodes.reserve(count);
  for (const auto* list : lists) nodes.insert(nodes.end(), list->begin(), list->end());
  if (lists.size() > 1) {
    std::sort(nodes.begin(), nodes.end());
    nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  }
  return nodes;
}

bool SubjectIndex::is_given(const PolicyMatch& match, Part part) {
  switch (part) {
    case Part::Node: return match.node.has_value();
    case Part::Kind: return match.kind.has_value();
    case Part::Name: return match.name.has_value();
    case Part::Op: return match.op.has_value();
    case Part::Region: return match.ac_graph_id.has_value();
    case Part::Dtype: return match.dtype.has_value();
    case Part::Bytes: return match.min_bytes || match.max_bytes;
    case Part::Module: return match.module.has_value();
  }
  return false;
}

NodeKind SubjectIndex::kind_of(NodeId id) const {
  const Node& node = graph_[id];
  if (!node.is_call()) return node.meta.static_lifetime ? NodeKind::Parameter : NodeKind::Input;
  return node.callee->is(Operator::View) || subjects_.same[index_of(id)] != id ? NodeKind::View : NodeKind::Activation;
}

bool SubjectIndex::is_of(NodeKind kind, NodeId id) {
  if (kind != NodeKind::Gathered) return kind_of(id) == kind;
  if (!gathered_) gathered_ = find_gathered_parameters(graph_);
  return (*gathered_)[index_of(id)];
}

bool SubjectIndex::holds(const PolicyMatch& match, Part part, NodeId id) {
  const Node& node = graph_[id];
  const ValueNames& names = subjects_.names[index_of(id)];
  switch (part) {
    case Part::Node: return match.node->matches(node.name);
    case Part::Kind: return is_of(*match.kind, id);
    case Part::Name:
      return std::any_of(names.begin(), names.end(), [&](const std::string& name) { return match.name->matches(name); });
    case Part::Op: return node.is_call() && match.op->matches(node.callee->target);
    case Part::Region: return node.meta.ac_graph_id == match.ac_graph_id;
    case Part::Dtype: return node.has_tensor() && node.value->tensor.dtype->name == *match.dtype;
    case Part::Bytes: break;
    case Part::Module: return node.provenance && match.module->matches_path(node.provenance->module);
  }
  if (!node.value) return false;
  const std::int64_t bytes = tensor_bytes(*node.value);
  return (!match.min_bytes || bytes >= *match.min_bytes) && (!match.max_bytes || bytes <= *match.max_bytes);
}

template <typename Key>
std::optional<SubjectIndex::Lists> SubjectIndex::gather(const NodesBy<Key>& nodes, const Key& first, std::size_t limit,
                                                        const auto& is_in_range, const auto& is_wanted) {
  Lists found;
  std::size_t looked_at = 0;
  for (auto at = nodes.lower_bound(first); at != nodes.end() && is_in_range(at->first); ++at) {
    if (++looked_at > limit) return std::nullopt;
    if (!is_wanted(at->first)) continue;
    found.lists.push_back(&at->second);
    found.count += at->second.size();
    if (found.count >= limit) return std::nullopt;
  }
  return found;
}

std::optional<SubjectIndex::Lists> SubjectIndex::gather(const NodesBy<std::string_view>& nodes, const Pattern& pattern,
                                                        std::size_t limit,
                                                        bool (Pattern::*matches)(std::string_view) const) {
  const std::string_view beginning = pattern.beginning();
  return gather(
      nodes, beginning, limit, [&](std::string_view text) { return text.starts_with(beginning); },
      [&](std::string_view text) { return (pattern.*matches)(text); });
}

std::optional<SubjectIndex::Lists> SubjectIndex::find(const PolicyMatch& match, Part part, std::size_t limit) {
  const auto any = [](const auto&) { return true; };
  switch (part) {
    case Part::Kind: return std::nullopt;  // the kinds are few, so that their lists are long
    case Part::Node: return gather(by_node(), *match.node, limit, &Pattern::matches);
    case Part::Name: return gather(by_name(), *match.name, limit, &Pattern::matches);
    case Part::Op: return gather(by_operator(), *match.op, limit, &Pattern::matches);
    case Part::Module: return gather(by_module(), *match.module, limit, &Pattern::matches_path);
    case Part::Dtype: {
      const std::string_view dtype = *match.dtype;
      return gather(
          by_dtype(), dtype, limit, [&](std::string_view name) { return name == dtype; }, any);
    }
    case Part::Region: {
      const std::int64_t region = *match.ac_graph_id;
      return gather(
          by_region(), region, limit, [&](std::int64_t id) { return id == region; }, any);
    }
    case Part::Bytes: break;
  }
  using Limits = std::numeric_limits<std::int64_t>;
  const std::int64_t least = match.min_bytes.value_or(Limits::min()), most = match.max_bytes.value_or(Limits::max());
  return gather(
      by_bytes(), least, limit, [&](std::int64_t bytes) { return bytes <= most; }, any);
}

template <typename Key>
const SubjectIndex::NodesBy<Key>& SubjectIndex::once(std::optional<NodesBy<Key>>& nodes, const auto& keys_of) {
  if (nodes) return *nodes;
  nodes.emplace();
  for (const NodeId id : all_) {
    keys_of(id, [&](const Key& key) {
      std::vector<NodeId>& list = (*nodes)[key];
      if (list.empty() || list.back() != id) list.push_back(id);  // a value may have a name twice
    });
  }
  return *nodes;
}

const SubjectIndex::NodesBy<std::string_view>& SubjectIndex::by_node() {
  return once(nodes_, [&](NodeId id, const auto& add) { add(graph_[id].name); });
}

const SubjectIndex::NodesBy<std::string_view>& SubjectIndex::by_name() {
  return once(names_, [&](NodeId id, const auto& add) {
    for (const std::string& name : subjects_.names[index_of(id)]) add(name);
  });
}

const SubjectIndex::NodesBy<std::string_view>& SubjectIndex::by_operator() {
  return once(operators_, [&](NodeId id, const auto& add) {
    if (graph_[id].is_call()) add(graph_[id].callee->target);
  });
}

const SubjectIndex::NodesBy<std::string_view>& SubjectIndex::by_module() {
  return once(modules_, [&](NodeId id, const auto& add) {
    if (graph_[id].provenance) add(graph_[id].provenance->module);
  });
}

const SubjectIndex::NodesBy<std::string_view>& SubjectIndex::by_dtype() {
  return once(dtypes_, [&](NodeId id, const auto& add) {
    if (graph_[id].has_tensor()) add(graph_[id].value->tensor.dtype->name);
  });
}

const SubjectIndex::NodesBy<std::int64_t>& SubjectIndex::by_region() {
  return once(regions_, [&](NodeId id, const auto& add) {
    if (graph_[id].meta.ac_graph_id) add(*graph_[id].meta.ac_graph_id);
  });
}

const SubjectIndex::NodesBy<std::int64_t>& SubjectIndex::by_bytes() {
  return once(bytes_, [&](NodeId id, const auto& add) {
    if (graph_[id].value) add(tensor_bytes(*graph_[id].value));
  });
}

}  // namespace fxcut
