// libFuzzer's own changes of bytes seldom leave JSON. So every other mutant is one of mutation.h.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "mutation.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t largest);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t largest,
                                               unsigned int seed) {
  if (seed % 2 == 0 || size == 0) return LLVMFuzzerMutate(data, size, largest);
  const std::string text = fuzz::mutant({std::string(reinterpret_cast<const char*>(data), size)}, seed, 0);
  const std::size_t fits = std::min(text.size(), largest);
  std::memcpy(data, text.data(), fits);
  return fits;
}
