#include "cost/device_profile.h"

#include <algorithm>

#include "settings/settings.h"

namespace fxcut {
namespace {

// Measured on an H100 SXM with PyTorch 2.11, cuBLAS and cuDNN 9, in bfloat16: products whose tiles fill the card reach 750 to 773
// of 989 TFLOP/s, copies of 512 MB 2,968 of 3,350 GB/s, cuDNN's causal attention 554 TFLOP/s, and its copies between layouts 62 %
// in a U-Net's step. FlashAttention-2 reaches 35 % (FlashAttention-3, 2024).
constexpr Efficiency kHopper = {0.78, 0.35, 0.9, 0.56, 0.6};
// FlashAttention-2 (2023), of an A100: 50 to 73 %. Memory: STREAM's triad reaches nine tenths. The rest as an H100.
constexpr Efficiency kAmpere = {0.8, 0.6, 0.9, 0.6, 0.6};
// Between these two for devices without measurements.
constexpr Efficiency kOther = {0.8, 0.5, 0.9, 0.5, 0.6};
// On a CPU attention runs at the rate of products: 76 to 86 GFLOPS against 68 to 85, with PyTorch 2.13 in float32 on one core
// with AVX-512. Memory: an estimate.
constexpr Efficiency kCpu = {0.8, 0.8, 0.8};

// The smallest kernels of steps on an H100 take 1 to 2.5 us by the profiler; other cards' were not measured. Multiprocessor
// counts are from data sheets. Small copies launched one after the other by an H100's host take 11.4 us each, however small.
constexpr KernelTimes on(double multiprocessors) { return {2, multiprocessors, 11.4}; }

// Triton code for a dropout on an H100 draws 33.6 million numbers in 77 to 95 us, in addition to its memory traffic.
constexpr ElementTimes kTritonOnHopper = {0.0025};

// Measured with PyTorch 2.13 and GCC 12 on a core of an EPYC with AVX-512, for inductor's code on 2^20 elements:
// x > 0 takes 10.3 ms where x + 1 takes 0.1, where(mask, 0, x) 3.9, rand 10.2. The time is divided by the cores.
constexpr ElementTimes on_cores(double cores) { return {10.0 / cores, 10.0 / cores, 3.7 / cores}; }

const DeviceProfile& known(std::string_view name) { return find_row(device_profiles(), name)->in(device_profiles()); }

// Calls `visit` with the device of each tensor.
template <typename Visit>
void for_each_device(const Value& value, const Visit& visit) {
  if (value.is_tensor()) visit(value.tensor.device);
  for (const Value& item : value.items) for_each_device(item, visit);
}

const DeviceProfile& device_like(const Graph& graph) {
  bool is_on_cpu = false, is_on_xla = false, is_elsewhere = false;
  std::string_view last;  // most tensors are where the last one is
  for (const Node& node : graph.nodes) {
    if (!node.value) continue;
    for_each_device(*node.value, [&](std::string_view device) {
      if (device == last) return;
      last = device;
      const bool is_cpu = device.starts_with("cpu"), is_xla = device.starts_with("xla");
      is_on_cpu = is_on_cpu || is_cpu;
      is_on_xla = is_on_xla || is_xla;
      is_elsewhere = is_elsewhere || (!is_cpu && !is_xla && device != "meta" && !device.empty());
    });
  }
  if (is_on_xla) return known("tpu_v5p");
  return known(is_on_cpu && !is_elsewhere ? "epyc_9654" : "h100");
}

}  // namespace

const std::vector<DeviceProfile>& device_profiles() {
  // Links: NVLink, PCIe 4.0 of 16 lanes, 7 links of Infinity Fabric, ICI, 3 links of xGMI; half of what data sheets give both
  // ways.
  static const std::vector<DeviceProfile> profiles = {
      {"h100", 67, 67, 495, 989, 1979, 3350, "NVIDIA H100 datasheet, SXM, without sparsity; shares measured with PyTorch 2.11",
       450, kHopper, kTritonOnHopper, {}, on(132)},
      {"h200", 67, 67, 495, 989, 1979, 4800, "NVIDIA H200 datasheet, SXM, without sparsity; shares of an H100", 450, kHopper,
       kTritonOnHopper, {}, on(132)},
      {"b200", 37, 75, 1100, 2250, 4500, 7700, "NVIDIA Blackwell datasheet, a GPU of HGX B200, without sparsity",
       900, kOther, {}, {}, on(148)},
      {"a100", 19.5, 19.5, 156, 312, 624, 2039, "NVIDIA A100 datasheet, SXM 80 GB, without sparsity; float8 as int8",
       300, kAmpere, {}, {}, on(108)},
      {"l40s", 1.43, 91.6, 183, 362, 733, 864,
       "NVIDIA L40S datasheet, without sparsity; float64: a 64th of float32's 91.6 outside of tensor cores", 32, kAmpere, {}, {},
       on(142)},
      {"mi300x", 163.4, 163.4, 653.7, 1307.4, 2614.9, 5300, "AMD Instinct MI300X datasheet, without sparsity",
       448, kOther, {}, {}, on(304)},
      {"mi325x", 163.4, 163.4, 653.7, 1307.4, 2614.9, 6000, "AMD Instinct MI325X datasheet, without sparsity",
       448, kOther, {}, {}, on(304)},
      {"mi355x", 78.6, 157.3, 0, 2516.6, 5033.2, 8000, "AMD Instinct MI355X datasheet, without sparsity; it has no TF32", 537.6,
       kOther, {}, {}, on(256)},
      {"tpu_v5p", 459, 459, 0, 459, 459, 2765,
       "Google Cloud's documentation of TPU v5p, bfloat16; XLA multiplies float32 as bfloat16 by default", 300, kOther},
      {"epyc_9654", 3.69, 7.37, 0, 14.75, 29.5, 460.8,
       "AMD EPYC 9654 datasheet: 96 cores at 2.4 GHz, each with two 256-bit units that multiply and add; "
       "12 channels of DDR5-4800",
       192, kCpu, on_cores(96)},
  };
  return profiles;
}

std::string_view name_of(DeviceFrom from) { return from == DeviceFrom::Given ? "given" : "graph"; }

EstimatedDevice device_of(const Settings& settings, const Graph& graph) {
  EstimatedDevice device{settings.own_device        ? *settings.own_device
                         : settings.device_profile ? settings.device_profile->in(device_profiles())
                                                   : device_like(graph),
                         settings.own_device || settings.device_profile ? DeviceFrom::Given : DeviceFrom::Graph};
  const auto precision = settings.float32_matmul_precision;
  device.profile.products_use_tf32 = precision.value_or(MatmulPrecision::Highest) != MatmulPrecision::Highest;
  device.profile.fuses = settings.memory_of != MemoryOf::Operators;
  return device;
}

double link_rate(const DeviceProfile& profile) {
  return profile.link_gb_per_second > 0 ? profile.link_gb_per_second : profile.memory_gb_per_second;
}

double peak_flops(const DeviceProfile& profile, const Dtype& dtype, bool is_convolution) {
  constexpr double kTera = 1e12;
  if (dtype.name == "float64" || dtype.name == "complex128") return profile.tflops_float64 * kTera;
  const bool uses_tf32 = profile.tflops_tf32 > 0 && dtype.name == "float32" && (is_convolution || profile.products_use_tf32);
  if (uses_tf32) return profile.tflops_tf32 * kTera;
  if (dtype.size_bytes >= 4) return profile.tflops_float32 * kTera;
  if (dtype.size_bytes == 2) return profile.tflops_float16 * kTera;
  return profile.tflops_float8 * kTera;
}

}  // namespace fxcut
