// The CUDA runtime of a card that does not exist. It answers questions about the card; streams and events are numbers, for which
// nothing ever has to wait; anything that would run on the card is refused. No header of CUDA is needed: enumerations are int,
// handles pointers.

#include "runtime.h"

#include <stdlib.h>
#include <string.h>

namespace fxcut_card {

const char* const kRefusal =
    "nothing runs on fxcut's stand-in for a GPU: its tensors have to be fake ones (torch._subclasses.FakeTensorMode)";

namespace {

constexpr int kSuccess = 0;           // cudaSuccess
constexpr int kSymbolNotFound = 500;  // cudaErrorSymbolNotFound
constexpr int kNotSupported = 801;    // cudaErrorNotSupported
// Before the first fake tensor PyTorch makes a real one of one element (init_gpu_context in torch/_subclasses/fake_tensor.py),
// for which its allocator takes kSmallBuffer (c10/cuda/CUDACachingAllocator.cpp).
constexpr size_t kMaxMemory = size_t{2} << 20;
constexpr size_t kAlignment = 512;
constexpr size_t kPointerAttributes = 24;  // cudaPointerAttributes without what CUDA 13 reserves after it

FxcutCard the_card;
Layout the_layout;
int the_cuda_version;
thread_local int last_error = kSuccess;

int refuse() { return last_error = kNotSupported; }
int succeed() { return kSuccess; }

template <typename T>
int give(T* to, T value) {
  *to = value;
  return kSuccess;
}

int get_device_count(int* count) { return give(count, 1); }
int get_device(int* device) { return give(device, 0); }
int set_device(int device) { return device == 0 ? kSuccess : refuse(); }
int get_version(int* version) { return give(version, the_cuda_version); }
int get_attribute(int* value, int attribute, int) { return give(value, attribute_of(the_card, attribute)); }
int get_whether_peer(int* can, int, int) { return give(can, 0); }
int get_capture_status(void*, int* status) { return give(status, 0); }

int get_stream_priorities(int* least, int* greatest) {
  *least = 0;
  return give(greatest, -5);
}

int get_memory(size_t* unused, size_t* all) {
  *unused = the_card.memory;
  return give(all, the_card.memory);
}

// Fields by their place in cudaDeviceProp.
class Properties {
 public:
  explicit Properties(void* to) : to_(static_cast<char*>(to)) { memset(to, 0, the_layout.size); }

  template <typename T>
  void put(size_t place, const T& value) {
    memcpy(to_ + place, &value, sizeof value);
  }

  // Stores the attribute's value as an int or a size_t.
  template <typename T = int>
  void put_attribute(size_t place, int attribute) {
    put(place, static_cast<T>(attribute_of(the_card, attribute)));
  }

