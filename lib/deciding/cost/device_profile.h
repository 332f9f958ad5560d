// A device's figures for estimates of run time.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.h"

namespace fxcut {

struct Settings;

// The minimum rate, in the units below, at which the time of any memory is still finite.
inline constexpr double kMinRate = 1e-9;

// The share of a peak rate that good kernels reach.
struct Efficiency {
  double products = 0.8;   // matrix products and convolutions
  double attention = 0.5;
  double memory = 0.9;
  double cudnn_attention = 0.5;
  double layouts = 0;      // of the memory's rate: copies of channels-first tensors by convolutions; 0: there are none

  bool operator==(const Efficiency&) const = default;
};

// How the device's kernels run: cost/library_time.h.
struct KernelTimes {
  double least_us = 0;         // of a kernel, however small
  double multiprocessors = 0;  // among which tiles of products are distributed; 0: only operations count
  double launch_us = 0;        // of the CPU, to launch one; 0: unknown
  double exposed_traffic = 0;  // the share of a product's memory time that its arithmetic does not hide; 0: all is hidden

  bool operator==(const KernelTimes&) const = default;
};

// Operations that kernels do element by element, as inductor's code for a CPU does: nanoseconds per element, in addition to its
// memory traffic; 0: no longer than the traffic.
struct ElementTimes {
  double random_ns = 0;      // to draw a number
  double store_bool_ns = 0;  // a comparison's result to memory
  double load_bool_ns = 0;
  double operation_ns = 0;   // any other operation of a fused kernel: pointwise, or a step of a reduction
  // The same for a Boolean whose rarer value is a tenth of all, as in a dropout's mask (cost/drawn_masks.h). Unset: as for all
  // others, which are measured where half are true.
  std::optional<double> store_mask_ns = std::nullopt;
  std::optional<double> load_mask_ns = std::nullopt;

  bool operator==(const ElementTimes&) const = default;
};

// A group of ranks, as collectives name it.
struct LinkGroup {
  std::string name;          // "0", as in the calls of the graph
  double gb_per_second = 0;  // 10^9 bytes, one way, of each rank
  std::int64_t ranks = 0;    // 0: unknown unless the call has it
  double latency_us = 0;     // of a collective, however small

  bool operator==(const LinkGroup&) const = default;
};

struct DeviceProfile {
  std::string name;
  // Peak rates of dense matrix products in 10^12 floating point operations a second, by dtype.
  double tflops_float64 = 0;
  double tflops_float32 = 0;
  // For float32 rounded to TF32, as in convolutions and optionally in matrix products; 0: these run at the rate of float32.
  double tflops_tf32 = 0;
  double tflops_float16 = 0;        // and bfloat16
  double tflops_float8 = 0;         // and int8; that of float16 if the device has no faster one
  double memory_gb_per_second = 0;  // 10^9 bytes
  std::string source;               // of the figures
  double link_gb_per_second = 0;    // 10^9 bytes, one way, to other devices of its kind; 0: that of the memory
  Efficiency efficiency = {};
  ElementTimes elements = {};          // of the whole device: a core's time divided by the cores
  std::vector<LinkGroup> groups = {};  // with links of their own
  KernelTimes kernels = {};
  // As the settings of an estimate say: whether products may use TF32, and whether a compiler fuses the operators.
  bool products_use_tf32 = false, fuses = true;

  bool operator==(const DeviceProfile&) const = default;
};

// The known devices.
const std::vector<DeviceProfile>& device_profiles();

// How the device of an estimate was found.
enum class DeviceFrom { Given, Graph };

struct EstimatedDevice {
  DeviceProfile profile;
  DeviceFrom from;
};

// "given", "graph".
std::string_view name_of(DeviceFrom from);

// The device of the settings: the user's own, or a known one by name. Otherwise a device of the kind that has the graph's values:
// a CPU if all are on the CPU, a TPU if one is on XLA's device, else a GPU.
EstimatedDevice device_of(const Settings& settings, const Graph& graph);

// The rate of its links, in 10^9 bytes per second one way; if the profile has none, that of its memory.
double link_rate(const DeviceProfile& profile);

// The peak rate for operands of that dtype, in operations per second: of matrix products, and of convolutions, which round
// float32 to TF32 unless PyTorch is configured otherwise (torch.backends.cudnn.allow_tf32).
double peak_flops(const DeviceProfile& profile, const Dtype& dtype, bool is_convolution = false);

}  // namespace fxcut
