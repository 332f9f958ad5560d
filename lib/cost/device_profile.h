// What a device can do: the figures behind estimated run times.
#pragma once

#include <string_view>
#include <vector>

#include "graph/value.h"

namespace fxcut {

struct DeviceProfile {
  std::string_view name;
  // Peak rates of dense matrix products in 10^12 floating point operations a second, by dtype.
  double tflops_float64;
  double tflops_float32;  // TF32 where the device has it, as PyTorch's matrix products may use it
  double tflops_float16;  // and bfloat16
  double tflops_float8;   // and int8; that of float16 where the device has no faster one
  double memory_gb_per_second;  // 10^9 bytes
  std::string_view source;
};

// The known devices, the default one first.
const std::vector<DeviceProfile>& device_profiles();

// The device of that name, or null.
const DeviceProfile* find_device_profile(std::string_view name);

// The peak rate for results of that dtype, in operations a second.
double peak_flops(const DeviceProfile& profile, const Dtype& dtype);

}  // namespace fxcut
