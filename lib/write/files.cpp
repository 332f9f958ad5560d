#include "write/files.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <future>
#include <set>
#include <utility>

#include "descriptor.h"
#include "diagnostic/diagnostic.h"
#include "write/held_signals.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

void write_piece(const Descriptor& file, const fs::path& path, std::string_view piece) {
  while (!piece.empty()) {
    const ssize_t written = ::write(file.get(), piece.data(), piece.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw_file_trouble(path, "cannot be written", errno, "is the disk full?");
    piece.remove_prefix(static_cast<std::size_t>(written));
  }
}

// Messages name `path`, which is what the user asked for; the content goes to `aside`.
void write_all(const fs::path& aside, const fs::path& path, const OutputFile& output) {
  Descriptor file(::open(aside.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (file.get() < 0) throw_file_trouble(path, "cannot be written", errno);
  const auto write = [&](std::string_view piece) { write_piece(file, path, piece); };
  write(output.content);
  if (output.make) output.make(write);
  // Some file systems tell only now that there was no room.
  if (::close(file.release()) != 0) throw_file_trouble(path, "cannot be written", errno, "is the disk full?");
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
  if (!fs::create_directory(directory, error)) {
    throw_file_trouble(directory, "cannot be made a directory", error.value());
  }
  undo.made(directory);
}

void refuse_if_in_the_way(const fs::path& path, bool overwrite, std::string_view option) {
  std::error_code error;
  const fs::file_status status = fs::symlink_status(path, error);
  if (fs::is_directory(status)) {
    throw_file_trouble(path, "is in the way", EISDIR,
                       fmt::format("move that directory away or name another {}", option));
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
    if (::rename(from.c_str(), to.c_str()) != 0) throw_file_trouble(to, "cannot be replaced", errno);
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

}  // namespace fxcut
