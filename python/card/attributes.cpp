#include "runtime.h"

namespace fxcut_card {

// Alike on every card from compute capability 8.0 on: threads of a block and a warp, blocks of a grid and of a multiprocessor,
// registers (CUDA C++ Programming Guide, "Compute Capabilities").
int attribute_of(const FxcutCard& card, int attribute) {
  switch (attribute) {
    case 1: return 1024;        // MaxThreadsPerBlock
    case 2: return 1024;        // MaxBlockDimX
    case 3: return 1024;        // MaxBlockDimY
    case 4: return 64;          // MaxBlockDimZ
    case 5: return 2147483647;  // MaxGridDimX
    case 6: return 65535;       // MaxGridDimY
    case 7: return 65535;       // MaxGridDimZ
    case 8: return 49152;       // MaxSharedMemoryPerBlock
    case 10: return 32;         // WarpSize
    case 12: return 65536;      // MaxRegistersPerBlock
    case 13: return card.clock_khz;
    case 14: return 512;  // TextureAlignment
    case 16: return card.multiprocessors;
    case 31: return 1;  // ConcurrentKernels
    case 36: return card.memory_clock_khz;
    case 37: return card.memory_bus_bits;
    case 38: return card.l2_cache;
    case 39: return 2048;  // MaxThreadsPerMultiProcessor
    case 41: return 1;     // UnifiedAddressing
    case 75: return card.capability_major;
    case 76: return card.capability_minor;
    case 81: return card.shared_memory_per_multiprocessor;
    case 82: return 65536;  // MaxRegistersPerMultiprocessor
    case 83: return 1;      // ManagedMemory
    case 95: return 1;      // CooperativeLaunch
    case 97: return card.shared_memory_per_block_opt_in;
    case 106: return 32;  // MaxBlocksPerMultiprocessor
    default: return 0;
  }
}

}  // namespace fxcut_card
