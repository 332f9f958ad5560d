// How much memory a tensor takes that has memory of its own.
#pragma once

#include <cstdint>

#include "cost/storage.h"
#include "graph/graph.h"

namespace fxcut {

class MemorySizes {
 public:
  // `cpu_is_host`: the step runs on another device (has_device in memory/placement.h). `storages` are kept by reference.
  MemorySizes(const StorageBytes& storages, bool cpu_is_host) : storages_(storages), cpu_is_host_(cpu_is_host) {}

  // Of a tensor that the node makes: a copy takes what it copies, all else the whole storage; nothing on the host.
  std::int64_t of(const Node& node, const Tensor& tensor) const;

 private:
  const StorageBytes& storages_;
  bool cpu_is_host_;
};

}  // namespace fxcut
