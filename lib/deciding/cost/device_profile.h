// A device's figures for estimates of run time.
#pragma once

#include <string>
#include <vector>

#include "graph/value.h"

namespace fxcut {

struct Settings;

struct DeviceProfile {
  std::string name;
  // Peak rates of dense matrix products in 10^12 floating point operations a second, by dtype.
  double tflops_float64 = 0;
  double tflops_float32 = 0;        // TF32 if the device has it, since PyTorch's matrix products may use it
  double tflops_float16 = 0;        // and bfloat16
  double tflops_float8 = 0;         // and int8; that of float16 if the device has no faster one
  double memory_gb_per_second = 0;  // 10^9 bytes
  std::string source;               // of the figures
};

// The known devices, the default one first.
const std::vector<DeviceProfile>& device_profiles();

// The device of the settings: the user's own, or a known one by name.
const DeviceProfile& device_of(const Settings& settings);

// The peak rate for operands of that dtype, in operations per second.
double peak_flops(const DeviceProfile& profile, const Dtype& dtype);

}  // namespace fxcut
