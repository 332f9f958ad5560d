// Turns the command line into a call, and its outcome into streams and an exit status.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <iostream>
#include <new>
#include <optional>

#include "cli/command.h"
#include "cli/memory_cap.h"
#include "cli/narration.h"
#include "cli/printable_stream.h"
#include "cli/stop_signals.h"

namespace fxcut {
namespace {

// Takes the option out of the arguments, where it stands before a "--".
bool take_flag(CommandArguments& arguments, std::string_view option) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  const auto found = std::find(arguments.begin(), end, option);
  if (found == end) return false;
  arguments.erase(found);
  return true;
}

// Takes "--max-memory SIZE" and "--max-memory=SIZE" out of the arguments in the same way; of several the last counts.
std::optional<std::string> take_max_memory(CommandArguments& arguments) {
  constexpr std::string_view kOption = "--max-memory", kWithValue = "--max-memory=";
  std::optional<std::string> size;
  for (auto at = arguments.begin(); at != arguments.end() && *at != "--";) {
    if (at->starts_with(kWithValue)) {
      size = at->substr(kWithValue.size());
      at = arguments.erase(at);
    } else if (*at == kOption) {
      if (at + 1 == arguments.end()) {
        throw Failure(ExitStatus::Usage, "--max-memory: expected a size", "such as --max-memory 4GiB");
      }
      size = *(at + 1);
      at = arguments.erase(at, at + 2);
    } else {
      ++at;
    }
  }
  return size;
}

ExitStatus run(CommandArguments arguments) {
  const bool is_quiet = take_flag(arguments, "--quiet"), is_verbose = take_flag(arguments, "--verbose");
  if (is_quiet && is_verbose) throw Failure(ExitStatus::Usage, "--quiet and --verbose: one of them can be");
  set_verbosity(std::cerr, is_quiet ? Verbosity::Quiet : is_verbose ? Verbosity::Verbose : Verbosity::Normal);
  if (const auto size = take_max_memory(arguments)) cap_memory(*size);
  if (arguments.empty()) {
    run_help({}, std::cerr, std::cerr);
    return ExitStatus::Usage;
  }
  std::string name = arguments.front();
  if (name == "--help" || name == "-h") name = "help";
  if (name == "--version") name = "version";
  std::vector<std::string_view> names;
  for (const Command& command : commands()) {
    if (command.name == name) return command.run({arguments.begin() + 1, arguments.end()}, std::cout, std::cerr);
    names.push_back(command.name);
  }
  std::string hint = did_you_mean(name, names);
  throw Failure(ExitStatus::Usage, fmt::format("unknown command '{}'", name),
                hint.empty() ? "'fxcut help' lists the commands" : hint);
}

// Whether all that was printed arrived. An answer of no stays one, which is what a pipeline asks for.
ExitStatus flush(ExitStatus status) {
  std::cout.flush();
  if (std::cout || (status != ExitStatus::Done && status != ExitStatus::No)) return status;
  std::cerr << "fxcut: error: standard output cannot be written: is the disk full, or the reader gone?\n";
  return status == ExitStatus::Done ? ExitStatus::FileTrouble : status;
}

ExitStatus run_safely(const CommandArguments& arguments) {
  try {
    return flush(run(arguments));
  } catch (const Failure& failure) {
    std::cerr << failure.what() << "\n";
    return failure.status();
  } catch (const std::bad_alloc&) {
    const Failure failure = out_of_memory("");
    std::cerr << failure.what() << "\n";
    return failure.status();
  } catch (const std::exception& error) {
    std::cerr << "fxcut: internal error: " << error.what()
              << "\n  This is a bug in fxcut: please report it with the input.\n";
    return ExitStatus::Internal;
  }
}

// A standard stream that is closed stays so for us: what is opened later must not get its number, and with it the lines
// that are printed. Each is opened in the direction in which nobody uses it.
void keep_closed_streams_closed() {
  for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(stream, F_GETFD) < 0) ::open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

}  // namespace
}  // namespace fxcut

int main(int argc, char** argv) {
  std::ios::sync_with_stdio(false);
  fxcut::keep_closed_streams_closed();
  std::signal(SIGXFSZ, SIG_IGN);  // a file that grows too large is an error to report, not an end
  fxcut::tell_of_stop_signals();
  const fxcut::PrintableStream out(std::cout), err(std::cerr);
  return static_cast<int>(fxcut::run_safely({argv + 1, argv + argc}));
}
