#include "batch/output_tree.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <thread>

#include "diagnostic/diagnostic.h"
#include "system/descriptor.h"

namespace fxcut {
namespace {

namespace fs = std::filesystem;

// Another process may remove an empty directory just before the next is created in it, or one that exists before it is looked at.
void make_directory(const fs::path& path) {
  constexpr int kTries = 100;
  std::error_code error;
  for (int tries = 0; tries < kTries; ++tries) {
    fs::create_directories(path, error);
    if (error != std::errc::no_such_file_or_directory && error != std::errc::file_exists) break;
  }
  if (error) throw_file_trouble(path, "cannot be created as a directory", error.value());
}

// Whether the directory is still the opened one, not removed or created again.
bool is_still(const fs::path& directory, int descriptor) {
  struct stat opened {}, there {};
  return ::fstat(descriptor, &opened) == 0 && ::stat(directory.c_str(), &there) == 0 &&
         opened.st_dev == there.st_dev && opened.st_ino == there.st_ino;
}

// A lock on the directory that the process and its children hold; -1 if another process has it, or has just removed it.
int lock(const fs::path& directory) {
  const int descriptor = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0 && errno == ENOENT) return -1;
  if (descriptor < 0) throw_file_trouble(directory, "cannot be opened", errno);
  // Some network file systems cannot lock directories: there the user must not start a run twice.
  const bool is_locked = ::flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (is_locked && is_still(directory, descriptor)) return descriptor;
  ::close(descriptor);
  return -1;
}

// Creates and locks the directory, waiting for one that is about to be freed: a run that ends removes it, and a killed run's
// children end a moment later.
int make_and_lock(const fs::path& directory) {
  constexpr int kTries = 150;
  for (int tries = 0; tries < kTries; ++tries) {
    make_directory(directory);
    if (const int descriptor = lock(directory); descriptor >= 0) return descriptor;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  throw Failure(ExitStatus::FileTrouble, {{directory.string(), "another fxcut batch is using this directory",
                                           "wait for it, or name another --output-dir"}});
}

void remove_content(const fs::path& directory) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(directory, ignored)) {
    fs::remove_all(entry.path(), ignored);
  }
}

// Removes the files of runs that have ended.
void remove_leftovers(const fs::path& all_unfinished, const fs::path& own) {
  std::error_code ignored;
  for (const fs::directory_entry& entry : fs::directory_iterator(all_unfinished, ignored)) {
    if (entry.path() == own || !entry.is_directory(ignored)) continue;
    const int descriptor = lock(entry.path());
    if (descriptor < 0) continue;
    fs::remove_all(entry.path(), ignored);
    ::close(descriptor);
  }
}

// Writes files to `aside`; failures name their final place.
void write_aside(const fs::path& aside, const fs::path& target, const std::vector<OutputFile>& files) {
  try {
    write_files(aside, files, true);
  } catch (const Failure& failure) {
    std::vector<Diagnostic> diagnostics = failure.diagnostics();
    const std::string from = aside.string();
    for (Diagnostic& diagnostic : diagnostics) {
      if (diagnostic.place.starts_with(from)) diagnostic.place.replace(0, from.size(), target.string());
    }
    throw Failure(failure.status(), std::move(diagnostics));
  }
}

// Only regular files and directories of them are replaced or removed, no devices and pipes.
void refuse_if_special(const fs::path& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status) || fs::is_regular_file(status) || fs::is_directory(status)) return;
  throw Failure(ExitStatus::FileTrouble, {{path.string(), "is not a regular file and is not replaced",
                                           "move it away or name another --output-dir"}});
}

void refuse_if_any_special(const fs::path& path) {
  refuse_if_special(path);
  std::error_code error;
  if (!fs::is_directory(fs::symlink_status(path, error))) return;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path, error)) refuse_if_special(entry.path());
}

// Removes directories in which the graph was the last.
void remove_empty_parents(const fs::path& path, const fs::path& top) {
  std::error_code error;
  for (fs::path parent = path.parent_path(); parent != top && fs::remove(parent, error);) parent = parent.parent_path();
}

// Another process may remove a parent that has become empty just before it is needed.
void rename_into(const fs::path& from, const fs::path& to) {
  constexpr int kTries = 100;
  std::error_code error;
  for (int tries = 0; tries < kTries; ++tries) {
    make_directory(to.parent_path());
    fs::rename(from, to, error);
    if (error != std::errc::no_such_file_or_directory) break;
  }
  if (error) throw_file_trouble(to, "cannot be moved into place", error.value());
}

}  // namespace

OutputTree::OutputTree(fs::path directory, const std::string& run, bool is_alone)
    : directory_(std::move(directory)), unfinished_(directory_ / "unfinished" / run), is_new_(!fs::exists(directory_)) {
  lock_ = make_and_lock(unfinished_);
  remove_content(unfinished_);
  if (is_alone) remove_leftovers(directory_ / "unfinished", unfinished_);
}

OutputTree::~OutputTree() {
  std::error_code ignored;
  fs::remove_all(unfinished_, ignored);
  ::close(lock_);
  fs::remove(directory_ / "unfinished", ignored);  // if no other run is active
  fs::remove(directory_ / "graphs", ignored);      // if no graph is done
  if (is_new_) fs::remove(directory_, ignored);    // if it has no results
}

void OutputTree::put_graph(const std::string& name, const std::vector<OutputFile>& files) const {
  const fs::path target = graph_directory(directory_, name), aside = unfinished_ / std::to_string(::getpid());
  write_aside(aside, target, files);
  drop_graph(name);
  rename_into(aside, target);
}

void OutputTree::drop_graph(const std::string& name) const {
  const fs::path path = graph_directory(directory_, name);
  std::error_code error;
  if (!fs::exists(fs::symlink_status(path, error))) return;
  refuse_if_any_special(path);
  const fs::path away = unfinished_ / fmt::format("{}.old", ::getpid());
  fs::remove_all(away, error);
  fs::rename(path, away, error);
  if (error) throw_file_trouble(path, "cannot be replaced", error.value());
  fs::remove_all(away, error);
  remove_empty_parents(path, directory_ / "graphs");
}

void OutputTree::put_file(const std::string& name, std::string_view content) const {
  const fs::path path = directory_ / name;
  refuse_if_special(path);
  write_aside(unfinished_, path.parent_path(), {{path.filename().string(), content}});
  rename_into(unfinished_ / path.filename(), path);
}

void OutputTree::drop_file(const std::string& name) const {
  refuse_if_special(directory_ / name);
  std::error_code error;
  fs::remove(directory_ / name, error);
  if (error) throw_file_trouble(directory_ / name, "cannot be removed", error.value());
}

fs::path path_below(const fs::path& directory, const fs::path& path) {
  std::error_code error;
  return fs::weakly_canonical(path, error).lexically_relative(fs::weakly_canonical(directory, error));
}

bool is_result(const fs::path& path, const fs::path& directory) {
  std::error_code error;
  const fs::path below = path_below(directory, path);
  const fs::path first = below.empty() ? below : *below.begin();
  if (first == "unfinished") return true;
  if (first == "shards") return below == "shards/work_list.json" || below.extension() == ".jsonl";
  if (first == "graphs") {
    return fs::exists(path / "result.json", error) || fs::exists(path.parent_path() / "result.json", error);
  }
  return std::find(kFilesOfAll.begin(), kFilesOfAll.end(), below) != kFilesOfAll.end();
}

fs::path graph_directory(const fs::path& directory, std::string_view name) { return directory / "graphs" / name; }

}  // namespace fxcut
