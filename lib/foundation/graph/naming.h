// Names for new nodes, by torch.fx's rules.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

#include "graph/graph.h"
#include "release/release.h"

namespace fxcut {

// PyTorch's suffix of a recomputed copy of a call in the backward; a number may follow it.
inline constexpr std::string_view kRecomputedSuffix = "_recomputed";

// The names of one graph (torch.fx.graph._Namespace), including those of removed nodes. New numbers depend on the order
// in which names were created.
class Namespace {
 public:
  Namespace() = default;
  explicit Namespace(const Graph& graph, Release release = kNewestRelease);
  // The names of a graph that copies these nodes of `source`, in this order.
  Namespace(const Graph& source, const std::vector<NodeId>& copied, Release release = kNewestRelease);

  // An unused name: `candidate` itself, or with a number appended.
  std::string create(std::string_view candidate);
  // Keeps new nodes from having the name.
  void reserve(const std::string& name) { used_.insert(name); }

 private:
  std::uint64_t last_number(const std::string& name, const std::string& base, std::uint64_t own) const;

  Release release_ = kNewestRelease;
  std::unordered_set<std::string> used_;
  std::unordered_map<std::string, std::uint64_t> last_number_;  // by name without number
};

// The names of the two sides of a partition.
struct NamespacePair {
  Namespace forward;
  Namespace backward;
};

}  // namespace fxcut
