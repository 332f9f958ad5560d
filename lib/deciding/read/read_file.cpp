#include "read/read_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnostic/diagnostic.h"
#include "system/descriptor.h"

namespace fxcut {
namespace {

// Whether the file was written to since.
bool has_changed(const Descriptor& file, const struct stat& before) {
  struct stat now {};
  return ::fstat(file.get(), &now) != 0 || now.st_size != before.st_size ||
         now.st_mtim.tv_sec != before.st_mtim.tv_sec || now.st_mtim.tv_nsec != before.st_mtim.tv_nsec;
}

// Reserves `bytes`. The system clears memory on first access, which for a large file is faster in large pages;
// Linux provides them on request.
void reserve_in_large_pages(std::string& content, std::size_t bytes) {
  content.reserve(bytes);
#ifdef MADV_HUGEPAGE
  constexpr std::uintptr_t kLargePage = std::uintptr_t{2} << 20;
  const auto begin = reinterpret_cast<std::uintptr_t>(content.data());
  const std::uintptr_t first = (begin + kLargePage - 1) / kLargePage * kLargePage;
  const std::uintptr_t end = (begin + content.capacity()) / kLargePage * kLargePage;
  if (first < end) ::madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE);  // failure is harmless
#endif
}

// The nearest name in the directory of a path.
std::string hint_for_missing(const std::filesystem::path& path) {
  constexpr std::size_t kMaxNamesCompared = 10'000;
  const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : ".";
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator entry(directory, error);
  for (; !error && entry != std::filesystem::directory_iterator() && names.size() < kMaxNamesCompared; entry.increment(error)) {
    if (entry->path().filename() != path.filename()) names.push_back(entry->path().filename().string());  // else a broken link
  }
  std::sort(names.begin(), names.end());
  const std::string near = nearest(path.filename().string(), {names.begin(), names.end()});
  return near.empty() ? "check the path" : "did you mean '" + (path.parent_path() / near).string() + "'?";
}

// Several threads may read.
struct FilesRead {
  std::mutex mutex;
  std::vector<std::string> paths;
};

FilesRead& all_files_read() {
  static FilesRead files;
  return files;
}

void note_as_read(std::string path) {
  FilesRead& files = all_files_read();
  const std::lock_guard lock(files.mutex);
  files.paths.push_back(std::move(path));
}

}  // namespace

std::vector<std::string> files_read() {
  FilesRead& files = all_files_read();
  const std::lock_guard lock(files.mutex);
  return files.paths;
}

std::string read_file(const std::string& path) {
  const bool is_standard_input = path == "-";
  note_as_read(is_standard_input ? "/dev/stdin" : path);
  Descriptor file(is_standard_input ? STDIN_FILENO : ::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) throw_file_trouble(path, "cannot be read", errno, errno == ENOENT ? hint_for_missing(path) : "");
  // Few calls, and the bytes that `resize` clears are still in the cache when they are overwritten.
  constexpr std::size_t kChunk = 1 << 18;
  struct stat status {};
  std::string content;
  const bool is_known = ::fstat(file.get(), &status) == 0, is_regular = is_known && S_ISREG(status.st_mode);
  if (is_known && S_ISDIR(status.st_mode)) throw_file_trouble(path, "cannot be read", EISDIR, "expected a file: name one in it");
  if (is_regular) reserve_in_large_pages(content, static_cast<std::size_t>(status.st_size) + kChunk);
  for (;;) {
    const std::size_t before = content.size();
    content.resize(before + kChunk);
    const ssize_t got = ::read(file.get(), content.data() + before, content.size() - before);
    content.resize(before + static_cast<std::size_t>(got > 0 ? got : 0));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) throw_file_trouble(is_standard_input ? "standard input" : path, "cannot be read", errno);
    if (got == 0) break;
  }
  if (is_regular && has_changed(file, status)) {
    throw Failure(ExitStatus::FileTrouble, {{is_standard_input ? "standard input" : path,
                                             "changed while it was being read", "read it after it is written"}});
  }
  return content;
}

}  // namespace fxcut
