// The objects of the wrapper's names while it is replayed. Memory is freed as in Python: with the last object that refers to
// it, here the last copy of a shared pointer.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compiled/memory_block.h"
#include "compiled/operator_call.h"
#include "graph/extents.h"

namespace fxcut {

// The blocks of a step, and its moments so far.
struct Ledger {
  std::vector<MemoryBlock> blocks;
  std::vector<Moment> moments;
  std::vector<OperatorCall> calls;
  bool is_closed = false;  // the step is over: memory that is still referred to is kept

  std::size_t now() const { return moments.empty() ? 0 : moments.size() - 1; }
};

// A reference to a block, which the last owner frees.
class Lease {
 public:
  Lease(Ledger& ledger, std::size_t block) : ledger_(ledger), block_(block) {}
  Lease(const Lease&) = delete;
  Lease& operator=(const Lease&) = delete;
  ~Lease() {
    if (!ledger_.is_closed) block().last = ledger_.now();
  }

  MemoryBlock& block() const { return ledger_.blocks[block_]; }
  std::size_t number() const { return block_; }

 private:
  Ledger& ledger_;
  std::size_t block_;
};

struct Object;

// A tuple or a list, or the results of an operator, whose number is unknown.
struct Items {
  std::map<std::size_t, Object> by_position;
  std::string target;      // of the operator: "torch.ops.aten.topk.default"; empty for a tuple
  std::size_t made_at = 0;  // moment of its call
  std::size_t depth = 0;    // of tuples within tuples
};

struct Object {
  enum class Kind : std::uint8_t { None, Number, Tensor, Items, Other };

  Kind kind = Kind::None;
  std::int64_t number = 0;
  std::shared_ptr<const Lease> memory;      // Kind::Tensor; null for a constant, which is always resident
  Extents shape, stride;  // Kind::Tensor, if known
  const Dtype* dtype = nullptr;  // of a view with another dtype than its memory has
  std::shared_ptr<struct Items> items;
};

// The tensor in a new block of the ledger.
inline Object make_block(MemoryBlock block, Ledger& ledger) {
  Object made;
  made.kind = Object::Kind::Tensor;
  made.shape = block.shape.value_or(Extents());
  made.stride = block.stride.value_or(Extents());
  ledger.blocks.push_back(std::move(block));
  made.memory = std::make_shared<const Lease>(ledger, ledger.blocks.size() - 1);
  return made;
}

inline Object number_object(std::int64_t number) {
  Object object;
  object.kind = Object::Kind::Number;
  object.number = number;
  return object;
}

inline Object items_object(std::vector<Object> objects) {
  Object object;
  object.kind = Object::Kind::Items;
  object.items = std::make_shared<Items>();
  for (std::size_t i = 0; i < objects.size(); ++i) {
    if (objects[i].items) object.items->depth = std::max(object.items->depth, objects[i].items->depth + 1);
    object.items->by_position.emplace(i, std::move(objects[i]));
  }
  return object;
}

}  // namespace fxcut
