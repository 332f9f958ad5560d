#pragma once
// A GPU that does not exist, as the CUDA runtime describes one: everything by which PyTorch and inductor decide.

#include <stddef.h>

// Sizes are in bytes. Named as in cudaDeviceProp and cudaDeviceAttr (driver_types.h).
struct FxcutCard {
  char name[64];
  size_t memory;
  int capability_major;
  int capability_minor;
  int multiprocessors;
  int shared_memory_per_multiprocessor;
  int shared_memory_per_block_opt_in;
  int l2_cache;
  int memory_bus_bits;
  int memory_clock_khz;
  int clock_khz;
};

extern "C" {

// From now on every library of PyTorch that is loaded finds this card, and no other, when it asks the CUDA runtime; work for the
// card is refused. There is no way back, so this is for a process of its own.
//
// cuda_version: of the runtime that they were built for, as in 13020: the layout of cudaDeviceProp depends on it.
// Returns how many references to the runtime were redirected, 0 in a PyTorch without CUDA; -1 for a runtime whose layout is not
// known here.
__attribute__((visibility("default"))) int fxcut_claim_card(const struct FxcutCard* card, int cuda_version);
}
