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

Lengths lengths_of(const Tensor& tensor) {
  const Extents sizes = hints_of(tensor.shape);
  return {sizes.begin(), sizes.end()};
}

// The sizes of the tensor argument at `position`, if it has that many dimensions.
std::optional<Lengths> sizes(const Graph& graph, const Node& call, std::size_t position, std::size_t dimensions) {
  const std::optional<NodeId> given = node_argument(call, position);
  if (!given || !graph[*given].has_tensor()) return std::nullopt;
  const Tensor& tensor = graph[*given].value->tensor;
  return tensor.shape.size() == dimensions ? std::optional(lengths_of(tensor)) : std::nullopt;
}

// Whether it is neither transposed nor grouped; `position`: of the argument transposed, followed by output_padding and groups.
bool is_plain_convolution(const Node& call, std::size_t position) {
  const Argument* transposed = argument_of(call, position, "transposed");
  const Argument* groups = argument_of(call, position + 2, "groups");
  return !(transposed && transposed->is_true()) && groups && groups->kind == Argument::Kind::Int && groups->integer == 1;
}

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

std::vector<Product> of_convolution(const Graph& graph, const Node& call) {
  const auto weight = sizes(graph, call, 1, kConvolved);
  if (!weight || !call.has_tensor() || call.value->tensor.shape.size() != kConvolved) return {};
  if (!is_plain_convolution(call, 6)) return {};
  return {{1, points(lengths_of(call.value->tensor)), window(*weight), (*weight)[0]}};
}

// The input's gradient sums, per point, the window over all results; the weight's sums, per point of the window, the image.
std::vector<Product> of_convolution_backward(const Graph& graph, const Node& call) {
  const auto gradient = sizes(graph, call, 0, kConvolved), input = sizes(graph, call, 1, kConvolved);
  const auto weight = sizes(graph, call, 2, kConvolved);
  const Argument* mask = argument_of(call, 10, "output_mask");
  if (!gradient || !input || !weight || !mask || mask->items.size() < 2 || !is_plain_convolution(call, 7)) return {};
  const double results = (*weight)[0], width = product_of(weight->begin() + 2, weight->end());
  std::vector<Product> products;
  if (mask->items[0].is_true()) products.push_back({1, points(*input), results * width, (*weight)[1]});
  if (mask->items[1].is_true()) products.push_back({1, results, points(*gradient), window(*weight)});
  return products;
}

}  // namespace

std::vector<Product> products_of(const Graph& graph, const Node& call) {
  const std::string_view packet = call.callee->packet;
  if (packet == "aten.convolution") return of_convolution(graph, call);
  if (packet == "aten.convolution_backward") return of_convolution_backward(graph, call);
  const auto plain = std::ranges::find(kMultiplications, packet, &Multiplication::packet);
  if (plain != kMultiplications.end()) {
    const auto a = sizes(graph, call, plain->first, 2), b = sizes(graph, call, plain->first + 1, 2);
    return a && b ? std::vector<Product>{{1, (*a)[0], (*a)[1], (*b)[1]}} : std::vector<Product>();
  }
  const auto batched = std::ranges::find(kBatchedMultiplications, packet, &Multiplication::packet);
  if (batched == kBatchedMultiplications.end()) return {};
  const auto a = sizes(graph, call, batched->first, 3), b = sizes(graph, call, batched->first + 1, 3);
  return a && b ? std::vector<Product>{{(*a)[0], (*a)[1], (*a)[2], (*b)[2]}} : std::vector<Product>();
}

}  // namespace fxcut