 private:
  char* to_;
};

int get_properties(void* to, int) {
  Properties properties(to);
  memcpy(to, the_card.name, sizeof the_card.name);
  properties.put(288, the_card.memory);
  properties.put_attribute<size_t>(296, 8);  // shared memory of a block; numbers as in attributes.cpp
  properties.put_attribute(304, 12);         // registers of a block
  properties.put_attribute(308, 10);         // threads of a warp
  properties.put_attribute(320, 1);          // threads of a block
  for (int i = 0; i < 6; ++i) properties.put_attribute(324 + 4 * static_cast<size_t>(i), 2 + i);  // their dimensions, the grid's
  properties.put(360, the_card.capability_major);
  properties.put(364, the_card.capability_minor);
  properties.put(the_layout.multiprocessors, the_card.multiprocessors);
  properties.put_attribute(the_layout.concurrent_kernels, 31);
  properties.put_attribute(the_layout.unified_addressing, 41);
  properties.put(the_layout.memory_bus_bits, the_card.memory_bus_bits);
  properties.put(the_layout.l2_cache, the_card.l2_cache);
  properties.put_attribute(the_layout.threads_per_multiprocessor, 39);
  properties.put_attribute<size_t>(the_layout.shared_memory_per_multiprocessor, 81);
  properties.put_attribute(the_layout.registers_per_multiprocessor, 82);
  properties.put_attribute(the_layout.managed_memory, 83);
  properties.put_attribute(the_layout.cooperative_launch, 95);
  properties.put_attribute<size_t>(the_layout.shared_memory_per_block_opt_in, 97);
  return kSuccess;
}

const char* get_error_string(int error) { return error == kSuccess ? "no error" : kRefusal; }
const char* get_error_name(int error) { return error == kSuccess ? "cudaSuccess" : "cudaErrorNotSupported"; }
int peek_at_last_error() { return last_error; }

int get_last_error() {
  const int error = last_error;
  last_error = kSuccess;
  return error;
}

int make_handle(void** handle) {
  static size_t last = 0;
  *handle = reinterpret_cast<void*>(__atomic_add_fetch(&last, 1, __ATOMIC_RELAXED));
  return kSuccess;
}

int get_pointer_attributes(void* attributes, const void*) {
  memset(attributes, 0, kPointerAttributes);
  return kSuccess;
}

// PyTorch does without functions that it does not find.
int find_no_driver_function(const char*, void** function) {
  *function = nullptr;
  return kSymbolNotFound;
}

int allocate(void** memory, size_t size) {
  return size <= kMaxMemory && posix_memalign(memory, kAlignment, size) == 0 ? kSuccess : refuse();
}

int release(void* memory) {
  free(memory);
  return kSuccess;
}

// Inductor has a few constants of one element on the card, in its patterns of attention. All memory is the host's.
int copy(void* to, const void* from, size_t size) {
  memcpy(to, from, size);
  return kSuccess;
}

signed char count_devices() { return 1; }
bool is_in_bad_fork(signed char) { return false; }
void start_no_threads(void*) {}

struct Answer {
  const char* name;
  void* function;
};

template <typename F>
void* address(F* function) {
  return reinterpret_cast<void*>(function);
}

const Answer kAnswers[] = {
    {"cudaGetDeviceCount", address(get_device_count)},
    {"cudaGetDevice", address(get_device)},
    {"cudaSetDevice", address(set_device)},
    {"cudaDriverGetVersion", address(get_version)},
    {"cudaRuntimeGetVersion", address(get_version)},
    {"cudaGetDeviceProperties", address(get_properties)},
    {"cudaGetDeviceProperties_v2", address(get_properties)},  // its name in CUDA 12
    {"cudaDeviceGetAttribute", address(get_attribute)},
    {"cudaMemGetInfo", address(get_memory)},
    {"cudaDeviceCanAccessPeer", address(get_whether_peer)},
    {"cudaDeviceGetStreamPriorityRange", address(get_stream_priorities)},
    {"cudaStreamIsCapturing", address(get_capture_status)},
    {"cudaThreadExchangeStreamCaptureMode", address(succeed)},
    {"cudaPointerGetAttributes", address(get_pointer_attributes)},
    {"cudaGetDriverEntryPoint", address(find_no_driver_function)},
    {"cudaGetDriverEntryPointByVersion", address(find_no_driver_function)},
    {"cudaGetErrorString", address(get_error_string)},
    {"cudaGetErrorName", address(get_error_name)},
    {"cudaGetLastError", address(get_last_error)},
    {"cudaPeekAtLastError", address(peek_at_last_error)},
    {"cudaMalloc", address(allocate)},
    {"cudaFree", address(release)},
    {"cudaMemcpy", address(copy)},
    {"cudaMemcpyAsync", address(copy)},
    {"cudaStreamCreate", address(make_handle)},
    {"cudaStreamCreateWithFlags", address(make_handle)},
    {"cudaStreamCreateWithPriority", address(make_handle)},
    {"cudaEventCreate", address(make_handle)},
    {"cudaEventCreateWithFlags", address(make_handle)},
    {"cudaDeviceSynchronize", address(succeed)},
    {"cudaStreamSynchronize", address(succeed)},
    {"cudaStreamWaitEvent", address(succeed)},
    {"cudaStreamQuery", address(succeed)},
    {"cudaStreamDestroy", address(succeed)},
    {"cudaEventRecord", address(succeed)},
    {"cudaEventRecordWithFlags", address(succeed)},
    {"cudaEventSynchronize", address(succeed)},
    {"cudaEventQuery", address(succeed)},
    {"cudaEventDestroy", address(succeed)},
    // PyTorch's own. device_count and device_count_ensure_non_zero of c10::cuda keep what they were told first, from before;
    {"_ZN3c104cuda12device_countEv", address(count_devices)},
    {"_ZN3c104cuda28device_count_ensure_non_zeroEv", address(count_devices)},
    // torch::utils::is_device_in_bad_fork: this process is a fork of one that has asked for GPUs, but had none;
    {"_ZN5torch5utils21is_device_in_bad_forkEN3c1010DeviceTypeE", address(is_in_bad_fork)},
    // torch::autograd::Engine::initialize_device_threads_pool: that one's threads are not in a fork. Gradients are of one thread.
    {"_ZN5torch8autograd6Engine30initialize_device_threads_poolEv", address(start_no_threads)},
};

// Kernels are launched by way of __cudaPushCallConfiguration and __cudaLaunchKernel.
bool is_of_the_runtime(const char* name) {
  const char* const stem = strncmp(name, "__", 2) == 0 ? name + 2 : name;
  return strncmp(stem, "cuda", 4) == 0 && stem[4] >= 'A' && stem[4] <= 'Z';
}

}  // namespace

void set_card(const FxcutCard& card, const Layout& layout, int cuda_version) {
  the_card = card;
  the_layout = layout;
  the_cuda_version = cuda_version;
}

void* answer_to(const char* name) {
  for (const Answer& answer : kAnswers) {
    if (strcmp(answer.name, name) == 0) return answer.function;
  }
  return is_of_the_runtime(name) ? address(refuse) : nullptr;
}

}  // namespace fxcut_card
