#include "cost/flops.h"

#include <algorithm>
#include <array>
#include <compare>
#include <optional>
#include <string_view>
#include <vector>

namespace fxcut {
namespace {

// A count that stops at a bound above any real count, so that no product overflows; PyTorch's integers have no bound.
class Count {
 public:
  constexpr Count(Int128 value = 0) : value_(value < kMaxCount ? value : kMaxCount) {}
  constexpr Int128 value() const { return value_; }
  friend constexpr Count operator*(Count a, Count b) {
    return a.value_ != 0 && b.value_ > kMaxCount / a.value_ ? kMaxCount : Count(a.value_ * b.value_);
  }
  friend constexpr Count operator+(Count a, Count b) { return Count(a.value_ + b.value_); }
  Count& operator*=(Count other) { return *this = *this * other; }
  Count& operator+=(Count other) { return *this = *this + other; }
  friend constexpr auto operator<=>(const Count&, const Count&) = default;

 private:
  static constexpr Int128 kMaxCount = Int128{1} << 100;
  Int128 value_;
};

using Shape = std::vector<Count>;

Shape shape_of(const Tensor& tensor) {
  const Extents sizes = hints_of(tensor.shape);
  return {sizes.begin(), sizes.end()};
}

// A call in its graph; arguments by position.
struct Call {
  const Graph& graph;
  const Node& node;
  Release release;

