#include "verify/counted_flops.h"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fxcut {
namespace {

constexpr Int128 kMaxFlops = Int128{1} << 100;  // PyTorch's integers have no bound; those of reports stop here

Int128 times(Int128 a, Int128 b) { return a != 0 && b > kMaxFlops / a ? kMaxFlops : a * b; }

using Shape = std::vector<Int128>;

Int128 product(const Shape& shape, std::size_t from = 0) {
  Int128 sizes = 1;
  for (std::size_t d = from; d < shape.size(); ++d) sizes = times(sizes, shape[d]);
  return sizes;
}

std::optional<Shape> shape_of(const Value* value) {
  if (!value || !value->is_tensor()) return std::nullopt;
  Shape shape;
  for (const Size& size : value->tensor.shape) shape.push_back(size.hint);
  return shape;
}

// A call with its arguments by position.
struct CountedCall {
  const Graph& graph;
  const Node& node;
  Release release;

  std::size_t size() const { return node.arguments->positional.size(); }
  const Argument* argument(std::size_t position) const {
    return position < size() ? &node.arguments->positional[position] : nullptr;
  }
  const Value* value(std::size_t position) const {
    const auto input = node_argument(node, position);
    return input ? graph[*input].value.get() : nullptr;
  }
  std::optional<Shape> shape(std::size_t position) const { return shape_of(value(position)); }
  std::optional<Int128> integer(std::size_t position) const {
    const Argument* given = argument(position);
    if (given && given->kind == Argument::Kind::Int) return given->integer;
    const Value* symbol = value(position);
    if (!symbol || symbol->kind != Value::Kind::SymInt) return std::nullopt;
    return symbol->hint.value_or(kUnhintedSize);
  }
};

bool is_true(const Argument* argument) {
  return argument && argument->kind == Argument::Kind::Bool && argument->integer != 0;
}

// The sizes of a contraction's indices, by letter.
class Indices {
 public:
  void set(char letter, Int128 size) { sizes_[slot(letter)] = size; }
  Int128 operator[](char letter) const { return sizes_[slot(letter)].value_or(1); }

  // Sets the indices of the tensor arguments from `first` on: "mk kn" for two matrices, '.' for a dimension of any size.
  // False if an argument has other dimensions, or a letter has another size already.
  bool set(const CountedCall& call, std::size_t first, std::string_view tensors) {
    for (std::size_t begin = 0; begin < tensors.size(); ++first) {
      const std::size_t end = std::min(tensors.find(' ', begin), tensors.size());
      const std::string_view letters = tensors.substr(begin, end - begin);
      const auto shape = call.shape(first);
      if (!shape || shape->size() != letters.size()) return false;
      for (std::size_t d = 0; d < letters.size(); ++d) {
        auto& size = sizes_[slot(letters[d])];
        if (letters[d] != '.' && size && *size != (*shape)[d]) return false;
        size = (*shape)[d];
      }
      begin = end + 1;
    }
    return true;
  }

  // Two operations for each combination of the letters, summed over the words.
  Int128 flops(std::string_view products) const {
    Int128 sum = 0, word = 2;
    for (const char letter : products) {
      if (letter != ' ') {
        word = times(word, (*this)[letter]);
        continue;
      }
      sum += word;
      word = 2;
    }
    return std::min(sum + word, kMaxFlops);
  }

