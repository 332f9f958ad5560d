#pragma once

#include "card.h"

namespace fxcut_card {

// The offsets in bytes, in a release of the CUDA runtime, of those fields of cudaDeviceProp that moved between releases.
struct Layout {
  int cuda_major;
  size_t size;
  size_t multiprocessors;
  size_t concurrent_kernels;
  size_t unified_addressing;
  size_t memory_bus_bits;
  size_t l2_cache;
  size_t threads_per_multiprocessor;
  size_t shared_memory_per_multiprocessor;
  size_t registers_per_multiprocessor;
  size_t managed_memory;
  size_t cooperative_launch;
  size_t shared_memory_per_block_opt_in;
};

// What PyTorch prints for anything that was refused.
extern const char* const kRefusal;

// The card that the functions below are about. cuda_version: as in 13020.
void set_card(const FxcutCard& card, const Layout& layout, int cuda_version);

// The function to be called in place of the one of that name; null if there is none.
void* answer_to(const char* name);

// The value of an attribute by its number in cudaDeviceAttr; 0 of the others, which are all "not supported".
int attribute_of(const FxcutCard& card, int attribute);

}  // namespace fxcut_card
