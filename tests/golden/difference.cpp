#include "difference.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "fresh_directory.h"
#include "text.h"

namespace golden {

void show_difference(const std::filesystem::path& case_file, const std::string& expected, const std::string& found) {
  const FreshDirectory directory;
  const std::filesystem::path before = directory.path() / "expected", after = directory.path() / "found";
  write_text(before, expected);
  write_text(after, found);
  const std::string label = case_file.string();
  const pid_t child = ::fork();
  if (child < 0) throw std::runtime_error("fork failed");
  if (child == 0) {
    ::dup2(STDERR_FILENO, STDOUT_FILENO);
    ::execlp("diff", "diff", "--unified", "--color=auto", "--label", label.c_str(), "--label", "this run",
             before.c_str(), after.c_str(), nullptr);
    std::_Exit(127);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 1) throw std::runtime_error("diff shows no difference: is it installed?");
}

}  // namespace golden
