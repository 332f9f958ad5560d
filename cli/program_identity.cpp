#include "cli/program_identity.h"

#include <fmt/format.h>

#include "diagnostic/diagnostic.h"
#include "graph/hash128.h"
#include "read/read_file.h"

namespace fxcut {

std::string program_identity() {
  Hash128 hash;
  try {
    hash.add(std::string_view(read_file("/proc/self/exe")));
  } catch (const Failure&) {
    return std::string(kVersion);
  }
  return fmt::format("{} {}", kVersion, hash.text());
}

}  // namespace fxcut
