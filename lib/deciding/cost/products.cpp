#include "cost/products.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <numeric>
#include <optional>
#include <string_view>

namespace fxcut {
namespace {

using Lengths = std::vector<double>;

struct ProductCall {
  const Graph& graph;
  const Node& node;

  const Argument* argument(std::size_t position) const {
    const auto& positional = node.arguments->positional;
    return position < positional.size() ? &positional[position] : nullptr;
  }
  // Of the tensor argument there, if it has that many dimensions.
  std::optional<Lengths> sizes(std::size_t position, std::size_t dimensions) const {
    const Argument* a = argument(position);
    if (!a || a->kind != Argument::Kind::Node) return std::nullopt;
    const Value* value = graph[node.inputs[a->index]].value.get();
    if (!value || !value->is_tensor() || value->tensor.shape.size() != dimensions) return std::nullopt;
    return lengths_of(value->tensor);
  }
  static Lengths lengths_of(const Tensor& tensor) {
    const std::vector<std::int64_t> sizes = hints_of(tensor.shape);
    return {sizes.begin(), sizes.end()};
  }
  bool is_true(const Argument* a) const { return a && a->kind == Argument::Kind::Bool && a->integer != 0; }
  // The arguments of a convolution that say so begin at this position: transposed, output_padding, groups.
  bool is_plain_convolution(std::size_t position) const {
    const Argument* groups = argument(position + 2);
    return !is_true(argument(position)) && groups && groups->kind == Argument::Kind::Int && groups->integer == 1;
  }
};

struct Multiplication {
  std::string_view packet;
  std::size_t first;  // the position of its first factor; the second follows
};

constexpr std::array<Multiplication, 5> kMultiplications = {{
    {"aten.mm", 0}, {"aten.addmm", 1}, {"aten._addmm_activation", 1}, {"aten._scaled_mm", 0}, {"aten._int_mm", 0}}};
constexpr std::array<Multiplication, 2> kBatchedMultiplications = {{{"aten.bmm", 0}, {"aten.baddbmm", 1}}};

double product_of(Lengths::const_iterator begin, Lengths::const_iterator end) {
  return std::accumulate(begin, end, 1.0, std::multiplies<>());
}

// The images and the points of each, and the channels and points of a window.
double points(const Lengths& image) { return image[0] * product_of(image.begin() + 2, image.end()); }
double window(const Lengths& weight) { return product_of(weight.begin() + 1, weight.end()); }

constexpr std::size_t kConvolved = 4;  // dimensions: images, channels, height, width

std::vector<Product> of_convolution(const ProductCall& call) {
  const auto weight = call.sizes(1, kConvolved);
  const Value* result = call.node.value.get();
  if (!weight || !result || !result->is_tensor() || result->tensor.shape.size() != kConvolved) return {};
  if (!call.is_plain_convolution(6)) return {};
  return {{1, points(ProductCall::lengths_of(result->tensor)), window(*weight), (*weight)[0]}};
}

// Of the input each point takes the window's points of all results, of the weight each window's point all points of the image.
std::vector<Product> of_convolution_backward(const ProductCall& call) {
  const auto gradient = call.sizes(0, kConvolved), input = call.sizes(1, kConvolved), weight = call.sizes(2, kConvolved);
  const Argument* mask = call.argument(10);
  if (!gradient || !input || !weight || !mask || mask->items.size() < 2 || !call.is_plain_convolution(7)) return {};
  const double results = (*weight)[0], width = product_of(weight->begin() + 2, weight->end());
  std::vector<Product> products;
  if (call.is_true(&mask->items[0])) products.push_back({1, points(*input), results * width, (*weight)[1]});
  if (call.is_true(&mask->items[1])) products.push_back({1, results, points(*gradient), window(*weight)});
  return products;
}

}  // namespace

std::vector<Product> products_of(const Graph& graph, const Node& node) {
  const ProductCall call{graph, node};
  const std::string_view packet = node.callee->packet;
  if (packet == "aten.convolution") return of_convolution(call);
  if (packet == "aten.convolution_backward") return of_convolution_backward(call);
  const auto plain = std::ranges::find(kMultiplications, packet, &Multiplication::packet);
  if (plain != kMultiplications.end()) {
    const auto a = call.sizes(plain->first, 2), b = call.sizes(plain->first + 1, 2);
    return a && b ? std::vector<Product>{{1, (*a)[0], (*a)[1], (*b)[1]}} : std::vector<Product>();
  }
  const auto batched = std::ranges::find(kBatchedMultiplications, packet, &Multiplication::packet);
  if (batched == kBatchedMultiplications.end()) return {};
  const auto a = call.sizes(batched->first, 3), b = call.sizes(batched->first + 1, 3);
  return a && b ? std::vector<Product>{{(*a)[0], (*a)[1], (*a)[2], (*b)[2]}} : std::vector<Product>();
}

}  // namespace fxcut
