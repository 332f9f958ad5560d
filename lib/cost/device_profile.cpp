#include "cost/device_profile.h"

#include <algorithm>

namespace fxcut {

const std::vector<DeviceProfile>& device_profiles() {
  static const std::vector<DeviceProfile> profiles = {
      {"h100", 67, 495, 989, 1979, 3350, "NVIDIA H100 datasheet, SXM, without sparsity"},
      {"h200", 67, 495, 989, 1979, 4800, "NVIDIA H200 datasheet, SXM, without sparsity"},
      {"a100", 19.5, 156, 312, 624, 2039, "NVIDIA A100 datasheet, SXM 80 GB, without sparsity; float8 stands for int8"},
      {"mi300x", 163.4, 653.7, 1307.4, 2614.9, 5300, "AMD Instinct MI300X datasheet, without sparsity"},
  };
  return profiles;
}

const DeviceProfile* find_device_profile(std::string_view name) {
  const auto& profiles = device_profiles();
  const auto found =
      std::find_if(profiles.begin(), profiles.end(), [&](const DeviceProfile& p) { return p.name == name; });
  return found == profiles.end() ? nullptr : &*found;
}

double peak_flops(const DeviceProfile& profile, const Dtype& dtype) {
  constexpr double kTera = 1e12;
  if (dtype.name == "float64" || dtype.name == "complex128") return profile.tflops_float64 * kTera;
  if (dtype.size_bytes >= 4) return profile.tflops_float32 * kTera;
  if (dtype.size_bytes == 2) return profile.tflops_float16 * kTera;
  return profile.tflops_float8 * kTera;
}

}  // namespace fxcut
