// Calls the command of the command line, and turns its outcome into output and an exit status.
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
#include "cli/options.h"
#include "cli/printable_stream.h"
#include "cli/stop_signals.h"
#include "cli/terminal.h"

namespace fxcut {
namespace {

// Removes an option of every command, with its value if it has one, from the arguments before a "--". Returns the last one's
// value; nullopt if it is not given.
std::optional<std::string> take(const OptionRow& row, CommandArguments& arguments) {
  const std::string option = fmt::format("--{}", row.name), with_value = option + "=";
  const bool has_value = *row.value != '\0';
  std::optional<std::string> value;
  for (auto at = arguments.begin(); at != arguments.end() && *at != "--";) {
    if (*at == option && has_value) {
      if (at + 1 == arguments.end()) {
        throw Failure(ExitStatus::Usage, fmt::format("{}: expected {}", option, row.value), row.help);
      }
      value = *(at + 1);
      at = arguments.erase(at, at + 2);
    } else if (*at == option || (has_value && at->starts_with(with_value))) {
      value = at->substr(std::min(at->size(), with_value.size()));
      at = arguments.erase(at);
    } else {
      ++at;
    }
  }
  return value;
}

// The short forms of options: -h, -q and -v before a "--".
void spell_out(CommandArguments& arguments) {
  const auto end = std::find(arguments.begin(), arguments.end(), "--");
  std::replace(arguments.begin(), end, std::string("-h"), std::string("--help"));
  std::replace(arguments.begin(), end, std::string("-q"), std::string("--quiet"));
  std::replace(arguments.begin(), end, std::string("-v"), std::string("--verbose"));
}

void set_style(CommandArguments& arguments) {
  const std::string color = take(kColor, arguments).value_or("");
  PrintableStream::set_colored(std::cout, is_colored(color, STDOUT_FILENO));
  PrintableStream::set_colored(std::cerr, is_colored(color, STDERR_FILENO));
  const std::string units = take(kUnits, arguments).value_or("");
  set_text_style(text_style_for(units, take(kLimit, arguments).value_or("")));
}

ExitStatus run(CommandArguments arguments) {
  spell_out(arguments);
  set_style(arguments);
  set_strict(take(kStrict, arguments).has_value());
  const bool is_quiet = take(kQuiet, arguments).has_value(), is_verbose = take(kVerbose, arguments).has_value();
  if (is_quiet && is_verbose) throw cannot_be_combined("--quiet", "--verbose");
  set_verbosity(std::cerr, is_quiet ? Verbosity::Quiet : is_verbose ? Verbosity::Verbose : Verbosity::Normal);
  if (const auto size = take(kMaxMemory, arguments)) cap_memory(*size);
  if (arguments.empty()) {
    help_command::run({}, std::cerr, std::cerr);
    return ExitStatus::Usage;
  }
  std::string name = arguments.front();
  if (name == "--help") name = "help";
  if (name == "--version") name = "version";
  std::vector<std::string_view> names;
  for (const Command& command : commands()) {
    if (command.name == name) {
      const ExitStatus status = command.run({arguments.begin() + 1, arguments.end()}, std::cout, std::cerr);
      return status == ExitStatus::Done && must_fail_for(warnings_so_far()) ? ExitStatus::No : status;
    }
    names.push_back(command.name);
  }
  std::string hint = did_you_mean(name, names);
  throw Failure(ExitStatus::Usage, fmt::format("unknown command '{}'", name),
                hint.empty() ? "'fxcut help' lists the commands" : hint);
}

// Whether all output was written. The status No takes precedence: a pipeline acts on it.
ExitStatus flush(ExitStatus status) {
  std::cout.flush();
  if (std::cout || (status != ExitStatus::Done && status != ExitStatus::No)) return status;
  std::cerr << "fxcut: error: standard output cannot be written: is the disk full, or was the pipe closed?\n";
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

// Keeps the numbers of closed standard streams from files that are opened later, which would get the printed lines. Each is
// opened in the unused direction.
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
  fxcut::report_stop_signals();
  const fxcut::PrintableStream out(std::cout), err(std::cerr);
  return static_cast<int>(fxcut::run_safely({argv + 1, argv + argc}));
}
