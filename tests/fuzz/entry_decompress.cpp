// Bytes that gzip or zstd may have made: they give a text or a failure, and no text is larger than the reader's limit.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "diagnostic/diagnostic.h"
#include "entry.h"
#include "read/decompress.h"

namespace {

constexpr std::size_t kMaxExpansion = 2000, kAlwaysAllowed = 1 << 16;  // as in read/decompress.h

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string text = fxcut::decompressed(std::string(reinterpret_cast<const char*>(data), size), "graph.json");
    if (text.capacity() > std::max(size * kMaxExpansion, kAlwaysAllowed)) {
      std::fprintf(stderr, "%zu bytes have become %zu\n", size, text.capacity());
      std::abort();
    }
  } catch (const fxcut::Failure&) {
  }
  return 0;
}
