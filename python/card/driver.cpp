// The CUDA driver of a card that does not exist. When PyTorch first asks for a context it loads libcaffe2_nvrtc.so, which needs
// libcuda.so.1 and each function of it that is named here (`nm -D --undefined-only` lists them). On a machine without a driver
// the loader uses this library instead, because it is loaded already and has that name (SONAME).

#include "runtime.h"

namespace {
constexpr int kSuccess = 0;         // CUDA_SUCCESS
constexpr int kNotSupported = 801;  // CUDA_ERROR_NOT_SUPPORTED
}  // namespace

#define FXCUT_REFUSED(function) \
  int function() { return kNotSupported; }

#pragma GCC visibility push(default)
extern "C" {

int cuGetErrorString(int, const char** text) {
  *text = fxcut_card::kRefusal;
  return kSuccess;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return kSuccess;
}

// There is no context, so PyTorch has no streams to manage in it.
int cuDevicePrimaryCtxGetState(int, unsigned* flags, int* is_active) {
  *flags = 0;
  *is_active = 0;
  return kSuccess;
}

FXCUT_REFUSED(cuCtxGetCurrent)
FXCUT_REFUSED(cuCtxSetCurrent)
FXCUT_REFUSED(cuDeviceGetAttribute)
FXCUT_REFUSED(cuDevicePrimaryCtxRetain)
FXCUT_REFUSED(cuFuncGetAttribute)
FXCUT_REFUSED(cuFuncSetAttribute)
FXCUT_REFUSED(cuFuncSetCacheConfig)
FXCUT_REFUSED(cuLaunchCooperativeKernel)
FXCUT_REFUSED(cuLaunchKernel)
FXCUT_REFUSED(cuLinkAddData)
FXCUT_REFUSED(cuLinkAddData_v2)
FXCUT_REFUSED(cuLinkComplete)
FXCUT_REFUSED(cuLinkCreate)
FXCUT_REFUSED(cuLinkCreate_v2)
FXCUT_REFUSED(cuModuleGetFunction)
FXCUT_REFUSED(cuModuleLoad)
FXCUT_REFUSED(cuModuleLoadData)
FXCUT_REFUSED(cuModuleLoadDataEx)
FXCUT_REFUSED(cuModuleUnload)
FXCUT_REFUSED(cuOccupancyMaxActiveBlocksPerMultiprocessor)
FXCUT_REFUSED(cuPointerGetAttribute)
FXCUT_REFUSED(cuTensorMapEncodeTiled)
}
#pragma GCC visibility pop
