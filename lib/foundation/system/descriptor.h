// Open files, and errors of paths.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "diagnostic/diagnostic.h"

namespace fxcut {

// A file descriptor that its destructor closes.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ > STDERR_FILENO) ::close(fd_);
  }
  int get() const { return fd_; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

// Advice on an error number of a path; empty if its text is enough.
inline std::string advice_on(int error) {
  switch (error) {
    case ENOENT: return "check the path";
    case EACCES:
    case EPERM:
    case EROFS: return "name a place where you may do so, or change its permissions";
    case ENAMETOOLONG: return "choose a shorter name";
    case ENOSPC:
    case EDQUOT: return "make room, or name a place on another disk";
    case EMFILE:
    case ENFILE: return "raise the limit of open files (ulimit -n)";
    default: return {};
  }
}

// Throws Failure (FileTrouble) with the path, the system's text for the error number, and the hint, or otherwise advice on the
// number.
[[noreturn]] inline void throw_file_trouble(const std::filesystem::path& path, std::string_view what, int error,
                                            std::string hint = {}) {
  throw Failure(ExitStatus::FileTrouble, {{path.string(), std::string(what) + ": " + std::strerror(error),
                                           hint.empty() ? advice_on(error) : std::move(hint)}});
}

}  // namespace fxcut