  const Argument* argument(std::size_t position) const {
    const auto& positional = node.arguments->positional;
    return position < positional.size() ? &positional[position] : nullptr;
  }
  const Value* value(std::size_t position) const {
    const Argument* a = argument(position);
    return a && a->kind == Argument::Kind::Node ? graph[node.inputs[a->index]].value.get() : nullptr;
  }
  // The shape of a tensor argument of that many dimensions (0: any).
  std::optional<Shape> shape(std::size_t position, std::size_t dimensions = 0) const {
    const Value* v = value(position);
    if (!v || !v->is_tensor() || (dimensions > 0 && v->tensor.shape.size() != dimensions)) return std::nullopt;
    return shape_of(v->tensor);
  }
  bool is_none(std::size_t position) const {
    const Argument* a = argument(position);
    return !a || a->kind == Argument::Kind::None;
  }
  bool is_true(const Argument* a) const { return a && a->is_true(); }
  std::optional<Count> integer(std::size_t position) const {
    const Argument* a = argument(position);
    if (a && a->kind == Argument::Kind::Int) return a->integer;
    const Value* v = value(position);
    if (v && v->kind == Value::Kind::SymInt) return v->hint.value_or(kUnhintedSize);
    return std::nullopt;
  }
  // Whether there are at most `count` positional arguments; older releases' formulas fail on more, such as a dtype.
  bool takes_at_most(std::size_t count) const {
    return node.arguments->positional.size() <= count || release.has(Change::FlopsOfKeywordProducts);
  }
  // The shape of the result, or of an item of its tuple.
  std::optional<Shape> result(std::optional<std::size_t> item = std::nullopt) const {
    const Value* v = node.value.get();
    if (v && item) v = *item < v->items.size() ? &v->items[*item] : nullptr;
    if (!v || !v->is_tensor()) return std::nullopt;
    return shape_of(v->tensor);
  }
};

// Each function returns the count, or 0 if the arguments do not fit the operator.

Count matrix_product(const Call& call, std::size_t a_position, std::size_t b_position) {
  const auto a = call.shape(a_position, 2), b = call.shape(b_position, 2);
  if (!a || !b || (*a)[1] != (*b)[0]) return 0;
  return (*a)[0] * (*b)[1] * 2 * (*a)[1];
}

Count batched_product(const Shape& a, const Shape& b) {
  return a[0] == b[0] && a[2] == b[1] ? a[0] * a[1] * b[2] * 2 * a[2] : 0;
}

Count batched_product(const Call& call, std::size_t a_position, std::size_t b_position) {
  const auto a = call.shape(a_position, 3), b = call.shape(b_position, 3);
  return a && b ? batched_product(*a, *b) : 0;
}

// Two operations per weight and per point of the image that the window slides over.
Count convolution(const Shape& input, const Shape& weight, const Shape& output, bool transposed) {
  Count flops = input[0] * 2;
  const Shape& slid_over = transposed ? input : output;
  for (std::size_t d = 2; d < slid_over.size(); ++d) flops *= slid_over[d];
  for (const Count size : weight) flops *= size;
  return flops;
}

constexpr std::size_t kTransposed = 6;  // position of the argument in convolution; one later in its backward

Count convolution(const Call& call) {
  const auto input = call.shape(0), weight = call.shape(1), output = call.result();
  if (!input || !weight || !output || input->size() < 2 || weight->size() < 2 || !call.argument(kTransposed)) return 0;
  return convolution(*input, *weight, *output, call.is_true(call.argument(kTransposed)));
}

Shape swap_first_two(Shape shape) {
  std::swap(shape[0], shape[1]);
  return shape;
}

Count convolution_backward(const Call& call) {
  const auto grad = call.shape(0), input = call.shape(1), weight = call.shape(2);
  const Argument* mask = call.argument(10);
  if (!grad || !input || !weight || grad->size() < 2 || input->size() < 2 || weight->size() < 2) return 0;
  if (!mask || mask->items.size() < 2) return 0;
  const bool transposed = call.is_true(call.argument(kTransposed + 1));
  Count flops = 0;
  if (call.is_true(&mask->items[0])) {
    const auto grad_input = call.result(0);
    if (!grad_input) return 0;
    flops += convolution(*grad, *weight, *grad_input, !transposed);
  }
  if (call.is_true(&mask->items[1])) {
    const auto grad_weight = call.result(1);
    if (!grad_weight || grad_weight->size() < 2) return 0;
    const Shape x = swap_first_two(*input), g = swap_first_two(*grad), w = swap_first_two(*grad_weight);
    flops += transposed ? convolution(g, x, w, false) : convolution(x, g, w, false);
  }
  return flops;
}

// Query, key and value as (batch, heads, sequence, features). Fewer key heads than query heads are shared, in newer releases.
Count attention(const Call& call, const Shape& q, const Shape& k, const Shape& v) {
  if (q.size() > 1 && k.size() > 1 && q[1] != k[1] && !call.release.has(Change::FlopsOfSharedHeads)) return 0;
  if (q.size() != 4 || k.size() != 4 || v.size() != 4) return 0;
  if (q[0] != k[0] || k[0] != v[0] || k[1] != v[1] || q[3] != k[3] || k[2] != v[2]) return 0;
  if (k[1] == 0 || q[1] < k[1] || q[1].value() % k[1].value() != 0) return 0;
  const Count heads = q[0] * q[1];
  return batched_product({heads, q[2], q[3]}, {heads, q[3], k[2]}) +  // scores
         batched_product({heads, q[2], k[2]}, {heads, k[2], v[3]});   // weighted values
}

Count attention_backward(const Call& call, const Shape& grad, const Shape& q, const Shape& k, const Shape& v) {
  if (attention(call, q, k, v) == 0 || grad.size() != 4) return 0;
  if (grad[0] != q[0] || grad[1] != q[1] || grad[3] != v[3] || grad[2] != q[2]) return 0;
  const Count heads = q[0] * q[1];
  return batched_product({heads, q[2], q[3]}, {heads, q[3], k[2]}) +     // scores again
         batched_product({heads, q[2], v[3]}, {heads, v[3], k[2]}) +     // gradient of the scores
         batched_product({heads, k[2], q[2]}, {heads, q[2], v[3]}) +     // gradient of the values
         batched_product({heads, q[2], k[2]}, {heads, k[2], q[3]}) +     // gradient of the queries
         batched_product({heads, q[3], q[2]}, {heads, q[2], k[2]});      // gradient of the keys
}

Count attention(const Call& call) {
  const auto q = call.shape(0), k = call.shape(1), v = call.shape(2);
  return q && k && v ? attention(call, *q, *k, *v) : 0;
}

Count attention_backward(const Call& call) {
  const auto grad = call.shape(0), q = call.shape(1), k = call.shape(2), v = call.shape(3);
  return grad && q && k && v ? attention_backward(call, *grad, *q, *k, *v) : 0;
}

// If a batch of sequences of unequal lengths is packed into one tensor, `offsets` (the argument at `lengths`, and its
// twin after it) has the beginning of each; each then counts as the longest.
struct Packed {
  std::size_t query;    // position of the query, followed by key and value; a backward has the gradient before it
  std::size_t lengths;  // position of the queries' offsets, followed by the keys', and the two longest lengths
  std::size_t heads;    // dimension of a packed tensor that counts heads
  bool heads_last;      // without offsets, tensors are (batch, sequence, heads, features)
};

// (batch, sequence, heads, features) as (batch, heads, sequence, features).
Shape heads_first(Shape shape) {
  if (shape.size() == 4) std::swap(shape[1], shape[2]);
  return shape;
}

// The gradient's shape in packed attention: that of the result, with the queries' positions and the values' width.
// Older releases use that of the queries.
Shape gradient_shape(const Call& call, const Shape& q, const Shape& v) {
  Shape shape = q;
  if (call.release.has(Change::FlopsOfWideGradients)) shape.back() = v.back();
  return shape;
}

Count packed_attention(const Call& call, Packed at, bool backward) {
  const auto q = call.shape(at.query), k = call.shape(at.query + 1), v = call.shape(at.query + 2);
  if (!q || !k || !v) return 0;
  const auto grad = backward ? call.shape(0) : std::nullopt;
  if (backward && !grad) return 0;
  if (call.is_none(at.lengths)) {
    const bool swaps = at.heads_last && q->size() == 4 && call.release.has(Change::FlopsOfFlashBySequence);
    const auto ordered = [&](const Shape& shape) { return swaps ? heads_first(shape) : shape; };
    if (backward) return attention_backward(call, ordered(*grad), ordered(*q), ordered(*k), ordered(*v));
    return attention(call, ordered(*q), ordered(*k), ordered(*v));
  }
  const auto offsets = call.shape(at.lengths, 1);
  const auto longest_q = call.integer(at.lengths + 2), longest_k = call.integer(at.lengths + 3);
  const std::size_t dimensions = at.heads + 2;
  if (!offsets || !longest_q || !longest_k) return 0;
  if (q->size() != dimensions || k->size() != dimensions || v->size() != dimensions) return 0;
  const auto one = [&](const Shape& shape, Count length) { return Shape{1, shape[at.heads], length, shape[at.heads + 1]}; };
  const Shape query = one(*q, *longest_q), key = one(*k, *longest_k), value = one(*v, *longest_k);
  if (backward && *grad != gradient_shape(call, *q, *v)) return 0;
  const Count each = backward ? attention_backward(call, gradient_shape(call, query, value), query, key, value)
                              : attention(call, query, key, value);
  return Count(std::max<Int128>((*offsets)[0].value() - 1, 0)) * each;
}

const Tensor* first_tensor(const Value& value) {
  if (value.is_tensor()) return &value.tensor;
  for (const Value& item : value.items) {
    if (const Tensor* tensor = first_tensor(item)) return tensor;
  }
  return nullptr;
}

struct Formula {
  std::string_view packet;
  Count (*count)(const Call&);
  std::optional<Change> since = {};  // the change that added it to the counter
  bool is_composite = false;  // the counter counts its parts instead
};

constexpr std::array kFormulas = {
    Formula{"aten.mm", [](const Call& c) { return matrix_product(c, 0, 1); }},
    Formula{"aten.addmm", [](const Call& c) { return c.takes_at_most(3) ? matrix_product(c, 1, 2) : 0; }},
    Formula{"aten.bmm", [](const Call& c) { return c.takes_at_most(2) ? batched_product(c, 0, 1) : 0; }},
    Formula{"aten.baddbmm", [](const Call& c) { return c.takes_at_most(3) ? batched_product(c, 1, 2) : 0; }},
    Formula{"aten._scaled_mm", [](const Call& c) { return matrix_product(c, 0, 1); }, Change::FlopsOfScaledProducts},
    Formula{"aten.convolution", [](const Call& c) { return convolution(c); }},
    Formula{"aten._convolution", [](const Call& c) { return convolution(c); }},
    Formula{"aten.cudnn_convolution", [](const Call& c) { return convolution(c); }, Change::FlopsOfCudnnConvolutions},
    Formula{"aten.convolution_overrideable", [](const Call& c) { return convolution(c); }, Change::FlopsOfOtherConvolutions},
    Formula{"aten.convolution_backward", [](const Call& c) { return convolution_backward(c); }},
    Formula{"aten._scaled_dot_product_efficient_attention", [](const Call& c) { return attention(c); }},
    Formula{"aten._scaled_dot_product_flash_attention", [](const Call& c) { return attention(c); }},
    Formula{"aten._scaled_dot_product_cudnn_attention", [](const Call& c) { return attention(c); },
            Change::FlopsOfCudnnAttention},
    Formula{"aten._scaled_dot_product_efficient_attention_backward", [](const Call& c) { return attention_backward(c); }},
    Formula{"aten._scaled_dot_product_flash_attention_backward", [](const Call& c) { return attention_backward(c); }},
    Formula{"aten._scaled_dot_product_cudnn_attention_backward", [](const Call& c) { return attention_backward(c); },
            Change::FlopsOfCudnnAttention},
    Formula{"aten._scaled_dot_product_flash_attention_for_cpu", [](const Call& c) { return attention(c); },
            Change::FlopsOfCpuAttention},
    Formula{"aten._scaled_dot_product_flash_attention_for_cpu_backward", [](const Call& c) { return attention_backward(c); },
            Change::FlopsOfCpuAttention},
    Formula{"aten.scaled_dot_product_attention", [](const Call& c) { return attention(c); }, Change::FlopsOfCpuAttention, true},
    Formula{"aten._scaled_dot_product_attention_math", [](const Call& c) { return attention(c); }, std::nullopt, true},
    Formula{"aten._flash_attention_forward", [](const Call& c) { return packed_attention(c, {0, 3, 1, true}, false); }},
    Formula{"aten._efficient_attention_forward", [](const Call& c) { return packed_attention(c, {0, 4, 2, false}, false); }},
    Formula{"aten._flash_attention_backward", [](const Call& c) { return packed_attention(c, {1, 6, 1, true}, true); }},
    Formula{"aten._efficient_attention_backward", [](const Call& c) { return packed_attention(c, {1, 6, 2, false}, true); }},
};

struct Uncounted {
  std::string_view packet;
  Change since;
};

// The FLOP counter fails on calls of these in such graphs: they count as 1.
constexpr std::array<Uncounted, 3> kUncounted = {{
    {"aten._slow_conv2d_forward", Change::FlopsOfCudnnConvolutions},
    {"higher_order.flex_attention", Change::FlopsOfFlexAttention},
    {"higher_order.flex_attention_backward", Change::FlopsOfFlexAttention},
}};

const Formula* find_formula(const Operator& op, Release release) {
  const auto found = std::find_if(kFormulas.begin(), kFormulas.end(), [&](const Formula& f) {
    return f.packet == op.packet && (!f.since || release.has(*f.since));
  });
  return found == kFormulas.end() ? nullptr : &*found;
}

}  // namespace

Int128 estimate_flops(const Graph& graph, const Node& node, Release release) {
  const Formula* formula = node.is_call() ? find_formula(*node.callee, release) : nullptr;
  return formula ? std::max(formula->count({graph, node, release}), Count(1)).value() : 1;
}

Int128 arithmetic_of(const Graph& graph, const Node& node) {
  const Call call{graph, node, kNewestRelease};
  if (node.callee->packet == "higher_order.flex_attention") return std::max(attention(call), Count(1)).value();
  if (node.callee->packet != "higher_order.flex_attention_backward") return estimate_flops(graph, node, kNewestRelease);
  const auto q = call.shape(0), k = call.shape(1), v = call.shape(2);  // the gradient has the shape of the result
  return q && k && v && !q->empty() && !v->empty()
             ? std::max(attention_backward(call, gradient_shape(call, *q, *v), *q, *k, *v), Count(1)).value()
             : 1;
}

bool is_attention(const Operator& op) { return op.packet.find("attention") != std::string::npos; }

const Tensor* multiplied_tensor(const Graph& graph, const Node& node) {
  for (const NodeId input : node.inputs) {
    const Tensor* tensor = graph[input].value ? first_tensor(*graph[input].value) : nullptr;
    if (tensor) return tensor;
  }
  return node.value ? first_tensor(*node.value) : nullptr;
}

bool has_flop_formula(const Operator& op, Release release) {
  const Formula* formula = find_formula(op, release);
  if (formula) return !formula->is_composite;
  const auto uncounted = std::ranges::find(kUncounted, op.packet, &Uncounted::packet);
  return uncounted != kUncounted.end() && release.has(uncounted->since);
}

}  // namespace fxcut
