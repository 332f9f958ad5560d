// The value of a node, as its tracer described it: never the data, only kind, dtype, sizes and memory.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "graph/extents.h"

namespace fxcut {

// A symbolic size as printed by sympy, and its symbols.
struct Expression {
  std::string text;
  std::vector<std::string> symbols;

  // A lone symbol: only such an expression can bind one.
  bool is_symbol() const { return symbols.size() == 1 && symbols.front() == text; }
};

// One size or stride, in elements. `hint` is its value, or the estimate for a symbolic size.
struct Size {
  std::int64_t hint = 0;
  std::shared_ptr<const Expression> expression;  // null for a plain integer
};

// The sizes or the strides of a tensor. Copies share them: a model's layers have the same few.
class Sizes {
 public:
  Sizes() = default;
  Sizes(std::vector<Size> sizes)
      : sizes_(sizes.empty() ? nullptr : std::make_shared<const std::vector<Size>>(std::move(sizes))) {}
  Sizes(std::initializer_list<Size> sizes) : Sizes(std::vector<Size>(sizes)) {}

  const Size* begin() const { return sizes_ ? sizes_->data() : nullptr; }
  const Size* end() const { return begin() + size(); }
  std::size_t size() const { return sizes_ ? sizes_->size() : 0; }
  bool empty() const { return !sizes_; }
  const Size& operator[](std::size_t dimension) const { return (*sizes_)[dimension]; }

 private:
  std::shared_ptr<const std::vector<Size>> sizes_;  // null if empty
};

// PyTorch's `optimization_hint(..., fallback=4096)`: the value for a size without a hint.
inline constexpr std::int64_t kUnhintedSize = 4096;

struct Dtype {
  std::string_view name;  // without "torch."
  int size_bytes;         // torch.dtype.itemsize
};

// The dtype of that name, or null. Source: the dtypes of torch 2.15, which has all of 2.13's.
const Dtype* find_dtype(std::string_view name);

// The names of all dtypes, for suggestions.
std::vector<std::string_view> dtype_names();

struct Tensor {
  const Dtype* dtype = nullptr;
  Sizes shape;
  Sizes stride;  // in elements; empty if unknown
  std::string device;
  std::optional<std::int64_t> storage;  // values with the same number share memory
  bool has_unhinted_elements = false;   // PyTorch takes their number as one unknown (Change::UnhintedSizesMultiply)
};

struct Value {
  enum class Kind { Tensor, SymInt, SymFloat, SymBool, Tuple, Dict, None, Scalar, BackwardState, Opaque, Other };

  Kind kind = Kind::None;
  Tensor tensor;                                 // Kind::Tensor
  std::shared_ptr<const Expression> expression;  // Kind::SymInt, SymFloat, SymBool
  std::optional<std::int64_t> hint;              // Kind::SymInt, if any
  std::vector<Value> items;                      // Kind::Tuple, Dict
  std::string type_name;                         // Kind::Opaque, Other
  // The symbols before PyTorch replaced some by others or by numbers: of a tensor those of all its sizes, without a
  // text. Null if nothing was replaced.
  std::shared_ptr<const Expression> unreplaced;

  bool is_tensor() const { return kind == Kind::Tensor; }
  // PyTorch's py_sym_types.
  bool is_symbolic() const { return kind == Kind::SymInt || kind == Kind::SymFloat || kind == Kind::SymBool; }
};

// The bytes of the elements of `tensor`, sizes by their hints. The reader ensures that this fits 63 bits.
std::int64_t element_bytes(const Tensor& tensor);

// The number of its elements, in the same way.
inline std::int64_t num_elements(const Tensor& tensor) { return element_bytes(tensor) / tensor.dtype->size_bytes; }

// The bytes of all tensors in `value` at any depth.
std::int64_t tensor_bytes(const Value& value);

// Whether the elements are contiguous in memory, sizes and strides by their hints; true if the strides are unknown.
bool is_contiguous(const Tensor& tensor);

// The bytes of storage from a tensor's first to its last element, by shape and stride; `element_bytes` if the strides
// are unknown.
std::int64_t extent_bytes(const Tensor& tensor);

// Sizes or strides by their hints.
Extents hints_of(const Sizes& sizes);

// "[8192, s0]".
std::string show_shape(const Sizes& shape);

}  // namespace fxcut
