#include "write/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <functional>
#include <future>
#include <set>
#include <utility>

#include "diagnostic/diagnostic.h"
#include "write/held_signals.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail(const fs::path& path, std::string_view what, int error, std::string hint = {}) {
  throw Failure(ExitStatus::FileTrouble,
                {{path.string(), fmt::format("{}: {}", what, std::strerror(error)), std::move(hint)}});
}

// A file descriptor that is closed when it goes.
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

void write_piece(const Descriptor& file, const fs::path& path, std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t written = ::write(file.get(), piece.data(), piece.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) fail(path, "cannot be written", errno, "is the disk full?");
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Messages name `path`, which is what the user asked for; the content goes to `aside`.
void write_all(const fs::path& aside, const fs::path& path, const OutputFile& output) {
  Descriptor file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) fail(path, "cannot be written", errno);
  const auto write = [&](std::string_view piece) { write_piece(file, path, piece); };
  write(output.content);
  if (output.make) output.make(write);
  // Some file systems tell only now that there was no room.
  if (::close(file.release()) != 0) fail(path, "cannot be written", errno, "is the disk full?");
}

// What has been made so far, and is taken back unless all succeeds.
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
  // Makes room, so that so many more can be noted where memory is at its end.
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
                  {{directory.string(), "is no directory", fmt::format("move it away or name another {}", option)}});
  }
  if (!fs::create_directory(directory, error)) fail(directory, "cannot be made a directory", error.value());
  undo.made(directory);
}

void refuse_if_in_the_way(const fs::path& path, bool overwrite, std::string_view option) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::is_directory(status)) {
    fail(path, "is in the way", EISDIR, fmt::format("move that directory away or name another {}", option));
  }
  if (fs::exists(status) && !overwrite) {
    throw Failure(ExitStatus::FileTrouble, {{path.string(), "exists already",
                                             fmt::format("use --force to replace it or name another {}", option)}});
  }
}

}  // namespace

void write_files(const std::vector<OutputDirectory>& directories, bool overwrite,
                 const std::function<void()>& before_renaming) {
  const HeldSignals held;
  Undo undo;
  std::set<fs::path> paths;
  for (const auto& [directory, files, option] : directories) {
    make_directory(directory.has_filename() ? directory : directory.parent_path(), option, undo);
    for (const OutputFile& file : files) {
      const fs::path path = directory / file.name;
      refuse_if_in_the_way(path, overwrite, option);
      std::error_code error;
      if (!paths.insert(fs::weakly_canonical(directory, error) / file.name).second) {
        throw Failure(ExitStatus::FileTrouble, {{path.string(), "is to be written twice",
                                                 fmt::format("name another {}", option)}});
      }
    }
  }
  const std::string suffix = fmt::format(".fxcut-{}", ::getpid());
  std::vector<std::pair<fs::path, fs::path>> renames;
  std::vector<std::future<void>> writing;  // which end before what is made is undone
  for (const OutputDirectory& output : directories) {
    for (const OutputFile& file : output.files) {
      const fs::path path = output.directory / file.name;
      renames.emplace_back(path.string() + suffix, path);
      undo.made(renames.back().first);
      writing.push_back(std::async(write_all, renames.back().first, path, std::cref(file)));
    }
  }
  for (std::future<void>& file : writing) file.get();
  before_renaming();
  undo.expect(renames.size());
  for (auto& [from, to] : renames) {
    std::error_code error;
    const bool is_new = !fs::exists(to, error);
    if (::rename(from.c_str(), to.c_str()) != 0) fail(to, "cannot be replaced", errno);
    if (is_new) undo.made(std::move(to));
  }
  undo.keep();
}

void write_files(const fs::path& directory, const std::vector<OutputFile>& files, bool overwrite,
                 std::string_view option) {
  write_files({{directory, files, std::string(option)}}, overwrite);
}

OutputDirectory single_file(const fs::path& path, std::string_view content, std::string option) {
  return {path.has_parent_path() ? path.parent_path() : fs::path("."), {{path.filename().string(), content}},
          std::move(option)};
}

namespace {

// Whether somebody has written to the file since.
bool has_changed(const Descriptor& file, const struct stat& before) {
  struct stat now {};
  return ::fstat(file.get(), &now) != 0 || now.st_size != before.st_size ||
         now.st_mtim.tv_sec != before.st_mtim.tv_sec || now.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
}

// Room for so many bytes. The system clears memory when it is first touched, and of a large file faster in large pages,
// which Linux gives where they are asked for.
void reserve_in_large_pages(std::string& content, std::size_t bytes) {
  content.reserve(bytes);
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(content.data());
  const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t end = (begin + content.capacity()) / kLargePage * kLargePage;
  if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // no harm where it fails
#endif
}

}  // namespace

std::string read_file(const std::string& path) {
  const bool is_standard_input = path == "-";
  Descriptor file(is_standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) fail(path, "cannot be read", errno, errno == ENOENT ? "check the path" : "");
  constexpr std::size_t kChunk = 1 << 18;  // few calls, and what `resize` clears is in the cache when it is read over
  struct stat status {};
  std::string content;
  const bool is_regular = ::fstat(file.get(), &status) == 0 && S_ISREG(status.st_mode);
  if (is_regular) reserve_in_large_pages(content, static_cast<std::size_t>(status.st_size) + kChunk);
  for (;;) {
    const std::size_t before = content.size();
    content.resize(before + kChunk);
    const ssize_t got = ::read(file.get(), content.data() + before, content.size() - before);
    content.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(is_standard_input ? "standard input" : path, "cannot be read", errno);
    if (got == 0) break;
  }
  if (is_regular && has_changed(file, status)) {
    throw Failure(ExitStatus::FileTrouble, {{is_standard_input ? "standard input" : path,
                                             "was changed while it was read", "read it once it is written"}});
  }
  return content;
}

}  // namespace fxcut
