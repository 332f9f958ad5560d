// Open files, and errors of paths.
#pragma once

#include <unistd.h>

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

// Throws Failure (FileTrouble) with the path and the system's text for the error number.
[[noreturn]] inline void throw_file_trouble(const std::filesystem::path& path, std::string_view what, int error,
                                            std::string hint = {}) {
  throw Failure(ExitStatus::FileTrouble,
                {{path.string(), std::string(what) + ": " + std::strerror(error), std::move(hint)}});
}

}  // namespace fxcut
