#include "cost/device_profile.h"

#include "settings/settings.h"

namespace fxcut {

const std::vector<DeviceProfile>& device_profiles() {
  static const std::vector<DeviceProfile> profiles = {
      {"h100", 67, 495, 989, 1979, 3350, "NVIDIA H100 datasheet, SXM, without sparsity"},
      {"h200", 67, 495, 989, 1979, 4800, "NVIDIA H200 datasheet, SXM, without sparsity"},
      {"b200", 37, 1100, 2250, 4500, 7700, "NVIDIA Blackwell datasheet, a GPU of HGX B200, without sparsity"},
      {"a100", 19.5, 156, 312, 624, 2039, "NVIDIA A100 datasheet, SXM 80 GB, without sparsity; float8 as int8"},
      {"l40s", 1.43, 183, 362, 733, 864,
       "NVIDIA L40S datasheet, without sparsity; float64: a 64th of float32's 91.6 outside of tensor cores"},
      {"mi300x", 163.4, 653.7, 1307.4, 2614.9, 5300, "AMD Instinct MI300X datasheet, without sparsity"},
      {"mi325x", 163.4, 653.7, 1307.4, 2614.9, 6000, "AMD Instinct MI325X datasheet, without sparsity"},
      {"mi355x", 78.6, 157.3, 2516.6, 5033.2, 8000, "AMD Instinct MI355X datasheet, without sparsity; it has no TF32"},
      {"tpu_v5p", 459, 459, 459, 459, 2765,
       "Google Cloud's documentation of TPU v5p, bfloat16; XLA multiplies float32 as bfloat16 by default"},
  };
  return profiles;
}

const DeviceProfile& device_of(const Settings& settings) {
  return settings.own_device ? *settings.own_device : settings.device_profile.in(device_profiles());
}

double peak_flops(const DeviceProfile& profile, const Dtype& dtype) {
  constexpr double kTera = 1e12;
  if (dtype.name == "float64" || dtype.name == "complex128") return profile.tflops_float64 * kTera;
  if (dtype.size_bytes >= 4) return profile.tflops_float32 * kTera;
  if (dtype.size_bytes == 2) return profile.tflops_float16 * kTera;
  return profile.tflops_float8 * kTera;
}

}  // namespace fxcut
