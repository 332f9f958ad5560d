#include "write/put_content.h"

#include <fcntl.h>
#include <poll.h>

#include <cerrno>
#include <csignal>
#include <string_view>

#include "write/held_signals.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

constexpr int kPatience = 50;  // milliseconds between two checks for signals

[[noreturn]] void refuse(const fs::path& path, int error) {
  throw_file_trouble(path, "cannot be written", error, error == EPIPE ? "is its reader gone?" : "is the disk full?");
}

// The failure is not shown: the signal ends the program after the files are removed.
void refuse_if_stopped(const fs::path& path) {
  if (is_signal_waiting()) throw_file_trouble(path, "cannot be written", EINTR);
}

void wait_for_room(const Descriptor& file, const fs::path& path) {
  refuse_if_stopped(path);
  pollfd room{file.get(), POLLOUT, 0};
  ::poll(&room, 1, kPatience);
}

void put_piece(const Descriptor& file, const fs::path& path, std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t written = ::write(file.get(), piece.data(), piece.size());
    if (written >= 0) {
      piece.remove_prefix(static_cast<std::size_t>(written));
    } else if (errno == EAGAIN) {
      wait_for_room(file, path);
    } else if (errno != EINTR) {
      refuse(path, errno);
    }
  }
}

Descriptor open_stream(const fs::path& path) {
  std::error_code error;
  const bool is_pipe = fs::is_fifo(path, error);
  while (true) {
    const int file = ::open(path.c_str(), O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (file >= 0) return Descriptor(file);
    const bool nobody_reads_yet = errno == ENXIO && is_pipe;
    if (!nobody_reads_yet && errno != EINTR) throw_file_trouble(path, "cannot be written", errno);
    refuse_if_stopped(path);
    ::poll(nullptr, 0, kPatience);
  }
}

// While this exists, a closed pipe is an error to report instead of an end that would leave incomplete files.
class IgnoredBrokenPipe {
 public:
  IgnoredBrokenPipe() : before_(std::signal(SIGPIPE, SIG_IGN)) {}
  IgnoredBrokenPipe(const IgnoredBrokenPipe&) = delete;
  IgnoredBrokenPipe& operator=(const IgnoredBrokenPipe&) = delete;
  ~IgnoredBrokenPipe() { std::signal(SIGPIPE, before_); }

 private:
  void (*before_)(int);
};

}  // namespace

void put_content(Descriptor& file, const fs::path& path, const OutputFile& output) {
  const auto put = [&](std::string_view piece) { put_piece(file, path, piece); };
  put(output.content);
  if (output.make) output.make(put);
  // Some file systems report only now that the disk is full.
  if (::close(file.release()) != 0) refuse(path, errno);
}

void write_stream(const fs::path& path, const OutputFile& output) {
  const IgnoredBrokenPipe ignored;
  Descriptor stream = open_stream(path);
  put_content(stream, path, output);
}

}  // namespace fxcut
