#include "normalise/common_subexpressions.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <unordered_map>
#include <unordered_set>

#include "classify/purity.h"
#include "normalise/python_hash.h"

namespace fxcut {
namespace {

using Kind = Argument::Kind;

// The first call of a bucket, in the new graph.
struct Bucket {
  NodeId first;
  std::uint32_t mutation_region;
};

class BucketKey {
 public:
  // The bucket of a call whose inputs are ids of the new graph; false where an argument has no equal but itself.
  bool make(const Node& call) {
    key_.clear();
    is_comparable_ = true;
    append(call.callee);
    for (const Argument& argument : call.arguments->positional) append_leaves(call, argument);
    key_ += '|';
    for (const auto& [name, argument] : call.arguments->keyword) append_leaves(call, argument);
    return is_comparable_;
  }
  const std::string& text() const { return key_; }

 private:
  template <typename Word>
  void append(Word word) {
    static_assert(std::is_trivially_copyable_v<Word>);
    char bytes[sizeof(Word)];
    std::memcpy(bytes, &word, sizeof(Word));
    key_.append(bytes, sizeof(Word));
  }

  // PyTorch hashes the leaves with their types, not the containers that they are in.
  void append_leaves(const Node& call, const Argument& argument) {
    for_each_leaf(argument, [&](const Argument& leaf) { append_leaf(call, leaf); });
  }

  void append_leaf(const Node& call, const Argument& leaf) {
    // A Python integer is one type however long.
    key_ += static_cast<char>('a' + static_cast<int>(leaf.kind == Kind::BigInt ? Kind::Int : leaf.kind));
    switch (leaf.kind) {
      case Kind::Node: append(call.inputs[leaf.index]); return;
      case Kind::None: return;
      case Kind::Bool:
      case Kind::Int: append(python_hash(leaf.integer)); return;
      case Kind::BigInt: append(python_hash_of_digits(leaf.text)); return;
      case Kind::Float:
        is_comparable_ &= !std::isnan(leaf.real);
        append(python_hash(std::isnan(leaf.real) ? 0.0 : leaf.real));
        return;
      case Kind::Complex:
        is_comparable_ &= !std::isnan(leaf.real) && !std::isnan(leaf.imaginary);
        if (is_comparable_) append(python_hash(leaf.real, leaf.imaginary));
        return;
      case Kind::Slice:
        for (const Argument& bound : leaf.items) append_leaves(call, bound);
        return;
      case Kind::Symbolic:
      case Kind::Opaque:
        // Python compares these by identity, which the file does not carry.
        is_comparable_ = false;
        return;
      default:
        append(leaf.text.size());
        key_ += leaf.text;
    }
  }

  std::string key_;
  bool is_comparable_ = true;
};

bool equal(const Node& a, const Argument& x, const Node& b, const Argument& y);

bool equal_items(const Node& a, const Argument& x, const Node& b, const Argument& y) {
  return x.items.size() == y.items.size() &&
         std::equal(x.items.begin(), x.items.end(), y.items.begin(),
                    [&](const Argument& p, const Argument& q) { return equal(a, p, b, q); });
}

bool equal(const Node& a, const Argument& x, const Node& b, const Argument& y) {
  if (x.kind != y.kind) return false;
  switch (x.kind) {
    case Kind::Node: return a.inputs[x.index] == b.inputs[y.index];
    case Kind::None: return true;
    case Kind::Bool:
    case Kind::Int: return x.integer == y.integer;
    case Kind::Float: return x.real == y.real;  // as in Python, 0.0 and -0.0 are equal
    case Kind::Complex: return x.real == y.real && x.imaginary == y.imaginary;
    case Kind::List:
    case Kind::Tuple:
    case Kind::Slice: return equal_items(a, x, b, y);
    case Kind::Dict: return x.keys == y.keys && equal_items(a, x, b, y);
    default: return x.text == y.text;
  }
}

// Whether two calls of one operator have equal arguments, keywords in the same order.
bool same_arguments(const Node& a, const Node& b) {
  const Arguments& x = *a.arguments;
  const Arguments& y = *b.arguments;
  return std::equal(x.positional.begin(), x.positional.end(), y.positional.begin(), y.positional.end(),
                    [&](const Argument& p, const Argument& q) { return equal(a, p, b, q); }) &&
         std::equal(x.keyword.begin(), x.keyword.end(), y.keyword.begin(), y.keyword.end(),
                    [&](const auto& p, const auto& q) { return p.first == q.first && equal(a, p.second, b, q.second); });
}

// The storages that the outputs are in: eager mode keeps these apart, so nothing in them is merged.
std::unordered_set<std::int64_t> output_storages(const Graph& graph) {
  std::unordered_set<std::int64_t> storages;
  for (const NodeId id : graph.output().inputs) {
    const Node& node = graph[id];
    if (node.has_tensor() && node.value->tensor.storage) storages.insert(*node.value->tensor.storage);
  }
  return storages;
}

bool may_merge(const Node& node, const std::unordered_set<std::int64_t>& kept_storages) {
  if (!node.is_call() || node.callee->is(Operator::NeverDeduplicated) || node.callee->packet == "aten.empty") return false;
  return !(node.has_tensor() && node.value->tensor.storage && kept_storages.contains(*node.value->tensor.storage));
}

}  // namespace

Graph merge_common_subexpressions(Graph graph) {
  const std::unordered_set<std::int64_t> kept_storages = output_storages(graph);
  std::unordered_map<std::string, Bucket> buckets;
  buckets.reserve(graph.size());
  std::vector<NodeId> stands_for(graph.size());  // by old id, the new one
  std::size_t kept = 0;                          // the new graph, in front of what is still to be read
  BucketKey key;
  std::uint32_t mutation_region = 0;
  for (std::size_t i = 0; i < graph.size(); ++i) {
    Node& node = graph.nodes[i];
    if (is_mutation(node)) ++mutation_region;
    for (NodeId& input : node.inputs) input = stands_for[index_of(input)];
    stands_for[i] = node_id(kept);
    if (may_merge(node, kept_storages) && key.make(node)) {
      const auto [bucket, is_new] = buckets.try_emplace(key.text(), Bucket{node_id(kept), mutation_region});
      if (!is_new && same_arguments(graph[bucket->second.first], node)) {
        if (bucket->second.mutation_region == mutation_region) {
          stands_for[i] = bucket->second.first;
          continue;
        }
        bucket->second = {node_id(kept), mutation_region};  // later repeats are repeats of this one
      }
    }
    if (kept != i) graph.nodes[kept] = std::move(node);
    ++kept;
  }
  graph.nodes.resize(kept);
  return graph;
}

}  // namespace fxcut
