#include "write/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <future>
#include <set>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "system/descriptor.h"
#include "system/held_signals.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

constexpr int kPatience = 50;  // milliseconds between two checks for signals

const char* hint_for(int error) {
  if (error == EPIPE) return "was the pipe closed?";
  return error == EFBIG ? "is the size of files limited? ulimit -f shows it" : "is the disk full?";
}

[[noreturn]] void refuse(const fs::path& path, int error) {
  throw_file_trouble(path, "cannot be written", error, hint_for(error));
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
    const bool has_no_reader_yet = errno == ENXIO && is_pipe;
    if (!has_no_reader_yet && errno != EINTR) throw_file_trouble(path, "cannot be written", errno);
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

// Writes all of it and closes the file. Waits for a file that accepts no more for now, such as a pipe with a slow reader, until
// a signal is pending. Throws Failure (FileTrouble) for `path`, which is the user's name of it.
void put_content(Descriptor& file, const fs::path& path, const OutputFile& output) {
  const auto put = [&](std::string_view piece) { put_piece(file, path, piece); };
  put(output.content);
  if (output.make) output.make(put);
  // Some file systems report only now that the disk is full.
  if (::close(file.release()) != 0) refuse(path, errno);
}

// Writes to a device, or to a pipe, after waiting for its reader. Throws as above, also if the reader closes the pipe.
void write_stream(const fs::path& path, const OutputFile& output) {
  const IgnoredBrokenPipe ignored;
  Descriptor stream = open_stream(path);
  put_content(stream, path, output);
}

namespace fs = std::filesystem;

// Messages name `path`, which is the user's name; the content is written to `aside`.
void write_aside(const fs::path& aside, const fs::path& path, const OutputFile& output) {
  Descriptor file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) throw_file_trouble(path, "cannot be written", errno);
  put_content(file, path, output);
}

// Files and directories created so far, which are removed unless everything succeeds.
class Undo {
 public:
  Undo() = default;
  Undo(const Undo&) = delete;
  Undo& operator=(const Undo&) = delete;
  ~Undo() {
    std::error_code ignored;
    for (auto path = made_.rbegin(); path != made_.rend(); ++path) fs::remove(*path, ignored);
  }
  void made(fs::path path) { made_.push_back(std::move(path)); }
  // Reserves memory for further paths, so that adding them cannot fail.
  void expect(std::size_t more) { made_.reserve(made_.size() + more); }
  void keep() { made_.clear(); }

 private:
  std::vector<fs::path> made_;
};

void make_directory(const fs::path& directory, std::string_view option, Undo& undo) {
  std::error_code error;
  if (fs::is_directory(directory, error)) return;
  const fs::path parent = directory.parent_path();
  if (!parent.empty() && parent != directory) make_directory(parent, option, undo);
  if (fs::exists(fs::symlink_status(directory, error))) {
    throw Failure(ExitStatus::FileTrouble,
                  {{directory.string(), "is not a directory", fmt::format("move it away or name another {}", option)}});
  }
  if (!fs::create_directory(directory, error)) {
    throw_file_trouble(directory, "cannot be made a directory", error.value());
  }
  undo.made(directory);
}

struct Target {
  const OutputFile& output;
  fs::path path;           // by the user's name
  bool is_stream = false;  // a device or a pipe, which is written to: only regular files are replaced
  fs::path place = path;   // of the file: the target of a link
  fs::path aside = {};     // a path next to it that no other process uses
};

Target target_of(const OutputDirectory& directory, const OutputFile& output, bool overwrite) {
  Target target{output, directory.directory / output.name};
  std::error_code error;
  const fs::file_status status = fs::status(target.path, error);
  if (fs::is_directory(status)) {
    throw_file_trouble(target.path, "is in the way", EISDIR,
                       fmt::format("move that directory away or name another {}", directory.option));
  }
  target.is_stream = fs::exists(status) && !fs::is_regular_file(status);
  if (target.is_stream) return target;
  const bool is_there = fs::exists(fs::symlink_status(target.path, error));  // also a link without a target
  if (is_there && !overwrite) {
    throw Failure(ExitStatus::FileTrouble,
                  {{target.path.string(), "exists already",
                    fmt::format("use --force to replace it or name another {}", directory.option)}});
  }
  target.place = fs::weakly_canonical(target.path, error);
  if (error) throw_file_trouble(target.path, "cannot be written", error.value());
  target.aside = fmt::format("{}.fxcut-{}", target.place.string(), ::getpid());
  return target;
}

// Creates the missing directories, and finds the destination of each file.
std::vector<Target> find_targets(const std::vector<OutputDirectory>& directories, bool overwrite, Undo& undo) {
  std::vector<Target> targets;
  std::set<fs::path> places;
  for (const OutputDirectory& output : directories) {
    const fs::path& directory = output.directory;
    make_directory(directory.has_filename() ? directory : directory.parent_path(), output.option, undo);
    for (const OutputFile& file : output.files) {
      targets.push_back(target_of(output, file, overwrite));
      if (places.insert(targets.back().place).second) continue;
      throw Failure(ExitStatus::FileTrouble, {{targets.back().path.string(), "is to be written twice",
                                               fmt::format("name another {}", output.option)}});
    }
  }
  return targets;
}

void write_all_aside(const std::vector<Target>& targets, Undo& undo) {
  std::vector<std::future<void>> writing;  // they end before `undo` removes their files
  for (const Target& target : targets) {
    if (target.is_stream) continue;
    undo.made(target.aside);
    writing.push_back(std::async(write_aside, target.aside, target.path, std::cref(target.output)));
  }
  for (std::future<void>& file : writing) file.get();
}

// Streams cannot be undone, so they are written when only renaming is left that may fail.
void write_streams(const std::vector<Target>& targets) {
  for (const Target& target : targets) {
    if (target.is_stream) write_stream(target.path, target.output);
  }
}

// Does not allocate memory after the first line.
void rename_all(std::vector<Target>& targets, Undo& undo) {
  undo.expect(targets.size());
  for (Target& target : targets) {
    if (target.is_stream) continue;
    std::error_code error;
    const bool is_new = !fs::exists(target.place, error);
    if (::rename(target.aside.c_str(), target.place.c_str()) != 0) {
      throw_file_trouble(target.path, "cannot be replaced", errno);
    }
    if (is_new) undo.made(std::move(target.place));
  }
}

}  // namespace

void write_files(const std::vector<OutputDirectory>& directories, bool overwrite,
                 const std::function<void()>& before_renaming) {
  const HeldSignals held;
  Undo undo;
  std::vector<Target> targets = find_targets(directories, overwrite, undo);
  write_all_aside(targets, undo);
  before_renaming();
  write_streams(targets);
  rename_all(targets, undo);
  undo.keep();
}

void write_files(const fs::path& directory, const std::vector<OutputFile>& files, bool overwrite, std::string_view option) {
  write_files({{directory, files, std::string(option)}}, overwrite);
}

OutputDirectory single_file(const fs::path& path, std::string_view content, std::string option) {
  return {path.has_parent_path() ? path.parent_path() : fs::path("."), {{path.filename().string(), content}},
          std::move(option)};
}

}  // namespace fxcut
