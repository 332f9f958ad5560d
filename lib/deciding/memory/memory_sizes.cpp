#include "memory/memory_sizes.h"

#include "classify/host_copies.h"
#include "memory/placement.h"

namespace fxcut {

std::int64_t MemorySizes::of(const Node& node, const Tensor& tensor) const {
  if (copies_to_host(node) || (cpu_is_host_ && is_cpu(tensor))) return 0;
  const auto known = tensor.storage ? storages_.find(*tensor.storage) : storages_.end();
  return known == storages_.end() || (node.is_call() && is_host_copy(node)) ? extent_bytes(tensor) : known->second;
}

}  // namespace fxcut
