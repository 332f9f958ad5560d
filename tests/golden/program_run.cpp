#include "program_run.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <utility>

namespace golden {
namespace {

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

struct Pipe {
  Pipe() {
    std::array<int, 2> ends{};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
    read_end = ends[0];
    write_end = ends[1];
  }
  int read_end, write_end;
};

File stdin_file(const std::string& content) {
  File file(std::tmpfile(), &std::fclose);
  if (!file || std::fwrite(content.data(), 1, content.size(), file.get()) != content.size()) {
    throw std::runtime_error("no file for standard input");
  }
  std::rewind(file.get());
  return file;
}

int number_of_stream(const std::string& name) {
  if (name == "stdin") return STDIN_FILENO;
  if (name == "stdout") return STDOUT_FILENO;
  if (name == "stderr") return STDERR_FILENO;
  throw std::runtime_error("no such stream: " + name);
}

// In the child: becomes the program. Returns only if that fails.
void become(const std::filesystem::path& binary, const Case& given, const std::filesystem::path& directory, int in,
            int out, int err) {
  if (!given.stdout_to.empty()) out = ::open(given.stdout_to.c_str(), O_WRONLY | O_CLOEXEC);
  if (::chdir(directory.c_str()) != 0 || ::dup2(in, STDIN_FILENO) < 0 || ::dup2(out, STDOUT_FILENO) < 0 ||
      ::dup2(err, STDERR_FILENO) < 0) {
    return;
  }
  for (const std::string& name : given.closed) ::close(number_of_stream(name));
  if (given.file_size_limit_bytes) {
    const rlimit limit = {*given.file_size_limit_bytes, *given.file_size_limit_bytes};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return;
  }
  std::vector<std::string> words = given.arguments;
  words.insert(words.begin(), "fxcut");
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  ::execv(binary.c_str(), pointers.data());
}

// Reads both to their ends at once: the program may fill either first.
void drain(int out, int err, Outcome& outcome) {
  std::array<pollfd, 2> streams = {pollfd{out, POLLIN, 0}, pollfd{err, POLLIN, 0}};
  std::array<std::string*, 2> texts = {&outcome.out, &outcome.err};
  std::array<char, 65536> chunk{};
  for (int open = 2; open > 0;) {
    if (::poll(streams.data(), streams.size(), -1) < 0 && errno != EINTR) throw std::runtime_error("poll failed");
    for (std::size_t s = 0; s < streams.size(); ++s) {
      if (streams[s].fd < 0 || streams[s].revents == 0) continue;
      const ssize_t got = ::read(streams[s].fd, chunk.data(), chunk.size());
      if (got > 0) {
        texts[s]->append(chunk.data(), static_cast<std::size_t>(got));
      } else {
        ::close(std::exchange(streams[s].fd, -1));
        --open;
      }
    }
  }
}

std::string show_status(int status) {
  return WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : std::to_string(WEXITSTATUS(status));
}

}  // namespace

Outcome run_program(const std::filesystem::path& binary, const Case& given, const std::filesystem::path& directory) {
  const File input = stdin_file(given.stdin_content);
  const Pipe out, err;
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    become(binary, given, directory, ::fileno(input.get()), out.write_end, err.write_end);
    std::_Exit(127);
  }
  ::close(out.write_end);
  ::close(err.write_end);
  Outcome outcome;
  drain(out.read_end, err.read_end, outcome);
  int status = 0;
  if (::waitpid(child, &status, 0) != child) throw std::runtime_error("waitpid failed");
  outcome.status = show_status(status);
  return outcome;
}

}  // namespace golden
