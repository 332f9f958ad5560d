#include "read/unhinted_elements.h"

#include <algorithm>
#include <memory>

namespace fxcut {
namespace {

bool depends_on_data(const JointGraph& joint, const Size& size) {
  return size.expression && std::ranges::any_of(size.expression->symbols,
                                                [&](const std::string& symbol) { return is_unbacked(joint, symbol); });
}

// Whether any was found.
bool mark(const JointGraph& joint, Value& value) {
  if (value.is_tensor()) {
    value.tensor.has_unhinted_elements =
        std::ranges::any_of(value.tensor.shape, [&](const Size& size) { return depends_on_data(joint, size); });
    return value.tensor.has_unhinted_elements;
  }
  bool any = false;
  for (Value& item : value.items) any |= mark(joint, item);
  return any;
}

}  // namespace

void mark_unhinted_elements(JointGraph& joint) {
  if (joint.torch.release.has(Change::UnhintedSizesMultiply)) return;
  for (Node& node : joint.graph.nodes) {
    if (!node.value) continue;
    Value marked = *node.value;
    if (mark(joint, marked)) node.value = std::make_shared<const Value>(std::move(marked));
  }
}

}  // namespace fxcut
