// The text is in an unnamed file from which the child reads, so that neither process waits for the other.
#include "cli/graphviz.h"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <utility>

#include "diagnostic/diagnostic.h"

extern char** environ;

namespace fxcut {
namespace {

constexpr const char* kProgram = "dot";
constexpr int kNotFound = 127;  // the status by which a shell, or posix_spawnp, reports a missing program

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

File temporary_file() {
  File file(std::tmpfile());
  if (!file) {
    throw Failure(ExitStatus::FileTrouble,
                  fmt::format("a temporary file for Graphviz cannot be created: {}", std::strerror(errno)));
  }
  return file;
}

void write_all(std::FILE* file, const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), file) != text.size() || std::fflush(file) != 0) {
    throw Failure(ExitStatus::FileTrouble, fmt::format("the graph for Graphviz cannot be written: {}", std::strerror(errno)));
  }
  std::rewind(file);
}

std::string read_all(std::FILE* file) {
  std::rewind(file);
  std::string text;
  char part[1 << 16];
  while (const std::size_t count = std::fread(part, 1, sizeof part, file)) text.append(part, count);
  return text;
}

Failure no_graphviz() {
  return Failure(ExitStatus::FileTrouble, "the program 'dot' is missing",
                 "install Graphviz, or use --format dot and draw it elsewhere");
}

// Runs `dot` with these files. Its exit status, or -1 if a signal ended it.
int run_dot(std::FILE* in, std::FILE* out, std::FILE* err) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, fileno(in), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(out), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, fileno(err), STDERR_FILENO);
  std::string program = kProgram, format = "-Tsvg";
  char* const arguments[] = {program.data(), format.data(), nullptr};
  pid_t child = 0;
  const int trouble = posix_spawnp(&child, kProgram, &actions, nullptr, arguments, environ);
  posix_spawn_file_actions_destroy(&actions);
  if (trouble == ENOENT) throw no_graphviz();
  if (trouble != 0) {
    throw Failure(ExitStatus::FileTrouble, fmt::format("'dot' cannot be run: {}", std::strerror(trouble)));
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == kNotFound) throw no_graphviz();
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

std::string render_svg(const std::string& dot) {
  const File in = temporary_file(), out = temporary_file(), err = temporary_file();
  write_all(in.get(), dot);
  if (run_dot(in.get(), out.get(), err.get()) != 0) {
    const std::string complaint = read_all(err.get());
    throw Failure(ExitStatus::FileTrouble, fmt::format("'dot' failed: {}", complaint.substr(0, complaint.find('\n'))));
  }
  return read_all(out.get());
}

}  // namespace fxcut