 private:
  static std::size_t slot(char letter) { return letter == '.' ? 26 : static_cast<std::size_t>(letter - 'a'); }
  std::array<std::optional<Int128>, 27> sizes_;
};

// b: batch, h: heads of the queries, g: heads of the keys and values, which the queries' heads share; q, k: queries and
// keys; d, v: features of keys and values. Forward: scores, weighted values. Backward: both again, and the gradients of
// queries, keys and values.
constexpr std::string_view kAttention = "bhqd bgkd bgkv", kGradients = "bhqv bhqd bgkd bgkv";
constexpr std::string_view kAttentionProducts = "bhqkd bhqkv", kGradientProducts = "bhqkd bhqkd bhqkd bhqkv bhqkv";
constexpr std::size_t kAnyNumber = std::numeric_limits<std::size_t>::max();

struct Contraction {
  std::string_view packet;
  std::string_view tensors;
  std::string_view products;
  std::size_t first = 0;                    // position of the first of the tensors
  std::size_t most_arguments = kAnyNumber;  // older releases count a call with more, such as a dtype, as 1
  std::optional<Change> since = {};         // the change that counts it; older releases count it as 1
};

constexpr Contraction kContractions[] = {
    {"aten.mm", "mk kn", "mkn"},
    {"aten._scaled_mm", "mk kn", "mkn", 0, kAnyNumber, Change::FlopsOfScaledProducts},
    {"aten.addmm", "mk kn", "mkn", 1, 3},
    {"aten.bmm", "bmk bkn", "bmkn", 0, 2},
    {"aten.baddbmm", "bmk bkn", "bmkn", 1, 3},
    {"aten._scaled_dot_product_efficient_attention", kAttention, kAttentionProducts},
    {"aten._scaled_dot_product_flash_attention", kAttention, kAttentionProducts},
    {"aten._scaled_dot_product_cudnn_attention", kAttention, kAttentionProducts, 0, kAnyNumber, Change::FlopsOfCudnnAttention},
    {"aten._scaled_dot_product_attention_math", kAttention, kAttentionProducts},
    {"aten._scaled_dot_product_flash_attention_for_cpu", kAttention, kAttentionProducts, 0, kAnyNumber,
     Change::FlopsOfCpuAttention},
    {"aten.scaled_dot_product_attention", kAttention, kAttentionProducts, 0, kAnyNumber, Change::FlopsOfCpuAttention},
    {"aten._scaled_dot_product_efficient_attention_backward", kGradients, kGradientProducts},
    {"aten._scaled_dot_product_flash_attention_backward", kGradients, kGradientProducts},
    {"aten._scaled_dot_product_cudnn_attention_backward", kGradients, kGradientProducts, 0, kAnyNumber,
     Change::FlopsOfCudnnAttention},
    {"aten._scaled_dot_product_flash_attention_for_cpu_backward", kGradients, kGradientProducts, 0, kAnyNumber,
     Change::FlopsOfCpuAttention},
};

// Attention over sequences of unequal lengths, packed into one tensor; each counts as the longest.
struct PackedAttention {
  std::string_view packet;
  std::string_view packed;    // the tensors' indices
  std::string_view unpacked;  // the same for a call without offsets
  std::size_t offsets;        // position of the queries' offsets, the keys', the longest queries and keys
  bool is_backward = false;
};

constexpr PackedAttention kPackedAttentions[] = {
    {"aten._flash_attention_forward", ".hd .gd .gv", "bqhd bkgd bkgv", 3},
    {"aten._efficient_attention_forward", "..hd ..gd ..gv", kAttention, 4},
    {"aten._flash_attention_backward", "thv thd .gd .gv", "bqhv bqhd bkgd bkgv", 6, true},
    {"aten._efficient_attention_backward", "sthv sthd ..gd ..gv", kGradients, 6, true},
};

struct Convolution {
  std::string_view packet;
  std::optional<Change> since = {};
};

constexpr Convolution kConvolutions[] = {{"aten.convolution"},
                                         {"aten._convolution"},
                                         {"aten.cudnn_convolution", Change::FlopsOfCudnnConvolutions},
                                         {"aten.convolution_overrideable", Change::FlopsOfOtherConvolutions}};

Int128 contraction(const CountedCall& call, std::size_t first, std::string_view tensors, std::string_view products,
                   Indices indices = {}) {
  if (!indices.set(call, first, tensors)) return 0;
  const Int128 heads = indices['h'], shared = indices['g'];
  if (heads != shared && tensors.find('g') != std::string_view::npos && !call.release.has(Change::FlopsOfSharedHeads)) return 0;
  return shared == 0 || heads % shared != 0 ? 0 : indices.flops(products);
}

Int128 packed_attention(const CountedCall& call, const PackedAttention& row) {
  const std::string_view products = row.is_backward ? kGradientProducts : kAttentionProducts;
  const Argument* given = call.argument(row.offsets);
  if (!given || given->kind == Argument::Kind::None) {
    const std::string_view heads_first = row.is_backward ? kGradients : kAttention;
    return contraction(call, 0, call.release.has(Change::FlopsOfFlashBySequence) ? row.unpacked : heads_first, products);
  }
  const auto offsets = call.shape(row.offsets);
  const auto queries = call.integer(row.offsets + 2), keys = call.integer(row.offsets + 3);
  if (!offsets || offsets->size() != 1 || !queries || !keys) return 0;
  Indices indices;
  indices.set('b', std::max<Int128>(offsets->front() - 1, 0));
  indices.set('q', *queries);
  indices.set('k', *keys);
  std::string tensors(row.packed);
  // Older releases count the gradient, and the values, with the queries' width.
  if (row.is_backward && !call.release.has(Change::FlopsOfWideGradients)) {
    std::replace(tensors.begin(), tensors.end(), 'v', 'd');
    if (const auto values = call.shape(3); values && !values->empty()) indices.set('v', values->back());
  }
  return contraction(call, 0, tensors, products, indices);
}

Int128 convolution(const CountedCall& call) {
  const auto input = call.shape(0), weight = call.shape(1), output = shape_of(call.node.value.get());
  constexpr std::size_t kTransposed = 6;
  if (!input || !weight || !output || input->size() < 2 || weight->size() < 2 || call.size() <= kTransposed) return 0;
  const Shape& window_at = is_true(call.argument(kTransposed)) ? *input : *output;
  return times(times(2 * input->front(), product(window_at, 2)), product(*weight));
}

// The gradient of the input is a convolution with the weight; that of the weight is one with the output's gradient.
Int128 convolution_backward(const CountedCall& call) {
  const auto gradient = call.shape(0), input = call.shape(1), weight = call.shape(2);
  const bool is_transposed = is_true(call.argument(7));
  const Argument* needed = call.argument(10);
  if (!gradient || !input || !weight || !needed || needed->items.size() < 2 || !call.node.value) return 0;
  if (gradient->size() < 2 || input->size() < 2 || weight->size() < 2) return 0;
  const std::vector<Value>& results = call.node.value->items;
  const auto result = [&](std::size_t item) { return item < results.size() ? shape_of(&results[item]) : std::nullopt; };
  Int128 flops = 0;
  if (is_true(&needed->items[0])) {
    const auto of_input = result(0);
    if (!of_input) return 0;
    const Int128 positions = product(is_transposed ? *of_input : *gradient, 2);
    flops += times(times(2 * gradient->front(), positions), product(*weight));
  }
  if (is_true(&needed->items[1])) {
    const auto of_weight = result(1);
    if (!of_weight || of_weight->size() < 2) return 0;
    const Int128 channels = is_transposed ? (*gradient)[1] : (*input)[1];
    flops += times(times(2 * channels, product(*of_weight, 2)), product(is_transposed ? *input : *gradient));
  }
  return std::min(flops, kMaxFlops);
}

// 0 if there is no rule for it.
Int128 flops_by_rule(const CountedCall& call) {
  const std::string& packet = call.node.callee->packet;
  const auto is_it = [&](const auto& row) { return row.packet == packet; };
  const auto known = std::find_if(std::begin(kContractions), std::end(kContractions), is_it);
  if (known != std::end(kContractions)) {
    const bool takes_all = call.size() <= known->most_arguments || call.release.has(Change::FlopsOfKeywordProducts);
    const bool counts = takes_all && (!known->since || call.release.has(*known->since));
    return counts ? contraction(call, known->first, known->tensors, known->products) : 0;
  }
  const auto packed = std::find_if(std::begin(kPackedAttentions), std::end(kPackedAttentions), is_it);
  if (packed != std::end(kPackedAttentions)) return packed_attention(call, *packed);
  if (packet == "aten.convolution_backward") return convolution_backward(call);
  const auto convolves = std::find_if(std::begin(kConvolutions), std::end(kConvolutions), is_it);
  if (convolves == std::end(kConvolutions) || (convolves->since && !call.release.has(*convolves->since))) return 0;
  return convolution(call);
}

}  // namespace

Int128 count_flops(const Graph& graph, const Node& call, Release release) {
  return call.is_call() ? std::max<Int128>(flops_by_rule({graph, call, release}), 1) : 1;
}

}  // namespace fxcut
