#include "cli/memory_cap.h"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "settings/memory_limit.h"

namespace fxcut {
namespace {

// The program needs a few MiB before it reads anything.
constexpr rlim_t kMinCap = rlim_t{16} << 20;
constexpr rlim_t kForMessage = rlim_t{1} << 20;

std::string cap_given;  // the value of --max-memory

// Leaves the hard limit, so that the soft one can be raised again.
bool limit_to(rlim_t bytes) {
  rlimit limit{};
  if (::getrlimit(RLIMIT_DATA, &limit) != 0) return false;
  limit.rlim_cur = std::min(bytes, limit.rlim_max);
  return ::setrlimit(RLIMIT_DATA, &limit) == 0;
}

rlim_t bytes_of(const std::string& size) {
  const auto parsed = parse_memory_limit(size);
  if (parsed && !parsed->is_least && static_cast<rlim_t>(parsed->bytes) >= kMinCap) {
    return static_cast<rlim_t>(parsed->bytes);
  }
  throw Failure(ExitStatus::Usage, fmt::format("--max-memory '{}': expected a size of 16MiB or more", size),
                "for example --max-memory 4GiB");
}

}  // namespace

void cap_memory(const std::string& size) {
  if (!limit_to(bytes_of(size))) {
    throw Failure(ExitStatus::FileTrouble,
                  fmt::format("--max-memory: the system refuses to set a limit: {}", std::strerror(errno)), "drop it");
  }
  cap_given = size;
}

Expansion allowed_expansion() { return cap_given.empty() ? Expansion::Usual : Expansion::Any; }

Failure out_of_memory(const std::string& file) {
  if (cap_given.empty()) {
    return Failure(ExitStatus::FileTrouble, {{file, "out of memory",
                     "raise the limit of ulimit or the container; in a batch use fewer --jobs"}});
  }
  limit_to(bytes_of(cap_given) + kForMessage);
  return Failure(ExitStatus::FileTrouble, {{file, fmt::format("needs more memory than --max-memory {} allows", cap_given),
                                            "allow more memory, or use a smaller graph"}});
}

}  // namespace fxcut
