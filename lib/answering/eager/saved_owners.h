// In whose memory saved values are: the call that makes it, or an input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "cost/size.h"
#include "graph/graph.h"
#include "graph/nodes_by_name.h"

namespace fxcut {

struct SavedOwner {
  NodeId call{};         // that makes the memory
  std::size_t item = 0;  // which of its results is in it
  bool is_input = false;  // of the step, or a constant; or written to one behind the forward, so that eager has it there
};

class SavedOwners {
 public:
  explicit SavedOwners(const Graph& graph);

  // Whether the graph has a node of that name.
  bool know(const std::string& name) const { return by_name_.contains(name); }

  // The owner of the value of that name. Throws InternalError if there is none.
  SavedOwner of(const std::string& name) const;

  // The bytes of the storages of the call's results that none of `values` is in, nor an input.
  std::int64_t other_bytes(NodeId call, const std::vector<std::string>& values) const;

  std::int64_t bytes_of(std::int64_t storage) const { return bytes_.at(storage); }
  // The storage of the node of that name; none without such a node.
  std::optional<std::int64_t> storage_of(const std::string& name) const {
    const auto found = by_name_.find(name);
    return found == by_name_.end() ? std::nullopt : graph_[found->second].storage();
  }

 private:
  const Graph& graph_;
  StorageBytes bytes_;
  NodesByName by_name_;
  std::unordered_map<std::int64_t, SavedOwner> owners_;  // by storage
};

}  // namespace fxcut
