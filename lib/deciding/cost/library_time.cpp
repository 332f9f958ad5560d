#include "cost/library_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>

#include "cost/flops.h"
#include "cost/products.h"
#include "graph/int128.h"

namespace fxcut {
namespace {

constexpr double kMsPerSecond = 1000, kMsPerUs = 1e-3, kBytesPerGb = 1e9;

// Tiles of cuBLAS's and cuDNN's kernels on an H100, by their names in profiles (nvjet_sm90_tst_256x128_64x4, ..._192x192_64x3). A
// small tile reads more per operation; its share of the largest tile's rate is an estimate.
struct Tile {
  double rows, columns, share;
};
constexpr std::array<Tile, 6> kTiles = {
    {{256, 128, 1}, {128, 256, 1}, {192, 192, 1}, {128, 128, 0.85}, {128, 64, 0.7}, {64, 64, 0.5}}};
constexpr std::array<double, 6> kInnerParts = {1, 2, 4, 8, 16, 32};

double tiled_ms(const Product& product, double operations_a_second, const KernelTimes& kernels) {
  double least = std::numeric_limits<double>::infinity();
  for (const Tile& tile : kTiles) {
    const double tiles = product.batches * std::ceil(product.rows / tile.rows) * std::ceil(product.columns / tile.columns);
    for (const double parts : kInnerParts) {
      if (parts > 1 && tiles * parts > kernels.multiprocessors) break;  // cut only for idle multiprocessors
      const double turns = std::ceil(tiles * parts / kernels.multiprocessors);
      const double each = 2 * tile.rows * tile.columns * std::ceil(product.inner / parts);
      const double ms = kMsPerSecond * turns * kernels.multiprocessors * each / (operations_a_second * tile.share);
      least = std::min(least, ms + (parts > 1 ? kernels.least_us * kMsPerUs : 0));
    }
  }
  return least;
}

// The positions of the arguments for causal attention and for an added bias; unset: there is none.
struct AttentionArguments {
  std::string_view packet;
  std::size_t causal, bias;
};
constexpr std::size_t kNone = 99;
constexpr std::array<AttentionArguments, 6> kAttention = {{{"aten._scaled_dot_product_flash_attention", 4, kNone},
                                                           {"aten._scaled_dot_product_efficient_attention", 6, 3},
                                                           {"aten._scaled_dot_product_cudnn_attention", 6, 3},
                                                           {"aten._scaled_dot_product_flash_attention_backward", 11, kNone},
                                                           {"aten._scaled_dot_product_efficient_attention_backward", 11, 4},
                                                           {"aten._scaled_dot_product_cudnn_attention_backward", 14, 8}}};

class LibraryCall {
 public:
  LibraryCall(const Graph& graph, const Node& node, const DeviceProfile& device) : graph_(graph), node_(node), device_(device) {}

  double ms(double bytes) const {
    const std::vector<Product> products = knows_kernels() ? products_of(graph_, node_) : std::vector<Product>();
    const auto kernels = static_cast<double>(std::max<std::size_t>(products.size(), 1));
    const double arithmetic = arithmetic_ms(products), traffic = ms_of_bytes(bytes, device_.efficiency.memory);
    const double exposed = device_.kernels.exposed_traffic * std::min(arithmetic, traffic);
    return std::max(arithmetic, traffic) + exposed + layouts_ms(products) + kernels * least_ms();
  }

 private:
  bool knows_kernels() const { return device_.kernels.multiprocessors > 0; }
  double least_ms() const { return device_.kernels.least_us * kMsPerUs; }

  double arithmetic_ms(const std::vector<Product>& products) const {
    if (products.empty()) return share_of_peak_ms() * (knows_kernels() ? attention_share() : 1);
    double ms = 0;
    for (const Product& product : products) ms += tiled_ms(product, peak() * device_.efficiency.products, device_.kernels);
    return ms;
  }

  double ms_of_bytes(double bytes, double share) const {
    return kMsPerSecond * bytes / (device_.memory_gb_per_second * share * kBytesPerGb);
  }

  double peak() const {
    const Tensor* operand = multiplied_tensor(graph_, node_);
    const bool is_convolution = node_.callee->packet.starts_with("aten.convolution");
    return operand ? peak_flops(device_, *operand->dtype, is_convolution) : 0;
  }

  double share_of_peak_ms() const {
    const Int128 flops = arithmetic_of(graph_, node_);
    if (flops <= 1 || peak() == 0) return 0;
    return kMsPerSecond * static_cast<double>(flops) / (peak() * rate_share());
  }

  double rate_share() const {
    if (!is_attention(*node_.callee)) return device_.efficiency.products;
    const bool is_cudnn = node_.callee->packet.find("cudnn") != std::string::npos;
    return is_cudnn ? device_.efficiency.cudnn_attention : device_.efficiency.attention;
  }

  // The time of this attention relative to its operations at the full rate.
  double attention_share() const {
    const auto row = std::ranges::find(kAttention, node_.callee->packet, &AttentionArguments::packet);
    if (row == kAttention.end()) return 1;
    const Argument* causal = argument_of(node_, row->causal, "is_causal");
    const Argument* bias = row->bias == kNone ? nullptr : argument_of(node_, row->bias, "attn_bias");
    const Tensor* query = multiplied_tensor(graph_, node_);
    double share = 1;
    if (causal && causal->is_true()) share *= kCausal;
    if (bias && bias->kind == Argument::Kind::Node) share /= kBiasedRate;
    if (query && !query->shape.empty() && hints_of(query->shape).back() <= kNarrowHead) share /= kNarrowRate;
    return row->packet.ends_with("_backward") ? share / kBackwardRate : share;
  }

  // The time of copying a convolution's channels-first inputs and results, each read and written.
  double layouts_ms(const std::vector<Product>& products) const {
    if (products.empty() || !node_.callee->packet.starts_with("aten.convolution") || device_.efficiency.layouts == 0) return 0;
    double ms = 0;
    for (const NodeId input : node_.inputs) ms += layout_ms(graph_[input].value.get());
    if (!node_.value) return ms;
    ms += layout_ms(node_.value.get());
    for (const Value& item : node_.value->items) ms += layout_ms(&item);
    return ms;
  }

  double layout_ms(const Value* value) const {
    if (!value || !value->is_tensor() || !is_copied(value->tensor)) return 0;
    return ms_of_bytes(2 * static_cast<double>(element_bytes(value->tensor)), device_.efficiency.layouts) + least_ms();
  }

  static bool is_copied(const Tensor& tensor) {
    const Extents shape = hints_of(tensor.shape), stride = hints_of(tensor.stride);
    return tensor.dtype->size_bytes == 2 && shape.size() == 4 && stride.size() == 4 && shape[1] > 1 && stride[1] != 1;
  }

  // Measured on an H100 with cuDNN 9, with heads of 128 features and 2,048 to 4,096 positions: causal 554 TFLOP/s forward and 445
  // backward, counting the computed half; with a bias 299 and 286, counting all. With heads of 64, without a bias, 310.
  static constexpr double kCausal = 0.52, kBackwardRate = 0.8, kBiasedRate = 0.57, kNarrowRate = 0.55;
  static constexpr std::int64_t kNarrowHead = 64;

  const Graph& graph_;
  const Node& node_;
  const DeviceProfile& device_;
};

}  // namespace

double library_ms(const Graph& graph, const Node& call, double bytes, const DeviceProfile& device) {
  return LibraryCall(graph, call, device).ms(bytes);
}

}  // namespace fxcut
